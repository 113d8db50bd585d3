/** nginx as a host or in front of one, for tests and benches; in Debian the package is nginx-light. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** nginx that runs. */
export interface Nginx {
  url: string;
  pid: number;
  stop(): void;
}

/** Each with its folder. */
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
  for (const [child, folder] of running) {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Whether it is installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** Starts it with the contents of its `http` block, made for a port; resolves when it answers. Throws where it does not start. */
export async function startNginx(http: (port: number) => string): Promise<Nginx> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'evidence-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (use) => `${use}_temp_path ${folder}/${use};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log stderr crit; worker_processes 1;
events { worker_connections 512; }
http { ${temporary.join(' ')} ${http(port)} }\n`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' });
  running.set(child, folder);
  child.once('exit', () => {
    running.delete(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${file}`);
    const answers = await fetch(url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
    if (answers) return { url, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') };
    await new Promise((next) => setTimeout(next, 25));
  }
  throw new Error('nginx never answered');
}
