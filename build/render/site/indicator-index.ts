/** /indicators/: every indicator by market and dataset, with its unit, places, periods and rows by status. */
import type { DatasetDocument, DatasetIndicator } from '../../../shim/core/records.ts';
import { datasetAddress, indicatorAddress, PAGES, rootFrom } from '../../../shim/view/address.ts';
import { el, linkTo } from '../../../shim/view/node.ts';
import { section, table, type Column } from '../../../shim/view/table.ts';
import { counted, grouped, MARKETS } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { spanOfDays } from './dataset-parts.ts';
import { framed } from './page.ts';

const ROOT = rootFrom(PAGES.indicators);

const INDICATORS: readonly Column<DatasetIndicator>[] = [
  ['Indicator', ({ id, label }) => linkTo(ROOT, indicatorAddress(id), label)],
  [{ numbers: 'Rows' }, ({ coverage }) => grouped(coverage.observations)],
  ['Unit', ({ unit, units }) => unit ?? `${units.length} units`],
  [{ numbers: 'Reported' }, ({ coverage }) => grouped(coverage.reported)],
  [{ numbers: 'Estimated' }, ({ coverage }) => grouped(coverage.estimated)],
  [{ numbers: 'Zeros' }, ({ coverage }) => grouped(coverage.zeros)],
  [{ numbers: 'Unavailable' }, ({ coverage }) => grouped(coverage.unavailable)],
  [{ numbers: 'Places' }, ({ geographies }) => grouped(geographies.length)],
  ['Periods', ({ coverage }) => spanOfDays(coverage.firstPeriod, coverage.lastPeriod)],
];

const ATLASES: readonly Column<DatasetDocument>[] = [
  ['Dataset', ({ id, title }) => linkTo(ROOT, indicatorAddress(id), title)],
  [{ numbers: 'Records' }, ({ records }) => grouped(records)],
  ['Unit', ({ unit = '' }) => unit],
  [{ numbers: 'Fields' }, ({ fields }) => grouped(fields.length)],
  [{ numbers: 'Places' }, ({ geographies }) => grouped(geographies.length)],
  ['Periods', ({ firstPeriod, lastPeriod }) => spanOfDays(firstPeriod, lastPeriod)],
];

/** Renders the list of all indicators, by market and dataset. */
export function renderIndicatorIndex(facts: RecordFacts): Artifact {
  const documents = [...facts.evidence.documents.values()];
  const measured = documents.filter(({ indicators }) => indicators.length > 0);
  const markets = Object.entries(MARKETS).flatMap(([market, name]) => {
    const own = measured.filter(({ indicators }) =>
      indicators.some((indicator) => indicator.market === market),
    );
    return own.length === 0
      ? []
      : [
          section(market, name, [
            own.map((document) => [
              el('h3', {}, linkTo(ROOT, datasetAddress(document.id), document.title)),
              table(
                `Indicators of ${document.title}`,
                document.indicators.filter((indicator) => indicator.market === market),
                INDICATORS,
                ({ id }) => id,
              ),
            ]),
          ]),
        ];
  });
  const atlases = documents.filter(({ kind }) => kind === 'atlas');
  const count = measured.flatMap(({ indicators }) => indicators).length;
  const body = [
    el('h1', {}, 'Indicators'),
    el('p', { class: 'standfirst' }, [
      `${counted(count, 'indicator')} and ${counted(atlases.length, 'set')} of fields by country and year. Units are as each source prints them; nothing is converted, summed or ranked.`,
    ]),
    markets,
    atlases.length === 0
      ? null
      : section('atlas', 'By country and year', [
          table('Datasets whose records hold several fields', atlases, ATLASES),
        ]),
  ];
  return framed(facts.evidence, {
    path: `${PAGES.indicators}index.html`,
    title: 'Indicators',
    description: 'Every indicator with its unit, places, periods and rows by status.',
    body,
  });
}
