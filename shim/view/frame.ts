/**
 * The frame of every page for people: head, navigation, footer. Links are relative, so a copy works under any address and from
 * any folder; nothing is loaded from elsewhere and no script is needed to read.
 */
import { PAGES, rootFrom } from './address.ts';
import { el, print, type Child } from './node.ts';

/** A page to be framed. */
export interface Page {
  /** File below the site root: `places/mex/index.html`. A page that the shim prints has the path of its address. */
  path: string;
  title: string;
  description: string;
  /** The main part; it has the one h1. */
  body: Child;
  /** Where the page is: each step above it with its address. */
  trail?: readonly (readonly [label: string, address: string])[];
  /** Scripts of assets/ by name, loaded as modules. */
  scripts?: readonly string[];
  /** Further elements of the head. */
  head?: Child;
  /** Machine-readable forms of the same page: media type and address. */
  alternates?: readonly (readonly [type: string, address: string, title: string])[];
  /** Left out of search engines: pages of designations and pages that explain an error. */
  unlisted?: boolean;
}

const NAVIGATION: readonly (readonly [label: string, address: string])[] = [
  ['Places', PAGES.places],
  ['Indicators', PAGES.indicators],
  ['Data', PAGES.data],
  ['Explore', PAGES.explore],
  ['News', PAGES.news],
  ['Docs', PAGES.docs],
];

/** Prints a whole document; `siteUrl` without trailing slash. */
export function printPage(page: Page, siteUrl: string): string {
  const {
    path,
    title,
    description,
    body,
    trail,
    scripts = [],
    head = null,
    alternates = [],
    unlisted,
  } = page;
  const root = rootFrom(path);
  const address = path.replace(/(^|\/)index\.html$/, '$1');
  const links = NAVIGATION.map(([label, target]) =>
    el('a', { href: `${root}${target}`, 'aria-current': currentOf(address, target) }, label),
  );
  const document = el(
    'html',
    { lang: 'en' },
    '\n',
    el(
      'head',
      {},
      [
        el('meta', { charset: 'utf-8' }),
        el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        el('meta', { name: 'color-scheme', content: 'light dark' }),
        el('title', {}, title),
        el('meta', { name: 'description', content: description }),
        unlisted === true
          ? el('meta', { name: 'robots', content: 'noindex' })
          : el('link', { rel: 'canonical', href: `${siteUrl}/${address}` }),
        el('link', { rel: 'icon', href: `${root}assets/icon.svg`, type: 'image/svg+xml' }),
        el('link', { rel: 'stylesheet', href: `${root}assets/site.css` }),
        ...alternates.map(([type, target, name]) =>
          el('link', { rel: 'alternate', type, href: `${root}${target}`, title: name }),
        ),
        ...scripts.map((name) => el('script', { type: 'module', src: `${root}assets/${name}` })),
        head,
      ].map((element) => (element === null ? '' : ['\n', element])),
    ),
    '\n',
    el(
      'body',
      {},
      el('a', { class: 'skip', href: '#main' }, 'Skip to content'),
      '\n',
      el(
        'header',
        { class: 'top' },
        el(
          'nav',
          { 'aria-label': 'Site' },
          el('a', { class: 'brand', href: root }, 'Public Evidence'),
          links,
        ),
      ),
      '\n',
      el('main', { id: 'main' }, trail ? trailOf(trail, root) : '', '\n', body, '\n'),
      '\n',
      footer(root),
      '\n',
    ),
    '\n',
  );
  return `<!doctype html>\n${print(document)}\n`;
}

function currentOf(address: string, target: string): string | null {
  if (address === target) return 'page';
  return target !== '' && address.startsWith(target) ? 'true' : null;
}

function trailOf(trail: NonNullable<Page['trail']>, root: string): Child {
  const steps = trail.map(([label, address]) => el('li', {}, el('a', { href: `${root}${address}` }, label)));
  return el('nav', { class: 'trail', 'aria-label': 'Where this page is' }, el('ol', {}, steps));
}

function footer(root: string): Child {
  const links = [
    ['About', PAGES.about],
    ['Catalog', 'api/v1/markets.json'],
    ['OpenAPI', 'openapi.json'],
    ['Release', 'release.json'],
    ['Checksums', 'SHA256SUMS'],
  ].map(([label = '', target = '']) => [el('a', { href: `${root}${target}` }, label), ' ']);
  return el(
    'footer',
    { class: 'foot' },
    el(
      'p',
      {},
      'Published evidence, as published. Null is unavailable and never zero; nothing here is a finding of cause or guilt.',
    ),
    el('p', {}, links),
  );
}
