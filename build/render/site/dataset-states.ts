/** The table of all datasets on the front page: edition, what is due, records, cells without a value, licence. */
import { atlasValue } from '../../../shim/core/fields.ts';
import { sortedByName } from '../../../shim/core/name-order.ts';
import type { AtlasRecord, DatasetDocument } from '../../../shim/core/records.ts';
import { datasetAddress, RELEASES } from '../../../shim/view/address.ts';
import { el, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { section, table } from '../../../shim/view/table.ts';
import { grouped } from '../../../shim/view/words.ts';
import { distinct } from '../../lib/dataset.ts';
import { designationsNote, type SiteFacts } from '../facts.ts';
import { commercialUse, dayOf } from './dataset-parts.ts';

const HEADS = [
  'Dataset',
  'Edition',
  'Next edition due',
  { numbers: 'Records' },
  { numbers: 'Cells without a value' },
  'Licence',
];

/** The section with the table; datasets that this release does not have are rows too. */
export function datasetStates(facts: SiteFacts, root: string): Child {
  const { evidence, manifest, descriptors } = facts;
  const current = sortedByName(evidence.documents.values(), ({ title }) => title);
  const rows = current.map((document) => {
    const { id, kind, title, edition, sources, records } = document;
    const licences = distinct(sources.map(({ license }) => shortLicence(license))).join('; ');
    const cells = [
      linkTo(root, datasetAddress(id), title),
      dayOf(edition),
      el('span', { class: 'due' }, dueOf(document)),
      grouped(records),
      unavailableShare(document, kind === 'atlas' ? evidence.atlas(id) : []),
      `${licences}; commercial use: ${commercialUse(sources).toLowerCase()}`,
    ];
    return { id, cells };
  });
  const missing = manifest.unavailable.map(({ id, reason }) => ({ id, cells: [id, 'unavailable', reason] }));
  const note = designationsNote(descriptors, manifest.generatedAt);
  return section('datasets', 'What is fresh, what is overdue', [
    p(
      'Overdue: a newer edition of a source should have appeared by the date of the data above; compare the dates with today. ',
      linkTo(root, RELEASES, 'What changed between editions'),
    ),
    table(
      'Datasets by name',
      [...rows, ...missing],
      HEADS.map((head, at) => [head, ({ cells }) => cells[at] ?? '']),
      ({ id }) => `dataset-${id}`,
    ),
    note === null ? '' : el('p', { class: 'small' }, `Designations. ${note}`),
  ]);
}

/** The beginning of a licence, which names it; what follows is on the page of the dataset. */
function shortLicence(license: string): string {
  return license.split(/[:;] /)[0] ?? license;
}

function dueOf({ sources }: DatasetDocument): Child {
  const due = sources.flatMap(({ staleAfter }) => staleAfter ?? []).sort()[0];
  if (due === undefined) return 'not renewed by its publisher';
  const overdue = sources.filter(({ stale }) => stale).length;
  if (overdue === 0) return dayOf(due);
  return [
    dayOf(due),
    ' ',
    el('strong', { class: 'stale' }, [
      overdue === sources.length ? 'overdue' : `${overdue} of ${sources.length} overdue`,
    ]),
  ];
}

/** How many of the dataset's cells have no value, and their share; designations are names and have no values. */
function unavailableShare(
  { kind, indicators, fields }: DatasetDocument,
  atlas: readonly AtlasRecord[],
): string {
  if (kind === 'entities') return 'names, no values';
  const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);
  const [without, all] =
    kind === 'atlas'
      ? [
          sum(fields.map(({ path }) => atlas.filter((record) => atlasValue(record, path) === null).length)),
          atlas.length * fields.length,
        ]
      : [
          sum(indicators.map(({ coverage }) => coverage.unavailable)),
          sum(indicators.map(({ coverage }) => coverage.observations)),
        ];
  const share = all === 0 ? 0 : (100 * without) / all;
  return `${grouped(without)} (${share > 0 && share < 0.1 ? 'under 0.1' : share.toFixed(1)} %)`;
}
