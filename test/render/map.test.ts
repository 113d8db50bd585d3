/** Maps: by which rule a value is drawn, under which name, and what a reader finds under the map. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DatasetDocument } from '../../shim/core/records.ts';
import { mapFigure } from '../../shim/view/chart/map.ts';
import { figureOfPlaces } from '../../shim/view/chart/places.ts';
import { print } from '../../shim/view/node.ts';
import { worldShapes } from '../../build/render/map/world.ts';
import { ABOUT, madeRecord, marksOf, textOf, unavailableIn } from '../_support/maps.ts';
import { allAtlas, allObservations } from '../_support/records.ts';
import { builtTree, treeText } from '../_support/tree.ts';

const NOTE =
  'Boundaries for orientation only, after Natural Earth (public domain) as edited by Visionscarto. They imply no position on the status of any territory; names are those each source prints.';

const shapes = worldShapes(new Set(allObservations().map(({ geoCode }) => geoCode)));

/** Every page of the tree that has a map. */
const mapPages = readdirSync(builtTree(), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('index.html'))
  .map((path): [path: string, html: string] => [path, treeText(path)])
  .filter(([, html]) => html.includes('class="fig map"'));

/** The maps of a page. */
function figuresOf(html: string): string[] {
  return html
    .split('<figure')
    .map((part) => part.slice(0, part.indexOf('</figure>')))
    .filter((part) => part.includes('class="fig map"'));
}

/** The line of the legend with these words. */
function legendLine(html: string, words: string): string {
  const lines = [...html.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, line = '']) => textOf(line));
  return lines.find((line) => line.includes(words)) ?? `no line "${words}"`;
}

const nameIn = (title: string): string => title.replace(/, [0-9-]+: $/, '');

/** Names as people look for them: without case, diacritics and signs. */
function byName(names: readonly string[]): string[] {
  const plain = (name: string): string =>
    name
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return names.toSorted((a, b) => (plain(a) < plain(b) ? -1 : 1));
}

describe('every map of the site', () => {
  test('has the note on borders, a mark for each record of its query and a row for each in its table', () => {
    const observations = allObservations();
    const atlas = allAtlas();
    expect(mapPages.length).toBeGreaterThan(50);
    for (const [path, html] of mapPages) {
      expect(html.split(NOTE).length, path).toBe(html.split('class="fig map"').length);
      for (const figure of figuresOf(html)) {
        const query = new URL(textOf(/data-query="([^"]*)"/.exec(figure)?.[1] ?? ''), 'https://x.example');
        const get = (name: string): string => query.searchParams.get(name) ?? '';
        const names = query.pathname.endsWith('/atlas')
          ? atlas
              .filter(({ domain, data }) => domain === get('domain') && String(data.year) === get('year'))
              .map(({ data }) => `${data.country}, ${data.year}: `)
          : observations
              .filter(
                (one) =>
                  one.indicatorId === get('indicator') &&
                  one.category === get('category') &&
                  one.subgroup === get('subgroup') &&
                  one.period === get('from') &&
                  one.period === get('to'),
              )
              .map(({ geoName, period }) => `${geoName}, ${period}: `);
        const marks = marksOf(figure);
        // Labels are the names the source prints, in the order of the names.
        const titles = marks.map(({ title }) => /^.*, [0-9-]+: /.exec(title)?.[0] ?? title);
        expect(titles.toSorted(), path).toEqual(names.toSorted());
        const drawn = titles.slice(0, figure.split('<g class="mark').length - 1);
        expect(drawn.map(nameIn), path).toEqual(byName(drawn.map(nameIn)));
        const table = figure.slice(figure.indexOf('<tbody>'));
        const rows = [...table.matchAll(/<tr><th scope="row"><a [^>]*>([^<]*)/g)].map(([, name = '']) =>
          textOf(name),
        );
        expect(rows, path).toEqual(byName(titles.map(nameIn)));
      }
    }
  });

  test('says that the source has no row only of places without any in the period', () => {
    let others = 0;
    for (const [path, html] of mapPages)
      for (const figure of figuresOf(html)) {
        const query = new URL(textOf(/data-query="([^"]*)"/.exec(figure)?.[1] ?? ''), 'https://x.example');
        const [indicator, period] = ['indicator', 'from'].map((name) => query.searchParams.get(name));
        const drawn = new Set(marksOf(figure).map(({ id }) => id.split('.')[1]));
        const isElsewhere = allObservations().some(
          (one) => one.indicatorId === indicator && one.period === period && !drawn.has(one.geoCode),
        );
        if (isElsewhere) others += 1;
        if (isElsewhere) expect(textOf(figure), path).not.toContain('no row in the source');
      }
    expect(others).toBeGreaterThan(10);
  });

  test('is in the list of maps, and the page about the service names the licences of the shapes', () => {
    const listed = [...treeText('map/index.html').matchAll(/href="\.\.\/map\/([^"/]+)\/"/g)].map(
      ([, id]) => id,
    );
    const pages = readdirSync(join(builtTree(), 'map'), { withFileTypes: true });
    const folders = pages.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect([...new Set(listed)].toSorted()).toEqual(folders.toSorted());
    const about = textOf(treeText('about/index.html'));
    expect(about).toContain('Natural Earth, which is in the public domain, as edited by Visionscarto');
    expect(about).toContain('BSD 3-Clause');
  });

  test('has a heading that names the one label it draws, and the index of a field', () => {
    const headings = mapPages.flatMap(([path, html]) => {
      const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(html) ?? [];
      const [, title = ''] = /<title>(.*?): map - /.exec(html) ?? [];
      return /^map\/./.test(path) && title !== '' ? [[textOf(heading), textOf(title)]] : [];
    });
    expect(headings.length).toBeGreaterThan(50);
    expect(headings.map(([heading]) => heading)).toEqual(headings.map(([, title]) => title));
    const all = headings.map(([heading]) => heading);
    expect(all).toContain(
      'Drug seizures: Cannabis-type drugs (excluding synthetic cannabinoids): Cannabis herb (marijuana), 2023',
    );
    expect(all).toContain('Global Organized Crime Index, by country and edition: Prevention, 2025');
  });

  test('shows every value as its record has it and leads to the record', () => {
    const values = new Map(
      allObservations().map(({ id, value }) => [id, value === null ? '' : String(value)]),
    );
    for (const [path, html] of mapPages)
      for (const { id, value, href } of marksOf(html)) {
        if (values.has(id)) expect(value, `${path} ${id}`).toBe(values.get(id));
        expect(href, path).toMatch(new RegExp(`^(\\.{1,2}/)*r/${id.replaceAll('.', '\\.')}@`));
      }
  });
});

