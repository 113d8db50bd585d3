/** Every link of the catalog, the description, llms.txt and the site map leads somewhere; those of pages: test/site/links.test.ts. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { description } from '../_support/openapi.ts';
import { builtTree, TEST_SITE, treeText } from '../_support/tree.ts';
import { modern } from '../mcp/asking.ts';
import { items, words } from '../_support/words.ts';

const root = builtTree();
const app = testApp();
const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.html'),
);

/** The status of a URL of this site; /mcp gets the request its clients send. */
async function statusOf(address: string): Promise<number> {
  const url = new URL(address);
  url.hash = '';
  if (url.pathname === '/mcp') return (await app.fetch(modern('server/discover'))).status;
  return (await app.fetch(new Request(url))).status;
}

/** URLs that do not return 200, and anchors that do not exist. */
async function dead(addresses: Iterable<string>): Promise<string[]> {
  const broken: string[] = [];
  for (const address of new Set(addresses)) {
    if (!address.startsWith(`${TEST_SITE}/`)) continue;
    const url = new URL(address);
    if ((await statusOf(address)) !== 200) broken.push(address);
    const anchor = url.hash.slice(1);
    if (anchor === '' || url.pathname.startsWith('/explore/')) continue;
    const file = `${url.pathname.slice(1)}${url.pathname.endsWith('/') ? 'index.html' : ''}`;
    if (!existsSync(join(root, file)) || !treeText(file).includes(`id="${anchor}"`)) broken.push(address);
  }
  return broken;
}

/** Every URL of this site in a JSON value. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(/https:\/\/evidence\.example\/[^\s`"<>)]*/g) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(addressesIn);
}

describe('documents', () => {
  test('[DISC-CATALOG] the API catalog lists REST and MCP, and every target responds', async () => {
    const { linkset } = JSON.parse(treeText('.well-known/api-catalog')) as {
      linkset: Record<string, unknown>[];
    };
    const [catalog, ...services] = linkset;
    expect(catalog?.['anchor']).toBe(`${TEST_SITE}/.well-known/api-catalog`);
    expect(services.map(({ anchor }) => anchor)).toEqual([
      `${TEST_SITE}/api/v1/capabilities`,
      `${TEST_SITE}/mcp`,
    ]);
    for (const service of services)
      expect(Object.keys(service)).toEqual(words(`anchor service-desc service-doc service-meta status`));
    const targets = linkset.flatMap(({ anchor: _identifier, ...links }) => addressesIn(links));
    expect(targets).toContain(`${TEST_SITE}/mcp`);
    expect(targets.length).toBeGreaterThan(8);
    expect(await dead(targets)).toEqual([]);
  });

  test('[DISC-CATALOG] the API catalog is served as a linkset with the RFC 9727 profile, HEAD alike', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await app.fetch(
        new Request(`${TEST_SITE}/.well-known/api-catalog`, { method }),
      );
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe(
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      );
    }
  });

  test('openapi.json', async () => {
    const described = description();
    expect(await dead(addressesIn(described.info).concat(addressesIn(described.paths)))).toEqual([]);
    for (const [path, item] of Object.entries(described.paths)) {
      if (/^\/(?:api|download)\//.test(path)) continue;
      const [parameter] = (item.get.parameters ?? []).filter(({ name }) => path.includes(`{${name}}`));
      const names = parameter ? (parameter.schema['enum'] as string[]) : [''];
      const addresses = names.map((name) => `${TEST_SITE}${path.replace(/\{[a-z]+\}/, name)}`);
      expect(await dead(addresses)).toEqual([]);
    }
  });

  test('[DISC-LINKS] llms.txt opens as the convention asks, stays short, and every link responds', async () => {
    const text = treeText('llms.txt');
    expect(text).toMatch(/^# .+\n\n> .+\n/);
    expect(text.match(/^## .+$/gm)).toEqual(
      items(`## How to read it | ## Resources | ## Reference |
      ## Optional`),
    );
    expect(Buffer.byteLength(text)).toBeLessThan(6000);
    for (const rule of [/null.*never zero/, /Never sum/, /not proof of guilt/]) expect(text).toMatch(rule);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(15);
    expect(await dead(links)).toEqual([]);
  });

  test('[DISC-LINKS] the site map lists every page, and robots.txt the site map', async () => {
    const listed = [...treeText('sitemap.xml').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, link = '']) => link);
    const expected = pages
      .filter((path) => path.endsWith('index.html') && !path.startsWith('designations/'))
      .map((path) => `${TEST_SITE}/${path.replace(/index\.html$/, '')}`);
    expect(listed.toSorted()).toEqual(expected.toSorted());
    expect(await dead(listed)).toEqual([]);
    expect(treeText('robots.txt')).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${TEST_SITE}/sitemap.xml\n`);
  });

  test('schemas/index.json lists every schema', async () => {
    const { schemas } = JSON.parse(treeText('schemas/index.json')) as {
      schemas: { file: string; url: string }[];
    };
    const files = readdirSync(join(root, 'schemas')).filter((name) => name.endsWith('.schema.json'));
    expect(schemas.map(({ file }) => file)).toEqual(files.toSorted());
    expect(await dead(schemas.map(({ url }) => url))).toEqual([]);
  });

  test('[DISC-SECURITY] security.txt has a contact that responds and expires a year after the data clock', async () => {
    const { generatedAt } = JSON.parse(treeText('data/packs.json')) as { generatedAt: string };
    const lines = treeText('.well-known/security.txt').matchAll(/^(.+?): (.+)$/gm);
    const fields = new Map([...lines].map(([, name = '', value = '']) => [name, value]));
    expect(await dead([fields.get('Contact') ?? 'none', fields.get('Canonical') ?? 'none'])).toEqual([]);
    expect(fields.get('Contact')).toMatch(/^https:/);
    expect(Number(fields.get('Expires')?.slice(0, 4))).toBe(Number(generatedAt.slice(0, 4)) + 1);
    expect(fields.get('Expires')?.slice(4)).toBe(generatedAt.slice(4));
  });
});
