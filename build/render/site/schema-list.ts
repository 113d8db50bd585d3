/** schemas/index.html: every published schema for people. */
import type { Artifact } from '../../lib/tree.ts';
import type { SchemaEntry } from '../discovery/schema-index.ts';
import { escaped, raw } from '../../lib/html.ts';
import { page } from './layout.ts';

/** Renders the list. */
export function renderSchemaPage(entries: SchemaEntry[], siteUrl: string): Artifact {
  const body = `<h1>Schemas</h1>
<p class="standfirst">JSON Schema 2020-12 of everything the service answers and packages. The same list for programs: <a href="./index.json">index.json</a>.</p>
<ul>
${entries
  .map(
    ({ file, title, description }) =>
      `<li><a href="./${escaped(file)}">${escaped(file.replace('.schema.json', ''))}</a>: ${escaped(title)}${description === '' ? '' : `. ${escaped(description)}`}</li>`,
  )
  .join('\n')}
</ul>`;
  return page(
    {
      path: 'schemas/index.html',
      title: 'Schemas - Public Evidence API',
      description: 'JSON Schemas of the Public Evidence API.',
      body: raw(body),
    },
    siteUrl,
  );
}
