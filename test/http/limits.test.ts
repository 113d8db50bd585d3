/** The limits of docs/self-hosting.md are those of the code. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS, SERVER_OPTIONS } from '../../shim/core/limits.ts';
import { MOST_URL_BYTES } from '../../shim/core/paths.ts';
import { PRODUCT_LIMITS } from '../../shim/federation/fetch.ts';
import { MAX_LEVELS } from '../../shim/mcp/protocol.ts';
import { MAX_BODY_BYTES } from '../../shim/mcp/transport.ts';

const [, section = ''] = /^## Limits\n([^]*?)^## /m.exec(readFileSync('docs/self-hosting.md', 'utf8')) ?? [];
const rows = new Map(
  [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, name = '', value = '']) => [name, value]),
);
const number = (value: number): string => value.toLocaleString('en');
const seconds = (ms: number): string => `${ms / 1000} seconds`;

test.each([
  ['URL', number(MOST_URL_BYTES)],
  ['header fields', number(LIMITS.headerFields)],
  ['header fields', number(SERVER_OPTIONS.maxHeaderSize)],
  ['body of a message to `/mcp`', number(MAX_BODY_BYTES)],
  ['lists and objects within each other in it', `${number(MAX_LEVELS)} levels`],
  ['time for a request to arrive with its body', seconds(SERVER_OPTIONS.requestTimeout)],
  ['time for a request to arrive with its body', seconds(SERVER_OPTIONS.headersTimeout)],
  ['pipelined requests that wait', number(LIMITS.waitingRequests)],
  ['connections', number(LIMITS.connections)],
  ['reader of a response', `${number(LIMITS.leastTaken)} bytes in ${seconds(LIMITS.readingWindow)}`],
  ['connection without any progress', seconds(LIMITS.noProgress)],
  ['idle connection', seconds(SERVER_OPTIONS.keepAliveTimeout)],
  ['client that closed its sending side and waits', `looked for every ${seconds(LIMITS.halfClosed)}`],
  ['requests that wait for their turn', number(LIMITS.waitingWork)],
  ['broken requests at once that are answered', number(LIMITS.brokenRequests)],
  ['downloads at once that are being prepared', number(LIMITS.downloads)],
  ['check of all files for `/readyz`', seconds(LIMITS.readiness)],
  ['messages to `/mcp` being answered', number(LIMITS.mcpRequests)],
  ['messages to `/mcp` being answered', number(LIMITS.waitingMessages)],
  ['bytes made for single requests and not sent yet', number(LIMITS.unsentBytes)],
  ['bytes made for single requests and not sent yet', number(LIMITS.unsentMcpBytes)],
  ['upstream evidence in one result of `/mcp`', number(LIMITS.mcpResult)],
  [
    'upstream response',
    `${number(PRODUCT_LIMITS.maxBytes)} bytes within ${seconds(PRODUCT_LIMITS.deadlineMs)}`,
  ],
  ['stop', seconds(LIMITS.drain)],
])('[LIMITS] %s: %s', (name, value) => {
  const words = (text = ''): string[] => text.split(/[,;]? /);
  expect(words(rows.get(name))).toEqual(expect.arrayContaining(words(value)));
});
