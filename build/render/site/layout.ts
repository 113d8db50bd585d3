/**
 * The frame of every page for people: head, navigation, footer. Links are relative, so a mirror works under any address and
 * from any folder; nothing is loaded from elsewhere and no script is needed.
 */
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { markup, type Markup } from '../../lib/html.ts';
import { STYLE } from './style.css.ts';

export const STYLESHEET = 'assets/site.css';

/** A page to be framed. */
export interface PageContent {
  /** Path below the site root: `news/index.html`. */
  path: string;
  title: string;
  description: string;
  /** The main part. */
  body: Markup;
  /** Further elements of the head, each with its line break. */
  head?: Markup;
}

const NAVIGATION: [path: string, label: string][] = [
  ['', 'Overview'],
  ['explore/', 'Explore'],
  ['news/', 'Newsroom'],
  ['docs/', 'Documentation'],
];

/** Renders a whole page; `siteUrl` without trailing slash. */
export function page(
  { path, title, description, body, head = markup`` }: PageContent,
  siteUrl: string,
): Artifact {
  const root = rootFrom(path);
  const address = `${siteUrl}/${path.replace(/(^|\/)index\.html$/, '$1')}`;
  const links = NAVIGATION.map(([target, label]) => {
    const here = target === '' ? path === 'index.html' : path.startsWith(target);
    return markup`<a href="${root}${target}"${here ? markup` aria-current="true"` : ''}>${label}</a>`;
  });
  const document = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${address}">
<link rel="stylesheet" href="${root}${STYLESHEET}">
${head}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><nav aria-label="Site"><a class="brand" href="${root}">Public Evidence</a>${links}</nav></header>
<main id="main">
${body}
</main>
<footer class="foot">
<p>Published evidence, as published. Null is unavailable and never zero; nothing here is a finding of cause or guilt.</p>
<p><a href="${root}api/v1/markets.json">Catalog</a> <a href="${root}openapi.json">OpenAPI</a> <a href="${root}release.json">Release</a> <a href="${root}SHA256SUMS">Checksums</a></p>
</footer>
</body>
</html>
`;
  return textArtifact(path, document.text);
}

/** The relative way from a page to the site root: '' or `../../`. */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 1;
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** The one stylesheet. */
export function renderStylesheet(): Artifact {
  return textArtifact(STYLESHEET, STYLE);
}
