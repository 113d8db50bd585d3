/** `npm run get -- <path?query>`: one request answered in process, its body to standard output. */
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { API_ROOT } from '../../shim/core/paths.ts';
import { answerOf } from '../../shim/remote/answers.ts';
import { openRemote, type Trust } from '../../shim/remote/release.ts';
import { httpSource } from '../../shim/remote/source.ts';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';

/** Answers one GET over the site in `root`; resolves to 0 for a 2xx response, else 1. */
export async function get(
  target: string,
  root: string,
  env: Record<string, string | undefined>,
): Promise<number> {
  const settings = serverSettings(env);
  const service = createService({ root, settings, files: true });
  const path = target.startsWith('/') ? target : `/${target}`;
  const response = await service.fetch(new Request(`${settings.siteUrl}${path}`));
  process.stdout.write(Buffer.from(await response.arrayBuffer()));
  return response.ok ? 0 : 1;
}

/** The same from the files of a release at an address, the publisher's or a mirror's. Rejects with a SourceError. */
export async function getFrom(target: string, address: string, trust: Trust): Promise<number> {
  const path = target.replace(/^\/*/, '/');
  const remote = await openRemote(httpSource(address), trust);
  if (!path.startsWith(`/${API_ROOT}/`) || path.endsWith('.json')) {
    process.stdout.write(await remote.file(path.slice(1)));
    return 0;
  }
  const answer = await answerOf(path, remote, OPERATIONS);
  process.stdout.write(answer.body);
  return answer.status === 200 ? 0 : 1;
}
