/** The texts of the context producer are a closed list: no other text comes in by an import or out of a build, whatever it says. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findingLine } from '../../build/lib/findings.ts';
import { loadProducer, makeReference } from '../../build/producer/reference.ts';
import { verifyProducer } from '../../build/producer/verify.ts';
import { realEffects } from '../../build/write/effects.ts';
import { run, type Ran } from '../_support/command-line.ts';
import { nationalSeries, referenceProducer, registerText } from '../_support/producer.ts';
import { temporaryFolder } from '../_support/tree.ts';

const ROLE = 'composite culpability score of actors';
const CLAIM = 'heroin purity 80%';
const planted = (text: string): string =>
  text.replace('national statistics office', ROLE).replace(/trade \(e\.g\. [^)]*\)/, CLAIM);
const REGISTER = 'release/data/bri-observatory-register.json';

let folder: string;
let datasets: string;
beforeEach(() => {
  folder = temporaryFolder();
  datasets = join(folder, 'datasets');
});

/** Writes a release as a producer would hand it over; gives its folder. */
function released(edit?: (text: string) => string): string {
  const register = { name: 'register.md', bytes: Buffer.from(registerText(edit)) };
  for (const [path, bytes] of makeReference({ register, national: nationalSeries() })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return join(folder, 'release');
}

const imported = (family: string, path: string, ...more: string[]): Promise<Ran> =>
  run(['import', family, path, '--datasets', datasets, ...more]);
const list = (): string => readFileSync(join(datasets, 'producerp/vocabulary.csv'), 'utf8');
const findings = (): string[] =>
  verifyProducer(loadProducer(datasets, realEffects())).findings.map(findingLine);

describe('[SAFETY-GATES] an import of a release', () => {
  test('writes the list of a folder that has none; later only its texts, or those that are accepted, come in', async () => {
    const first = await imported('producerp', released());
    expect([first.status, first.stdout]).toEqual([
      0,
      expect.stringMatching(/producerp\/vocabulary\.csv: created with \d+ labels; review them all/),
    ]);
    const before = list();
    expect((await imported('producerp', released())).stdout).not.toContain('vocabulary.csv');
    expect(list()).toBe(before);

    const { status, stderr } = await imported('producerp', released(planted));
    expect([status, stderr.trim().split('\n')]).toEqual([
      1,
      [
        `${datasets}/producerp/vocabulary.csv: the labels: expected labels of this list; found 2 new; review them, then import again with --accept-labels:`,
        `  observatory.sources.authorityRole "${ROLE}"`,
        `  observatory.sources.claimClasses "${CLAIM}"`,
      ],
    ]);
    expect(list()).toBe(before);
    expect(findings()).toEqual([]);

    const accepted = await imported('producerp', released(planted), '--accept-labels');
    expect([accepted.status, accepted.stdout]).toEqual([
      0,
      expect.stringContaining(`new, for review: observatory`),
    ]);
    expect(list()).toContain(`observatory.sources.authorityRole,${ROLE},,,\n`);
    expect(findings()).toEqual([]);
  });

  test('never takes a text with a character that cannot be seen', async () => {
    const hidden = (text: string): string => text.replace('national statistics office', 'a\u202eb');
    const { status, stderr } = await imported('producerp', released(hidden), '--accept-labels');
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('/sources/3/authorityRole: "a\u202eb" holds a control'),
    ]);
  });
});

test('[SAFETY-GATES] an import of a register takes the packaged texts and no other', async () => {
  for (const name of ['national-indicators', 'producerp'])
    cpSync(join('datasets', name), join(datasets, name), { recursive: true });
  const register = join(folder, 'register.md');
  writeFileSync(register, registerText(planted));
  const { status, stderr } = await imported('producerp-reference', register);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`claimClasses "${CLAIM}"`)]);
  expect(stderr).toContain(`authorityRole "${ROLE}"`);
  expect(stderr).not.toContain('World Development Indicators');

  writeFileSync(register, Buffer.from([0x23, 0xff]));
  expect((await imported('producerp-reference', register)).stderr).toContain(
    `${register}: the text: expected a source register, Markdown in UTF-8; found other bytes`,
  );
  rmSync(join(datasets, 'national-indicators'), { recursive: true });
  expect((await imported('producerp', 'datasets/producerp/release')).status).toBe(0);
  expect(list()).toBe(readFileSync('datasets/producerp/vocabulary.csv', 'utf8'));
});

describe('[BRI-VERIFY] a release in its place', () => {
  const sound = referenceProducer();
  const verified = (files: Map<string, Uint8Array>): string[] => {
    const { findings: found, producer } = verifyProducer(files);
    expect(producer === null).toBe(found.length > 0);
    return found.map(findingLine);
  };

  test('with texts outside the list is unavailable, each named with file and place', () => {
    const files = referenceProducer(planted).set(
      'vocabulary.csv',
      sound.get('vocabulary.csv') ?? Buffer.of(),
    );
    const unlisted =
      'is not in datasets/producerp/vocabulary.csv; a new text is a reviewed line of that file';
    expect(verified(files)).toEqual([
      `datasets/producerp/${REGISTER}: producer-vocabulary: /sources/3/authorityRole: "${ROLE}" ${unlisted}`,
      `datasets/producerp/${REGISTER}: producer-vocabulary: /sources/3/claimClasses/0: "${CLAIM}" ${unlisted}`,
    ]);
  });

  test.each([
    ['its register', 'observatory.sources.rightsStatus'],
    ['its gaps', 'observatory.buildReadyGaps'],
    ['its areas', 'observatory.targetAreas.label'],
    ['its series', 'registry.series.label'],
    ['units of its series', 'registry.series.unit'],
    ['its terms', 'economics.rights.attribution'],
    ['its policy', 'economics.contextPolicy.downstreamSemantics.observed'],
    ['its rows', 'observations.reason'],
    ['its newswire statement', 'newswire.statement'],
    ['its receipt', 'receipt.verificationSemantics'],
    ['the receipt of its pages', 'pages.availabilitySemantics'],
  ])('needs a line for each text of %s', (_what, field) => {
    const text = Buffer.from(sound.get('vocabulary.csv') ?? []).toString();
    const without = text.split('\n').filter((line) => !line.startsWith(`${field},`));
    const lines = verified(new Map(sound).set('vocabulary.csv', Buffer.from(without.join('\n'))));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes(': producer-vocabulary: '))).toBe(true);
  });

  test('without a list, or with one that cannot be read, is unavailable', () => {
    const without = new Map(sound);
    without.delete('vocabulary.csv');
    expect(verified(without)).toEqual([
      'datasets/producerp/vocabulary.csv: producer-missing: the producer needs the list of its texts; npm run import -- producerp datasets/producerp/release writes it',
    ]);
    expect(verified(new Map(sound).set('vocabulary.csv', Buffer.from('field,value\n')))).toEqual([
      expect.stringMatching(
        /^datasets\/producerp\/vocabulary\.csv: producer-vocabulary: its columns must be/,
      ),
    ]);
  });

  test('cannot hide a text of the registry, which is published byte for byte, behind a second member of its name', () => {
    const path = 'release/data/bri-economic-registry.json';
    const text = Buffer.from(sound.get(path) ?? []).toString();
    const twice = text.replace('"label": "gdp"', `"label": ${JSON.stringify(ROLE)}, "label": "gdp"`);
    expect(twice).not.toBe(text);
    expect(verified(new Map(sound).set(path, Buffer.from(twice)))).toContain(
      `datasets/producerp/${path}: producer-json: must be written as JSON.stringify does: no member twice, no needless escape`,
    );
  });
});
