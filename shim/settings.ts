/** Every setting of the server, read in one place; a bad value stops the start with one line that names it. */
import { BadSetting } from './core/faults.ts';
import { hostOf, originEntryOf, parseProducersBaseUrl, SITE_ADDRESS, siteAddress } from './core/hosts.ts';
import type { Settings } from './core/types.ts';

export interface ServerSettings extends Settings {
  port: number;
  host: string;
  /** https origin of the money and capital-markets producer, null when not configured. */
  producersBaseUrl: string | null;
  mcpAllowedHosts: string[];
  mcpAllowedOrigins: string[];
  /** Where the published data is read; null for a folder. */
  dataFrom: DataFrom | null;
}

/** A copy of the published files at an address. */
export interface DataFrom {
  /** Address of the root of the copy. */
  address: string;
  /** The minisign key its release must be signed by; null where that is not checked. */
  key: string | null;
}

type Env = Record<string, string | undefined>;

const DEFAULT_PORT = '3000';
/** Addresses that are this machine for every client on it. */
const EVERYWHERE: ReadonlySet<string> = new Set(['127.0.0.1', '0.0.0.0', '::', '::1']);

/** Settings every part of the service shares. `SITE_URL` falls back to Netlify's `URL`, then to where the server listens. */
export function sharedSettings(env: Env): Settings {
  const given = env['SITE_URL'] ?? (env['NETLIFY'] ? env['URL'] : undefined);
  return { siteUrl: addressSetting('SITE_URL', given ?? addressOf(hostSetting(env), portSetting(env))) };
}

/** One line that says where links lead when SITE_URL is not set; null when it is. */
export function unsetSiteUrl(env: Env): string | null {
  if (env['SITE_URL'] !== undefined) return null;
  return `SITE_URL is not set: links lead to ${sharedSettings(env).siteUrl}.`;
}

/** Settings of a running server. */
export function serverSettings(env: Env): ServerSettings {
  const { siteUrl } = sharedSettings(env);
  const ownHosts = [new URL(siteUrl).hostname, 'localhost', '127.0.0.1', '[::1]'];
  const producers = env['PRODUCERS_BASE_URL'];
  return {
    siteUrl,
    port: portSetting(env),
    host: hostSetting(env),
    producersBaseUrl: producers === undefined ? null : parseProducersBaseUrl(producers).origin,
    mcpAllowedHosts: listOf('MCP_ALLOWED_HOSTS', env) ?? ownHosts,
    mcpAllowedOrigins: listOf('MCP_ALLOWED_ORIGINS', env) ?? ownHosts,
    dataFrom: dataFromOf(env),
  };
}

function addressSetting(name: string, text: string): string {
  const url = siteAddress(text);
  if (!url) throw new BadSetting(name, text, SITE_ADDRESS);
  // As URLs are sent: a host outside ASCII in punycode, or no header field could carry it.
  return url.href.replace(/\/+$/, '');
}

function dataFromOf(env: Env): DataFrom | null {
  const { DATA_FROM: address, DATA_KEY: key = null } = env;
  if (key !== null && !/^RW[A-Za-z0-9+/]{54}$/.test(key))
    throw new BadSetting('DATA_KEY', key, 'a public key as minisign prints it: RW and 54 more characters');
  if (address !== undefined) return { address: addressSetting('DATA_FROM', address), key };
  if (key === null) return null;
  throw new BadSetting('DATA_KEY', key, 'to be set with DATA_FROM only, the address whose release it is for');
}

/** The address of a server for clients on its machine. A port that is chosen later (0) is not known yet. */
function addressOf(host: string, port: number): string {
  const name = EVERYWHERE.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port === 0 ? DEFAULT_PORT : port}`;
}

function portSetting(env: Env): number {
  const text = env['PORT'] ?? DEFAULT_PORT;
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65535)
    throw new BadSetting('PORT', text, 'a whole number from 0 to 65535');
  return port;
}

function hostSetting(env: Env): string {
  const text = env['HOST'] ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(text) || !URL.canParse(addressOf(text, 0)))
    throw new BadSetting('HOST', text, 'a host name or an address');
  return text;
}

/** What reads an entry of a list, and what the entries are expected to be. */
const LISTS = {
  MCP_ALLOWED_HOSTS: {
    entryOf: hostOf,
    expected: 'host names separated by commas, each with or without a port, such as api.example',
  },
  MCP_ALLOWED_ORIGINS: {
    entryOf: originEntryOf,
    expected: 'host names or origins separated by commas, such as app.example or https://app.example:8443',
  },
};

/** The entries of a list, null when it is not set. */
function listOf(name: keyof typeof LISTS, env: Env): string[] | null {
  const { entryOf, expected } = LISTS[name];
  const text = env[name];
  if (text === undefined) return null;
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.some((entry) => entryOf(entry) === null)) throw new BadSetting(name, text, expected);
  return entries;
}
