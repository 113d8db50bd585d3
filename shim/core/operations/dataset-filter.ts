/** Which packs a query for observations selects, and the limitations that follow from that. */
import { Fault, invalidParameter, quoted, unavailable } from '../faults.ts';
import type { Input } from '../operation.ts';
import { collectionOf, type Collection } from '../pagination.ts';
import { derive } from '../release.ts';
import type { JsonObject, PackEntry, Release } from '../types.ts';

const CATALOG_ID = 'an id of the catalog at /api/v1/markets';

/** On every response about observations. */
export const LIMITATIONS = [
  'value null means unavailable, never zero; a 0 is a zero the source printed.',
  'Reported quantities, estimates and unavailable cells stay apart; units are as printed, never converted or summed.',
  'A seizure is an administrative observation, not an estimate of a market.',
  'Annual records never answer a query for a month.',
  'Each source governs reuse of its data: see the catalog.',
];

/** The market catalog as queries need it: its packs as a collection, and the ids of what could not be packaged. */
export interface MarketPacks extends Collection {
  unavailable: string[];
  /** Each pack as responses list it, by its id. */
  listed: Map<string, JsonObject>;
}

/** The packs of the market catalog. */
export function marketPacks(release: Release): MarketPacks {
  return derive(release, readMarketPacks);
}

function readMarketPacks(release: Release): MarketPacks {
  const { packs: all, unavailable: without } = release.manifest();
  const packs = all.filter(({ kind }) => kind === 'observations');
  return {
    ...collectionOf('market-observations', packs, release),
    unavailable: without.map(({ id }) => id),
    listed: new Map(
      packs.map(({ id, sha256, bytes, path }) => [id, { id, sha256, bytes, path: `/${path}` }]),
    ),
  };
}

/**
 * The packs that the filters select. Throws invalid_request for a period that ends before it begins and for an unknown dataset
 * or indicator, unavailable for a dataset that could not be packaged.
 */
export function selectedPacks({ dataset, indicator, from, to }: Input, market: MarketPacks): PackEntry[] {
  if (
    typeof from === 'string' &&
    typeof to === 'string' &&
    from.slice(0, to.length) > to.slice(0, from.length)
  )
    throw new Fault(
      'invalid_request',
      `Invalid value ${quoted(from)} for parameter "from": it must not be later than "to" (${quoted(to)}).`,
    );
  const { packs } = market;
  if (market.unavailable.includes(String(dataset))) throw unavailable(`Dataset ${String(dataset)}`);
  const named = dataset === undefined ? packs : packs.filter(({ id }) => id === dataset);
  if (named.length === 0 && dataset !== undefined)
    throw invalidParameter('dataset', dataset, `${CATALOG_ID}: ${packs.map(({ id }) => id).join(', ')}`);
  if (indicator === undefined) return named;
  const has = (pack: PackEntry): boolean => indicatorsOf(pack).includes(String(indicator));
  if (!packs.some(has))
    throw invalidParameter(
      'indicator',
      indicator,
      `${CATALOG_ID}: ${packs.flatMap(indicatorsOf).join(', ')}`,
    );
  return named.filter(has);
}

/** The limitations of a response from these packs; the datasets `missing` could not be opened. */
export function limitationsOf(packs: PackEntry[], missing: string[]): string[] {
  return [
    ...LIMITATIONS,
    ...missing.map((id) => `Dataset ${id} is currently unavailable; its records are not included.`),
    ...packs.flatMap(({ meta }) => (meta['staleNotes'] ?? []) as string[]),
  ];
}

function indicatorsOf(pack: PackEntry): string[] {
  return (pack.meta['indicators'] ?? []) as string[];
}
