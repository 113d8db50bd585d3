/** The servers compared, each a process of its own: ours, the constant one, SQLite and nginx where it is installed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CACHE_STATIC, linkHeader, SHARED } from '../../shim/core/headers.ts';

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

/** A free port on loopback. */
export async function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}

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
  if (spawnSync('nginx', ['-v']).error) return null;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'evidence-nginx-'));
  const fields = Object.entries({
    ...SHARED,
    link: linkHeader('https://evidence.example'),
    'cache-control': CACHE_STATIC,
    vary: 'Accept-Encoding',
  }).map(([name, value]) => `add_header ${name} '${value}';`);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 256; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=1000; types { application/json json; }
client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${fields.join(' ')}
server { listen 127.0.0.1:${port}; root ${resolve(root)}; location /api/v1/ { try_files $uri $uri.json =404; } } }\n`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  return answering(child, `http://127.0.0.1:${port}`, '/api/v1/atlas.json');
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
