/**
 * The frame of every page for people: head, navigation, footer. Links are relative, so a mirror works under any address and
 * from any folder; nothing is loaded from elsewhere and no script is needed.
 */
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { escaped } from '../../lib/html.ts';
import { STYLE } from './style.css.ts';

export const STYLESHEET = 'assets/site.css';

/** A page to be framed. */
export interface PageContent {
  /** Path below the site root: `news/index.html`. */
  path: string;
  title: string;
  description: string;
  /** HTML of the main part. */
  body: string;
  /** Further elements of the head. */
  head?: string;
}

const NAVIGATION: [path: string, label: string][] = [
  ['', 'Overview'],
  ['explore/', 'Explore'],
  ['news/', 'Newsroom'],
  ['docs/', 'Documentation'],
];

/** Renders a whole page; `siteUrl` without trailing slash. */
export function page({ path, title, description, body, head = '' }: PageContent, siteUrl: string): Artifact {
  const root = rootFrom(path);
  const address = `${siteUrl}/${path.replace(/(^|\/)index\.html$/, '$1')}`;
  const links = NAVIGATION.map(([target, label]) => {
    const here = target === '' ? path === 'index.html' : path.startsWith(target);
    return `<a href="${root}${target}"${here ? ' aria-current="true"' : ''}>${label}</a>`;
  });
  return textArtifact(
    path,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(description)}">
<link rel="canonical" href="${escaped(address)}">
<link rel="stylesheet" href="${root}${STYLESHEET}">
${head}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><nav aria-label="Site"><a class="brand" href="${root}">Public Evidence</a>${links.join('')}</nav></header>
<main id="main">
${body}
</main>
<footer class="foot">
<p>Published evidence, as published. Null is unavailable and never zero; nothing here is a finding of cause or guilt.</p>
<p><a href="${root}api/v1/markets.json">Catalog</a> <a href="${root}openapi.json">OpenAPI</a> <a href="${root}release.json">Release</a> <a href="${root}SHA256SUMS">Checksums</a></p>
</footer>
</body>
</html>
`,
  );
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
