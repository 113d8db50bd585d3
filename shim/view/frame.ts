/**
 * The frame of every page for people: head, navigation, footer. Links are relative, so a copy works under any address and from
 * any folder; nothing is loaded from elsewhere and no script is needed to read.
 */
import { OPENAPI, RELEASE, SUMS } from '../core/paths.ts';
import { finished, type Steps } from '../core/steps.ts';
import { PAGES, RELEASES, rootFrom, VERIFY_PAGE } from './address.ts';
import { FIGURES_SCRIPT, hasFigures } from './chart/figure.ts';
import { breadcrumbs } from './json-ld.ts';
import { el, joined, linkTo, p, print, printing, trusted, type Child } from './node.ts';
import { searchBox } from './search-box.ts';

/** The script of pages whose query may be another than that of their file: the address they print keeps it. */
export const ADDRESS_SCRIPT = 'printed-address.js';

/** A page to be framed. */
export interface Page {
  /** File below the site root: `places/mex/index.html`. A page that the shim prints has the path of its address. */
  path: string;
  /** What the page shows; the title of the window has the name of the site too. */
  title: string;
  description: string;
  /** The main part; it has the one h1. */
  body: Child;
  /** Where the page is: each step above it with its address. */
  trail?: readonly (readonly [label: string, address: string])[];
  /** Scripts of assets/ by name, loaded as modules. */
  scripts?: readonly string[];
  head?: Child;
  /** Machine-readable forms of the same page: media type and address. */
  alternates?: readonly (readonly [type: string, address: string, title: string])[];
  /** Path to the site root, for a page that is shown at other addresses than its own. */
  root?: string;
  /** Left out of search engines, with no card where it is shared: pages of designations and pages that explain an error. */
  unlisted?: boolean;
  /** Shown in a frame of a page elsewhere: no script, and nothing around its main part. */
  alone?: boolean;
  /** The day a story was published; other pages are not articles. */
  published?: string;
}

/** The site that a page belongs to. */
export interface Site {
  /** Its address without trailing slash. */
  siteUrl: string;
  /** The data clock of the release; null on a page with a date of its own, such as a story. */
  generatedAt: string | null;
  /** The query of a page that answers one, with its question mark. */
  query?: string;
}

/** Colours of the browser's own frame: --paper of the style sheet. */
const THEME = [
  ['light', '#fbfaf7'],
  ['dark', '#151618'],
] as const;

/** The name of the site. */
export const NAME = 'Public Evidence';

/** The feeds of the site, by which readers find them from every page. */
const FEEDS = [
  ['application/feed+json', 'news/feed.json'],
  ['application/rss+xml', 'news/feed.xml'],
] as const;

/** The fonts of the style sheet. */
const FONTS = ['source-sans-3.woff2', 'source-serif-4.woff2'];

const NAVIGATION: readonly (readonly [label: string, address: string])[] = [
  ['Search', PAGES.search],
  ['Places', PAGES.places],
  ['Indicators', PAGES.indicators],
  ['Map', PAGES.map],
  ['Data', PAGES.data],
  ['Designations', PAGES.designations],
  ['News', PAGES.news],
  ['Docs', PAGES.docs],
];

/** Prints a whole document. */
export function printPage(site: Site, page: Page): string {
  return finished(printingPage(site, page));
}

/** The same in steps, for a page that may be long. */
export function* printingPage({ siteUrl, generatedAt, query = '' }: Site, page: Page): Steps<string> {
  const {
    path,
    title,
    description,
    body,
    trail,
    scripts = [],
    head = null,
    alternates = [],
    unlisted = false,
    alone = false,
    published,
  } = page;
  const root = page.root ?? rootFrom(path);
  const address = path.replace(/(^|\/)index\.html$/, '$1');
  const main = yield* printing(body);
  const loaded = new Set(['search.js', ...scripts]);
  if (hasFigures(main)) loaded.add(FIGURES_SCRIPT);
  const document = el('html', { lang: 'en' }, [
    '\n',
    el('head', {}, [
      [
        el('meta', { charset: 'utf-8' }),
        el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        el('meta', { name: 'color-scheme', content: 'light dark' }),
        el('title', {}, title.includes(NAME) ? title : `${title} - ${NAME}`),
        el('meta', { name: 'description', content: description }),
        unlisted
          ? el('meta', { name: 'robots', content: 'noindex' })
          : el('link', { rel: 'canonical', href: `${siteUrl}/${address}` }),
        ...(unlisted ? [] : card(title, description, `${siteUrl}/${address}`, published)),
        ...THEME.map(([scheme, content]) =>
          el('meta', { name: 'theme-color', media: `(prefers-color-scheme: ${scheme})`, content }),
        ),
        el('link', { rel: 'icon', href: `${root}assets/icon.png`, sizes: '32x32', type: 'image/png' }),
        el('link', { rel: 'icon', href: `${root}assets/icon.svg`, sizes: 'any', type: 'image/svg+xml' }),
        // Asked for with the style sheet and not after it: text whose font arrives late moves what is below it.
        ...FONTS.map((name) =>
          el('link', {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `${root}assets/${name}`,
            crossorigin: true,
          }),
        ),
        el('link', { rel: 'stylesheet', href: `${root}assets/site.css` }),
        ...alternates.map(([type, target, name]) =>
          el('link', { rel: 'alternate', type, href: `${root}${target}`, title: name }),
        ),
        ...(alone ? [] : FEEDS).map(([type, target]) =>
          el('link', { rel: 'alternate', type, href: `${root}${target}`, title: `${NAME} newsroom` }),
        ),
        ...[...(alone ? [] : loaded)].map((name) =>
          el('script', { type: 'module', src: `${root}assets/${name}` }),
        ),
        head,
        trail && !unlisted ? breadcrumbs([...trail, [title, address]], siteUrl) : null,
      ].map((element) => (element === null ? '' : ['\n', element])),
    ]),
    '\n',
    el('body', {}, [
      alone
        ? ''
        : [
            el('a', { class: 'skip', href: '#main' }, 'Skip to content'),
            '\n',
            header(root, address, printed(`${siteUrl}/${address}${query}`, generatedAt)),
          ],
      '\n',
      el('main', { id: 'main' }, trail ? trailOf(trail, root) : '', '\n', trusted(main), '\n'),
      '\n',
      alone ? '' : [footer(root, generatedAt), '\n'],
    ]),
    '\n',
  ]);
  return `<!doctype html>\n${print(document)}\n`;
}