describe('how a unit is drawn', () => {
  test('amounts are never shaded, shares and rates are never circles, for every indicator of the catalog', () => {
    const indicators = readdirSync(join(builtTree(), 'data/datasets'))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => (JSON.parse(treeText(`data/datasets/${name}`)) as DatasetDocument).indicators);
    expect(indicators.length).toBeGreaterThan(55);
    const units = indicators.flatMap(({ id, measureType, units: own }) =>
      own.map((unit) => ({ id, measureType, unit })),
    );
    for (const { id, measureType, unit } of units) {
      const records = ['BEL', 'FRA'].map((geoCode) => madeRecord({ geoCode, geoName: geoCode, unit }));
      const html = print(figureOfPlaces(records, shapes, ABOUT));
      const isShare = /%|percent|\bper 1/i.test(unit);
      if (/count|quantity/.test(measureType)) expect(html, id).toContain('<circle class="amount"');
      if (isShare) expect(html, id).toMatch(/class="land shade s\d"/);
      expect(/class="[^"]*\b(amount|point)\b/.test(html) && isShare, id).toBe(false);
      expect(/class="[^"]*\bshade\b/.test(html) && !isShare, id).toBe(false);
    }
  });

  test('a price and a balance below zero are no map', () => {
    for (const change of [{ unit: 'USD / Grams' }, { unit: 'Kilograms', value: -1 }]) {
      const html = print(figureOfPlaces([madeRecord(change)], shapes, ABOUT));
      expect(html).not.toContain('class="fig map"');
      expect(html).toContain('data-record="prepared.BEL"');
    }
    expect(() => mapFigure([madeRecord({}), madeRecord({ period: '2022' })], shapes, ABOUT)).toThrow(
      'one period',
    );
    expect(() => mapFigure([madeRecord({}), madeRecord({ unit: 'Kilograms' })], shapes, ABOUT)).toThrow(
      'one unit',
    );
  });

  test('areas of circles are in proportion to values', () => {
    const records = [10, 40, 90].map((value, index) =>
      madeRecord({
        geoCode: ['BEL', 'FRA', 'ESP'][index] ?? '',
        geoName: `${index}`,
        unit: 'Kilograms',
        value,
      }),
    );
    const html = print(mapFigure(records, shapes, ABOUT));
    const marks = html.slice(html.indexOf('class="marks"'), html.indexOf('class="kinds"'));
    const radii = [...marks.matchAll(/<circle class="amount" r="([^"]*)"/g)].map(([, r]) => Number(r));
    expect(radii.map((radius) => Math.round((radius / (radii[0] ?? 1)) ** 2 * 10) / 10)).toEqual([1, 4, 9]);
  });

  test.each([
    {
      unit: '%',
      values: [0.5, 19.99, 20, 64, 100],
      words: ['above 0, under 20', '20 to under 40', '80 to 100'],
      counts: [2, 1, 0, 1, 1],
    },
    {
      unit: '%',
      values: [0.2, 0.4, 2],
      words: ['above 0, under 0.5', '2 to 2.5'],
      counts: [2, 0, 0, 0, 1],
    },
    {
      unit: 'score from 1 to 10',
      values: [1, 3, 9, 10],
      words: ['1 to under 3', '9 to 10'],
      counts: [1, 1, 0, 0, 2],
    },
    { unit: '%', values: [-3, 2], words: ['-3 to under -2', '1 to 2'], counts: [1, 0, 0, 0, 1] },
  ])(
    'classes of $values $unit have fixed bounds, printed with their counts',
    ({ unit, values, words, counts }) => {
      const codes = ['BEL', 'FRA', 'ESP', 'PRT', 'ITA'];
      const html = print(
        mapFigure(
          values.map((value, index) =>
            madeRecord({ geoCode: codes[index] ?? '', geoName: codes[index] ?? '', unit, value }),
          ),
          shapes,
          ABOUT,
        ),
      );
      for (const line of words) expect(legendLine(html, line)).toContain(line);
      const lines = [
        ...html.matchAll(/<rect class="land shade s\d"[^>]*><\/rect><\/svg><span>[^<]*<b>(\d+) /g),
      ];
      expect(lines.map(([, count]) => Number(count))).toEqual(counts);
    },
  );
});

