/** A plain host of files that knows nothing of this project, with ranges or without, and with faults on demand. */
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listening } from './free-port.ts';

/** A response before it is sent; a fault changes it. */
export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** A fault: one changed byte, in the middle. */
export function flipped(sent: Sent): Sent {
  const body = Buffer.from(sent.body);
  const at = Math.floor(body.length / 2);
  body[at] = (body[at] ?? 0) ^ 1;
  return { ...sent, body };
}

/** A host that runs. */
export interface FileServer {
  /** Its address, with `/` at its end. */
  url: string;
  /** Every request since the last look: path, range and bytes sent. */
  requests(): { path: string; range: string | null; bytes: number }[];
  close(): void;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** What a host of a folder sends for the path of an address, and what it has sent since the last look. */
function hosting(
  root: string,
  { ranges = true, fault = (_path, sent) => sent, missing, policy }: FileServerOptions,
): { send(pathname: string, range: string | null): Sent } & Pick<FileServer, 'requests'> {
  const seen: ReturnType<FileServer['requests']> = [];
  const requests = (): typeof seen => seen.splice(0);
  const send = (pathname: string, range: string | null): Sent => {
    const path = decodeURIComponent(pathname).replace(/\/$/, '/index.html').slice(1);
    const file = join(root, path);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const shown = isFile ? file : missing === undefined ? null : join(root, missing);
    const whole = shown === null ? Buffer.from('not found') : readFileSync(shown);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    const headers = {
      'content-type': TYPES[extname(shown ?? '')] ?? 'application/octet-stream',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    };
    const plain: Sent = { status: isFile ? 200 : 404, headers, body: whole };
    const isPart = isFile && ranges && first !== undefined && last !== undefined;
    const sent = fault(path, isPart ? partOf(plain, Number(first), Number(last)) : plain);
    seen.push({ path, range, bytes: sent.body.length });
    return sent;
  };
  return { send, requests };
}

/** Serves a folder; `fault` may change what is sent for a path. */
export async function fileServer(root: string, options: FileServerOptions = {}): Promise<FileServer> {
  const { send, requests } = hosting(root, options);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://folder');
    const sent = send(pathname, request.headers.range ?? null);
    response.writeHead(sent.status, { 'access-control-allow-origin': '*', ...sent.headers });
    response.end(sent.body);
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A host in this process: what `fetch` gives for any address whose path is that of a file of the folder. */
export function fileFetch(root: string, options: FileServerOptions = {}): FileFetch {
  const { send, requests } = hosting(root, options);
  return {
    async fetch(address, init) {
      const { pathname } = new URL(address instanceof Request ? address.url : address);
      const sent = send(pathname, new Headers(init?.headers).get('range'));
      // What goes over a wire waits at least for its turn.
      await new Promise((resolve) => setImmediate(resolve));
      return new Response(Buffer.from(sent.body), { status: sent.status, headers: sent.headers });
    },
    requests,
  };
}

/** A host in this process. */
export interface FileFetch extends Pick<FileServer, 'requests'> {
  fetch: typeof globalThis.fetch;
}

/** How a host behaves. */
export interface FileServerOptions {
  /** Whether it gives parts of files. */
  ranges?: boolean;
  fault?: (path: string, sent: Sent) => Sent;
  /** Its page for unknown paths. */
  missing?: string;
  /** The content security policy of every response. */
  policy?: string;
}

function partOf({ headers, body }: Sent, first: number, last: number): Sent {
  const range = `bytes ${first}-${last}/${body.length}`;
  return {
    status: 206,
    headers: { ...headers, 'content-range': range },
    body: body.subarray(first, last + 1),
  };
}
