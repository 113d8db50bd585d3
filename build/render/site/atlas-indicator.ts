/** The page of the fields of an atlas: each field with where it has values, in the groups of its source. */
import { sortedByName } from '../../../shim/core/name-order.ts';
import type { AtlasRecord, DatasetDocument } from '../../../shim/core/records.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import {
  apiAddress,
  datasetAddress,
  indicatorAddress,
  mapAddress,
  PAGES,
  placeAddress,
  rootFrom,
  rowsAddress,
} from '../../../shim/view/address.ts';
import { code, el, joined, linkTo, type Child } from '../../../shim/view/node.ts';
import { spanWords } from '../../../shim/view/periods.ts';
import { facts as factList, list, section, table, type Column } from '../../../shim/view/table.ts';
import { counted, grouped } from '../../../shim/view/words.ts';
import { byCodeUnits, type AtlasField, distinct } from '../../lib/dataset.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { PlacesFigure } from '../map/maps.ts';
import { atlasValue } from '../../../shim/core/fields.ts';
import { citeDataset, citeSection } from './dataset-citation.ts';
import { sourcesSection } from './dataset-parts.ts';
import { framed, withContents } from './page.ts';
import { wholeDataset } from './dataset-files.ts';
import type { DatasetFacts } from './dataset-facts.ts';

/** Renders the page. */
export function renderAtlasIndicator(facts: DatasetFacts, figures: readonly PlacesFigure[]): Artifact {
  const { document } = facts.dataset;
  const { id, title, description, unit = '', domain, sources, fields } = document;
  const path = `${indicatorAddress(id)}index.html`;
  const root = rootFrom(path);
  const records = facts.atlas();
  const years = distinct(records.map(({ data }) => data.year)).sort((a, b) => a - b);
  const query = apiAddress('atlas', { domain });
  const [first] = figures;
  const maps = new Set(figures.map((figure) => figure.id));
  const body = [
    el('h1', {}, title),
    el('p', { class: 'standfirst' }, description),
    factList([
      ['Unit', unit],
      ['Dataset', [linkTo(root, datasetAddress(id), title), `, edition ${document.edition}`]],
      ['Records', `${grouped(records.length)}, one for each country and year`],
      ['Fields', grouped(fields.length)],
      ['Places', grouped(document.geographies.length)],
      ['Years', years.join(', ')],
      ['Id', code(id)],
    ]),
    withContents([
      section('limits', 'How it must not be read', [
        list([...(document.caveats ?? []), ...document.limitations]),
      ]),
      first ? section('figure', 'At a glance', first.draw(root)) : null,
      section('fields', 'Fields as the source prints them', fieldTable(document, records, years, maps, root)),
      section('coverage', 'Places', placeTable(document, records, years, root)),
      sourcesSection(sources, facts.fileOf, root),
      section('downloads', 'Get the data', [
        list([['API: ', linkTo(root, query, code(`/${query}`))], wholeDataset(id, root)]),
      ]),
      citeSection(citeDataset(facts.dataset, facts.site.siteUrl)),
    ]),
  ];
  return framed(facts.site, {
    path,
    title,
    description: `${title}: each of ${grouped(fields.length)} fields, the places and years that have it, and how it must not be read.`,
    body,
    trail: [['Indicators', PAGES.indicators]],
  });
}

/** Places with a value of each field in each year. */
function fieldTable(
  { id, fields }: DatasetDocument,
  records: readonly AtlasRecord[],
  years: readonly number[],
  maps: ReadonlySet<string>,
  root: string,
): Child {
  const byYear = groupedBy(records, ({ data }) => data.year);
  return table(
    'Places with a value in each year, of the places that have a record',
    fields,
    [
      [
        'Field',
        ({ path, label }) =>
          maps.has(`${id}.${path}`) ? linkTo(root, mapAddress(`${id}.${path}`), label) : label,
      ],
      ...years.map((year): Column<AtlasField> => {
        const own = byYear.get(year) ?? [];
        const valued = ({ path }: AtlasField): number =>
          own.filter((record) => atlasValue(record, path) !== null).length;
        return [
          { numbers: String(year) },
          (field) => `${grouped(valued(field))}\u00A0of\u00A0${grouped(own.length)}`,
        ];
      }),
    ],
    ({ path }) => `field-${path}`,
  );
}

function placeTable(
  { id, geographies }: DatasetDocument,
  records: readonly AtlasRecord[],
  years: readonly number[],
  root: string,
): Child {
  const byPlace = groupedBy(records, ({ data }) => data.iso3);
  const places = sortedByName(geographies, ({ name }) => name).map(({ code: place, name }) => {
    const covered = (byPlace.get(place) ?? []).map(({ data }) => String(data.year)).sort(byCodeUnits);
    return { place, name, covered };
  });
  return table('Places that have a record; a place that is not here has none, which is not a zero', places, [
    ['Place', ({ place, name }) => linkTo(root, placeAddress(place), name)],
    [
      { numbers: 'Records' },
      ({ place, covered }) => linkTo(root, rowsAddress(id, place), counted(covered.length, 'record')),
    ],
    [
      'Years',
      ({ covered }) =>
        covered.length === years.length
          ? spanWords(covered[0] ?? null, covered.at(-1) ?? null)
          : joined(covered, ', '),
    ],
  ]);
}
