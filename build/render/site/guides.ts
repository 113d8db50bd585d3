/** docs/<name>/: a page for each guide, which is a Markdown file of the folder docs. */
import markdownIt, { type Token } from 'markdown-it';
import { PAGES } from '../../../shim/view/address.ts';
import { el, trusted, type Child } from '../../../shim/view/node.ts';
import { listEach } from '../../../shim/view/table.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { contents, framed } from './page.ts';

/** The guides, in the order of their list: for those who read the evidence, then for those who run the service. */
export const GUIDES = [
  'data-formats',
  'citing',
  'client',
  'mcp',
  'agents',
  'api-changelog',
  'trust',
  'mirrors',
  'self-hosting',
  'netlify',
  'refresh',
  'newsroom',
  'architecture',
  'dependencies',
];

const md = markdownIt('commonmark', { html: false }).enable('table');
md.renderer.rules['table_open'] = (tokens, at) => {
  const caption = md.utils.escapeHtml(String(tokens[at]?.meta?.['caption']));
  return `<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>\n`;
};
md.renderer.rules['table_close'] = () => '</table></div>\n';

/** The address of this service in the guides. */
const OWN = /https:\/\/evidence\.example\b|(?:http:\/\/localhost:3000|\{site_url\})(?=\/)/g;

/** Renders the guides. Throws for a link to a file that is not on the site. */
export function renderGuides({ source, evidence }: RecordFacts): Artifact[] {
  return GUIDES.map((name) => {
    const tokens = tokensOf(name, source, evidence.siteUrl);
    const { title, about } = headOf(tokens);
    return framed(evidence, {
      path: `${PAGES.docs}${name}/index.html`,
      title,
      description: about,
      trail: [['Documentation', PAGES.docs]],
      body: bodyOf(name, tokens),
    });
  });
}

/** The list of guides, each with what it is about. */
export function guideList({ source, siteUrl }: Pick<RecordFacts, 'source' | 'siteUrl'>): Child {
  return listEach(GUIDES, (name) => {
    const { title, about } = headOf(tokensOf(name, source, siteUrl));
    return [el('a', { href: `${name}/` }, title), `: ${about}`];
  });
}

function tokensOf(name: string, source: RecordFacts['source'], siteUrl: string): Token[] {
  return md.parse(source(`../../docs/${name}.md`).replaceAll(OWN, siteUrl), {});
}

/** The title of a guide, and the first sentence of its text. */
function headOf(tokens: readonly Token[]): { title: string; about: string } {
  const [title = '', first = ''] = tokens.filter(({ type }) => type === 'inline').map(textOf);
  return { title, about: first.replace(/(?<=\.)\s.*/s, '') };
}

/** The text of a heading or paragraph without its markup. */
function textOf(token: Token | undefined): string {
  const parts = token?.children ?? [];
  return parts.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

function bodyOf(name: string, tokens: Token[]): Child {
  const chapters: [id: string, heading: string][] = [];
  let heading = '';
  let tables = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      [heading, tables] = [textOf(tokens[at + 1]), 0];
      const id = anchorOf(heading);
      if (token.tag !== 'h1') token.attrSet('id', id);
      if (token.tag === 'h2') chapters.push([id, heading]);
    }
    if (token.type === 'table_open') {
      tables += 1;
      token.meta = { caption: `${heading}${tables > 1 ? `, table ${tables}` : ''}` };
    }
    for (const link of token.children ?? [])
      if (link.type === 'link_open') link.attrSet('href', hrefOf(String(link.attrGet('href')), name));
  }
  const end = tokens.findIndex(({ type }) => type === 'heading_close') + 1;
  const printed = (part: Token[]): Child => trusted(md.renderer.render(part, md.options, {}));
  return [
    printed(tokens.slice(0, end)),
    chapters.length > 2 && contents(chapters),
    printed(tokens.slice(end)),
  ];
}

/** A link of a file in docs as the page of that file has it, one folder deeper. */
function hrefOf(href: string, name: string): string {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, guide = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (GUIDES.includes(guide)) return `../${guide}/${anchor}`;
  if (href.startsWith('../schemas/')) return `../${href}`;
  throw new Error(`docs/${name}.md links to ${href}, which is not on the site.`);
}

/** The anchor of a heading, as places that show Markdown make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
