/** index.html: one number followed to its cell, what the data looks like, the state of every dataset, and the ways in. */
import { BOUNDARIES } from '../../../shim/core/operations/all.ts';
import { absolute, csvPath } from '../../../shim/core/paths.ts';
import type { Observation } from '../../../shim/core/records.ts';
import type { Evidence } from './evidence.ts';
import {
  apiAddress,
  indicatorAddress,
  PAGES,
  recordAddress,
  rowAddress,
  rowsAddress,
  sourceAddress,
  VERIFY_PAGE,
} from '../../../shim/view/address.ts';
import { seriesFigure } from '../../../shim/view/chart/panels.ts';
import { dataBlock } from '../../../shim/view/json-ld.ts';
import { code, el, hash, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { searchBox } from '../../../shim/view/search-box.ts';
import { figureSources } from '../../../shim/view/chart/figure.ts';
import { list, section } from '../../../shim/view/table.ts';
import { digits, grouped, labelOf } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import { framed } from './page.ts';
import { COLLECTION } from '../bulk/release.ts';
import { exampleTarget } from '../openapi/examples.ts';
import { figureNamed } from '../map/pages.ts';
import { staleCount, type SiteFacts } from '../facts.ts';
import { datasetStates } from './dataset-states.ts';
import home from '../content/home.json' with { type: 'json' };

const ROOT = './';

/** Renders the front page. */
export function renderHome(facts: SiteFacts): Artifact {
  const { evidence } = facts;
  const { title, description } = home;
  const body = [
    opening(facts),
    followed(facts),
    drawn(facts),
    el('div', { class: 'beside-map' }, mapped(facts), news(facts)),
    datasetStates(facts, ROOT),
    ways(facts),
    section('boundaries', 'What it will not do', list(BOUNDARIES)),
  ];
  return framed(evidence, {
    path: 'index.html',
    title,
    description,
    body: el('div', { class: 'home' }, body),
    alternates: [['application/vnd.oai.openapi+json', 'openapi.json', 'OpenAPI description']],
    head: dataBlock({
      '@type': 'WebSite',
      name: 'Public Evidence',
      alternateName: COLLECTION.title,
      description,
      url: absolute(facts.siteUrl, ''),
      inLanguage: 'en',
      publisher: { '@type': 'Organization', name: COLLECTION.publisher },
    }),
  });
}

function opening(facts: SiteFacts): Child {
  const { evidence, manifest } = facts;
  const { sources, stale } = staleCount(facts);
  const rows = manifest.packs.reduce((sum, pack) => sum + pack.rows, 0);
  const date = evidence.generatedAt.slice(0, 10);
  const indicators = [...evidence.documents.values()].flatMap((document) => document.indicators).length;
  return [
    el('h1', {}, 'Official evidence on illicit economies, cell by cell'),
    '\n',
    el('p', { class: 'standfirst' }, [
      'What public bodies publish about drugs, arms, informal work, organized crime and designations: ',
      `${grouped(rows)} records from ${sources} source files, each with its cell and the hash of its file, as published.`,
    ]),
    '\n',
    searchBox('query', ROOT, { button: true }),
    '\n',
    el('p', { class: 'entrances' }, [
      linkTo(ROOT, PAGES.places, `${evidence.places.size} places`),
      ' ',
      linkTo(ROOT, PAGES.indicators, `${indicators} indicators`),
    ]),
    '\n',
    el('p', { class: 'meta' }, [
      el('span', {}, 'Data as of ', el('time', { datetime: evidence.generatedAt }, date)),
      el('span', {}, `${stale} of ${sources} sources are overdue for an update`),
    ]),
    '\n',
  ];
}

/** One real record on its way from the value to the publisher's file. */
function followed({ evidence }: SiteFacts): Child {
  const { documents } = evidence;
  const record = chosen(evidence);
  const document = record && documents.get(record.datasetId);
  const source = document?.sources.find(({ id }) => id === record?.sourceId);
  if (!record || record.value === null || !document || !source) return '';
  const indicator = document.indicators.find(({ id }) => id === record.indicatorId);
  const place = record.geoLevel === 'aggregate' ? record.geoName : `in ${record.geoName}`;
  const row = evidence.hasRowPages(record.datasetId)
    ? rowAddress(record)
    : rowsAddress(record.datasetId, record.geoCode);
  const step = (name: string, href: string, words: Child, rest: Child): Child => [
    '\n',
    el('li', {}, el('h3', {}, name), p(linkTo(ROOT, href, words)), p(rest)),
  ];
  return section('follow', 'Follow one number', [
    el('ol', { class: 'steps' }, [
      step('Its value', row, el('span', { class: 'figure' }, digits(record.value)), [
        `${record.unit}. ${[indicator?.label, labelOf(record)].filter(Boolean).join(': ')}, ${place}, ${record.period}: ${record.status}.`,
      ]),
      step(
        'Its cell',
        recordAddress(record.id, record.edition),
        record.sourceLocator.replace('!', ', cell '),
        `${source.name}, edition ${record.edition}. The link keeps showing the value of this edition.`,
      ),
      step(
        'Its file',
        sourceAddress(source.id),
        hash(source.sha256),
        `sha256 of the file as ${source.publisher} published it.`,
      ),
      step(
        'Your check',
        VERIFY_PAGE,
        'Check a file',
        'Get the file from its publisher, compare the hash, open the cell. Nothing has to be taken on trust.',
      ),
    ]),
  ]);
}

/** The record of home.json; where the data has it no longer, the first value that a source reports. */
function chosen({ observations, documents }: Evidence): Observation | undefined {
  const { dataset, indicatorId: indicator, geoCode: geo, subgroup, period } = home.follow;
  const wanted = observations(dataset, { indicator, geo }).find(
    (record) => record.subgroup === subgroup && record.period === period,
  );
  if (wanted) return wanted;
  for (const { id, indicators } of documents.values())
    for (const one of indicators)
      for (const place of one.geographies) {
        const own = observations(id, { indicator: one.id, geo: place });
        const found = own.find(({ value, status }) => value !== null && status === 'reported');
        if (found) return found;
      }
  return undefined;
}

/** The series of one dataset that show what the data is like: estimates with ranges, zeros, blanks, broken formulas. */
function drawn({ evidence: { observations, documents } }: SiteFacts): Child {
  const dataset = home.drawn;
  const document = documents.get(dataset);
  const [indicator] = document?.indicators ?? [];
  if (!document || !indicator) return '';
  const shown = observations(dataset, { indicator: indicator.id });
  return section('drawn', 'What is drawn is what is printed', [
    seriesFigure(shown, {
      id: 'drawn-series',
      root: ROOT,
      caption: indicator.label,
      sources: figureSources(document, shown),
      boundary: indicator.limitations[0] ?? null,
      query: apiAddress('market-observations', { indicator: indicator.id }),
      rows: indicatorAddress(indicator.id),
    }),
  ]);
}

function mapped(facts: SiteFacts): Child {
  const document = [...facts.evidence.documents.values()].find(({ indicators }) =>
    indicators.some(({ id }) => id === home.mapped),
  );
  const figure = document ? figureNamed(facts, document, home.mapped) : null;
  if (figure?.isMap !== true) return '';
  return section('mapped', 'One year of many places', [
    figure.draw(ROOT),
    el('p', { class: 'small' }, linkTo(ROOT, PAGES.map, 'All maps')),
  ]);
}

function news({ stories }: SiteFacts): Child {
  const newest = stories
    .slice(0, 3)
    .map(({ story, title, summary, published }) => [
      '\n',
      el('li', {}, [
        el('h3', {}, linkTo(ROOT, `${PAGES.news}${story}/`, title)),
        el('p', { class: 'meta' }, el('time', { datetime: published }, published)),
        p(summary),
      ]),
    ]);
  if (newest.length === 0) return '';
  return section('news', 'Newest stories', el('ul', { class: 'thirds' }, newest));
}

/** Four ways in, each with one line to copy. */
function ways({ siteUrl, operations, examples, manifest }: SiteFacts): Child {
  const { id: dataset = '' } =
    manifest.packs.find(({ kind }) => kind === 'observations' || kind === 'context') ?? {};
  const query = operations.find(({ name }) => name === 'markets');
  const target = query ? exampleTarget(query, examples.get(query.name)) : 'api/v1/capabilities';
  const way = (name: string, words: Child, line: string): Child => [
    '\n',
    el('li', {}, el('h3', {}, name), p(words), el('pre', {}, code(line))),
  ];
  return section('ways', 'Four ways in', [
    el('ul', { class: 'ways' }, [
      way(
        'To read',
        ['Start with a ', linkTo(ROOT, PAGES.places, 'place'), ': what is known of it, and what is not.'],
        `${siteUrl}/${PAGES.places}`,
      ),
      way(
        'In a spreadsheet',
        ['Any dataset as CSV. ', linkTo(ROOT, PAGES.data, 'All files'), '.'],
        `=IMPORTDATA("${siteUrl}/${csvPath(dataset)}")`,
      ),
      way(
        'From a program',
        ['One GET request, no key. ', linkTo(ROOT, PAGES.docs, 'Documentation'), '.'],
        `curl '${siteUrl}/${target}'`,
      ),
      way(
        'For an agent',
        ['The same records as MCP tools. ', linkTo(ROOT, `${PAGES.docs}#mcp`, 'MCP'), '.'],
        `${siteUrl}/mcp`,
      ),
    ]),
  ]);
}
