/**
 * The client module, published as client/v1.js: the same questions to a service or to a copy of its files, with the same records.
 * Its types are in v1.d.ts. Runs in browsers, workers and node.
 */
import { readJson, isObject, jsonIn } from '../core/json.ts';
import { citeRecord } from '../core/cite.ts';
import { datasetOf, editionsOf, filterOfRecord, rowOfRecord, sourcesIn } from '../core/editions.ts';
import { atlas } from '../core/operations/atlas.ts';
import { marketObservations } from '../core/operations/market-observations.ts';
import { revisions } from '../core/operations/revisions.ts';
import { series } from '../core/operations/series.ts';
import { API_ROOT, apiAddress, datasetDocumentPath } from '../core/paths.ts';
import type { DatasetDocument, DatasetSource } from '../core/records.ts';
import { selectSeries } from '../core/series.ts';
import type { Pack, PackEntry } from '../core/types.ts';
import { answerOf } from '../remote/answers.ts';
import { openRemote, type RemoteRelease } from '../remote/release.ts';
import { httpSource, SourceError } from '../remote/source.ts';
import { blocksOf } from '../store/blocks.ts';
import { recordAddress, rowOnCopy } from '../view/address.ts';
import type { Evidence, JsonRecord, Observation, Options, Page, Query, Records } from './v1.d.ts';

export { SourceError };

/** A request that was refused. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
  }
}

/** The resources of this client, with the member of their payload that holds the records. */
const MEMBERS = { observations: marketObservations, series, revisions, atlas };
const OPERATIONS = Object.values(MEMBERS);

type Answered = Awaited<ReturnType<Evidence['get']>>;

/** Times a busy service is tried again, and the longest wait for it in seconds. */
const RETRIES = 2;
const LONGEST_WAIT = 30;

/** How a service says of a dataset or domain that a page lacks it: its files are damaged. */
const LACKING = 'is currently unavailable';

/** Milliseconds a response may take. */
const TIMEOUT = 30_000;

