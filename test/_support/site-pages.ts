/** The pages of the built site, parsed: what each links to, and one page of every type. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtTree, TEST_SITE } from './tree.ts';

/** A start tag and its attributes, entities resolved. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** A page of the site. */
export interface SitePage {
  /** File below the site root. */
  path: string;
  html: string;
}

/** Every page for people of a tree, by path, or those of them that are chosen. */
export function sitePages(root = builtTree(), chosen = (all: string[]): string[] => all): SitePage[] {
  return chosen(pathsOfPages(root)).map((path) => ({ path, html: readFileSync(join(root, path), 'utf8') }));
}

function pathsOfPages(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .toSorted();
}

const ATTRIBUTE = /\s([a-zA-Z][a-zA-Z:-]*)(?:="([^"]*)")?/g;

/**
 * Start tags of a document in which every `<` and `>` of text and attributes is escaped: those of this site, see `unparsed`. All
 * pages together have millions: `having` leaves out those without such an attribute.
 */
export function tagsOf(html: string, having = /(?:)/): Tag[] {
  const tags: Tag[] = [];
  for (const [, name = '', rest = ''] of html.matchAll(/<([a-zA-Z][a-zA-Z0-9-]*)((?:\s[^<>]*)?)>/g)) {
    if (!having.test(rest)) continue;
    const attributes = new Map<string, string>();
    for (const [, attribute = '', value = ''] of rest.matchAll(ATTRIBUTE))
      attributes.set(attribute, unescaped(value));
    tags.push({ name, attributes });
  }
  return tags;
}

/** What is left of a document without its tags and its data blocks, if it still looks like markup: empty for our pages. */
export function unparsed(html: string): string[] {
  return html
    .replace(/^<!doctype html>/, '')
    .replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
    .replaceAll(/<\/?[a-zA-Z][a-zA-Z0-9-]*(?:\s[a-zA-Z][a-zA-Z0-9:-]*(?:="[^"<>]*")?)*\/?>/g, '')
    .split('\n')
    .filter((line) => /[<>]/.test(line));
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Text with the entities that pages use resolved. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** The address of a page's file. */
export function addressOf(path: string): string {
  return `${TEST_SITE}/${path.replace(/(^|\/)index\.html$/, '$1')}`;
}

/** Types of pages by their path. */
const TYPES: [name: string, path: RegExp][] = [
  ['home', /^index\.html$/],
  ['places', /^places\/index/],
  ['place', /^places\/[^/]+\/index/],
  ['indicators', /^indicators\/index/],
  ['indicator', /^indicators\/[^/]+\/index/],
  ['maps', /^map\/index/],
  ['map', /^map\/[^/]+\/index/],
  ['datasets', /^data\/index/],
  ['dataset', /^data\/[^/]+\/index/],
  ['rows', /^data\/[^/]+\/[^/]+\/index/],
  ['rows of a year', /^data\/[^/]+\/[^/]+\/\d{4}\/index/],
  ['sources', /^sources\/index/],
  ['source', /^sources\/[^/]+\/index/],
  ['source of an earlier edition', /^sources\/[^/]+\/[^/]+\/index/],
  ['verify', /^verify\//],
  ['record finder', /^r\/index/],
  ['designations', /^designations\/index/],
  ['explore', /^explore\//],
  ['compare', /^compare\//],
  ['search', /^search\//],
  ['news', /^news\/index/],
  ['story', /^news\/[^/]+\/index/],
  ['releases', /^releases\//],
  ['docs', /^docs\/index/],
  ['resource', /^docs\/reference\//],
  ['docs page', /^docs\/.+\/index/],
  ['schemas', /^schemas\/index/],
  ['about', /^about\//],
  ['not found', /^404\.html$/],
];

/** The pages of each type that the built site has. Throws for a page of no type: a new kind of page is checked too. */
export function pagesByType<Page extends Pick<SitePage, 'path'>>(
  pages: readonly Page[],
): Map<string, Page[]> {
  const found = new Map<string, Page[]>();
  for (const page of pages) {
    const type = TYPES.find(([, path]) => path.test(page.path))?.[0];
    if (type === undefined) throw new Error(`${page.path} is a page of no type: add one to TYPES`);
    found.set(type, [...(found.get(type) ?? []), page]);
  }
  return found;
}

/** Pages that the service prints for a query, one of each type. */
const ANSWERED: [type: string, address: string][] = [
  ['explore, answered', 'explore/?indicator=dge&from=2017&to=2018&view=map'],
  [
    'compare, answered',
    'compare/?a=indicator%3Dopium-cultivation%26geo%3DAFG&b=indicator%3Dseizures%26geo%3DDEU%26subgroup%3DHeroin',
  ],
];

/** Of each type the address of a small page: three in four are larger. */
export function onePageOfEachType(): [type: string, address: string][] {
  const root = builtTree();
  const sized = pathsOfPages(root).map((path) => ({ path, bytes: statSync(join(root, path)).size }));
  const files = [...pagesByType(sized)].map(([type, pages]): [string, string] => {
    const sorted = pages.toSorted((a, b) => a.bytes - b.bytes);
    const { path = '' } = sorted[Math.floor(sorted.length / 4)] ?? {};
    return [type, type === 'not found' ? 'nothing/at/all/' : addressOf(path).slice(TEST_SITE.length + 1)];
  });
  return [...files, ...ANSWERED];
}
