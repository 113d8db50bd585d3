/**
 * One conditional GET of a publisher's file: https, bounded in bytes and time, redirects followed by hand and within the
 * allowed hosts only. It gives the whole body or throws a Stopped; nothing a server sends is trusted to be what was requested.
 */
import { urlOf } from '../../shim/core/hosts.ts';
import { Stopped } from './outcomes.ts';

/** What a server said about a version of a file, sent back to it to learn whether there is another one. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** One file to check. */
export interface Download {
  address: URL;
  /** `host` or `host:port` that may send the file. */
  hosts: ReadonlySet<string>;
  /** What the server said about the copy at hand; null where there is none. */
  known: Validators | null;
  maxBytes: number;
  timeoutMs: number;
}

/** A response that can be used. `bytes` is null when the copy at hand is still the present one. */
export interface Downloaded extends Validators {
  bytes: Uint8Array | null;
  /** As declared, without parameters, in lower case; empty where the server declares none. */
  mediaType: string;
  /** The name the server gives the file; null where it gives none, or one that is not a plain file name. */
  fileName: string | null;
  /** The address to which the file moved permanently; null where it did not move. */
  movedTo: string | null;
}

const MAX_REDIRECTS = 5;
const PERMANENT = new Set([301, 308]);
const REDIRECTS = new Set([...PERMANENT, 302, 303, 307]);
const GONE = new Set([404, 410]);

/** Checks one file; throws a Stopped that says why there is nothing to use. */
export async function download(wanted: Download): Promise<Downloaded> {
  const signal = AbortSignal.timeout(wanted.timeoutMs);
  const seen = new Set<string>();
  let address = wanted.address;
  let movedTo: string | null = null;
  let isPermanent = true;
  for (;;) {
    if (seen.has(address.href) || seen.size > MAX_REDIRECTS)
      throw new Stopped('redirect-loop', `more than ${MAX_REDIRECTS} redirects, or one that leads back`);
    seen.add(address.href);
    const response = await request(address, wanted, signal);
    if (!REDIRECTS.has(response.status))
      return { ...(await readResponse(response, wanted, signal)), movedTo };
    const next = nextAddress(response, address, wanted);
    await response.body?.cancel();
    isPermanent &&= PERMANENT.has(response.status);
    if (isPermanent) movedTo = next.href;
    address = next;
  }
}

async function request(address: URL, { known, timeoutMs }: Download, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'public-evidence-api',
  });
  if (known?.etag) headers.set('if-none-match', known.etag);
  if (known?.lastModified) headers.set('if-modified-since', known.lastModified);
  try {
    return await fetch(address.href, { headers, redirect: 'manual', signal });
  } catch (error) {
    if (signal.aborted) throw tooSlow(timeoutMs);
    throw new Stopped('unreachable', `no response from ${address.host} (${codeOf(error)})`);
  }
}

/** Where a redirect leads, if that is a place this file may come from. */
function nextAddress(response: Response, from: URL, { hosts }: Download): URL {
  const location = response.headers.get('location') ?? '';
  const next = urlOf(location, from);
  if (location === '' || next === null)
    throw new Stopped('status', `status ${response.status} without a usable address`);
  next.hash = '';
  const isAllowed =
    next.protocol === from.protocol && hosts.has(next.host) && next.username === '' && next.password === '';
  if (!isAllowed)
    throw new Stopped(
      'elsewhere',
      `redirected to ${next.origin}, which is not an allowed host; if the publisher moved there, add it to the hosts of this source`,
    );
  return next;
}

async function readResponse(
  response: Response,
  { known, maxBytes, timeoutMs }: Download,
  signal: AbortSignal,
): Promise<Omit<Downloaded, 'movedTo'>> {
  const { status, headers } = response;
  const described = {
    etag: headers.get('etag'),
    lastModified: headers.get('last-modified'),
    mediaType: (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
    fileName: fileNameIn(headers.get('content-disposition') ?? ''),
  };
  if (status === 304 && (known?.etag || known?.lastModified)) return { ...described, bytes: null };
  if (status !== 200) {
    await response.body?.cancel();
    if (GONE.has(status))
      throw new Stopped(
        'gone',
        `status ${status}; find the present address and put it into the sources of this family`,
      );
    throw new Stopped('status', `status ${status}`);
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    await response.body?.cancel();
    throw new Stopped('wrong-type', `sent in the encoding "${encoding}", which was not accepted`);
  }
  return { ...described, bytes: await body(response, maxBytes, timeoutMs, signal) };
}

/** The whole body. What is declared as too large is not read at all. */
async function body(
  response: Response,
  maxBytes: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const declared = response.headers.get('content-length');
  if (Number(declared) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Stopped) throw error;
    if (signal.aborted) throw tooSlow(timeoutMs);
    const of = declared === null ? '' : ` of ${declared}`;
    throw new Stopped('truncated', `the connection ended after ${bytes}${of} bytes (${codeOf(error)})`);
  }
  return Buffer.concat(chunks, bytes);
}

/** `attachment; filename="table.csv"` names a file; what could lead out of a folder is not accepted as a name. */
function fileNameIn(disposition: string): string | null {
  const [, name = ''] = /\bfilename="?([^";]+)"?/i.exec(disposition) ?? [];
  return /^[\w][\w. ()-]{0,119}$/.test(name.trim()) ? name.trim() : null;
}

/** The failure of a file that has more bytes. */
export function tooLarge(maxBytes: number): Stopped {
  return new Stopped('oversized', `larger than ${maxBytes} bytes; if that is right, raise --max-bytes`);
}

function tooSlow(timeoutMs: number): Stopped {
  return new Stopped('slow', `not complete after ${timeoutMs / 1000} s`);
}

/** The code that Node gives an error, such as ECONNREFUSED; nothing a server could have written. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : 'no further detail';
}
