/** Every setting of the server, read in one place; a bad value stops the start with one line that names it. */
import {
  HOSTS_ACCEPT,
  isHostEntry,
  isOriginEntry,
  ORIGIN_ACCEPTS,
  ORIGINS_ACCEPT,
  parseProducersBaseUrl,
} from './core/hosts.ts';
import type { Settings } from './core/types.ts';

export interface ServerSettings extends Settings {
  port: number;
  host: string;
  /** https origin of the money and capital-markets producer, null when not configured. */
  producersBaseUrl: string | null;
  mcpAllowedHosts: string[];
  mcpAllowedOrigins: string[];
}

/** A setting with a value nobody can use; credentials in it are not repeated. */
export class BadSetting extends Error {
  constructor(name: string, value: string, accepts: string) {
    super(`${name} is ${JSON.stringify(value.replace(/[^/,\s]*@/g, '***@'))}; it accepts ${accepts}`);
    this.name = 'BadSetting';
  }
}

type Env = Record<string, string | undefined>;

/** Settings every part of the service shares. `SITE_URL` falls back to Netlify's `URL`, then to localhost. */
export function sharedSettings(env: Env): Settings {
  const given = env['SITE_URL'] ?? (env['NETLIFY'] ? env['URL'] : undefined) ?? 'http://localhost:3000';
  return { siteUrl: siteUrlOf(given) };
}

/** Settings of a running server. */
export function serverSettings(env: Env): ServerSettings {
  const { siteUrl } = sharedSettings(env);
  const ownHosts = [new URL(siteUrl).hostname, 'localhost', '127.0.0.1', '[::1]'];
  return {
    siteUrl,
    port: portOf(env['PORT'] ?? '3000'),
    host: hostOf(env['HOST'] ?? '127.0.0.1'),
    producersBaseUrl:
      env['PRODUCERS_BASE_URL'] === undefined
        ? null
        : originOf('PRODUCERS_BASE_URL', env['PRODUCERS_BASE_URL']),
    mcpAllowedHosts: listOf('MCP_ALLOWED_HOSTS', env, isHostEntry, HOSTS_ACCEPT) ?? ownHosts,
    mcpAllowedOrigins: listOf('MCP_ALLOWED_ORIGINS', env, isOriginEntry, ORIGINS_ACCEPT) ?? ownHosts,
  };
}

function siteUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain =
    url &&
    /^https?:$/.test(url.protocol) &&
    !/[?#\s]/.test(text) &&
    url.username === '' &&
    url.password === '';
  if (!plain)
    throw new BadSetting('SITE_URL', text, 'an http or https address without query, fragment or credentials');
  // As URLs are sent: a host outside ASCII in punycode, or no header field could carry it.
  return url.href.replace(/\/+$/, '');
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65535)
    throw new BadSetting('PORT', text, 'a whole number from 0 to 65535');
  return port;
}

function hostOf(text: string): string {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) throw new BadSetting('HOST', text, 'a host name or an address');
  return text;
}

function originOf(name: string, text: string): string {
  try {
    return parseProducersBaseUrl(text).origin;
  } catch {
    throw new BadSetting(name, text, ORIGIN_ACCEPTS);
  }
}

/** The entries of a list, null when it is not set. */
function listOf(
  name: string,
  env: Env,
  isEntry: (entry: string) => boolean,
  accepts: string,
): string[] | null {
  const text = env[name];
  if (text === undefined) return null;
  const items = text.split(',').map((item) => item.trim());
  if (!items.every(isEntry)) throw new BadSetting(name, text, accepts);
  return items;
}
