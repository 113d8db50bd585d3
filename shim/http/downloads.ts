/**
 * /download/<resource>.csv and /download/<resource>.excel.csv: all records that a query matches. The text is made twice, block by
 * block: once for its hash and length, which finds what cannot be read before anything is sent, and once while it is sent, as fast
 * as the client reads. So a file of any size needs the memory of a block. Requests for the same file at the same time share its hash,
 * and few hashes are made at a time. Loaded by the first request that needs it.
 */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Report } from '../core/call.ts';
import { DOWNLOAD_FORMS, DOWNLOADS, downloadOf, type Download } from '../core/download.ts';
import { Fault } from '../core/faults.ts';
import { headerList, mediaTypeOf, NOT_INDEXED } from '../core/headers.ts';
import { inFlight, type InFlight } from '../core/in-flight.ts';
import { LIMITS } from '../core/limits.ts';
import type { Context, Release } from '../core/types.ts';
import { KeptWith } from '../store/blocks.ts';
import { codersWhileSent, codingFor, describing, isKnown, send, validators } from './content.ts';
import type { Content, HttpRequest, Reply } from './content.ts';
import { apiHeaders, failures } from './failures.ts';
import { CACHING } from './routes.ts';

const PREFIX = '/download/';
const CSV = mediaTypeOf('.csv');
/** Files up to this size are made once and sent from memory. */
const MOST_KEPT_BYTES = 1024 * 1024;
/** Queries whose hash and length are remembered. */
const MOST_KNOWN = 1000;

/** A file that was made once; `bytes` is null where it is too large to keep. */
type Made = Pick<Content, 'etag'> & { length: number; bytes: Uint8Array | null };

/** Makes the replies to requests for downloads, which throw a Fault or what is unexpected. */
export function downloadReplies(context: Context, report: Report): (request: HttpRequest) => Promise<Reply> {
  const coded = codersWhileSent();
  const linked = apiHeaders(context.settings.siteUrl);
  const failed = failures(context, report);
  let making = 0;
  const limited = async (run: () => Promise<Made>): Promise<Made> => {
    if (making >= LIMITS.downloads)
      throw new Fault('unavailable', 'Too many downloads at once. Try again later.');
    making += 1;
    return run().finally(() => (making -= 1));
  };
  return async (request) => {
    const [form] = DOWNLOAD_FORMS.filter((ending) => request.pathname.endsWith(`.${ending}`)).toReversed();
    const name = form === undefined ? '' : request.pathname.slice(PREFIX.length, -form.length - 1);
    const resource = DOWNLOADS.get(name);
    if (!resource || form === undefined) {
      const known = [...DOWNLOADS.keys()].flatMap((one) =>
        DOWNLOAD_FORMS.map((ending) => `${one}.${ending}`),
      );
      const addresses = known.map((file) => PREFIX + file).join(', ');
      throw new Fault('not_found', `Unknown download. There are ${addresses}.`);
    }
    // The whole file is made from one release.
    const { release } = context;
    try {
      const download = downloadOf(resource, form, request.search, { ...context, release }, report);
      const { known, made } = release.derive(filesOf);
      const key = `${name}.${form}${request.search}`;
      const { etag, length, bytes } =
        known.get(key) ?? (await made(key, () => limited(async () => make(download))));
      if (!bytes) known.set(key, { etag, length, bytes });
      const headers = [
        ...linked,
        ...CACHING.data,
        'content-disposition',
        `attachment; filename="${download.name}.${form}"`,
        ...headerList(NOT_INDEXED),
      ];
      if (bytes) return send({ bytes, etag, mediaType: CSV, twins: {} }, request, headers);
      const wanted = codingFor(CSV, length, request.header('accept-encoding'));
      const isSame = isKnown(request, etag);
      const body = isSame || request.method === 'HEAD' ? null : bytesOf(download);
      const coder = wanted && body ? coded(body, wanted) : null;
      const coding = body && !coder ? null : wanted;
      const all = [...headers, ...validators(etag, coding)];
      if (isSame) return { status: 304, headers: all, body: null };
      all.push(...describing(CSV, coding ? null : length, coding));
      return { status: 200, headers: all, body: coder ?? body };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return failed(error, request);
    }
  };
}

/** Hash and length of the files of a release that are not kept, and the files that are being made, shared by their requests. */
function filesOf(release: Release): { known: KeptWith<Made>; made: InFlight<Made> } {
  return {
    known: new KeptWith<Made>(release, { max: MOST_KNOWN }),
    made: inFlight<Made>({ withinMs: Infinity, most: 1 }, () => 0),
  };
}

/** Makes a file for its hash and length, and keeps its bytes where they are few. */
async function make(download: Download): Promise<Made> {
  const hash = createHash('sha256');
  const blocks: Uint8Array[] = [];
  let length = 0;
  for await (const block of bytesOf(download)) {
    hash.update(block);
    length += block.length;
    if (length <= MOST_KEPT_BYTES) blocks.push(block);
    else blocks.length = 0;
  }
  const bytes = length <= MOST_KEPT_BYTES ? Buffer.concat(blocks) : null;
  return { etag: hash.digest('hex'), length, bytes };
}

/** The file in blocks; other requests have their turn after each. */
async function* bytesOf({ blocks }: Download): AsyncGenerator<Uint8Array> {
  for await (const block of blocks()) {
    yield Buffer.from(block);
    await turn();
  }
}
