import { expect, it } from 'vitest';
import { mcpTransport } from '../../shim/mcp/transport.ts';
import { fixtureServer } from '../conformance/fixture.ts';
import { doorOf, HOST, modern, type Handler } from './asking.ts';

const LISTEN = { notifications: { toolsListChanged: true } };

/** The messages of a listen stream and how long it lasted, in milliseconds. */
async function listened(
  handler: Handler,
): Promise<{ messages: { method?: string; result?: object }[]; ms: number }> {
  const start = performance.now();
  const response = await handler(modern('subscriptions/listen', LISTEN));
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return {
    messages: lines.map((line) => JSON.parse(line.slice(6)) as object),
    ms: performance.now() - start,
  };
}

it('[MCP-LISTEN] the product promises no notifications, so a listen stream ends at once, properly', async () => {
  const { messages, ms } = await listened(doorOf());
  expect(messages).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { result: { resultType: 'complete' } },
  ]);
  expect(ms).toBeLessThan(10_000);
});

it('a stream that would stay open is ended with a last result', async () => {
  const open = mcpTransport(fixtureServer({ tools: { listChanged: true } }), {
    allowedHosts: [HOST],
    allowedOrigins: [],
    report: () => undefined,
    listenMs: 200,
  });
  const { messages, ms } = await listened(open);
  expect(messages).toMatchObject([
    { params: { notifications: { toolsListChanged: true } } },
    { result: { resultType: 'complete' } },
  ]);
  expect(ms).toBeGreaterThanOrEqual(195);
  expect(ms).toBeLessThan(10_000);
});

it('a listen request is checked like any other', async () => {
  const { body, status } = await doorOf()(modern('subscriptions/listen'));
  expect([status, await new Response(body).json()]).toMatchObject([200, { error: { code: -32602 } }]);
});
