/**
 * Hosts and origins as settings and headers name them. Two uses: the one https origin that may be contacted
 * (PRODUCERS_BASE_URL), and who may use `/mcp` (MCP_ALLOWED_HOSTS and MCP_ALLOWED_ORIGINS against the headers Host and
 * Origin, a protection from DNS rebinding). A bare host admits every port, and as an origin every scheme; whatever else an
 * entry says must match exactly.
 */

/** What PRODUCERS_BASE_URL accepts, for its error line and its documentation. */
export const ORIGIN_ACCEPTS =
  'an https origin such as https://producer.example, without path, query, fragment or credentials';

/** The origin of PRODUCERS_BASE_URL. Throws an Error of one line that names the variable and hides credentials. */
export function parseProducersBaseUrl(text: string): URL {
  if (/^https:\/\/[^\s/?#@\\]+\/?$/i.test(text) && URL.canParse(text)) return new URL(new URL(text).origin);
  const shown = JSON.stringify(text.replace(/\/\/[^/]*@/, '//***@'));
  throw new Error(`PRODUCERS_BASE_URL is ${shown}; it accepts ${ORIGIN_ACCEPTS}`);
}

/** The address of a path below the origin. Throws where it would leave the origin or carry credentials. */
export function upstreamUrl(origin: URL, path: string): URL {
  const url = new URL(path, origin);
  if (url.origin !== origin.origin || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error(`${path} is not below the configured origin`);
  return url;
}

/** What an entry of MCP_ALLOWED_HOSTS may be, for its error line. */
export const HOSTS_ACCEPT =
  'host names separated by commas, each with or without a port, such as api.example';
/** What an entry of MCP_ALLOWED_ORIGINS may be, for its error line. */
export const ORIGINS_ACCEPT =
  'host names or origins separated by commas, such as app.example or https://app.example:8443';

/** A name, an IPv4 address or an IPv6 address in brackets, then perhaps a port: no credentials, no path. */
const HOST = /^(?:[\p{L}\p{N}_][\p{L}\p{N}._-]*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/iu;
/** Of a site or a browser's extension. */
const ORIGIN = /^(https?|[a-z]+-extension):\/\/(.+)$/i;
const DEFAULT_PORTS: Record<string, string> = { http: '80', https: '443' };

/** A host as an entry or a header names it; null is what was not said. */
interface Named {
  scheme: string | null;
  /** In the one form the URL standard gives it. */
  hostname: string;
  port: string | null;
}

/** Whether MCP_ALLOWED_HOSTS may have this entry. */
export function isHostEntry(entry: string): boolean {
  return hostOf(entry) !== null;
}

/** Whether MCP_ALLOWED_ORIGINS may have this entry. */
export function isOriginEntry(entry: string): boolean {
  return hostOf(entry) !== null || originOf(entry.replace(/\/$/, '')) !== null;
}

/** Whether a Host header is one of the entries; none sent is none of them. */
export function hostCheck(entries: string[]): (header: string | null) => boolean {
  const allowed = entries.map(hostOf);
  return (header) => {
    const host = header === null ? null : hostOf(header);
    return host !== null && allowed.some((entry) => entry !== null && admits(entry, host));
  };
}

/** Whether an Origin header is one of the entries; only browsers send one, so a request without is not from a page. */
export function originCheck(entries: string[]): (header: string | null) => boolean {
  const allowed = entries.map((entry) => hostOf(entry) ?? originOf(entry.replace(/\/$/, '')));
  return (header) => {
    if (header === null || header === '') return true;
    const origin = originOf(header);
    return origin !== null && allowed.some((entry) => entry !== null && admits(entry, origin));
  };
}

function admits(entry: Named, asked: Named): boolean {
  if (entry.hostname !== asked.hostname) return false;
  if (entry.scheme !== null && entry.scheme !== asked.scheme) return false;
  // Host leaves out the default port, and does not say of which scheme.
  const ports = asked.port === null ? Object.values(DEFAULT_PORTS) : [asked.port];
  return entry.port === null || ports.includes(entry.port);
}

function hostOf(text: string): Named | null {
  if (!HOST.test(text) || !URL.canParse(`http://${text}`)) return null;
  const port = /:([0-9]+)$/.exec(text)?.[1];
  return {
    scheme: null,
    hostname: new URL(`http://${text}`).hostname,
    port: port === undefined ? null : String(Number(port)),
  };
}

/** An origin says its port, be it by its scheme. */
function originOf(text: string): Named | null {
  const [, printed = '', rest = ''] = ORIGIN.exec(text) ?? [];
  const host = hostOf(rest);
  if (host === null) return null;
  const scheme = printed.toLowerCase();
  return { ...host, scheme, port: host.port ?? DEFAULT_PORTS[scheme] ?? '' };
}
