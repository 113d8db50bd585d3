/** docs/<name>/: a page for each guide, which is a Markdown file of the folder docs. */
import markdownIt from 'markdown-it';
import { PAGES } from '../../../shim/view/address.ts';
import { el, trusted, type Child } from '../../../shim/view/node.ts';
import { list } from '../../../shim/view/table.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { framed } from './page.ts';

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

type Guide = Record<'name' | 'title' | 'about', string>;

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
    const text = textOf(name, source).replaceAll(OWN, evidence.siteUrl);
    const { title, about } = guideIn(name, text);
    return framed(evidence, {
      path: `${PAGES.docs}${name}/index.html`,
      title,
      description: about,
      trail: [['Documentation', PAGES.docs]],
      body: bodyOf(name, text),
    });
  });
}

/** The list of guides, each with what it is about. */
export function guideList({ source }: Pick<RecordFacts, 'source'>): Child {
  const guides = GUIDES.map((name) => guideIn(name, textOf(name, source)));
  return list(guides.map(({ name, title, about }) => [el('a', { href: `${name}/` }, title), `: ${about}`]));
}

const textOf = (name: string, source: RecordFacts['source']): string => source(`../../docs/${name}.md`);

/** The title of a guide, and the first sentence of its text. */
function guideIn(name: string, text: string): Guide {
  const [title = name, first = ''] = md
    .parse(text, {})
    .filter(({ type }) => type === 'inline')
    .map(({ children }) =>
      (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join(''),
    );
  return { name, title, about: first.replace(/(?<=\.)\s.*/s, '') };
}

function bodyOf(name: string, text: string): Child {
  const tokens = md.parse(text, {});
  const contents: Child[] = [];
  let { title: heading } = guideIn(name, text);
  let tables = 0;
  for (const [at, token] of tokens.entries()) {
    const content = tokens[at + 1]?.content ?? '';
    if (token.type === 'heading_open' && token.tag !== 'h1') {
      const id = anchorOf(content);
      [heading, tables] = [plain(content), 0];
      token.attrSet('id', id);
      if (token.tag === 'h2') contents.push(el('li', {}, el('a', { href: `#${id}` }, heading)));
    }
    if (token.type === 'table_open') {
      tables += 1;
      token.meta = { caption: `${heading}${tables > 1 ? `, table ${tables}` : ''}` };
    }
    for (const link of token.children ?? [])
      if (link.type === 'link_open') link.attrSet('href', hrefOf(String(link.attrGet('href')), name));
  }
  const end = tokens.findIndex(({ type }) => type === 'heading_close') + 1;
  const printed = (part: typeof tokens): Child => trusted(md.renderer.render(part, md.options, {}));
  return [
    printed(tokens.slice(0, end)),
    contents.length > 2 &&
      el('nav', { 'aria-label': 'On this page' }, el('ul', { class: 'toc contents' }, contents)),
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
  return plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const plain = (markdown: string): string => markdown.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1');
