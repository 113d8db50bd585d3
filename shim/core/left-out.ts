/** Datasets that exist but are not in the release: a request that names one of them gets a 503 with the reason, and is never called unknown. */
import { notInRelease, unlessFault } from './faults.ts';
import type { Context, MissingDataset, PackManifest } from './types.ts';

/** Throws unavailable for a dataset that is not in the release. */
export function requireDataset(
  given: string | number | undefined,
  { unavailable }: Pick<PackManifest, 'unavailable'>,
): void {
  refuse(unavailable.find(({ id }) => id === given));
}

/** Throws unavailable for an indicator of a dataset that is not in the release. */
export function requireIndicator(
  given: string | number | undefined,
  { unavailable }: Pick<PackManifest, 'unavailable'>,
): void {
  refuse(unavailable.find(({ indicators = [] }) => indicators.includes(String(given))));
}

/** The missing datasets whose indicators the release does not know: an unknown indicator may belong to one of these. */
export function withUnknownIndicators(missing: readonly MissingDataset[]): MissingDataset[] {
  return missing.filter(({ kind, indicators }) => kind === 'observations' && indicators === undefined);
}

/** The note on such datasets in the refusal of an unknown indicator; empty where there are none. */
export function unknownIndicatorsNote({ unavailable }: Pick<PackManifest, 'unavailable'>): string {
  const ids = withUnknownIndicators(unavailable).map(({ id }) => id);
  if (ids.length === 0) return '';
  const subject = ids.length === 1 ? 'it is' : 'they are';
  return `. The indicators of ${ids.join(', ')} are not known: ${subject} not in this release`;
}

/** Throws unavailable for the id of a record of a dataset that is not in the release. */
export function requireRecord(given: string, { unavailable }: Pick<PackManifest, 'unavailable'>): void {
  refuse(
    unavailable.find(({ id, kind, indicators = [] }) =>
      (kind === 'atlas' ? [id] : indicators).some((prefix) => given.startsWith(`${prefix}.`)),
    ),
  );
}

/** Throws unavailable for a file of a dataset that is not in the release, or of one of its indicators. */
export function requireFile(path: string, { release }: Pick<Context, 'release'>): void {
  const manifest = unlessFault(() => release.manifest(), null);
  if (!manifest) return;
  const [, dataset] =
    /^data\/(?:(?:datasets|editions|index|parquet|revisions)\/)?([^/.]+)(?:[/.]|$)/.exec(path) ?? [];
  const [, indicator] = /^(?:indicators|map)\/([^/]+)(?:\/|$)/.exec(path) ?? [];
  requireDataset(dataset, manifest);
  requireIndicator(indicator, manifest);
}

function refuse(missing: MissingDataset | undefined): void {
  if (missing) throw notInRelease(`Dataset ${missing.id}`, missing.reason);
}
