/** Which packs a request for observations asks, and the members of the answer that follow from that alone. */
import { invalidParameter, unavailable } from '../faults.ts';
import { ofManifest } from '../manifest.ts';
import type { Input } from '../operation.ts';
import { RawJson, type PackEntry, type Store } from '../types.ts';

/** On every answer about observations. */
export const LIMITATIONS = [
  'value null means unavailable, never zero; a 0 is a zero the source printed.',
  'Reported quantities, estimates and unavailable cells stay apart; units are as printed, never converted or summed.',
  'A seizure is an administrative observation, not an estimate of a market.',
  'Annual records never answer a request for a month.',
  'Each source governs reuse of its data: see the catalog.',
];

/** What the manifest says of the market catalog: its packs in the fixed order, and everything asked of them before. */
const catalogOf = ofManifest(({ packs, unavailable: out }) => ({
  packs: packs.filter(({ kind }) => kind === 'observations'),
  out,
  /** Only names of the catalog get in here. */
  asked: new Map<string, Asked>(),
}));

/** The packs of the market catalog, in the fixed order. */
export function observationPacks(store: Store): PackEntry[] {
  return catalogOf(store).packs;
}

/** What a dataset and an indicator ask for, with the members of the answer that follow from it alone. */
export interface Asked {
  /** Every pack of the catalog, from the same manifest. */
  all: PackEntry[];
  packs: PackEntry[];
  datasets: RawJson;
  limitations: RawJson;
}

/** What the filters ask for. Throws invalid_request for names no catalog has, unavailable for a dataset that cannot be given. */
export function askedOf(filters: Input, store: Store): Asked {
  assertPeriods(filters);
  // One look at the manifest: what is asked and what numbers the rows must be of the same data.
  const { packs: all, out, asked } = catalogOf(store);
  const { dataset, indicator } = filters;
  const key = JSON.stringify([dataset, indicator]);
  const found = asked.get(key);
  if (found) return found;
  const packs = askedPacks(filters, all, out);
  const made = {
    all,
    packs,
    datasets: new RawJson(
      packs.map(({ id, sha256, bytes, path }) => ({ id, sha256, bytes, path: `/${path}` })),
    ),
    limitations: new RawJson(limitationsOf(packs, [])),
  };
  asked.set(key, made);
  return made;
}

/** The limitations of an answer from these packs, where the datasets `missing` could not be opened. */
export function limitationsOf(packs: PackEntry[], missing: string[]): string[] {
  return [
    ...LIMITATIONS,
    ...missing.map((id) => `Dataset ${id} is unavailable now; its records are missing here.`),
    ...packs.flatMap(({ meta }) => (meta['staleNotes'] ?? []) as string[]),
  ];
}

function assertPeriods({ from, to }: Input): void {
  if (
    typeof from === 'string' &&
    typeof to === 'string' &&
    from.slice(0, to.length) > to.slice(0, from.length)
  ) {
    throw invalidParameter('from', from, `a period not after "to", which is ${JSON.stringify(to)}`);
  }
}

/** The packs the filters name. Throws invalid_request for an unknown dataset or indicator, unavailable for one that cannot be given. */
function askedPacks(filters: Input, packs: PackEntry[], out: { id: string; reason: string }[]): PackEntry[] {
  const { dataset, indicator } = filters;
  if (out.some(({ id }) => id === dataset)) throw unavailable(`Dataset ${String(dataset)}`);
  const named = dataset === undefined ? packs : packs.filter(({ id }) => id === dataset);
  if (named.length === 0 && dataset !== undefined)
    throw invalidParameter(
      'dataset',
      dataset,
      `an id of the catalog at /api/v1/markets: ${packs.map(({ id }) => id).join(', ')}`,
    );
  if (indicator === undefined) return named;
  if (!packs.some((pack) => indicatorsOf(pack).includes(String(indicator)))) {
    throw invalidParameter(
      'indicator',
      indicator,
      `an id of the catalog at /api/v1/markets: ${packs.flatMap(indicatorsOf).join(', ')}`,
    );
  }
  return named.filter((pack) => indicatorsOf(pack).includes(String(indicator)));
}

function indicatorsOf(pack: PackEntry): string[] {
  return (pack.meta['indicators'] ?? []) as string[];
}
