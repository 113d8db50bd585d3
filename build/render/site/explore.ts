/**
 * explore/index.html: filters in the browser. Without script it is a list of responses to open; with script the forms, made
 * from the parameters of the operations, come alive (explore.js).
 */
import type { ObservationsDescriptor } from '../../lib/dataset.ts';
import { type Markup, filledMarkup, lines, markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { type SiteFacts, designationsNote } from '../facts.ts';
import { grouped } from '../../../shim/view/words.ts';
import { exampleTarget } from '../openapi/examples.ts';
import { contentPage, list } from './layout.ts';
import { entities } from '../../../shim/core/operations/entities.ts';
import { marketObservations } from '../../../shim/core/operations/market-observations.ts';
import { API_ROOT, pagePath } from '../../../shim/core/paths.ts';
import type { Operation, Parameter } from '../../../shim/core/types.ts';
import explored from '../content/explored.json' with { type: 'json' };

/** Renders the page. */
export function renderExplore(facts: SiteFacts): Artifact {
  const datasets = marketDatasets(facts).map(({ name, title, rows }) => {
    const address = `../${API_ROOT}/market-observations?dataset=${name}`;
    return markup`<a href="${address}">${title}</a> (${grouped(rows)} records)`;
  });
  const forms = explored.flatMap(({ resource, title, words }) => {
    const operation = facts.operations.find(({ name }) => name === resource);
    return operation ? [section(operation, title, words, facts)] : [];
  });
  return contentPage('explore', facts, {
    forms: markup`<div id="explorer">\n${lines(forms)}\n</div>`,
    datasets: list(datasets),
  });
}

/** The datasets of the market catalog with their number of records; context datasets are not among them. */
function marketDatasets({ descriptors, manifest }: SiteFacts): (ObservationsDescriptor & { rows: number })[] {
  return descriptors.flatMap((descriptor) => {
    const pack = manifest.packs.find(({ id, kind }) => id === descriptor.name && kind === 'observations');
    return pack && descriptor.kind === 'observations' ? [{ ...descriptor, rows: pack.rows }] : [];
  });
}

function section(operation: Operation, title: string, words: string, facts: SiteFacts): Markup {
  const { name, parameters } = operation;
  const example = exampleTarget(operation, facts.examples.get(name));
  const fields = parameters
    .filter((parameter) => parameter.name !== 'cursor')
    .map((parameter) => field(name, parameter, facts));
  const note =
    name === entities.name ? designationsNote(facts.descriptors, facts.manifest.generatedAt) : null;
  const values = {
    name,
    title,
    words: note === null ? words : `${words} ${note}`,
    example,
    page: pagePath(name),
    subject: title.toLowerCase(),
  };
  return filledMarkup(facts.source('content/explorer.txt').trimEnd(), { ...values, fields: lines(fields) });
}

function field(resource: string, parameter: Parameter, facts: SiteFacts): Markup {
  const { name, description, schema } = parameter;
  const id = `${resource}-${name}`;
  const attributes = markup`id="${id}" name="${name}" aria-describedby="${id}-help"`;
  const choices = choicesOf(resource, parameter, facts);
  const control = choices ? select(attributes, choices) : input(id, attributes, schema);
  return markup`<div><label for="${id}">${name}</label>${control}<small id="${id}-help">${description}</small></div>`;
}

function select(attributes: Markup, choices: [value: string, label: string][]): Markup {
  const options = choices.map(([value, label]) => markup`<option value="${value}">${label}</option>`);
  return markup`<select ${attributes}><option value="">any</option>${options}</select>`;
}

function input(id: string, attributes: Markup, schema: Parameter['schema']): Markup {
  const { type, minimum, maximum, pattern, maxLength = 120 } = schema;
  if (type === 'integer')
    return markup`<input ${attributes} type="number" inputmode="numeric" min="${String(minimum)}" max="${String(maximum)}">`;
  // Browsers read patterns with the flag v, in which a hyphen at the end of a class is written as an escape.
  const checked =
    typeof pattern === 'string' ? markup` pattern="${pattern.replaceAll('-]', String.raw`\-]`)}"` : '';
  return markup`<input ${attributes} type="text" autocomplete="off" list="${id}-list"${checked} maxlength="${String(maxLength)}"><datalist id="${id}-list"></datalist>`;
}

/** What a parameter may be chosen from: its enum, or the ids of the catalog; null where it takes any text. */
function choicesOf(
  resource: string,
  { name, schema }: Parameter,
  facts: SiteFacts,
): [value: string, label: string][] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => [String(value), String(value)]);
  if (resource !== marketObservations.name) return null;
  const datasets = marketDatasets(facts);
  if (name === 'dataset') return datasets.map(({ name: id, title }) => [id, title]);
  if (name !== 'indicator') return null;
  return datasets.flatMap(({ indicators }) =>
    indicators.map(({ id, label }): [string, string] => [id, label]),
  );
}
