/** The page of the fields of an atlas: each field with where it has values, in the groups of its source. */
import { packPath, csvPath } from '../../../shim/core/paths.ts';
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
import { el, joined, linkTo } from '../../../shim/view/node.ts';
import { facts as factList, list, section, table, type Row } from '../../../shim/view/table.ts';
import { counted, grouped } from '../../../shim/view/words.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import type { Artifact } from '../../lib/tree.ts';
import { distinct } from '../bulk/release.ts';
import type { PlacesFigure } from '../map/maps.ts';
import { atlasValue } from '../../../shim/core/fields.ts';
import { citeDataset, citeSection } from './dataset-citation.ts';
import { code, framed, withContents, spanWords } from './dataset-parts.ts';
import type { DatasetFacts } from './dataset-group.ts';
import { sourcesSection } from './source-files.ts';

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
        list([
          ['API: ', linkTo(root, query, code(`/${query}`))],
          [
            'The whole dataset: ',
            linkTo(root, csvPath(id), 'CSV'),
            ', ',
            linkTo(root, packPath(id), 'NDJSON'),
            ', ',
            linkTo(root, `${datasetAddress(id)}#downloads`, 'all files with their hashes'),
          ],
        ]),
      ]),
      citeSection(citeDataset(facts.dataset, facts.site.siteUrl)),
    ]),
  ];
  return framed(facts.site, {
    path,
    title: `${title} - Public Evidence`,
    description,
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
): ReturnType<typeof table> {
  const byYear = groupedBy(records, ({ data }) => data.year);
  return table(
    'Places with a value in each year, of the places that have a record',
    ['Field', ...years.map((year) => ({ numbers: String(year) }))],
    fields.map(({ path, label }) => ({
      id: `field-${path}`,
      cells: [
        maps.has(`${id}.${path}`) ? linkTo(root, mapAddress(`${id}.${path}`), label) : label,
        ...years.map((year) => {
          const own = byYear.get(year) ?? [];
          const valued = own.filter((record) => atlasValue(record, path) !== null).length;
          return `${grouped(valued)} of ${grouped(own.length)}`;
        }),
      ],
    })),
  );
}

function placeTable(
  { id, geographies }: DatasetDocument,
  records: readonly AtlasRecord[],
  years: readonly number[],
  root: string,
): ReturnType<typeof table> {
  const byPlace = groupedBy(records, ({ data }) => data.iso3);
  const rows = geographies
    .toSorted((a, b) => byCodeUnits(a.name, b.name))
    .map(({ code: place, name }): Row => {
      const own = byPlace.get(place) ?? [];
      const covered = own.map(({ data }) => String(data.year)).sort(byCodeUnits);
      return [
        linkTo(root, placeAddress(place), name),
        linkTo(root, rowsAddress(id, place), counted(own.length, 'record')),
        covered.length === years.length
          ? spanWords(covered[0] ?? null, covered.at(-1) ?? null)
          : joined(covered, ', '),
      ];
    });
  return table(
    'Places that have a record; a place that is not here has none, which is not a zero',
    ['Place', { numbers: 'Records' }, 'Years'],
    rows,
  );
}
