/** Rules that hold on every page of the site, read from its HTML. */
import { describe, expect, test } from 'vitest';
import { pagesByType, sitePages, tagsOf, unescaped, unparsed, type Tag } from '../_support/site-pages.ts';
import { someOfEachKind } from '../_support/share.ts';
import { builtTree, TEST_SITE, treeText } from '../_support/tree.ts';

/** Some of each kind: pages of a kind are printed by the same code. */
const pages = sitePages(builtTree(), someOfEachKind).map((page) => ({ ...page, tags: tagsOf(page.html) }));
type Page = (typeof pages)[number];

/** The pages that break a rule, with what breaks it: the first twenty. */
function breaking(rule: (page: Page) => readonly unknown[]): [path: string, ...found: unknown[]][] {
  return pages
    .flatMap((page): [string, ...unknown[]][] => {
      const found = rule(page);
      return found.length > 0 ? [[page.path, ...found.slice(0, 3)]] : [];
    })
    .slice(0, 20);
}

function named(page: Page, name: string): Tag[] {
  return page.tags.filter((tag) => tag.name === name);
}

/** A step to a page, as search engines read it. */
interface Step {
  name: string;
}

function blocksOf(html: string): Record<string, unknown>[] {
  const found = html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g);
  return [...found].map(([, text = '']) => JSON.parse(text) as Record<string, unknown>);
}

