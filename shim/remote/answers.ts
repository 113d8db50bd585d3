/** Answers requests of the API from the files of a release alone, with the bodies that REST gives. */
import { readJson } from '../core/json.ts';
import { call, readQuery } from '../core/call.ts';
import { errorBody, written } from '../core/envelope.ts';
import { unknownResource } from '../core/faults.ts';
import { API_ROOT, RELEASE } from '../core/paths.ts';
import type { Context, Operation, Release } from '../core/types.ts';
import type { RemoteRelease } from './release.ts';

/** A response without its headers. */
export interface Answer {
  status: number;
  body: Uint8Array;
}

/** The response to a path with a query, `/api/v1/<resource>?...`, as REST gives it. Rejects with a SourceError for damage. */
export async function answerOf(
  target: string,
  remote: RemoteRelease,
  operations: readonly Operation[],
): Promise<Answer> {
  const [path = '', ...query] = target.split('?');
  const name = path.replace(`/${API_ROOT}/`, '');
  const operation = operations.find((candidate) => candidate.name === name);
  if (!operation) return { status: 404, body: errorBody(unknownResource()) };
  const { release } = remote;
  const settings = {
    // Read only when it is needed: few responses name the site, and the manifest is long.
    get siteUrl() {
      return release.derive(siteOf).url;
    },
  };
  const context: Context = { settings, release, settled: remote.settled };
  let unexpected: unknown = null;
  const result = await remote.settled(() =>
    call(
      operation,
      () => readQuery(operation, query.join('?')),
      context,
      (error) => {
        unexpected = error;
      },
    ),
  );
  if (!result.ok && result.fault.code === 'internal_error') throw unexpected;
  return written(name, result);
}

/** The address of the site, as its manifest has it. */
export function siteOf(release: Release): { url: string } {
  return { url: readJson<{ siteUrl: string }>(release, RELEASE).siteUrl };
}
