/** Several replicas over one folder, behind the nginx of docs/replicas: one may be killed, and any of them takes any cursor. */
import { readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { bundled, portOf } from '../_support/child.ts';
import { hasNginx, startNginx } from '../_support/nginx.ts';
import { randomQueries } from '../_support/queries.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const CONF = readFileSync('docs/replicas/nginx.conf', 'utf8');
const REPLICAS = ['evidence-1:3000', 'evidence-2:3000', 'evidence-3:3000'];
/** Clients at once, and how many requests each sends: `EACH=2000 npx vitest run test/remote/replicas` is a longer run. */
const CLIENTS = 8;
const EACH = Number(process.env['EACH'] ?? 20);

interface Replica {
  child: ChildProcess;
  host: string;
}

const near = createService({
  root: builtTree(),
  settings: serverSettings({ SITE_URL: TEST_SITE }),
  files: true,
});
const rest = async (target: string): Promise<string> =>
  (await near.fetch(new Request(`${TEST_SITE}${target}`))).text();

async function replica(file: string): Promise<Replica> {
  const child = spawn(process.execPath, [file, builtTree()], {
    env: { ...process.env, SITE_URL: TEST_SITE, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, host: `127.0.0.1:${await portOf(child)}` };
}

/** The replicas, and nginx with the published configuration in front of them. */
async function behindNginx(): Promise<{ replicas: Replica[]; url: string; stop(): void }> {
  const file = await bundled(
    `import { runServer } from './shim/node.ts'; await runServer(process.argv[2], process.env);`,
  );
  const replicas = await Promise.all(REPLICAS.map(async () => replica(file)));
  const [, http = ''] = /^http \{$([^]*)^\}$/m.exec(CONF) ?? [];
  const named = replicas.reduce((text, { host }, at) => text.replace(REPLICAS[at] ?? '', host), http);
  const nginx = await startNginx((port) => named.replace('listen 80;', `listen 127.0.0.1:${port};`));
  return {
    replicas,
    url: nginx.url,
    stop() {
      nginx.stop();
      for (const { child } of replicas) child.kill('SIGKILL');
    },
  };
}

test.runIf(hasNginx())(
  'three replicas behind nginx under load, one killed: every request is answered, and any replica takes the cursors of another',
  async () => {
    const { replicas, url, stop } = await behindNginx();
    try {
      const first = '/api/v1/market-observations?dataset=drug-seizures&limit=7';
      let target: string | null = first;
      for (let page = 0; target !== null && page < 6; page += 1) {
        const { host } = replicas[page % replicas.length] ?? { host: '' };
        const text: string = await (await fetch(`http://${host}${target}`)).text();
        expect(text, target).toBe(await rest(target));
        const { next_cursor: next } = (JSON.parse(text) as { data: { page: { next_cursor: string } } }).data
          .page;
        target = `${first}&cursor=${next}`;
      }

      const expected = new Map<string, string>();
      for (const query of randomQueries(24)) expected.set(query, await rest(query));
      const queries = [...expected.keys()];
      const failures: { started: number; what: string }[] = [];
      let answered = 0;
      let killedAt = Infinity;
      const kill = (): void => {
        replicas[0]?.child.kill('SIGKILL');
        killedAt = performance.now();
      };
      const client = async (number: number): Promise<void> => {
        for (let turn = 0; turn < EACH; turn += 1) {
          const query = queries[(number * 3 + turn) % queries.length] ?? '';
          const started = performance.now();
          const text = await fetch(`${url}${query}`)
            .then(async (response) => response.text())
            .catch(String);
          if (text === expected.get(query)) answered += 1;
          else failures.push({ started, what: `${query}: ${text.slice(0, 200)}` });
          if (killedAt === Infinity && answered >= (CLIENTS * EACH) / 4) kill();
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, async (_, number) => client(number)));
      expect(replicas[0]?.child.killed).toBe(true);
      expect(failures.filter(({ started }) => started > killedAt)).toEqual([]);
      // Those in flight on the killed one: at most one for each client.
      expect(failures.length).toBeLessThanOrEqual(CLIENTS);
      expect(answered + failures.length).toBe(CLIENTS * EACH);
    } finally {
      stop();
    }
  },
);

test('the compose file starts the replicas that the configuration of nginx names, over one folder, read-only', () => {
  const { services } = parse(readFileSync('docs/replicas/compose.yaml', 'utf8'), { merge: true }) as {
    services: Record<string, { volumes?: string[]; read_only?: boolean }>;
  };
  const replicas = Object.entries(services).filter(([name]) => name !== 'nginx');
  expect(replicas.map(([name]) => `${name}:3000`)).toEqual(REPLICAS);
  expect([...CONF.matchAll(/^\s+server (evidence-\S+)/gm)].map(([, host]) => host)).toEqual(REPLICAS);
  for (const [, { volumes, read_only: isReadOnly }] of replicas)
    expect([volumes, isReadOnly]).toEqual([['${RELEASE:-../../public}:/app/public:ro'], true]);
});
