/**
 * A published tree behind an address. A mirror is not trusted: no redirect is followed, no answer is read past the bytes the
 * manifest lists, and every answer has a deadline that grows with its size.
 */
import { bounded, Unserved, type ReleaseSource } from './source.ts';

const BASE_DEADLINE_MS = 30_000;
/** A server slower than this is as good as none. */
const SLOWEST_BYTES_PER_MS = 50;

/** Opens an http or https address, with or without slash at its end. */
export function httpSource(address: string): ReleaseSource {
  const root = address.replace(/\/+$/, '');
  return {
    where: root,
    remote: true,
    async open(path, limit) {
      const deadline = AbortSignal.timeout(BASE_DEADLINE_MS + Math.ceil(limit / SLOWEST_BYTES_PER_MS));
      const response = await asked(`${root}/${path}`, deadline);
      if (response.status !== 200) {
        await response.body?.cancel();
        throw refusal(response);
      }
      return {
        chunks: bounded(bodyOf(response), limit),
        mediaType: response.headers.get('content-type'),
        allowOrigin: response.headers.get('access-control-allow-origin'),
      };
    },
    list: () => null,
  };
}

/** Whether the text is an address rather than a folder. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

async function asked(url: string, signal: AbortSignal): Promise<Response> {
  try {
    // An Origin makes servers answer as they answer a browser; identity keeps a proxy from choosing an encoding for us.
    return await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { origin: 'https://reader.example', 'accept-encoding': 'identity' },
    });
  } catch (error) {
    throw new Unserved('unreachable', `was not answered: ${reasonOf(error)}`);
  }
}

function refusal({ status, headers }: Response): Unserved {
  if (status === 404 || status === 410) return new Unserved('missing', `is missing (HTTP ${status})`);
  if (status >= 300 && status < 400)
    return new Unserved(
      'redirect',
      `redirects to ${JSON.stringify(headers.get('location'))}; a mirror answers itself`,
    );
  return new Unserved('status', `was answered with HTTP ${status}`);
}

async function* bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  if (!body) return;
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw new Unserved('unreachable', `broke off: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string'
    ? `${cause.code} ${cause.message}`.trim()
    : cause.message;
}
