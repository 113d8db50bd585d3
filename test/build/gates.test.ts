/** The build's gates: forbidden or malformed content never gets through, every finding has file, row and rule, nothing is written. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realEffects } from '../../build/write/effects.ts';
import { BuildStopped } from '../../build/lib/findings.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { buildSite } from '../_support/few-rows.ts';

const out = join(temporaryFolder(), 'public');

/** Builds the dataset of one packaged file, which is changed on its way in. */
async function findingsAfter(
  file: string,
  change: (text: string) => string,
): Promise<BuildStopped['findings']> {
  const effects = realEffects();
  const path = join('datasets', file);
  const good = readFileSync(path, 'utf8');
  const bad = change(good);
  expect(bad, 'the change must change something').not.toBe(good);
  try {
    await buildSite(
      { out },
      {
        ...effects,
        folders: (folder) => (folder === 'datasets' ? [dirname(dirname(file))] : effects.folders(folder)),
        pieces: null,
        read: (name) => (name === path ? Buffer.from(bad) : effects.read(name)),
      },
    );
    return [];
  } catch (error) {
    if (error instanceof BuildStopped) return error.findings;
    throw error;
  }
}

const OPIUM = 'opium-cultivation/2025-06/records.csv';
const PACKAGE = 'opium-cultivation/2025-06/datapackage.json';
const BORDER = 'border-drug-seizures/2026-05/datapackage.json';
const EMPLOYMENT = 'informal-employment/2025-11-21/datapackage.json';
const NAMES = 'designations/2023-12-29/records.csv';
const INDEX = 'organized-crime-index/2025-10-29/records.csv';

/** Replaces one cell: row counted as in findings (header is 1), column by name. No cell here holds a comma or quote. */
function cell(row: number, column: string, value: string): (text: string) => string {
  return (text) => {
    const lines = text.split('\n');
    const position = (lines[0] ?? '').split(',').indexOf(column);
    const cells = (lines[row - 1] ?? '').split(',');
    cells[position] = value;
    lines[row - 1] = cells.join(',');
    return lines.join('\n');
  };
}

/** Changes the first source of a descriptor: `undefined` removes a member. */
function source(change: Record<string, string | undefined>): (text: string) => string {
  return (text) => {
    const value = JSON.parse(text) as { sources: object[] };
    Object.assign(value.sources[0] ?? {}, change);
    return JSON.stringify(value);
  };
}

function swap(from: string | RegExp, to: string): (text: string) => string {
  return (text) => text.replace(from, to);
}

type Change = (text: string) => string;
type Mutation = [name: string, file: string, change: Change, rule: string, row: number | null];

/** A name row without commas or quotes, so that cells can be replaced by position. */
const NAME =
  readFileSync(join('datasets', NAMES), 'utf8')
    .split('\n')
    .findIndex((line, position) => position > 0 && !line.includes('"') && line.split(',').length === 5) + 1;

const NO_VALUE = /,,([^,]*),([^,]*),hectares,unavailable/;
const NULL_RULE = 'null-exactly-when-unavailable';
const REASON_RULE = 'reason-exactly-when-unavailable';
const twice = (text: string): string => `${text}${text.split('\n')[1]}\n`;

