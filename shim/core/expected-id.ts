/** Suggestions for an unknown dataset or indicator id, for the message that refuses it. */
import { corrections, indicatorCandidate } from './absence.ts';
import { unknownValues } from './absence-message.ts';
import { openPack } from './editions.ts';
import { knownValues, selectedIndicators, without, type KnownIndicator } from './known-values.ts';
import { unknownIndicatorsNote } from './left-out.ts';
import type { Input, Release } from './types.ts';
import { candidateOf, closestOrAll, nearest, spelling, STRONG } from './words.ts';

/** What a dataset or indicator id must be, as messages to every client say it. */
export const CATALOG_ID = 'an id of the market catalog (resource "markets", tool get_market_catalog)';

/**
 * What the message that refuses an unknown dataset or indicator id says was expected: the closest ids, or all where none is close,
 * and which other values of the query are unknown.
 */
export function expectedId(
  parameter: 'dataset' | 'indicator',
  filters: Input,
  release: Release,
  ids: readonly string[],
): string {
  const known = release.derive(knownValues);
  const candidates =
    parameter === 'indicator'
      ? known.indicators.map(indicatorCandidate)
      : known.datasets.map(({ id, title }) => candidateOf(id, [id, title]));
  const closest = nearest(String(filters[parameter]), candidates).map(({ value }) => value);
  const others: Input = {
    ...without(filters, parameter, 'dataset'),
    ...(closest[0] === undefined ? {} : { [parameter]: closest[0] }),
  };
  const selected = selectedIndicators(known, others);
  const packs = [...new Set(selected.map(({ dataset }) => dataset))].flatMap((id) => openPack(release, id));
  const { findings } = corrections(others, selected, { known, packs });
  const isInWords = parameter === 'indicator' && closest.length > 0 && filters['category'] === undefined;
  const label = isInWords ? labelIn(String(filters[parameter]), selected) : undefined;
  return [
    CATALOG_ID,
    closestOrAll(closest, ids),
    label === undefined ? '' : `, with category ${JSON.stringify(label)}`,
    ...unknownValues(others, known, findings).map((sentence) => `. ${sentence.slice(0, -1)}`),
    parameter === 'indicator' ? unknownIndicatorsNote(release.manifest()) : '',
  ].join('');
}

/** The category that an indicator given in words may also name: "cocaine seizures" is an indicator and a category. */
function labelIn(given: string, selected: readonly KnownIndicator[]): string | undefined {
  const ids = new Set(selected.flatMap(({ id }) => spelling(id).words));
  const [word = ''] = spelling(given).words.filter((each) => !ids.has(each));
  const categories = new Set(selected.flatMap(({ category }) => category));
  const candidates = [...categories].map((value) => candidateOf(value));
  return nearest(word, candidates, STRONG)[0]?.value;
}
