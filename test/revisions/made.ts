/** Made-up editions of one dataset, packed and answered as the build and the service do. */
import type { Dataset, ObservationRow, ObservationsDescriptor } from '../../build/lib/dataset.ts';
import type { Observation, RevisedCell, Revision } from '../../shim/core/records.ts';
import type { Input } from '../../shim/core/types.ts';
import { packDatasets, packedStore, type PackedTree } from '../_support/packed.ts';
import { restAnswer, testContext, operationNamed } from '../_support/doors.ts';

/** A row of a made-up table: what is not given is plain. */
export type MadeRow = Partial<ObservationRow>;

/** What of an edition differs from the plain one. */
export interface MadeEdition {
  edition: string;
  rows: MadeRow[];
  labelKeys?: Record<string, string>;
  places?: Record<string, string>;
}

/** Counts of a pair by outcome. */
export type Pair = Record<string, number | string>;

/** The payload of the resource. */
export interface Answer {
  status: string;
  query: Record<string, unknown>;
  pairs: Pair[];
  page: { matched: number; returned: number; has_more: boolean; next_cursor: string | null };
  revisions: Revision[];
  limitations: string[];
}

/** A dataset of two indicators in one table; differences of `weight` below 0.01 are rounding. */
export function made(
  { edition, rows, labelKeys, places = {} }: MadeEdition,
  name = 'drug-seizures',
): Dataset {
  const ids = new Set(['table', ...rows.flatMap(({ sourceId }) => sourceId ?? [])]);
  const sources = [...ids]
    .map(
      (id) =>
        ({
          id,
          title: 'A table',
          publisher: 'A publisher',
          url: 'https://publisher.example/',
          path: 'https://publisher.example/table.csv',
          license: 'CC BY 4.0',
          licenseUrl: null,
          rights: { verdict: 'open', evidence: 'It says so.', checked: '2026-01-01' },
          dated: edition,
          retrievedAt: edition,
          cadence: null,
          sha256: edition.replaceAll('-', '').padEnd(64, '0'),
          bytes: 1,
          notes: [],
        }) as const,
    )
    .map((source) => ({ ...source, rights: { ...source.rights }, notes: [] }));
  const indicator = { sourceId: 'table', market: 'drugs' as const, measureType: 'reported', limitations: [] };
  const descriptor: ObservationsDescriptor = {
    kind: 'observations',
    name,
    title: 'Made up',
    description: 'Made up.',
    sources,
    limitations: [],
    geographies: ['KEN', 'MLI'].map((code) => ({ code, name: places[code] ?? code, level: 'country' })),
    indicators: [
      { ...indicator, id: 'weight', label: 'Weight', description: 'Weight.', tolerance: 0.01 },
      { ...indicator, id: 'events', label: 'Events', description: 'Events.' },
    ],
    ...(labelKeys ? { labelKeys } : {}),
  };
  return { kind: 'observations', descriptor, rows: rows.map(rowOf) };
}

function rowOf(given: MadeRow, at: number): ObservationRow {
  const value = given.value === undefined ? 1 : given.value;
  return {
    indicatorId: 'weight',
    geoCode: 'KEN',
    period: '2020',
    category: 'Heroin',
    subgroup: '',
    group: '',
    lower: null,
    upper: null,
    unit: 'Kilograms',
    status: value === null ? 'unavailable' : 'reported',
    unavailableReason: value === null ? 'blank_in_source' : null,
    sourceId: 'table',
    sourceLocator: `row ${at + 2}`,
    ...given,
    value,
  };
}

/** Editions of made-up datasets, packed. */
export function packed(...datasets: Dataset[]): PackedTree {
  return packDatasets(datasets);
}

/** The response of the resource over packed data; `input` are the parameters of the request. */
export async function answerOf(data: PackedTree, input: Input = {}): Promise<Answer> {
  const { status, body } = await asked(data, input);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body['data'] as unknown as Answer;
}

/** Status and body of any request to the resource. */
export async function asked(data: PackedTree, input: Input) {
  return restAnswer(operationNamed('revisions'), input, testContext(packedStore(data)));
}

/** The differences of two editions with these rows. */
export async function between(older: Partial<MadeEdition>, newer: Partial<MadeEdition>): Promise<Answer> {
  return answerOf(
    packed(
      made({ edition: '2024-06', rows: [], ...older }),
      made({ edition: '2025-06', rows: [], ...newer }),
    ),
  );
}

/** What a record says, whatever its place in a file; with the labels its edition prints. */
export function factsOf({
  value,
  lower,
  upper,
  unit,
  status,
  unavailableReason,
}: Observation | Side): string {
  return JSON.stringify([value, lower, upper, unit, status, unavailableReason]);
}

type Side = RevisedCell;
