/**
 * explore/index.html: filters in the browser. Without script it is a list of answers to open; with script the forms, made
 * from the parameters of the operations, come alive (build/render/site/browser/explore.js).
 */
import { atlas } from '../../../shim/core/operations/atlas.ts';
import { entities } from '../../../shim/core/operations/entities.ts';
import { marketObservations } from '../../../shim/core/operations/market-observations.ts';
import type { Operation, Parameter } from '../../../shim/core/operation.ts';
import { API_ROOT, pagePath } from '../../../shim/core/paths.ts';
import type { Artifact } from '../../lib/tree.ts';
import { addressOf } from './home.ts';
import { grouped, type SiteFacts } from './facts.ts';
import { escaped, raw } from '../../lib/html.ts';
import { page } from './layout.ts';

const EXPLORED: [operation: Operation, title: string, words: string][] = [
  [
    marketObservations,
    'Observations',
    'One record a source cell. Choose a dataset; an empty field is no filter.',
  ],
  [
    atlas,
    'Country-year atlas',
    'Organized-crime scores and firearms-tracing counts. The two sources are never combined.',
  ],
  [
    entities,
    'Designations',
    'Official names and programs only. A designation is an administrative action, not proof of guilt.',
  ],
];

/** Renders the page. */
export function renderExplore(facts: SiteFacts): Artifact {
  const body = `<div class="page wide">
<h1>Explore</h1>
<p class="standfirst">Filter the records as they are published. Null is unavailable, 0 is a zero the source printed, and nothing is added up.</p>
<div id="explorer">
${EXPLORED.map(([operation, title, words]) => section(operation, title, words, facts)).join('\n')}
</div>
<h2 id="datasets">Datasets as answers</h2>
<p>The first page of each dataset, as the interface gives it:</p>
<ul>
${facts.descriptors
  .filter(({ kind, name }) => kind === 'observations' && isMarket(facts, name))
  .map(
    ({ name, title }) =>
      `<li><a href="../${API_ROOT}/market-observations?dataset=${name}">${escaped(title)}</a> (${grouped(facts.manifest.packs.find(({ id }) => id === name)?.rows ?? 0)} records)</li>`,
  )
  .join('\n')}
</ul>
</div>`;
  return page(
    {
      path: 'explore/index.html',
      title: 'Explore - Public Evidence API',
      description: 'Filter observations, the country-year atlas and designations in the browser.',
      body: raw(body),
      head: raw(
        '<link rel="stylesheet" href="../assets/cards.css">\n<script type="module" src="../assets/explore.js"></script>\n',
      ),
    },
    facts.siteUrl,
  );
}

function section(operation: Operation, title: string, words: string, facts: SiteFacts): string {
  const { name, parameters } = operation;
  const example = addressOf(facts, name).slice(facts.siteUrl.length + 1);
  return `<section aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
<p>${words}</p>
<p class="links"><a href="../${pagePath(name)}">First page of all records<span class="hidden"> of ${name}</span></a><a href="../${escaped(example)}">A filtered answer<span class="hidden"> of ${name}</span></a><a href="../docs/#${name}">Its documentation<span class="hidden">: ${name}</span></a></p>
<form data-resource="${name}" hidden>
<fieldset><legend>Filter ${title.toLowerCase()}</legend>
<div class="fields">
${parameters
  .filter((parameter) => parameter.name !== 'cursor')
  .map((parameter) => field(name, parameter, facts))
  .join('\n')}
</div>
<button type="submit">Show records</button>
</fieldset>
</form>
<div class="result" data-result="${name}"></div>
</section>`;
}

function field(resource: string, { name, description, schema }: Parameter, facts: SiteFacts): string {
  const id = `${resource}-${name}`;
  return `<div><label for="${id}">${name}</label>${control(resource, id, name, schema, facts)}<small id="${id}-help">${escaped(description)}</small></div>`;
}

function control(
  resource: string,
  id: string,
  name: string,
  schema: Parameter['schema'],
  facts: SiteFacts,
): string {
  const attributes = `id="${id}" name="${name}" aria-describedby="${id}-help"`;
  const choices = Array.isArray(schema['enum'])
    ? schema['enum'].map(String).map((value): [string, string] => [value, value])
    : catalogChoices(resource, name, facts);
  if (choices) {
    const options = choices.map(
      ([value, label]) => `<option value="${escaped(value)}">${escaped(label)}</option>`,
    );
    return `<select ${attributes}><option value="">any</option>${options.join('')}</select>`;
  }
  if (schema['type'] === 'integer')
    return `<input ${attributes} type="number" inputmode="numeric" min="${String(schema['minimum'])}" max="${String(schema['maximum'])}">`;
  const pattern = typeof schema['pattern'] === 'string' ? ` pattern="${escaped(schema['pattern'])}"` : '';
  return `<input ${attributes} type="text" autocomplete="off" list="${id}-list"${pattern} maxlength="${String(schema['maxLength'] ?? 120)}"><datalist id="${id}-list"></datalist>`;
}

/** Ids of the catalog, where a parameter takes one. */
function catalogChoices(resource: string, name: string, facts: SiteFacts): [string, string][] | null {
  if (resource !== marketObservations.name) return null;
  const listed = facts.descriptors.flatMap((descriptor) =>
    descriptor.kind === 'observations' && isMarket(facts, descriptor.name) ? [descriptor] : [],
  );
  if (name === 'dataset') return listed.map((descriptor) => [descriptor.name, descriptor.title]);
  if (name === 'indicator')
    return listed.flatMap(({ indicators }) =>
      indicators.map(({ id, label }): [string, string] => [id, label]),
    );
  return null;
}

/** Whether a dataset is one of the market catalog: context datasets are not. */
function isMarket({ manifest }: SiteFacts, dataset: string): boolean {
  return manifest.packs.some(({ id, kind }) => id === dataset && kind === 'observations');
}
