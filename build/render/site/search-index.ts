/** assets/search.json: what the site's search finds. shim/core/site-index.ts says what it holds and opens it. */
import { FAULTS } from '../../../shim/core/faults.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import type { seriesAt } from '../../../shim/core/series-directory.ts';
import { SEARCH_INDEX } from '../../../shim/core/paths.ts';
import type { IndexedPage, SiteIndex } from '../../../shim/core/site-index.ts';
import { termPairs } from '../../../shim/core/words.ts';
import { datasetAddress, mapAddress, PAGES, sourceAddress } from '../../../shim/view/address.ts';
import { remembered, type BuildCache } from '../../lib/cache.ts';
import { jsonArtifact, type Artifact, type Tree } from '../../lib/tree.ts';
import { numbered } from '../../pack/pack-file.ts';
import { seriesOf, tableOf } from '../../pack/series-index.ts';
import { otherNamesOf } from '../../reference/place-names.ts';
import type { RecordFacts } from '../facts.ts';
import found from '../content/found.json' with { type: 'json' };

/** Makes the index of a release but for its pages; the result makes the file once all pages are in the tree. */
export function startSearchIndex(facts: RecordFacts, cache: BuildCache): (tree: Tree) => Artifact {
  const index = remembered(cache, keyOf(facts, cache), () => searchIndex(facts));
  return (tree) =>
    jsonArtifact(SEARCH_INDEX, { ...index, pages: [...pagesOf(facts, tree)], terms: termPairs() });
}

/** The key of an index: all that it is made from. Of market datasets that is the names of their series, not their records. */
function keyOf({ evidence, manifest }: RecordFacts, cache: BuildCache): string {
  const others = manifest.packs.filter(({ kind }) => kind !== 'observations');
  const said = [...evidence.documents.values()].map(({ id, title, kind, indicators }) => {
    const named = indicators.map((one) => [one.id, one.label, one.market]);
    return [id, title, kind, evidence.hasRowPages(id), named];
  });
  const places = [...evidence.places.values()].map(({ code, names }) => [code, names]);
  const records = others.map(({ id, sha256 }) => [id, sha256]);
  return cache.key('search', JSON.stringify([said, places, records]), ...evidence.seriesNames());
}

/** A series as the evidence names it. */
type Named = Pick<
  ReturnType<typeof seriesAt>,
  'indicator' | 'geo' | 'category' | 'subgroup' | 'unit' | 'firstPeriod' | 'lastPeriod'
>;

/** A series with the positions of its indicator and place. */
type Series = Omit<Named, 'indicator' | 'geo'> & { indicator: number; place: number };

/** Every series of observations and every country of the atlas. */
function searchIndex({ evidence }: RecordFacts): Omit<SiteIndex, 'pages' | 'terms'> {
  const documents = [...evidence.documents.values()].filter(({ kind }) => kind !== 'entities');
  const places = [...evidence.places.values()];
  const indicators = documents.flatMap(({ id, title, kind, indicators: own }, dataset) =>
    kind === 'atlas'
      ? [{ dataset, id, label: title, market: '' }]
      : own.map(({ id: indicator, label, market }) => ({ dataset, id: indicator, label, market })),
  );
  const placeAt = new Map(places.map(({ code }, at) => [code, at]));
  const indicatorAt = new Map(indicators.map(({ id }, at) => [id, at]));
  const series = documents.flatMap((document) =>
    seriesIn(document, evidence)
      .map(({ indicator, geo, ...one }): Series => {
        return { ...one, indicator: indicatorAt.get(indicator) ?? 0, place: placeAt.get(geo) ?? 0 };
      })
      .sort((a, b) => a.indicator - b.indicator || a.place - b.place),
  );
  const texts = (values: (one: Series) => readonly string[]): ReturnType<typeof tableOf> =>
    tableOf(series.flatMap(values));
  const categories = texts(({ category }) => [category]);
  const subgroups = texts(({ subgroup }) => [subgroup]);
  const units = texts(({ unit }) => (unit === null ? [] : [unit]));
  const periods = texts(({ firstPeriod, lastPeriod }) => [firstPeriod, lastPeriod]);
  const spans = texts((one) => [spanOf(one)]);
  const byIndicator = groupedBy(series, ({ indicator }) => indicator);
  return {
    datasets: documents.map(({ id, title }) => ({ id, title })),
    indicators,
    places: places.map(({ code, names }) => [
      code,
      names.map(({ name }) => name),
      otherNamesOf(code).join('|'),
    ]),
    categories: categories.list,
    subgroups: subgroups.list,
    units: units.list,
    periods: periods.list,
    spans: spans.list.map((span) => {
      const [first = '', last = ''] = span.split(' ');
      return [periods.at(first), periods.at(last)];
    }),
    named: documents.map(({ id }) =>
      places.map(({ names }) =>
        Math.max(
          0,
          names.findIndex(({ datasets }) => datasets.includes(id)),
        ),
      ),
    ),
    series: indicators.map((_, at) => {
      const own = byIndicator.get(at) ?? [];
      const labels = numbered();
      const label = own.map(({ category, subgroup, unit }) =>
        labels.idOf(
          [categories.at(category), subgroups.at(subgroup), unit === null ? 0 : units.at(unit) + 1].join(' '),
        ),
      );
      return {
        labels: labels.list().flatMap((numbers) => numbers.split(' ').map(Number)),
        place: own.map(({ place }, row) => place - (own[row - 1]?.place ?? 0)),
        label,
        span: own.map((one) => spans.at(spanOf(one))),
      };
    }),
  };
}