describe('what has no value to shade', () => {
  const several = [
    madeRecord({ id: 'a', geoCode: 'ITA', geoName: 'Italy', value: 1 }),
    madeRecord({ id: 'b', geoCode: 'ITA', geoName: 'Italy', value: 2 }),
    madeRecord({
      id: 'c',
      geoCode: 'ITA',
      geoName: 'Italy',
      value: null,
      status: 'unavailable',
      unavailableReason: 'blank_in_source',
    }),
  ];
  const records = [
    madeRecord({}),
    madeRecord({ geoCode: 'FRA', geoName: 'France', value: 0 }),
    unavailableIn('ESP', 'suppressed_by_source'),
    unavailableIn('PRT', 'broken_formula_in_source'),
    unavailableIn('MLT', 'blank_in_source'),
    ...several,
    madeRecord({
      geoCode: 'x-england',
      geoName: 'United Kingdom (England)',
      geoLevel: 'subnational',
      value: 7,
    }),
  ];

  test.each(['%', 'Kilograms'])(
    'zero, unavailable, no row and several rows differ in the page and are counted (%s)',
    (unit) => {
      const html = print(
        mapFigure(
          records.map((one) => ({ ...one, unit })),
          shapes,
          ABOUT,
        ),
      );
      const landOf = (code: string): string =>
        new RegExp(`<g class="land ([^"]*)" data-geo="${code}"( fill="[^"]*")?`).exec(html)?.[0] ?? '';
      expect(landOf('FRA')).toContain('land zero');
      expect(landOf('ESP')).toContain('land gone" data-geo="ESP" fill="url(#f-hatch)');
      expect(landOf('ITA')).toContain('land several');
      expect(landOf('DEU')).toContain('land none');
      expect(landOf('BEL')).toContain(unit === '%' ? 'land shade s' : 'land amount');
      expect(html).toMatch(
        /data-value="0"><title>France, 2023: 0 [^<]*<\/title><svg class="over"[^>]*><use[^>]*><\/use><\/svg><svg class="at"[^>]*><circle class="nought"/,
      );
      expect(html).toMatch(/<path class="bracket"/);
      expect(
        marksOf(html)
          .map((mark) => mark.title)
          .filter((title) => title.startsWith('Italy')),
      ).toHaveLength(3);
      expect(legendLine(html, 'a zero the source prints')).toContain('1 place');
      expect(legendLine(html, 'suppressed by the source')).toContain('1 place');
      expect(legendLine(html, 'a broken formula in the source')).toContain('1 place');
      expect(legendLine(html, 'blank in the source')).toContain('1 place');
      expect(legendLine(html, 'several rows')).toContain('1 place');
      expect(legendLine(html, 'no row in the source')).toContain(`${shapes.places.length - 6} places`);
      expect(textOf(html)).toContain(`United Kingdom (England), 2023: 7 ${unit}, reported`);
    },
  );

  test('the four lines are in the legend where there is nothing of their kind', () => {
    const html = print(mapFigure([madeRecord({})], shapes, ABOUT));
    expect(legendLine(html, 'a zero the source prints')).toContain('0 places');
    expect(legendLine(html, 'unavailable')).toContain('0 places');
    expect(legendLine(html, 'several rows')).toContain('0 places');
    expect(legendLine(html, 'no row in the source')).toContain(`${shapes.places.length - 1} places`);
  });
});
