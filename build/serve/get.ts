/** `npm run get -- <path?query>`: one request answered in process, its body to standard output. */
import { Fault } from '../../shim/core/faults.ts';
import { siteOf } from '../../shim/remote/answers.ts';
import { openRemote, type Trust } from '../../shim/remote/release.ts';
import { httpSource } from '../../shim/remote/source.ts';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { requireBuild, UsageError } from '../lib/command-line.ts';
import { trustOf, type TrustOptions } from '../release/command.ts';

type Env = Record<string, string | undefined>;

/** Where the release is read: the site in a folder unless `from` is the address of another. */
interface GetOptions extends TrustOptions {
  from?: string;
}

/**
 * Answers one GET; resolves to 0 for a 2xx response, else 1. Rejects with a UsageError, or with a SourceError for files at an
 * address that are not as they should be.
 */
export async function get(
  target: string,
  root: string,
  env: Env,
  { from, ...trust }: GetOptions,
): Promise<number> {
  const path = target.replace(/^\/*/, '/');
  if (from === undefined && (trust.key !== undefined || trust.minSerial !== undefined))
    throw new UsageError('--key and --min-serial are for a release that is read with --from.');
  const response = await (from === undefined
    ? getHere(path, root, env)
    : getFrom(path, from, trustOf(trust), env));
  process.stdout.write(Buffer.from(await response.arrayBuffer()));
  return response.ok ? 0 : 1;
}

async function getHere(path: string, root: string, env: Env): Promise<Response> {
  requireBuild(root);
  const settings = serverSettings(env);
  const service = createService({ root, settings, files: true });
  return service.fetch(new Request(new URL(path, settings.siteUrl)));
}

/** Addresses without a query that the service answers; all others without one are those of files. */
const ANSWERED = /^\/(?:api\/v1\/[^.]*$|(?:designations|download|r)\/.)/;

async function getFrom(path: string, address: string, trust: Trust, env: Env): Promise<Response> {
  const remote = await openRemote(httpSource(address), trust);
  if (!path.includes('?') && !ANSWERED.test(path))
    return new Response(Buffer.from(await remote.file(path.slice(1).replace(/(^|\/)$/, '$1index.html'))));
  const { release, settled, isFinal } = remote;
  const siteUrl = await settled(() => siteOf(release).url);
  const failures: unknown[] = [];
  const service = createService({
    root: '',
    settings: { ...serverSettings(env), siteUrl },
    files: false,
    report: (error) => void failures.push(error),
    far: { settled, isFinal, ready: async () => undefined, current: () => release, described: () => ({}) },
  });
  const response = await service.fetch(new Request(new URL(path, address)));
  const failure = failures.find((error) => !(error instanceof Fault));
  if (failure !== undefined) throw failure;
  return response;
}
