/** The servers compared, each a process of its own: ours, the constant one, SQLite and nginx where it is installed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { CACHE_STATIC, linkHeader, SHARED } from '../../shim/core/headers.ts';
import { freePort } from '../_support/free-port.ts';
import { hasNginx, startNginx } from '../_support/nginx.ts';

export interface Server {
  url: string;
  pid: number;
  stop(): void;
}

/** Everything started here, so that nothing outlives the bench, whatever ends it. */
const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a node program that listens on PORT; resolves when it answers `path`. */
export async function nodeServer(
  args: string[],
  path: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return answering(child, `http://127.0.0.1:${port}`, path);
}

/** nginx over a folder of files, with the header fields we send, or null where it is not installed. */
export async function nginxServer(root: string): Promise<Server | null> {
  if (!hasNginx()) return null;
  const fields = Object.entries({
    ...SHARED,
    link: linkHeader('https://evidence.example'),
    'cache-control': CACHE_STATIC,
    vary: 'Accept-Encoding',
  }).map(([name, value]) => `add_header ${name} '${value}';`);
  return startNginx(
    (
      port,
    ) => `access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=1000;
types { application/json json; } ${fields.join(' ')}
server { listen 127.0.0.1:${port}; root ${resolve(root)}; location /api/v1/ { try_files $uri $uri.json =404; } }`,
  );
}

async function answering(child: ChildProcess, url: string, path: string): Promise<Server> {
  started.add(child);
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
    try {
      const response = await fetch(`${url}${path}`);
      await response.arrayBuffer();
      if (response.ok) return { url, pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') };
    } catch {
      // Not listening yet.
    }
    await new Promise((next) => setTimeout(next, 25));
  }
  throw new Error(`${url}${path} never answered`);
}
