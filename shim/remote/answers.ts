/** Answers requests of the API from the files of a release alone, with the bodies that REST gives. */
import { call, readQuery } from '../core/call.ts';
import { errorBody, written } from '../core/envelope.ts';
import { unknownResource } from '../core/faults.ts';
import { API_ROOT } from '../core/paths.ts';
import type { Context, Operation } from '../core/types.ts';
import type { RemoteRelease } from './release.ts';

/** A response without its headers. */
export interface Answer {
  status: number;
  body: Uint8Array;
}

/** What answers need besides the release. */
export interface AnswerOptions {
  operations: readonly Operation[];
  /** Address of the site, as its documents have it. */
  siteUrl: string;
}

/** The response to a path with a query, `/api/v1/<resource>?...`, as REST gives it. Rejects with a SourceError for damage. */
export async function answerOf(
  target: string,
  remote: RemoteRelease,
  { operations, siteUrl }: AnswerOptions,
): Promise<Answer> {
  const [path = '', ...query] = target.split('?');
  const name = path.replace(`/${API_ROOT}/`, '');
  const operation = operations.find((candidate) => candidate.name === name);
  if (!operation) return { status: 404, body: errorBody(unknownResource()) };
  const context: Context = { settings: { siteUrl }, release: remote.release, peers: {} };
  let unexpected: unknown = null;
  const result = await remote.settled(() =>
    call(operation, () => readQuery(operation, query.join('?')), context, (error) => {
      unexpected = error;
    }),
  );
  if (!result.ok && result.fault.code === 'internal_error') throw unexpected;
  return written(name, result);
}