/** What programs show where a page is shared: its title and description. */
function card(title: string, description: string, address: string, published: string | undefined): Child[] {
  const open = {
    'og:site_name': NAME,
    'og:type': published === undefined ? 'website' : 'article',
    'og:title': title,
    'og:description': description,
    'og:url': address,
    ...(published === undefined ? {} : { 'article:published_time': published }),
  };
  const own = { 'twitter:card': 'summary', 'twitter:title': title, 'twitter:description': description };
  return [
    ...Object.entries(open).map(([property, content]) => el('meta', { property, content })),
    ...Object.entries(own).map(([name, content]) => el('meta', { name, content })),
  ];
}

/** What a page on paper says first, where no link can be followed: its address, release and licence. */
function printed(address: string, generatedAt: string | null): Child {
  return el('p', { class: 'address' }, [
    `${NAME}, `,
    el('span', {}, address),
    `. ${generatedAt === null ? '' : `Data as of ${generatedAt.slice(0, 10)}. `}`,
    'Release and checksums: release.json of this site. Each source’s own licence governs its data.',
  ]);
}

/** On narrow screens the list is behind a button; no script is needed to open it. */
function header(root: string, address: string, onPaper: Child): Child {
  const items = NAVIGATION.map(([label, target]) =>
    el('li', {}, el('a', { href: `${root}${target}`, 'aria-current': currentOf(address, target) }, label)),
  );
  return el('header', { class: 'top' }, [
    el('nav', { 'aria-label': 'Site' }, [
      el('a', { class: 'brand', href: root, 'aria-current': currentOf(address, '') }, NAME),
      el('details', { class: 'menu' }, el('summary', {}, 'Menu'), el('ul', {}, items)),
      // The search page has this box below its heading.
      address === PAGES.search ? '' : searchBox('q', root),
    ]),
    '\n',
    onPaper,
  ]);
}

function currentOf(address: string, target: string): string | null {
  if (address === target) return 'page';
  return target !== '' && address.startsWith(target) ? 'true' : null;
}

function trailOf(trail: NonNullable<Page['trail']>, root: string): Child {
  const steps = trail.map(([label, address]) => el('li', {}, linkTo(root, address, label)));
  return el('nav', { class: 'trail', 'aria-label': 'Where this page is' }, el('ol', {}, steps));
}

function footer(root: string, generatedAt: string | null): Child {
  const date = generatedAt?.slice(0, 10) ?? null;
  const links = [
    ['About', PAGES.about],
    ['Licences', `${PAGES.about}#licences`],
    ['Report a problem', `${PAGES.docs}#contact`],
    ['What changed', RELEASES],
    ['Release', RELEASE],
    ['Checksums', SUMS],
    ['Check a file', VERIFY_PAGE],
    ['OpenAPI', OPENAPI],
  ].map(([label = '', target = '']) => linkTo(root, target, label));
  return el('footer', { class: 'foot' }, [
    p(
      'Published evidence, as published. Null is unavailable and never zero; nothing here is a finding of cause or guilt.',
    ),
    '\n',
    p(
      date === null ? '' : ['Data as of ', el('time', { datetime: date }, date), '. '],
      'Each source’s own licence governs its data.',
    ),
    '\n',
    el('p', { class: 'links' }, joined(links, ' ')),
  ]);
}
