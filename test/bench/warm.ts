/** How long a warm call of each tool takes through the MCP handler, in process. */
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { mcpHandler } from '../../shim/mcp/server.ts';
import { openReleases } from '../../shim/store/release.ts';
import { HOST, modern } from '../_support/mcp-request.ts';
import { median, rounded } from './figures.ts';

const CALLS = 60;

/** Milliseconds of a call by tool: the median, first calls left out. */
export async function warmCalls(tree: string): Promise<Record<string, number>> {
  const release = openReleases(tree, () => performance.now()).current();
  const context = { settings: { siteUrl: `https://${HOST}` }, release };
  const allowed = { allowedHosts: [HOST], allowedOrigins: [] };
  const handle = mcpHandler(context, { ...allowed, report: console.error });
  const taken: Record<string, number> = {};
  for (const { tool } of OPERATIONS) {
    if (tool === null) continue;
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const began = performance.now();
      const response = await handle(modern('tools/call', { name: tool, arguments: {} }));
      await response.arrayBuffer();
      times.push(performance.now() - began);
      if (response.status !== 200) throw new Error(`${tool} answered ${response.status}`);
    }
    taken[`${tool} ms`] = rounded(median(times.slice(CALLS / 4)));
  }
  return taken;
}
