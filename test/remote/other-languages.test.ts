/** What the clients for Python and R say of a list of packs that is none, and the values that the one for Python takes. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { onPort } from '../_support/doors.ts';
import { fileServer } from '../_support/file-server.ts';
import { treeOf } from '../_support/made-tree.ts';
import { allObservations } from '../_support/records.ts';
import { builtTree, treeFile } from '../_support/tree.ts';

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
