/** What the clients for Python and R say of a list of packs that is none, and the values that the one for Python takes. */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { onPort } from '../_support/doors.ts';
import { fileServer } from '../_support/file-server.ts';
import { treeOf } from '../_support/made-tree.ts';
import { allObservations } from '../_support/records.ts';
import { builtTree, temporaryFolder, treeFile } from '../_support/tree.ts';
import { sha256Hex } from '../../shim/store/disk.ts';

const isThere = spawnSync('python3', ['--version']).status === 0;
const hasR = spawnSync('Rscript', ['-e', 'library(jsonlite)']).status === 0;
const CLIENTS = join(builtTree(), 'clients');
const [first] = allObservations();

test('the client for Python takes a day of datetime, and refuses NaN', async ({ skip }) => {
  if (!isThere || !first) return skip('python3 is not installed');
  const service = { url: `${(await onPort()).url}/` };
  const script = `
import datetime, sys
import evidence
site = evidence.open_evidence(sys.argv[1])
for value in (datetime.date(2025, 7, 1), "2025-07-01"):
    print(len(list(site.observations(indicator=sys.argv[2], as_of=value))))
try:
    site.observations(geo=float("nan"))
except evidence.EvidenceError as error:
    print(error)
`;
  const { stdout } = await promisify(execFile)('python3', ['-c', script, service.url, first.indicatorId], {
    env: { ...process.env, PYTHONPATH: CLIENTS, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const [day, text, refusal] = stdout.trimEnd().split('\n');
  expect(Number(day)).toBeGreaterThan(0);
  expect([day, refusal]).toEqual([text, "filter 'geo' takes one value"]);
});

/** Runs a script next to the clients, with an address and what else it takes. */
function ranAt(url: string, command: string, text: string, ...others: string[]): Promise<{ stdout: string }> {
  const script = join(temporaryFolder(), 'main');
  writeFileSync(script, text);
  return promisify(execFile)(command, [script, url, ...others], {
    cwd: CLIENTS,
    env: { ...process.env, PYTHONPATH: CLIENTS, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

const list = treeFile('data/packs.json').toString();

test.for([
  ['Python', 'python3', 'evidence.py', isThere],
  ['R', 'Rscript', 'evidence.R', hasR],
] as const)(
  'the client for %s refuses a list of packs of another form',
  async ([language, command, file, isInstalled], { skip }) => {
    if (!isInstalled) skip(`${language} is not installed`);
    const lists = [
      list.replace('"packs":[', '"packs":[null,'),
      list.replace('"editions":[', '"editions":[{"id":"arms@1999"},'),
      list.replaceAll('"indicators":[', '"indicators":[7,'),
      list.replaceAll('"datasetId":', '"dataset":'),
      list.replace('"generatedAt":"', '"generatedAt":1,"was":"'),
      list.replace('"editions":[', '"editions":{"was":[').replace(/\}\n*$/, '}}'),
    ];
    for (const text of lists) {
      expect(text).not.toBe(list);
      const { url, close } = await fileServer(treeOf({ 'data/packs.json': text }));
      const ran = promisify(execFile)(command, [join(CLIENTS, file), url, 'geo=MEX']);
      await expect(ran).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'data/packs.json is not the list of packs that its schema describes\n',
      });
      await close();
    }
  },
);

const BOUNDED = {
  python3: `
import sys
import evidence
evidence.MOST_BYTES = 1000
evidence.open_evidence(sys.argv[1])
`,
  Rscript: `
source("evidence.R")
evidence_most_bytes <- 1000
open_evidence(commandArgs(trailingOnly = TRUE)[1])
`,
};

test.for([
  ['python3', isThere],
  ['Rscript', hasR],
] as const)('%s takes no body above its bound', async ([command, isInstalled], { skip }) => {
  if (!isInstalled) return skip(`${command} is not installed`);
  const { url, close } = await fileServer(treeOf({ 'data/packs.json': list }));
  await expect(ranAt(url, command, BOUNDED[command])).rejects.toMatchObject({
    stderr: expect.stringContaining('data/packs.json: the host sends more than 1000 bytes; set evidence'),
  });
  close();
});

test('the commands of both print a number with all digits that it needs', async ({ skip }) => {
  if (!isThere || !hasR) return skip('python3 or R is not installed');
  const long = allObservations().find(
    ({ value }) => value !== null && Number(value.toPrecision(15)) !== value,
  );
  const { url } = await onPort();
  const printed = async (command: string, file: string): Promise<unknown> => {
    const { stdout, stderr } = await promisify(execFile)(command, [
      join(CLIENTS, file),
      url,
      `id=${long?.id}`,
    ]);
    expect(stderr).toMatch(/^1 rows from service[^\n]*\n$/);
    return parse(stdout, { columns: true });
  };
  const expected = { geoCode: long?.geoCode, unit: long?.unit, value: String(long?.value) };
  expect(await printed('python3', 'evidence.py')).toMatchObject([expected]);
  expect(await printed('Rscript', 'evidence.R')).toMatchObject([expected]);
});

/** Files of dataset `d`: its edition of a month that has not ended keeps one of the two files of the edition before it; and of dataset `e`. */
function threePacks(): string {
  const record = {
    ...first,
    datasetId: 'd',
    id: 'x.MEX.2020',
    indicatorId: 'x',
    edition: '2025-01',
    sourceId: 'b',
  };
  const text = `${JSON.stringify(record)}\n`;
  const pack = (id: string, edition: string, indicator: string, sources: string[], records = '') => {
    const source = { datasetId: 'd', edition: '2025-01', name: '', sha256: '', license: '' };
    const meta = { indicators: [indicator], sources: sources.map((each) => ({ ...source, id: each })) };
    return { id, kind: 'observations', edition, path: `data/${id}`, sha256: sha256Hex(records), meta };
  };
  const manifest = {
    schema: 'svc.packs.v1',
    generatedAt: '2025-02-10T00:00:00Z',
    packs: [pack('d', '2025-02', 'x', ['a']), pack('e', '2024-12', 'y', [])],
    editions: [pack('d@2025-01', '2025-01', 'x', ['a', 'b'], text)],
    unavailable: [{ id: 'f', kind: 'observations', indicators: ['z'], reason: 'No rights.' }],
  };
  return treeOf({
    'data/packs.json': JSON.stringify(manifest),
    'data/d': '',
    'data/e': '',
    'data/d@2025-01': text,
  });
}

const COUNT = {
  python3: `
import json, sys
from evidence import open_evidence, EvidenceError
files = open_evidence(sys.argv[1])
for query in json.loads(sys.argv[2]):
    try:
        print(len(list(files.observations(**query))))
    except EvidenceError as error:
        print(error)
`,
  Rscript: `
source("evidence.R")
arguments <- commandArgs(trailingOnly = TRUE)
files <- open_evidence(arguments[1])
for (query in jsonlite::fromJSON(arguments[2], simplifyVector = FALSE))
  cat(tryCatch(nrow(do.call(observations, c(list(files), query))), error = conditionMessage), "\\n", sep = "")
`,
};

test.for([
  ['python3', isThere],
  ['Rscript', hasR],
] as const)('%s finds editions in files as the service does', async ([command, isInstalled], { skip }) => {
  if (!isInstalled) return skip(`${command} is not installed`);
  const { url, close } = await fileServer(threePacks());
  const queries = [
    { id: 'x.MEX.2020@2025-01' },
    { as_of: '2025-02-28' },
    { as_of: '2025-03-01' },
    { dataset: 'd', indicator: 'y', as_of: '2024-12-31' },
    { id: 'x.MEX.2020', as_of: '2024-12-31' },
    { id: 'z.MEX.2020' },
    { dataset: 'f' },
  ];
  const { stdout } = await ranAt(url, command, COUNT[command], JSON.stringify(queries));
  close();
  expect(stdout.trimEnd().split('\n')).toEqual([
    '1',
    '0',
    expect.stringContaining('a day up to 2025-02-28'),
    '0',
    expect.stringContaining('had been published'),
    'unavailable: Dataset f is unavailable in this release. No rights. No substitute values are returned.',
    'unavailable: Dataset f is unavailable in this release. No rights. No substitute values are returned.',
  ]);
});
