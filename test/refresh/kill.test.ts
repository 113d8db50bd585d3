/** A refresh that is killed at any moment leaves the last good state, and the next one completes it. KILLS=50 for more moments. */
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundled, killed, moments, started } from '../_support/child.ts';
import { casesOf } from '../_support/share.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { FAMILY, PATH, refreshing, sent, table } from './fixture.ts';

const KILLS = Number(process.env['KILLS'] ?? casesOf(6, 3));
const PARTS = ['datasets', 'cache'] as const;
/** What nothing reads: an edition that is being written, and a file that is about to take the place of another. */
const UNFINISHED = /\.new\/|\.\d+\.writing$/;

/** A number that no process has. */
const NO_PROCESS = 999_999_999;

/** The command without its command line. */
const CHILD = `
import { refreshCommand } from './build/refresh/command.ts';
const [family, datasets, cache, base] = process.argv.slice(2);
const lists = { base: [base], file: [], with: [], accept: [] };
const bounds = { timeout: 30, maxBytes: 1e6 };
console.log('go');
const options = { ...lists, ...bounds, datasets, cache, apply: true, acceptLabels: false };
process.exitCode = await refreshCommand([family], options, {});
`;

test(
  `[REFRESH-KILL] killed at ${KILLS} moments, a refresh loses nothing`,
  { timeout: 60_000 + KILLS * 15_000 },
  async () => {
    const at = await refreshing();
    const years = Array.from({ length: 40 }, (_, place) => 1984 + place);
    at.publisher.on(PATH, sent(table({ years }), '06-12'));
    const start = temporaryFolder();
    for (const part of PARTS) cpSync(at[part], join(start, part), { recursive: true });
    const child = await bundled(CHILD);
    const base = `${FAMILY}=${at.publisher.origin}`;
    const spawned = () => started(child, FAMILY, at.datasets, at.cache, base);
    const whole = await spawned();
    const began = performance.now();
    await once(whole, 'exit');
    const span = performance.now() - began;
    const after = at.files();
    expect([whole.exitCode, at.editions()]).toEqual([10, ['2024-01-10', '2024-06-12']]);

    const states = new Set<string>();
    for (const moment of moments(KILLS, span * 1.1)) {
      for (const part of PARTS) {
        rmSync(at[part], { recursive: true });
        cpSync(join(start, part), at[part], { recursive: true });
      }
      await killed(await spawned(), moment);
      states.add(at.editions().join());
      const found = Object.entries(at.files()).filter(([path]) => !UNFINISHED.test(path));
      for (const [path, text] of found)
        expect([path, withoutDay(text)]).toEqual([path, withoutDay(after[path])]);
      // The new edition may be there under the name of one that is being written, alone.
      const isThere = at.editions().includes('2024-06-12');
      const left = isThere ? '2024-06-12/.datapackage.json' : '.vocabulary.csv';
      writeFileSync(join(at.datasets, FAMILY, `${left}.${NO_PROCESS}.writing`), 'half of it');
      const next = await spawned();
      if (next.exitCode === null) await once(next, 'exit');
      expect([0, 10]).toContain(next.exitCode);
      expect(at.files()).toEqual(after);
    }
    console.log(`refresh killed at ${KILLS} moments of ${Math.round(span)} ms: ${[...states].join(' | ')}`);
    await at.publisher.close();
  },
);

/** A file without the day of the last check, which only the current edition has. */
function withoutDay(text = ''): string {
  return text.replace(/("format": "csv"),\s*"lastChecked": "[^"]*"/, '$1');
}
