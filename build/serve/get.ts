/** `npm run get -- <path?query>`: one request answered in process, its body to standard output. */
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { API_ROOT } from '../../shim/core/paths.ts';
import { answerOf } from '../../shim/remote/answers.ts';
import { openRemote, type Trust } from '../../shim/remote/release.ts';
import { httpSource } from '../../shim/remote/source.ts';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { requireBuild, UsageError } from '../lib/command-line.ts';
import { trustOf, type TrustOptions } from '../release/command.ts';

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
  env: Record<string, string | undefined>,
  { from, ...trust }: GetOptions,
): Promise<number> {
  const path = target.replace(/^\/*/, '/');
  if (from !== undefined) return getFrom(path, from, trustOf(trust));
  if (trust.key !== undefined || trust.minSerial !== undefined)
    throw new UsageError('--key and --min-serial are for a release that is read with --from.');
  requireBuild(root);
  const settings = serverSettings(env);
  const service = createService({ root, settings, files: true });
  const response = await service.fetch(new Request(new URL(path, settings.siteUrl)));
  process.stdout.write(Buffer.from(await response.arrayBuffer()));
  return response.ok ? 0 : 1;
}

async function getFrom(path: string, address: string, trust: Trust): Promise<number> {
  const remote = await openRemote(httpSource(address), trust);
  if (!path.startsWith(`/${API_ROOT}/`) || path.endsWith('.json')) {
    process.stdout.write(await remote.file(path.slice(1)));
    return 0;
  }
  const { status, body } = await answerOf(path, remote, OPERATIONS);
  process.stdout.write(body);
  return status === 200 ? 0 : 1;
}
