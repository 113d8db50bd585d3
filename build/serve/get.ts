/** `npm run get -- <path?query>`: one request answered in process, its body to standard output. */
import { createApp } from '../../shim/http/app.ts';
import { staticFiles } from '../../shim/http/static.ts';
import { openStore } from '../../shim/store/open.ts';
import { buildSettings } from '../settings.ts';

/** Answers one GET over the tree in `root`; resolves to 0 for a 2xx answer, else 1. */
export async function get(
  target: string,
  root: string,
  env: Record<string, string | undefined>,
): Promise<number> {
  const settings = buildSettings(env);
  const now = (): number => performance.now();
  const store = openStore(root, now);
  const app = createApp({
    context: { settings, store, peers: {} },
    files: staticFiles(root, now),
    generation: store.generation,
    mcp: null,
    report: (error) => console.error(error),
  });
  const response = await app.fetch(
    new Request(`${settings.siteUrl}${target.startsWith('/') ? '' : '/'}${target}`),
  );
  process.stdout.write(Buffer.from(await response.arrayBuffer()));
  return response.ok ? 0 : 1;
}