const MUTATIONS: Mutation[] = [
  [
    'a value next to status unavailable',
    OPIUM,
    swap(NO_VALUE, ',5,$1,$2,hectares,unavailable'),
    NULL_RULE,
    -1,
  ],
  ['a blank next to status estimated', OPIUM, cell(2, 'value', ''), NULL_RULE, 2],
  ['an unknown status', OPIUM, cell(2, 'status', 'guessed'), 'status', 2],
  ['an unknown reason', OPIUM, swap('broken_formula_in_source', 'lost'), REASON_RULE, -1],
  ['a reason next to a value', OPIUM, cell(2, 'unavailableReason', 'blank_in_source'), REASON_RULE, 2],
  ['a value that is not a number', OPIUM, cell(2, 'value', 'many'), 'number', 2],
  ['an infinite value', OPIUM, cell(2, 'value', '1e999'), 'number', 2],
  ['an unknown indicator', OPIUM, cell(2, 'indicatorId', 'opium'), 'indicator-reference', 2],
  ['an unknown geography', OPIUM, cell(2, 'geoCode', 'ZZZ'), 'geography-reference', 2],
  ['an unknown source', OPIUM, cell(2, 'sourceId', 'nobody'), 'source-reference', 2],
  ['a malformed period', OPIUM, cell(2, 'period', '2010-13'), 'period', 2],
  ['a missing locator', OPIUM, cell(2, 'sourceLocator', ''), 'locator', 2],
  ['a duplicate record', OPIUM, twice, 'unique-id', -1],
  ['an extra column', OPIUM, swap('indicatorId,geoCode', 'indicatorId,latitude'), 'columns', 1],
  ['purity as a category', OPIUM, cell(2, 'category', 'Purity'), 'vocabulary', 2],
  ['yield as a subgroup', OPIUM, cell(2, 'subgroup', 'Yield per hectare'), 'vocabulary', 2],
  ['potential production', OPIUM, cell(2, 'category', 'potential production'), 'vocabulary', 2],
  ['a synthesis route', OPIUM, cell(2, 'category', 'synthesis route'), 'vocabulary', 2],
  ['coordinates', OPIUM, cell(2, 'subgroup', '31.6205;65.7158'), 'vocabulary', 2],
  ['a composite score', OPIUM, cell(2, 'category', 'composite score'), 'vocabulary', 2],
  ['a causal score', OPIUM, cell(2, 'category', 'causal_score'), 'vocabulary', 2],
  ['a source without licence', PACKAGE, source({ license: undefined }), 'descriptor-schema', null],
  ['a source without rights', PACKAGE, source({ rights: undefined }), 'descriptor-schema', null],
  ['a source without hash', PACKAGE, source({ sha256: undefined }), 'descriptor-schema', null],
  ['a source without retrieval date', PACKAGE, source({ retrievedAt: undefined }), 'descriptor-schema', null],
  ['an indicator of purity', PACKAGE, swap(/(?<="label": ")[^"]*/, 'Purity of opium'), 'stated', null],
  ['a culpability score', PACKAGE, swap(/(?<="measureType": ")[^"]*/, 'culpability_score'), 'stated', null],
  [
    'another name than the folder',
    PACKAGE,
    swap('"name": "opium-cultivation"', '"name": "opium"'),
    'dataset-id',
    null,
  ],
  ['a row with a cell too many', OPIUM, swap(/^((?:.*\n){5}.*)/, '$1,extra'), 'readable', 6],
  ['a descriptor that is not JSON', PACKAGE, (text) => text.slice(1), 'readable', null],
  ['an alias in a name', NAMES, cell(NAME, 'name', 'SOMEBODY (a.k.a. ANOTHER)'), 'privacy', NAME],
  ['a birth date in a name', NAMES, cell(NAME, 'name', 'SOMEBODY DOB 12 Mar 1961'), 'privacy', NAME],
  ['a passport in a name', NAMES, cell(NAME, 'name', 'SOMEBODY Passport No. A123'), 'privacy', NAME],
  ['an address in a name', NAMES, cell(NAME, 'name', 'SOMEBODY P.O. Box 12'), 'privacy', NAME],
  ['an address as a country', NAMES, cell(NAME, 'countries', 'Calle 12 No. 3'), 'vocabulary', NAME],
  [
    'coordinates as a country',
    NAMES,
    cell(NAME, 'countries', '19.4326;-99.1332 at http://x.example'),
    'vocabulary',
    NAME,
  ],
  ['an address column', NAMES, swap('countries', 'address'), 'columns', 1],
  ['a program outside the four', NAMES, cell(NAME, 'programs', 'SDGT'), 'programs', NAME],
  ['a program twice', NAMES, cell(NAME, 'programs', 'SDNTK|SDNTK'), 'repeated', NAME],
  ['no program', NAMES, cell(NAME, 'programs', ''), 'programs', NAME],
  ['entity number zero', NAMES, cell(NAME, 'sanctions_entity_number', '0'), 'entity-number', NAME],
  ['a zero on the scale of 1 to 10', INDEX, cell(2, 'criminality', '0'), 'scale', 2],
  ['a file without a byte', INDEX, () => '', 'rows-present', null],
  ['a header without rows', NAMES, (text) => text.slice(0, text.indexOf('\n') + 1), 'rows-present', null],
  ['a number JSON cannot print', OPIUM, cell(2, 'value', '9007199254740993'), 'number', 2],
  ['coordinates as a locator', OPIUM, cell(2, 'sourceLocator', '34.52 69.18!A1'), 'vocabulary', 2],
  ['a retrieval date that does not exist', PACKAGE, source({ retrievedAt: '2027-02-30' }), 'date', null],
  ['another file under the date of one', BORDER, source({ sha256: 'ab'.repeat(32) }), 'one-file', null],
  ['an older file than the edition before', EMPLOYMENT, source({ dated: '2024-07-25' }), 'older-file', null],
  ['a duplicate year', INDEX, twice, 'unique-id', -1],
];

describe('[GATES] [SAFETY-GATES] [ENTITIES-PRIVACY] [MARKETS-NULL] the build stops on', () => {
  test.each(MUTATIONS)('%s', async (_name, file, change, rule, row) => {
    const findings = await findingsAfter(file, change);
    const found = findings.find(
      (finding) =>
        finding.rule === rule &&
        finding.file === join('datasets', file) &&
        (row === -1 || finding.row === row),
    );
    expect(found, JSON.stringify(findings)).toBeDefined();
    expect(existsSync(out), 'nothing is written').toBe(false);
  });
});

test('[GATES] all findings are reported at once', async () => {
  const findings = await findingsAfter(OPIUM, (text) =>
    cell(3, 'geoCode', 'ZZZ')(cell(2, 'status', 'guessed')(text)),
  );
  const rules = findings.map(({ rule }) => rule);
  expect(rules).toContain('status');
  expect(rules).toContain('geography-reference');
});
