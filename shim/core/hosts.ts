/**
 * Hosts and origins as settings and headers name them. Two uses: the one https origin that may be contacted
 * (PRODUCERS_BASE_URL), and who may use `/mcp` (MCP_ALLOWED_HOSTS and MCP_ALLOWED_ORIGINS against the headers Host and
 * Origin, a protection from DNS rebinding). A bare host admits every port, and as an origin every scheme; whatever else an
 * entry says must match exactly.
 */
import { BadSetting } from './faults.ts';

/**
 * The URL of a text; null where it is none. URL.canParse of Node 20 and 22 is wrong for letters such as é once it was called some
 * thousand times, so it is for ASCII only.
 */
export function urlOf(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** What an address of a site is, as messages say it. */
export const SITE_ADDRESS = 'an http or https address without query, fragment or credentials';

/** The URL of an address of a site; null for any other text. */
export function siteAddress(text: string): URL | null {
  return /^https?:\/*[^?#\s/@\\]+(\/[^?#\s]*)?$/i.test(text) ? urlOf(text) : null;
}

/** The origin of PRODUCERS_BASE_URL. Throws BadSetting. */
export function parseProducersBaseUrl(text: string): URL {
  const url = /^https:\/\/[^\s/?#@\\]+\/?$/i.test(text) ? urlOf(text) : null;
  if (url) return url;
  throw new BadSetting(
    'PRODUCERS_BASE_URL',
    text,
    'an https origin such as https://producer.example, without path, query, fragment or credentials',
  );
}

/** The address of a path below the origin. Throws where it would leave the origin or carry credentials. */
export function upstreamUrl(origin: URL, path: string): URL {
  const url = new URL(path, origin);
  if (!url.href.startsWith(`${origin.origin}/`))
    throw new Error(`${path} is not below the configured origin`);
  return url;
}

/**
 * Whether a text is a name, an IPv4 address or an IPv6 address in brackets, with or without a port: no credentials, no path. The
 * expression is inside the function because compiling it would delay the start of a server.
 */
const isHost = (text: string): boolean =>
  /^(?:[\p{L}\p{N}_][\p{L}\p{N}._-]*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/iu.test(text);
/** The origin of a website or a browser extension. */
const ORIGIN = /^(https?|[a-z]+-extension):\/\/(.+)$/i;
const DEFAULT_PORTS: Record<string, string> = { http: '80', https: '443' };

/** A host as an entry or a header names it; parts that it leaves out are null. */
interface Named {
  scheme: string | null;
  /** In the normal form of the URL standard. */
  hostname: string;
  port: string | null;
}

/** Whether a Host header is one of the entries; a missing header is not. */
export function hostCheck(entries: string[]): (header: string | null) => boolean {
  const allowed = entries.map(hostOf);
  return (header) => isAdmitted(hostOf(header ?? ''), allowed);
}

/** Whether an Origin header is one of the entries; only browsers send one, so a request without is not from a page. */
export function originCheck(entries: string[]): (header: string | null) => boolean {
  const allowed = entries.map(originEntryOf);
  return (header) => !header || isAdmitted(originOf(header), allowed);
}

function isAdmitted(sent: Named | null, allowed: (Named | null)[]): boolean {
  if (sent === null) return false;
  // A Host header without a port means the default port of a scheme that it does not name.
  const ports = sent.port === null ? Object.values(DEFAULT_PORTS) : [sent.port];
  return allowed.some(
    (entry) =>
      entry !== null &&
      entry.hostname === sent.hostname &&
      (entry.scheme === null || entry.scheme === sent.scheme) &&
      (entry.port === null || ports.includes(entry.port)),
  );
}

/** An entry of MCP_ALLOWED_ORIGINS; null where it is neither a host nor an origin. */
export function originEntryOf(text: string): Named | null {
  return hostOf(text) ?? originOf(text.replace(/\/$/, ''));
}

/** A host, as an entry of MCP_ALLOWED_HOSTS or a header has it; null where it is not one. */
export function hostOf(text: string): Named | null {
  const url = isHost(text) ? urlOf(`http://${text}`) : null;
  if (!url) return null;
  const port = /:([0-9]+)$/.exec(text)?.[1];
  return {
    scheme: null,
    hostname: url.hostname,
    port: port ? String(Number(port)) : null,
  };
}

/** An origin header; it always has a port, be it the default of its scheme. */
function originOf(text: string): Named | null {
  const [, printed = '', rest = ''] = ORIGIN.exec(text) ?? [];
  const host = hostOf(rest);
  if (host === null) return null;
  const scheme = printed.toLowerCase();
  return { ...host, scheme, port: host.port ?? DEFAULT_PORTS[scheme] ?? '' };
}