function spanOf({ firstPeriod, lastPeriod }: Series): string {
  return `${firstPeriod} ${lastPeriod}`;
}

/** The series of a dataset; of an atlas, one for each country. */
function seriesIn({ id, kind }: DatasetDocument, evidence: RecordFacts['evidence']): Named[] {
  const whole = { category: '', subgroup: '' };
  if (kind === 'atlas')
    return [...groupedBy(evidence.atlas(id), ({ data }) => data.iso3)].map(([geo, records]) => {
      const years = records.map(({ data }) => String(data.year)).sort();
      const [firstPeriod = '', lastPeriod = firstPeriod] = [years[0], years.at(-1)];
      return { indicator: id, geo, ...whole, unit: '', firstPeriod, lastPeriod };
    });
  // A dataset that is too large for pages of its rows has one entry for each indicator at a place.
  if (!evidence.hasRowPages(id))
    return [...evidence.counts(id)].flatMap(([geo, own]) =>
      own.map((count) => ({ ...count, geo, ...whole, unit: null })),
    );
  const listed = evidence.series(id);
  if (listed.length > 0) return listed;
  return seriesOf(evidence.observations(id)).map(({ first, units, firstPeriod, lastPeriod }) => {
    const { indicatorId: indicator, geoCode: geo, category, subgroup } = first;
    const unit = units.size === 1 ? first.unit : null;
    return { indicator, geo, category, subgroup, unit, firstPeriod, lastPeriod };
  });
}

/** The pages with a title, as far as the site has them; each once. */
function* pagesOf({ evidence, stories }: RecordFacts, tree: Tree): Generator<IndexedPage> {
  const documents = [...evidence.documents.values()];
  for (const { id, title } of documents) yield ['dataset', title, datasetAddress(id), id];
  for (const { id, title, fields } of documents)
    for (const { path, label } of fields ?? []) {
      const map = mapAddress(`${id}.${path}`);
      if (tree.has(`${map}index.html`)) yield ['page', `${label}: map`, map, title];
    }
  const differing = new Set(evidence.pairs.map(({ datasetId }) => datasetId));
  for (const { id, title } of documents.filter((document) => differing.has(document.id)))
    yield ['page', `${title}: what differs between editions`, `${datasetAddress(id)}#differences`, CHANGES];
  const sources = new Map(
    documents.flatMap((document) => document.sources.map((source) => [source.id, source])),
  );
  for (const [id, { name, publisher }] of sources) yield ['source', name, sourceAddress(id), id, publisher];
  for (const { story, title, summary } of stories) yield ['story', title, `${PAGES.news}${story}/`, summary];
  for (const [title = '', address = '', ...also] of found)
    if (tree.has(`${address.replace(/#.*/, '')}index.html`)) yield ['page', title, address, ...also];
  for (const { path } of tree.sorted())
    if (/^(docs|mcp|about)\/(?!reference\/)(.+\/)?index\.html$/.test(path))
      yield* sectionsOf(path, String(tree.read(path)));
  for (const code of Object.keys(FAULTS)) yield ['error', code, `${PAGES.docs}#fault-${code}`];
}

/** What people call differences between editions. */
const CHANGES = 'changes since the last release, revisions, updates, changed values';

function sectionsOf(path: string, html: string): IndexedPage[] {
  const page = path.slice(0, -'index.html'.length);
  const [, title = ''] = /<h1>(.*?)<\/h1>/.exec(html) ?? [];
  const sections = [...html.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g)].map(
    ([, , id = '', heading = '']): IndexedPage => [
      'docs',
      heading.replaceAll(/<[^>]*>/g, ''),
      `${page}#${id}`,
    ],
  );
  // The page itself, where it is not in the list of pages.
  return /^docs\/./.test(page) ? [['docs', title, page], ...sections] : sections;
}
