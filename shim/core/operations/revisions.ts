/** `revisions`: what differs between neighbouring editions, filtered and paged, and the counts of each pair of editions. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/revisions.schema.json' with { type: 'json' };
import { pagedResource } from './definitions.ts';
import { datasetOf, indicatorsOf, lastDay } from '../editions.ts';
import { CATALOG_ID } from '../expected-id.ts';
import { Fault, invalidParameter, quoted, unavailable } from '../faults.ts';
import { closestPlaces, knownValues } from '../known-values.ts';
import { requireDataset, requireIndicator, unknownIndicatorsNote } from '../left-out.ts';
import { collectionOf, cutPage, UNCOUNTED, type Collection } from '../pagination.ts';
import { absentNotes } from '../market-packs.ts';
import { REVISIONS } from '../paths.ts';
import { selectSeries, type SeriesFilter } from '../series.ts';
import type { Input, JsonObject, MissingDataset, PackManifest, Release } from '../types.ts';
import { closestOf, closestOrAll } from '../words.ts';

const { limitations: LIMITATIONS } = definitions.revisions;

const ACCEPTED_ID = `${CATALOG_ID} or of national context`;

export const revisions = pagedResource('revisions', output, {
  collection: revisionPack,
  run({ schema, query, filters, limit, cursor }, { release }) {
    const days = daysOf(filters);
    const datasets = datasetsOf(filters, release.manifest());
    const collection = release.derive(revisionPack);
    const pack = release.pack(REVISIONS);
    const sources = [{ pack, ...selectSeries(pack, seriesFilter(filters, days)) }];
    const { page, records } = cutPage({ collection, filters, sources, limit, cursor }, release);
    const { pairs, tolerances } = pack.entry.meta as {
      pairs: JsonObject[];
      tolerances: Record<string, string[]>;
    };
    const own = pairs.filter(({ datasetId }) => datasets.has(String(datasetId)));
    const selected = own.filter(({ to }) => {
      const day = lastDay(String(to));
      return day >= (days.from ?? day) && day <= (days.to ?? day);
    });
    const compared = new Set(selected.map(({ datasetId }) => String(datasetId)));
    const everything = filters['dataset'] === undefined && filters['indicator'] === undefined;
    const absent = everything ? absentFrom(release.manifest()) : [];
    return {
      schema,
      status: absent.length > 0 ? 'partial' : 'available',
      query,
      pairs: selected,
      page,
      revisions: records,
      limitations: [
        ...LIMITATIONS,
        ...absentNotes(absent),
        ...[...compared].flatMap((id) => tolerances[id] ?? []),
        ...(page['matched'] === 0
          ? [emptyNote(filters, [datasets.size, own.length, selected.length]), ...placeNote(filters, release)]
          : []),
      ],
    };
  },
  unavailable: (page, message) => ({
    pairs: [],
    page,
    revisions: [],
    limitations: [message, ...LIMITATIONS, UNCOUNTED],
  }),
});

/** The pack of the revisions. Throws unavailable where there is none. */
function revisionPack(release: Release): Collection {
  const entry = release.manifest().revisions;
  if (!entry) throw unavailable('The revisions');
  return collectionOf(REVISIONS, [entry], release);
}

function absentFrom({ unavailable: missing }: PackManifest): MissingDataset[] {
  return missing.filter(({ kind }) => kind === 'observations' || kind === 'context');
}

/**
 * The ids of the datasets that the filters select. Throws invalid_request for a dataset or an indicator that no edition has,
 * unavailable for a dataset that is not in the release.
 */
function datasetsOf({ dataset, indicator }: Input, manifest: PackManifest): Set<string> {
  requireDataset(dataset, manifest);
  const indicators = new Map<string, Set<string>>();
  for (const pack of [...manifest.packs, ...manifest.editions]) {
    if (pack.kind !== 'observations' && pack.kind !== 'context') continue;
    const name = datasetOf(pack);
    const known = indicators.get(name) ?? new Set();
    for (const one of indicatorsOf(pack)) known.add(one);
    indicators.set(name, known);
  }
  const ids = [...indicators.keys()];
  if (dataset !== undefined && !indicators.has(String(dataset)))
    throw invalidParameter(
      'dataset',
      dataset,
      `${ACCEPTED_ID}${closestOrAll(closestOf(String(dataset), ids), ids)}`,
    );
  const all = new Set([...indicators.values()].flatMap((known) => [...known]));
  if (indicator !== undefined && !all.has(String(indicator))) {
    requireIndicator(indicator, manifest);
    const closest = closestOrAll(closestOf(String(indicator), [...all]), [...all]);
    throw invalidParameter(
      'indicator',
      indicator,
      `${ACCEPTED_ID}${closest}${unknownIndicatorsNote(manifest)}`,
    );
  }
  return new Set(
    ids.filter(
      (id) =>
        (dataset === undefined || id === dataset) &&
        (indicator === undefined || indicators.get(id)?.has(String(indicator))),
    ),
  );
}

/** Why a response is empty, from three counts: the datasets selected, their pairs of editions, and the pairs of the given days. */
function emptyNote(
  { dataset, indicator, since, until }: Input,
  [datasets, all, selected]: [number, number, number],
): string {
  if (datasets === 0) return `Dataset ${quoted(dataset)} has no indicator ${quoted(indicator)}.`;
  if (all === 0) return 'What was asked for has one edition only: there is nothing to compare it with.';
  if (selected === 0) {
    const days = [since && `${String(since)} or later`, until && `${String(until)} or earlier`];
    return `No newer edition of what was asked for is of ${days.filter(Boolean).join(' and ')}; others are compared without since and until.`;
  }
  return 'The editions in pairs have no difference that matches the filters. That says nothing about records they do not have.';
}

/** The note of an empty response on a place that no record has. */
function placeNote({ geo }: Input, release: Release): string[] {
  if (geo === undefined || !release.derive(knownValues).isUnknown('geo', geo)) return [];
  const closest = closestPlaces(String(geo), release);
  const hint = closest.length > 0 ? ` Closest: ${closest.join(', ')}.` : '';
  return [`${quoted(geo)} is not a geography code of the market catalog.${hint}`];
}

function seriesFilter({ since: _since, until: _until, ...dimensions }: Input, days: Days): SeriesFilter {
  const equal = Object.fromEntries(Object.entries(dimensions).map(([name, value]) => [name, String(value)]));
  return { equal, ...days };
}

type Days = Pick<SeriesFilter, 'from' | 'to'>;

/**
 * The first day of `since` and the last day of `until`, where they were given. Throws invalid_request for a day that its month does
 * not have, and for a `since` after `until`.
 */
function daysOf({ since, until }: Input): Days {
  const from = dayOf('since', since, (month) => `${month}-01`);
  const to = dayOf('until', until, lastDay);
  if (from !== undefined && to !== undefined && from > to)
    throw new Fault(
      'invalid_request',
      `Invalid value ${quoted(since)} for parameter "since": it must not be later than "until" (${quoted(until)}).`,
    );
  return { from, to };
}

function dayOf(
  name: string,
  given: string | number | undefined,
  inMonth: (month: string) => string,
): string | undefined {
  if (given === undefined) return undefined;
  const text = String(given);
  if (text.length === 7) return inMonth(text);
  if (text > lastDay(text.slice(0, 7)))
    throw invalidParameter(name, text, 'a day of the calendar, YYYY-MM-DD, or a month, YYYY-MM');
  return text;
}
