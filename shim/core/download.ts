/**
 * Downloads: all records that a query matches, as CSV. The pages of the resource's own operation are walked, so that filters, their
 * validation, the order and every failure are those of the API; only paging is refused. Columns are those of the bulk files.
 *
 * `csv` has every text exactly as printed. `excel.csv` is for spreadsheets: a byte order mark, every text in quotes and `guarded`
 * where one would run it as a formula.
 */
import { readJson, isObject, memberAt } from './json.ts';
import { call, readInput, readQuery, settled, type Report } from './call.ts';
import { csvCell, guarded, inQuotes, quoted, type Cell } from './csv.ts';
import { recordsOf } from './envelope.ts';
import { Fault } from './faults.ts';
import { fieldsOf, type Field, type Fielded } from './fields.ts';
import { atlas } from './operations/atlas.ts';
import { entities } from './operations/entities.ts';
import { marketObservations } from './operations/market-observations.ts';
import { datasetDocumentPath } from './paths.ts';
import type { Context, Input, JsonObject, Operation, PackEntry, Payload, Release } from './types.ts';

/** The forms of a download, by the ending of its address. */
export const DOWNLOAD_FORMS = ['csv', 'excel.csv'] as const;
export type DownloadForm = (typeof DOWNLOAD_FORMS)[number];

/** The parameters that a download refuses. */
const PAGING = ['limit', 'cursor'];

/** A resource whose queries can be downloaded. */
export interface Downloadable {
  /** The operation without paging: what a download accepts. */
  operation: Operation;
  paged: Operation;
  kind: PackEntry['kind'];
}

/** The resources whose queries can be downloaded, by name. */
export const DOWNLOADS: ReadonlyMap<string, Downloadable> = new Map(
  (
    [
      [marketObservations, 'observations'],
      [atlas, 'atlas'],
      [entities, 'entities'],
    ] as const
  ).map(([paged, kind]) => [paged.name, { operation: withoutPaging(paged), paged, kind }]),
);

/** One download: its file name without ending, and its text in blocks. Each call of `blocks` starts from the beginning. */
export interface Download {
  name: string;
  /** Throws a Fault, with the payload of the resource's 503 where it has one. */
  blocks(): AsyncGenerator<string>;
}

/** The download of a query. Throws invalid_request. The context must be of one release. */
export function downloadOf(
  { operation, paged, kind }: Downloadable,
  form: DownloadForm,
  search: string,
  context: Context,
  report: Report,
): Download {
  const input = readInput(paged, readQuery(operation, search), context);
  const written =
    form === 'csv' ? quoted : (text: string): string => (text === '' ? '' : inQuotes(guarded(text)));
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  return {
    name: [
      operation.name,
      ...Object.values(input).filter((value) => /^[\w-]{1,40}$/.test(String(value))),
    ].join('.'),
    async *blocks() {
      let head = form === 'csv' ? '' : '\uFEFF';
      let columns: Column[] | null = null;
      for await (const payload of pagesOf(paged, input, context, report)) {
        // A disclaimer must be read with every row, so it is the first cell of each.
        const { disclaimer } = payload;
        const notice = typeof disclaimer === 'string' ? [written(disclaimer)] : [];
        if (!columns) {
          columns = await settled(context, () => columnsOf(kind, input, context.release));
          const names = [...notice.map(() => 'notice'), ...columns.map(({ name }) => name)];
          head += line(names.map(written));
        }
        const steps = columns.map((column) => column.steps);
        const rows = recordsIn(payload).map((record) =>
          line([...notice, ...steps.map((path) => csvCell(cellAt(record, path), written))]),
        );
        yield head + rows.join('');
        head = '';
      }
    },
  };
}

function withoutPaging(paged: Operation): Operation {
  const refusal = 'A download holds all records that match: leave it out.';
  return {
    ...paged,
    parameters: paged.parameters.filter(({ name }) => !PAGING.includes(name)),
    refused: { ...paged.refused, ...Object.fromEntries(PAGING.map((name) => [name, refusal])) },
  };
}

/** The payloads of all pages of a query, each as large as the resource allows. */
async function* pagesOf(
  paged: Operation,
  input: Input,
  context: Context,
  report: Report,
): AsyncGenerator<Payload> {
  const limit = Number(paged.parameters.find(({ name }) => name === 'limit')?.schema['maximum']);
  let next: string | null = null;
  do {
    const page: Input = { ...input, limit, ...(next === null ? {} : { cursor: next }) };
    const result = await settled(context, () => call(paged, page, context, report));
    if (!result.ok) throw withPayload(result.fault, result.data);
    // A file cannot say that records are missing for now, so the download fails. Datasets that the release lacks are no reason to.
    const { missing } = result;
    if (missing) {
      const { message, cause } = missing;
      const payload = paged.unavailable?.(input, context, message) ?? null;
      // Sources that can be read keep their status.
      const sources = result.payload['sources'] as JsonObject[];
      throw withPayload(new Fault('unavailable', message, { cause }), payload && { ...payload, sources });
    }
    yield result.payload;
    ({ next } = result);
  } while (next !== null);
}

function withPayload(fault: Fault, payload: JsonObject | null): Fault {
  const { code, message, lasting } = fault;
  return new Fault(code, message, { cause: fault.cause, lasting, ...(payload ? { payload } : {}) });
}

/** The part of the document of an atlas dataset that lists its fields. */
type AtlasFields = Extract<Fielded, { kind: 'atlas' }>;

/** A column, and the members that lead to its leaf. */
interface Column extends Field {
  steps: readonly string[];
}

/** The columns of a query's records; for the atlas, those of all requested domains, each once. */
function columnsOf(kind: PackEntry['kind'], { domain, as_of: asOf }: Input, release: Release): Column[] {
  const { packs, editions } = release.manifest();
  const asked = [...packs, ...(asOf === undefined ? [] : editions)].filter(
    ({ kind: other, meta }) =>
      other === 'atlas' && (domain === undefined || domain === 'all' || meta['domain'] === domain),
  );
  const described: Fielded[] =
    kind === 'atlas'
      ? asked.map(({ id }) => readJson<AtlasFields>(release, datasetDocumentPath(id)))
      : [{ kind: kind === 'entities' ? kind : 'observations' }];
  const columns = described.flatMap(fieldsOf);
  return [
    ...new Map(columns.map((field) => [field.name, { ...field, steps: field.name.split('.') }])).values(),
  ];
}

/** The records of a payload: its one list of serialized members. */
function recordsIn(payload: Payload): JsonObject[] {
  const chunks = Object.values(payload).flatMap((member) =>
    Array.isArray(member) ? member.filter((item) => item instanceof Uint8Array) : [],
  );
  return recordsOf(chunks) as JsonObject[];
}

/** The value at a path; null where a group on the way is null. */
function cellAt(record: JsonObject, path: readonly string[]): Cell {
  const value = memberAt(record, path);
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || isObject(value) ? null : value;
}