describe('[DISC-PAGES] every page', () => {
  test('is of a known type and is well-formed markup', () => {
    expect(pagesByType(pages).size).toBeGreaterThan(5);
    expect(breaking(({ html }) => unparsed(html))).toEqual([]);
  });

  test('has language, title, description and viewport', () => {
    const wanted = [
      /^<!doctype html>\n<html lang="en">/,
      /<title>[^<]{5,}<\/title>/,
      /<meta name="description" content="[^"]{20,}">/,
      /<meta name="viewport" content="width=device-width/,
      /<link rel="icon" href="[^"]+assets\/icon\.svg"|<link rel="icon" href="[^"]+icon\.svg"/,
    ];
    expect(breaking(({ html }) => wanted.filter((pattern) => !pattern.test(html)).map(String))).toEqual([]);
  });

  test('asks for every font of the style sheet before it', () => {
    const fonts = [...treeText('assets/site.css').matchAll(/url\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(fonts.length).toBeGreaterThan(1);
    const preloaded = ({ html }: Page): string[] =>
      [
        ...html.matchAll(
          /<link rel="preload" as="font" type="font\/woff2" href="[^"]*assets\/([^"]+)" crossorigin>/g,
        ),
      ]
        .filter(({ index }) => index < html.indexOf('<link rel="stylesheet"'))
        .map(([, name = '']) => name);
    expect(breaking((page) => fonts.filter((name) => !preloaded(page).includes(name ?? '')))).toEqual([]);
  });

  test('has one h1, headings in order, landmarks and a skip link', () => {
    expect(
      breaking(({ tags }) => {
        const levels = tags.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
        const jumps = levels.filter((level, at) => level - (levels[at - 1] ?? 0) > 1);
        return levels.filter((level) => level === 1).length === 1 ? jumps : ['not one h1'];
      }),
    ).toEqual([]);
    expect(
      breaking((page) =>
        ['main', 'header', 'footer'].filter((name) =>
          name === 'main' ? named(page, name).length !== 1 : named(page, name).length === 0,
        ),
      ),
    ).toEqual([]);
    expect(
      breaking(({ html }) => (html.includes('<a class="skip" href="#main">') ? [] : ['no skip link'])),
    ).toEqual([]);
  });

  test('is found and shared: both feeds, a card with its title and description, and data blocks of schema.org', () => {
    expect(
      breaking((page) => {
        const links = named(page, 'link').filter(({ attributes }) => attributes.get('rel') === 'alternate');
        const types = links.map(({ attributes }) => attributes.get('type'));
        const feeds = ['application/feed+json', 'application/rss+xml'].filter(
          (type) => !types.includes(type),
        );
        const metas = new Map(
          named(page, 'meta').map(({ attributes }) => [
            attributes.get('property') ?? attributes.get('name') ?? '',
            attributes.get('content') ?? '',
          ]),
        );
        const [, title = ''] = /<title>([^<]*)<\/title>/.exec(page.html) ?? [];
        // A page that search engines leave out is no card anywhere. Cards name the site apart from the page.
        const shown = metas.has('robots') ? undefined : unescaped(title).replace(/ - Public Evidence$/, '');
        const cards = ['og:title', 'twitter:title'].filter((name) => metas.get(name) !== shown);
        const about = shown === undefined ? undefined : metas.get('description');
        const texts = ['og:description', 'twitter:description'].filter((name) => metas.get(name) !== about);
        const blocks = blocksOf(page.html).filter((block) => block['@context'] !== 'https://schema.org');
        const steps = blocksOf(page.html).flatMap(({ itemListElement }) => itemListElement ?? []) as Step[];
        const last = steps.filter(({ name }, at) => at === steps.length - 1 && name !== shown);
        const titles = title.includes('Public Evidence') ? [] : [title];
        return [...feeds, ...cards, ...texts, ...blocks, ...last, ...titles];
      }),
    ).toEqual([]);
  });

  test.each([
    ['index.html', ['WebSite']],
    ['data/index.html', ['DataCatalog']],
    ['data/arms/index.html', ['Dataset', 'BreadcrumbList']],
    ['places/mex/index.html', ['BreadcrumbList']],
    ['news/opium-broken-best-estimates/index.html', ['NewsArticle']],
    ['404.html', []],
  ])('%s is described to search engines as %j', (path, types) => {
    const html = treeText(path);
    const blocks = blocksOf(html);
    expect(blocks.map((block) => block['@type'])).toEqual(types);
    const [site] = blocks.filter((block) => block['@type'] === 'WebSite');
    if (site) expect(html).toContain(`<meta property="og:site_name" content="${String(site['name'])}">`);
    const [story] = blocks.filter((block) => block['@type'] === 'NewsArticle');
    if (story)
      expect(story).toMatchObject({
        headline: /<meta property="og:title" content="([^"]*)">/.exec(html)?.[1],
        datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        author: { '@type': 'Organization' },
        isBasedOn: expect.arrayContaining([expect.objectContaining({ '@type': 'Dataset' })]),
      });
  });

  test('describes a dataset to search engines with a name and a sentence, wherever one is named', () => {
    const datasetsIn = (member: unknown): Record<string, unknown>[] => {
      if (typeof member !== 'object' || member === null) return [];
      const inside = Object.values(member).flatMap(datasetsIn);
      return '@type' in member && member['@type'] === 'Dataset' ? [{ ...member }, ...inside] : inside;
    };
    expect(
      breaking(({ html }) =>
        datasetsIn(blocksOf(html))
          .filter(({ name, description }) => !name || String(description ?? '').length < 50)
          .map(({ url }) => String(url)),
      ),
    ).toEqual([]);
  });

  test('has no placeholder left', () => {
    expect(
      breaking(({ html }) => html.match(/\{\{[a-zA-Z]\w*\}\}|\[object \w+|>(?:undefined|NaN)</g) ?? []),
    ).toEqual([]);
  });

  test('has no id twice', () => {
    expect(
      breaking(({ tags }) => {
        const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? []);
        const seen = new Set<string>();
        return ids.filter((id) => seen.size === seen.add(id).size);
      }),
    ).toEqual([]);
  });

  test.each([
    ['title', /<title>([^<]*)</],
    ['description', /<meta name="description" content="([^"]*)"/],
  ])('has a %s that no other page has', (_name, pattern) => {
    const pagesOf = new Map<string, string[]>();
    for (const { path, html } of pages) {
      const [, text = ''] = pattern.exec(html) ?? [];
      pagesOf.set(text, [...(pagesOf.get(text) ?? []), path]);
    }
    expect([...pagesOf].filter(([, paths]) => paths.length > 1).slice(0, 20)).toEqual([]);
  });

  test('loads nothing from elsewhere and works in any folder: what it loads and links to has a relative address', () => {
    expect(
      breaking(({ path, tags }) =>
        tags.flatMap(({ name, attributes }) => {
          const address =
            attributes.get('src') ?? (name === 'a' || name === 'link' ? attributes.get('href') : undefined);
          const ownAddress = attributes.get('rel') === 'canonical';
          if (address === undefined || ownAddress) return [];
          if (name === 'a' && /^(https?:|mailto:|#)/.test(address))
            return address.startsWith(TEST_SITE) ? [address] : [];
          // The page for unknown addresses is shown at any depth.
          if (path === '404.html') return address.startsWith('/') ? [] : [address];
          return /^[a-z]+:|^\//.test(address) ? [address] : [];
        }),
      ),
    ).toEqual([]);
  });

  test('has no style and no script of its own, which its policy forbids', () => {
    expect(
      breaking(({ tags }) =>
        tags.filter(
          ({ name, attributes }) =>
            name === 'style' ||
            attributes.has('style') ||
            [...attributes.keys()].some((attribute) => attribute.startsWith('on')) ||
            (name === 'script' && !attributes.has('src') && attributes.get('type') !== 'application/ld+json'),
        ),
      ),
    ).toEqual([]);
  });

  test('names every link, table, form field and figure', () => {
    expect(
      breaking(({ html }) =>
        [...html.matchAll(/<a [^>]*>([\s\S]*?)<\/a>/g)]
          .filter(
            ([tag, inner = '']) =>
              inner.replaceAll(/<[^>]+>/g, '').trim() === '' &&
              !tag.includes('aria-label') &&
              !inner.includes('<title>'),
          )
          .map(([tag]) => tag.slice(0, 200)),
      ),
    ).toEqual([]);
    expect(
      breaking((page) => {
        const labelled = new Set(
          named(page, 'label').flatMap(({ attributes }) => attributes.get('for') ?? []),
        );
        return [...named(page, 'input'), ...named(page, 'select')].filter(
          ({ attributes }) =>
            attributes.get('type') !== 'hidden' &&
            !labelled.has(attributes.get('id') ?? '') &&
            !attributes.has('aria-label'),
        );
      }),
    ).toEqual([]);
  });

  test('has a caption in every table of the documentation', () => {
    const docs = pages.filter(({ path }) => path.startsWith('docs/'));
    const bare = docs.filter(({ html }) => /<table[^>]*>(?!<caption>[^<])/.test(html));
    expect([docs.length > 0, bare.map(({ path }) => path)]).toEqual([true, []]);
  });

  test('says in its navigation where it is', () => {
    const sections = ['places', 'indicators', 'data', 'news', 'docs'];
    expect(
      breaking(({ path, html }) => {
        const [section = ''] = path.split('/');
        if (!sections.includes(section)) return [];
        return / aria-current="(page|true)"/.test(html) ? [] : ['no aria-current'];
      }),
    ).toEqual([]);
  });
});
