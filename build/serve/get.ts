/** `npm run get -- <path?query>`: one request answered in process, its body to standard output. */
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
