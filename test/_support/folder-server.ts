/** A copy of the site on a server of files alone. */
import { createServer, type Server } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { PAGE_POLICY } from '../../shim/core/headers.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** A server of a folder that knows nothing of this project, as `python3 -m http.server`; `missing` is its page for unknown paths. */
export async function folderServer(
  root: string,
  missing: string | null = null,
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://folder').pathname);
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const shown = isFile ? file : missing === null ? null : join(root, missing);
    response.statusCode = isFile ? 200 : 404;
    response.setHeader('content-type', TYPES[extname(shown ?? '')] ?? 'application/octet-stream');
    response.setHeader('content-security-policy', PAGE_POLICY);
    response.end(shown === null ? 'not found' : readFileSync(shown));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
