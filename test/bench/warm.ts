/** How long a warm call of each tool takes behind the MCP door, in process. */
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { mcpHandler } from '../../shim/mcp/server.ts';
import { openReleases } from '../../shim/store/release.ts';
import { median } from './load.ts';

const SITE = 'https://evidence.example';
const VERSION = '2026-07-28';
const CALLS = 60;

/** Milliseconds of a call by tool: the median, first calls left out. */
export async function warmCalls(tree: string): Promise<Record<string, number>> {
  const release = openReleases(tree, () => performance.now()).current();
  const context = { settings: { siteUrl: SITE }, release, peers: {} };
  const allowed = { allowedHosts: [new URL(SITE).host], allowedOrigins: [] };
  const door = mcpHandler(context, { ...allowed, report: console.error });
  const taken: Record<string, number> = {};
  for (const { tool } of OPERATIONS) {
    if (tool === null) continue;
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const began = performance.now();
      const response = await door(calling(tool));
      await response.arrayBuffer();
      times.push(performance.now() - began);
      if (response.status !== 200) throw new Error(`${tool} answered ${response.status}`);
    }
    taken[`${tool} ms`] = Math.round(median(times.slice(CALLS / 4)) * 100) / 100;
  }
  return taken;
}

function calling(name: string): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return new Request(`${SITE}/mcp`, {
    method: 'POST',
    headers: {
      host: new URL(SITE).host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {}, _meta },
    }),
  });
}
