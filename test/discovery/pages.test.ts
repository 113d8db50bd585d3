/** The pages for people: what they document is what there is, and the HTML is fit for everyone. */
import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../shim/core/faults.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { testApp } from '../_support/doors.ts';
import { description } from '../_support/openapi.ts';
import { TEST_SITE, treeText } from '../_support/tree.ts';
import { unescaped } from '../_support/site-pages.ts';
import { words } from '../_support/words.ts';

const app = testApp();
const docs = treeText('docs/index.html');
const home = treeText('index.html');

/** The request that openapi.json shows for a cursor of other data. */
function staleTarget(): string {
  const shown = description().components.responses['BadRequest']?.content?.['application/json']?.examples;
  return shown?.['stale_cursor']?.summary.replace('/api/v1', '') ?? '';
}

describe('[DISC-DOCS] docs/', () => {
  /** The rows of a table that has an id in its first cell: its cells as text. */
  const rows = [...docs.matchAll(/<tr><th scope="row"><code id="([a-z0-9_-]+)">.*<\/tr>/g)].map(
    ([row, id = '']) => ({
      id,
      cells: [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) =>
        unescaped(cell.replaceAll(/<[^>]+>/g, '')),
      ),
    }),
  );

  test('every parameter of every resource is documented with an example that works', async () => {
    const documented = rows.filter(({ id }) => !id.startsWith('fault-'));
    expect(documented.map(({ id }) => id)).toEqual(
      OPERATIONS.flatMap(({ name, parameters }) =>
        parameters.map((parameter) => `${name}-${parameter.name}`),
      ),
    );
    for (const { id, cells } of documented) {
      const name = id.slice(id.lastIndexOf('-') + 1);
      if (name === 'cursor') continue;
      const value = (cells[3] ?? '') === 'empty' ? '' : (cells[3] ?? '');
      const target = `${id.slice(0, -name.length - 1)}?${name}=${encodeURIComponent(value)}`;
      const { status } = await app.fetch(new Request(`${TEST_SITE}/api/v1/${target}`));
      expect([target, status]).toEqual([target, 200]);
    }
  });

  test.each([
    ['invalid_request', 'GET', '/markets?x=1'],
    ['stale_cursor', 'GET', staleTarget()],
    ['not_found', 'GET', '/nothing'],
    ['method_not_allowed', 'DELETE', '/markets'],
    ['uri_too_long', 'GET', `/atlas?iso3=${'A'.repeat(9000)}`],
    ['unavailable', 'GET', '/federation?lane=producers-summary'],
  ])('%s is documented with the status and caching it has', async (code, method, target) => {
    const response = await app.fetch(new Request(`${TEST_SITE}/api/v1${target}`, { method }));
    const { error } = (await response.json()) as { error: string };
    const documented = rows.find(({ id }) => id === `fault-${code}`);
    expect([error, String(response.status), response.headers.get('cache-control')]).toEqual([
      code,
      documented?.cells[0],
      documented?.cells[3],
    ]);
  });

  test('no other failures, and every header, resource and tool', () => {
    const faults = rows.flatMap(({ id }) => (id.startsWith('fault-') ? [id.slice('fault-'.length)] : []));
    expect(faults.toSorted()).toEqual(Object.keys(FAULTS).toSorted());
    for (const name of words(`ETag Link Cache-Control Access-Control-Allow-Origin Allow Retry-After`))
      expect(docs).toContain(`<code>${name}</code>`);
    for (const { name } of OPERATIONS) expect(docs).toContain(`<h3 id="${name}">`);
    for (const tool of OPERATIONS.flatMap((operation) => operation.tool ?? []))
      expect(docs).toContain(`<code>${tool}</code>`);
  });

  test('no placeholder is left in a text', () => {
    for (const path of ['llms.txt', 'openapi.json']) expect(treeText(path)).not.toMatch(/\{\{|\[object/);
  });

  test('cites a real record with the hash of its source file', () => {
    const { data } = JSON.parse(treeText('api/v1/market-observations.json')) as {
      data: { observations: { id: string; sourceLocator: string }[] };
    };
    const [record] = data.observations;
    expect(docs).toContain(`<code>${record?.id}</code>`);
    expect(docs).toContain(record?.sourceLocator);
    expect(docs).toMatch(/sha256 of the source file <code class="hash">[0-9a-f]{64}<\/code>/);
  });
});

describe('index.html', () => {
  const { sources } = JSON.parse(treeText('data/files.json')) as {
    sources: { dataset: string; stale: boolean; staleAfter: string | null }[];
  };

  test('shows each dataset once, with the day its next edition is due, what is overdue, and its licences', () => {
    const rows = new Map(
      home
        .split('<tr id="dataset-')
        .slice(1)
        .map((row) => [row.slice(0, row.indexOf('"')), unescaped(row.slice(0, row.indexOf('</tr>')))]),
    );
    expect([...rows.keys()].toSorted()).toEqual(
      [...new Set(sources.map(({ dataset }) => dataset))].toSorted(),
    );
    for (const [dataset, row] of rows) {
      const own = sources.filter((source) => source.dataset === dataset);
      expect(row.includes('class="stale"')).toBe(own.some(({ stale }) => stale));
      const [due] = own.flatMap(({ staleAfter }) => staleAfter ?? []).toSorted();
      expect(row).toContain(due ?? 'not renewed by its publisher');
      const document = JSON.parse(treeText(`data/datasets/${dataset}.json`)) as {
        sources: { license: string }[];
      };
      for (const { license } of document.sources) expect(row).toContain(license.split(/[:;] /)[0]);
      expect(row).toMatch(/commercial use: (yes|no|unclear)/);
    }
  });

  test('says how many sources are stale', () => {
    expect(home).toContain(
      `${sources.filter(({ stale }) => stale).length} of ${sources.length} sources are overdue`,
    );
  });
});

describe('explore/', () => {
  const html = treeText('explore/index.html').replace(/<header.*?<\/header>/s, '');

  test('every filter of the API has a field with a label, and every dataset links that need neither script nor service', () => {
    const operation = OPERATIONS.find(({ name }) => name === 'market-observations');
    for (const { name } of operation?.parameters ?? [])
      if (name !== 'cursor')
        expect(html).toMatch(new RegExp(`<(?:input|select) id="f-${name}" name="${name}"`));
    for (const [, id] of html.matchAll(/<(?:input|select) id="(f-[^"]+)"/g))
      expect(html).toContain(`<label for="${id}">`);
    const { data } = JSON.parse(treeText('api/v1/markets.json')) as { data: { datasets: { id: string }[] } };
    for (const { id } of data.datasets) {
      expect(html).toContain(`href="../data/${id}/"`);
      expect(html).toContain(`href="../api/v1/market-observations?dataset=${id}"`);
    }
  });

  test('the script asks this site alone and writes text, never markup', () => {
    // The name of SVG elements looks like an address and is none.
    for (const name of ['explore', 'explore-view', 'mirror'])
      expect(treeText(`assets/${name}.js`)).not.toMatch(
        /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|https?:\/\/(?!www\.w3\.org\/)/,
      );
  });
});
