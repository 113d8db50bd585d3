/** What capabilities and the API catalog point at: hashes, schemas and addresses that hold. */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { operationNamed, restAnswer, testApp, testContext } from '../_support/doors.ts';
import { builtTree, copyOfTree, TEST_SITE, treeText } from '../_support/tree.ts';

interface Capabilities {
  version: string;
  mcp: { url: string };
  resources: { name: string; path: string; errorSchema: string }[];
  data: { path: string; sha256: string }[];
  release: { treeSha256: string; covers: string };
}

let capabilities: Capabilities;

function published(address: string): unknown {
  return JSON.parse(treeText(address.slice(TEST_SITE.length)));
}

beforeAll(async () => {
  const response = await testApp().fetch(new Request(`${TEST_SITE}/api/v1/capabilities`));
  capabilities = ((await response.json()) as { data: Capabilities }).data;
});

test('the stated rule gives the tree hash of the packaged data', () => {
  const { data, release } = capabilities;
  expect(release.covers).toContain('<path> is written without its leading slash');
  const lines = data
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256 }) => `${sha256}  ${path.replace(/^\//, '')}\n`);
  expect(createHash('sha256').update(lines.join('')).digest('hex')).toBe(release.treeSha256);
});

test('the body of a 503 of each resource keeps the schema that capabilities name for it', async () => {
  const root = copyOfTree();
  const damaged = capabilities.data
    .map(({ path }) => path)
    .filter((path) => /catalog|editions\.json|packs|svc-/.test(path));
  for (const path of [...damaged, 'data/files.json']) rmSync(join(root, path));
  for (const { name } of capabilities.resources) rmSync(join(root, `api/v1/${name}.json`), { force: true });
  const app = testApp(root);
  for (const { name, path, errorSchema } of capabilities.resources) {
    const response = await app.fetch(new Request(`${TEST_SITE}${path}`));
    expect([name, response.status]).toEqual([name, 503]);
    expect(validator(published(errorSchema) as JsonSchema)(await response.json()), name).toBeNull();
  }
});

describe('what the service says of itself', () => {
  interface Resource {
    name: string;
    method: string;
    url: string;
    path: string;
    static: boolean;
    parameters: { name: string; in: string; required: boolean; description: string; schema: JsonSchema }[];
  }
  interface Stated {
    resources: Resource[];
    mcp: { tools: { name: string; resource: string }[] };
    limits: { pageSize: Record<string, unknown> };
  }
  let stated: Stated;
  let text = '';
  beforeAll(async () => {
    const { body } = await restAnswer(operationNamed('capabilities'), {}, testContext());
    text = JSON.stringify(body['data']);
    stated = body['data'] as unknown as Stated;
  });

  test('every address on this site is one that answers', async () => {
    const app = testApp();
    const addresses = text.match(/https:\/\/evidence\.example[^"\\]*/g) ?? [];
    expect(new Set(addresses).size).toBeGreaterThan(40);
    for (const address of new Set(addresses)) {
      const { pathname } = new URL(address);
      // The first answers POST alone, the second asks upstream.
      if (['/mcp', '/api/v1/federation'].includes(pathname)) continue;
      expect([pathname, (await app.fetch(new Request(address))).status]).toEqual([pathname, 200]);
    }
  });

  test('of each resource: its parameters, its tool, its page size, and whether it is a file', () => {
    const { resources, mcp, limits } = stated;
    expect(resources.map(({ name }) => name)).toEqual(OPERATIONS.map(({ name }) => name));
    for (const { name, method, path, url, parameters, static: isFile } of resources) {
      const operation = operationNamed(name);
      expect([method, path, url]).toEqual(['GET', `/api/v1/${name}`, `${TEST_SITE}/api/v1/${name}`]);
      expect(isFile, name).toBe(existsSync(join(builtTree(), `api/v1/${name}.json`)));
      expect(parameters.map((one) => one.name)).toEqual(operation.parameters.map((one) => one.name));
      for (const one of parameters) expect(one).toMatchObject({ in: 'query', required: false });
      const sizes = parameters.find((one) => one.name === 'limit')?.schema;
      const { default: usual, minimum, maximum } = sizes ?? {};
      expect(limits.pageSize[name], name).toEqual(sizes && { default: usual, minimum, maximum });
      const cursor = parameters.find((one) => one.name === 'cursor')?.schema;
      const shape = { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 2048 };
      expect(cursor, name).toEqual(sizes && shape);
      const tools = mcp.tools.filter(({ resource }) => resource === name).map((tool) => tool.name);
      expect(tools).toEqual(operation.tool === null ? [] : [operation.tool]);
    }
    expect(Object.keys(limits.pageSize)).toContain('atlas');
  });
});

test('every anchor and address of the API catalog on this site exists', async () => {
  const app = testApp();
  const catalog = JSON.parse(treeText('.well-known/api-catalog')) as {
    linkset: { anchor: string; item?: { href: string }[] }[];
  };
  const anchors = catalog.linkset.map(({ anchor }) => anchor);
  for (const { href } of catalog.linkset.flatMap(({ item = [] }) => item)) expect(anchors).toContain(href);
  for (const anchor of anchors.filter((one) => !one.endsWith('/mcp')))
    expect([anchor, (await app.fetch(new Request(anchor))).status]).toEqual([anchor, 200]);
});

test('[MCP-DOCS] server.json is what the MCP registry takes, for this site', () => {
  const { mcp, version } = capabilities;
  const server = published(`${TEST_SITE}/server.json`) as { description: string };
  expect(server).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'example.evidence/public-evidence',
    title: 'Public Evidence API',
    description: server.description,
    version,
    websiteUrl: TEST_SITE,
    remotes: [{ type: 'streamable-http', url: mcp.url }],
  });
  // The registry refuses a longer one.
  expect(server.description).toMatch(/^.{1,100}$/);
});

test('a column of the organized-crime index says that null is unavailable, and calls no zero a value', () => {
  const { resources } = published(`${TEST_SITE}/data/datapackage.json`) as {
    resources: { name: string; schema?: { fields: { name: string; description: string }[] } }[];
  };
  const index = resources.find(({ name }) => name === 'organized-crime-index.csv');
  const scores = (index?.schema?.fields ?? []).filter(({ name }) => name.startsWith('data.'));
  const described = scores.filter(({ description }) => description.includes('score from 1 to 10'));
  expect(described.length).toBeGreaterThan(20);
  for (const { description } of described) {
    expect(description).not.toMatch(/\.\.|zero/);
    expect(description).toMatch(/null is unavailable\.$/);
  }
});
