/** What the clients for Python and R say of a list of packs that is none, and the values that the one for Python takes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { onPort } from '../_support/doors.ts';
import { fileServer } from '../_support/file-server.ts';
import { INTERPRETERS, PYTHON, ranThere, told } from '../_support/interpreters.ts';
import { treeOf } from '../_support/made-tree.ts';
import { allObservations } from '../_support/records.ts';
import { treeFile } from '../_support/tree.ts';
import { sha256Hex } from '../../shim/store/disk.ts';

const first = allObservations()[0] as Observation;
const { url: service } = await onPort();

test('the client for Python takes a day of datetime, and refuses NaN', async ({ skip }) => {
  if (INTERPRETERS[0]?.isThere !== true) return skip('python3 is not installed');
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
  const printed = await ranThere(PYTHON, script, service, first.indicatorId);
  const [day, text, refusal] = printed.trimEnd().split('\n');
  expect(Number(day)).toBeGreaterThan(0);
  expect([day, refusal]).toEqual([text, "filter 'geo' takes one value"]);
});

const list = treeFile('data/packs.json').toString();

test.for(INTERPRETERS)(
  'the client for $language refuses a list of packs of another form, and takes no body above its bound',
  async (interpreter, { skip }) => {
    const { language, command, client, isThere } = interpreter;
    if (!isThere) skip(`${language} is not installed`);
    const lists = [
      list.replace('"packs":[', '"packs":[null,'),
      list.replace('"editions":[', '"editions":[{"id":"arms@1999"},'),
      list.replaceAll('"indicators":[', '"indicators":[7,'),
      list.replaceAll('"datasetId":', '"dataset":'),
      list.replace('"generatedAt":"', '"generatedAt":1,"was":"'),
      list.replace('"editions":[', '"editions":{"was":[').replace(/\}\n*$/, '}}'),
    ];
    expect(lists).not.toContain(list);
    const hosts = await Promise.all(
      [list, ...lists].map((text) => fileServer(treeOf({ 'data/packs.json': text }))),
    );
    const [good = '', ...others] = hosts.map(({ url }) => url);
    const refusal = 'data/packs.json is not the list of packs that its schema describes';
    const answers = await told(
      interpreter,
      others.map((url) => [url, { geo: 'MEX' }]),
    );
    expect(answers).toEqual(lists.map(() => ({ error: refusal })));
    const ran = promisify(execFile)(command, [client, others[0] ?? '', 'geo=MEX']);
    await expect(ran).rejects.toMatchObject({ code: 1, stdout: '', stderr: `${refusal}\n` });
    await expect(ranThere(command, BOUNDED[language], good)).rejects.toMatchObject({
      stderr: expect.stringContaining('data/packs.json: the host sends more than 1000 bytes; set evidence'),
    });
    for (const { close } of hosts) close();
  },
);

const BOUNDED = {
  Python: `
import sys
import evidence
evidence.MOST_BYTES = 1000
evidence.open_evidence(sys.argv[1])
`,
  R: `
source("evidence.R")
evidence_most_bytes <- 1000
open_evidence(commandArgs(trailingOnly = TRUE)[1])
`,
};

test.for(INTERPRETERS)(
  'the command for $language prints a number with all digits that it needs',
  async ({ language, command, client, isThere }, { skip }) => {
    if (!isThere) skip(`${language} is not installed`);
    const long = allObservations().find(
      ({ value }) => value !== null && Number(value.toPrecision(15)) !== value,
    );
    const { stdout, stderr } = await promisify(execFile)(command, [client, service, `id=${long?.id}`]);
    expect(stderr).toMatch(/^1 rows from service[^\n]*\n$/);
    expect(parse(stdout, { columns: true })).toMatchObject([
      { geoCode: long?.geoCode, unit: long?.unit, value: String(long?.value) },
    ]);
  },
);

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

test.for(INTERPRETERS)(
  '$language finds editions in files as the service does',
  async (interpreter, { skip }) => {
    if (!interpreter.isThere) skip(`${interpreter.language} is not installed`);
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
    const answers = await told(
      interpreter,
      queries.map((query) => [url, query]),
    );
    close();
    expect(answers.map(({ error, rows }) => error ?? rows.length)).toEqual([
      1,
      0,
      expect.stringContaining('a day up to 2025-02-28'),
      0,
      expect.stringContaining('had been published'),
      'unavailable: Dataset f is unavailable in this release. No rights. No substitute values are returned.',
      'unavailable: Dataset f is unavailable in this release. No rights. No substitute values are returned.',
    ]);
  },
);