/** Opens the service or copy at an address. */
export async function open(address: string | URL, options: Options = {}): Promise<Evidence> {
  const { key, serial, from, fetch: own } = options;
  const source = httpSource(address, own ? { fetch: own } : {});
  const get = async (input: URL): Promise<Response> =>
    (own ?? globalThis.fetch)(input, { signal: AbortSignal.timeout(TIMEOUT) });
  const mustCheck = key !== undefined || serial !== undefined || from === 'files';
  const isService = !mustCheck && (await answers(get, source.name));
  let opening: Promise<RemoteRelease> | null = null;
  const trust = {
    ...(key === undefined ? {} : { key }),
    ...(serial === undefined ? {} : { serial }),
    now: Date.now,
  };
  const files = async (): Promise<RemoteRelease> =>
    (opening ??= openRemote(source, trust).catch((error: unknown) => {
      opening = null;
      throw error;
    }));
  if (!isService) await files();

  const request = async (target: string): Promise<Answered> => {
    if (isService) return fromService(get, new URL(target.replace(/^\//, ''), source.name));
    const { status, body } = await answerOf(target, await files(), OPERATIONS);
    return { status, text: new TextDecoder().decode(body) };
  };
  const records =
    <T>(member: keyof typeof MEMBERS) =>
    (query: Query = {}): Records<T> =>
      recordsOf<T>(member, query, request);
  /** What files say of a record: they are read for it, wherever the record came from. */
  const facts = async (record: Observation): Promise<CellFacts> => {
    const remote = await files();
    return remote.settled(() => cellFacts(record, remote));
  };

  return {
    from: isService ? 'service' : 'files',
    address: source.name,
    observations: records<Observation>('observations'),
    series: records<JsonRecord>('series'),
    revisions: records<JsonRecord>('revisions'),
    atlas: records<JsonRecord>('atlas'),
    get: request,
    async cite(record) {
      const { entry, source: cited } = await facts(record);
      return citeRecord({
        dataset: record.datasetId,
        recordId: record.id,
        packSha256: entry.sha256,
        locator: record.sourceLocator,
        source: cited,
        address: `${source.name}${isService ? recordAddress(record.id, record.edition) : rowOnCopy(`${record.id}@${record.edition}`)}`,
      });
    },
    async prove(record) {
      const { entry, source: cited, block, blockSha256 } = await facts(record);
      const { name, publisher, url, license, sha256 } = cited;
      const { release } = await files();
      return {
        record: `${record.id}@${record.edition}`,
        source: { name, publisher, url, license, sha256, locator: record.sourceLocator },
        pack: { path: entry.path, sha256: entry.sha256, ...block, blockSha256 },
        release: { generatedAt: release.manifest().generatedAt, signed: key !== undefined },
      };
    },
  };
}

/**
 * Whether a service answers at an address; where it does not, the files may still be there. A host of files that ignores queries
 * gives the unfiltered page, which is longer than what is requested here.
 */
async function answers(get: (address: URL) => Promise<Response>, base: string): Promise<boolean> {
  try {
    const response = await get(new URL(`${API_ROOT}/series?limit=1`, base));
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (response.ok && isJson) {
      const { ok, data } = (await response.json()) as { ok?: unknown; data?: Page };
      return ok === true && (data?.['page'] as { limit?: unknown } | undefined)?.limit === 1;
    }
    await response.body?.cancel();
  } catch {
    // What is wrong is said by the files, which are tried next.
  }
  return false;
}

async function fromService(get: (address: URL) => Promise<Response>, address: URL): Promise<Answered> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await get(address);
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    const isBusy = (response.status === 503 || response.status === 429) && wait <= LONGEST_WAIT;
    if (!isBusy || attempt === RETRIES) return { status: response.status, text: await response.text() };
    await response.body?.cancel();
    await new Promise((resume) => setTimeout(resume, wait * 1000));
  }
}

function recordsOf<T>(
  member: keyof typeof MEMBERS,
  query: Query,
  request: (target: string) => Promise<Answered>,
): Records<T> {
  const { name } = MEMBERS[member];
  async function* pages(): AsyncGenerator<Page> {
    let cursor: string | undefined;
    do {
      const texts = Object.entries({ ...query, ...(cursor === undefined ? {} : { cursor }) }).map(
        ([key, value]) => [key, value === undefined ? undefined : oneText(key, value)] as const,
      );
      const payload = payloadOf(name, await request(`/${apiAddress(name, Object.fromEntries(texts))}`));
      yield payload;
      const { next_cursor: next } = payload['page'] as { next_cursor: string | null };
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }
  async function* all(): AsyncGenerator<T> {
    for await (const page of pages()) yield* whole(page)[member === 'atlas' ? 'records' : member] as T[];
  }
  return {
    pages,
    [Symbol.asyncIterator]: all,
    async all() {
      const list: T[] = [];
      for await (const record of all()) list.push(record);
      return list;
    },
  };
}

/** A value as a request has it. Throws a TypeError for null and lists, whose texts would match nothing. */
function oneText(name: string, value: unknown): string {
  if (typeof value === 'object') throw new TypeError(`"${name}" takes one text or number`);
  return String(value);
}

/** The page, which lacks nothing that its release has. Throws a RequestError where a dataset, or a domain of the atlas, is damaged. */
function whole(page: Page): Page {
  const sources = (page['sources'] ?? []) as { error?: { message: string } | null }[];
  const notes = [...(page.limitations ?? []), ...sources.flatMap(({ error }) => error?.message ?? [])];
  const lacking = notes.filter((note) => note.includes(LACKING));
  if (lacking.length === 0) return page;
  throw new RequestError(
    200,
    'partial',
    `${lacking.join(' ')} Try again later, or request other datasets; pages() gives what there is.`,
  );
}

/** The payload of a response. Throws a RequestError for an error of the API, and for a contract this client does not know. */
function payloadOf(resource: string, { status, text }: Answered): Page {
  const found = jsonIn(text);
  // What is not JSON is not of the service.
  const { ok, error, message, data } = isObject(found) ? found : {};
  if (ok !== true || !isObject(data)) {
    const unknown = `status ${status}, and a body that is not of this service`;
    throw new RequestError(status, String(error ?? 'unexpected'), String(message ?? unknown));
  }
  const { schema } = data;
  if (schema === `svc.api.${resource}.v1`) return data;
  throw new RequestError(
    status,
    'unknown_contract',
    `The response has the form ${JSON.stringify(schema)}; this client knows svc.api.${resource}.v1. Load a newer client.`,
  );
}

/** Where the files of a release have a record. */
interface CellFacts {
  entry: PackEntry;
  source: DatasetSource;
  block: { start: number; length: number };
  blockSha256: string;
}

/** Throws a SourceError where the release has no such record. */
function cellFacts(record: Observation, { release }: RemoteRelease): CellFacts {
  const { id, edition, datasetId, sourceId } = record;
  const entry = editionsOf(release.manifest(), datasetId).findLast((pack) =>
    sourcesIn(pack).some((source) => source.id === sourceId && source.edition === edition),
  );
  if (!entry)
    throw new SourceError(datasetId, `no dataset of this release has the edition ${edition} of ${sourceId}`);
  const pack = release.pack(entry.id);
  const document = readJson<DatasetDocument>(release, datasetDocumentPath(entry.id));
  const source = document.sources.find((candidate) => candidate.id === sourceId);
  const filter = filterOfRecord(id, { equal: {} });
  const [range] = filter ? rowOfRecord(pack, selectSeries(pack, filter), `${id}@${edition}`).rows(0, 1) : [];
  if (!range || !source)
    throw new SourceError(
      entry.path,
      `dataset ${datasetOf(entry)} has no record ${id} in its edition ${edition}`,
    );
  const [block] = blocksOf({ rows: entry.rows, bytes: entry.bytes, index: pack.index }, ...range);
  const { number = 0, start = 0, length = 0 } = block ?? {};
  return { entry, source, block: { start, length }, blockSha256: hashOf(pack, number) };
}

function hashOf({ index }: Pack, block: number): string {
  const words = index.column('blockHash').subarray(block * 8, block * 8 + 8);
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}
