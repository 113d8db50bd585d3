/** /indicators/: every indicator by market and dataset, with its unit, places, periods and rows by status. */
import type { DatasetIndicator } from '../../../shim/core/records.ts';
import { datasetAddress, indicatorAddress, PAGES, rootFrom } from '../../../shim/view/address.ts';
import { el, linkTo } from '../../../shim/view/node.ts';
import { section, table, type Row } from '../../../shim/view/table.ts';
import { counted, grouped, MARKETS } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { framed, spanWords } from './dataset-parts.ts';

const LIST_COLUMNS = [
  'Indicator',
  { numbers: 'Rows' },
  'Unit',
  { numbers: 'Reported' },
  { numbers: 'Estimated' },
  { numbers: 'Zeros' },
  { numbers: 'Unavailable' },
  { numbers: 'Places' },
  'Periods',
];

/** Renders the list of all indicators, by market and dataset. */
export function renderIndicatorIndex(facts: SiteFacts): Artifact {
  const documents = [...facts.evidence.documents.values()];
  const path = `${PAGES.indicators}index.html`;
  const root = rootFrom(path);
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
              el('h3', {}, linkTo(root, datasetAddress(document.id), document.title)),
              table(
                `Indicators of ${document.title}`,
                LIST_COLUMNS,
                document.indicators
                  .filter((indicator) => indicator.market === market)
                  .map((indicator) => listRow(indicator, root)),
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
          table(
            'Datasets whose records hold several fields',
            [
              'Dataset',
              { numbers: 'Records' },
              'Unit',
              { numbers: 'Fields' },
              { numbers: 'Places' },
              'Periods',
            ],
            atlases.map((document) => [
              linkTo(root, indicatorAddress(document.id), document.title),
              grouped(document.records),
              document.unit ?? '',
              grouped(document.fields.length),
              grouped(document.geographies.length),
              spanWords(document.firstPeriod, document.lastPeriod),
            ]),
          ),
        ]),
  ];
  return framed(facts.evidence, {
    path,
    title: 'Indicators - Public Evidence',
    description: 'Every indicator with its unit, places, periods and rows by status.',
    body,
  });
}

function listRow({ id, label, unit, units, coverage, geographies }: DatasetIndicator, root: string): Row {
  const { observations, reported, estimated, zeros, unavailable, firstPeriod, lastPeriod } = coverage;
  return {
    id,
    cells: [
      linkTo(root, indicatorAddress(id), label),
      grouped(observations),
      unit ?? `${units.length} units`,
      grouped(reported),
      grouped(estimated),
      grouped(zeros),
      grouped(unavailable),
      grouped(geographies.length),
      spanWords(firstPeriod, lastPeriod),
    ],
  };
}
