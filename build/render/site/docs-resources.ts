/** The resources as the documentation shows them: summary, a request that works, every parameter with its rule. */
import { exampleQuery, parameterExamples } from '../openapi/examples.ts';
import { operationId } from '../openapi/operations.ts';
import type { Operation } from '../../../shim/core/operation.ts';
import { API_ROOT, payloadSchemaPath, responseSchemaPath } from '../../../shim/core/paths.ts';
import type { SiteFacts } from './facts.ts';
import { escaped } from '../../lib/html.ts';
import { table } from './table.ts';

/** One section a resource. */
export function resourceSections(facts: SiteFacts): string {
  return facts.operations.map((operation) => resourceSection(operation, facts)).join('\n');
}

function resourceSection(operation: Operation, { siteUrl, examples }: SiteFacts): string {
  const { name, summary, tool, freshness } = operation;
  const example = examples.get(name);
  const query = example ? exampleQuery(operation, example) : '';
  const path = `/${API_ROOT}/${name}`;
  return `<h3 id="${name}"><code>GET ${path}</code></h3>
<p>${escaped(summary)}</p>
<pre><code>${escaped(`curl '${siteUrl}${path}${query === '' ? '' : `?${query}`}'`)}</code></pre>
${parameters(operation, siteUrl, example ? parameterExamples(operation, example) : new Map<string, unknown>())}
<p class="links">${tool === null ? '' : `<span>Tool <code>${operationId(operation)}</code></span>`}<a href="../${responseSchemaPath(name)}">Schema of the answer<span class="hidden"> of ${name}</span></a><a href="../${payloadSchemaPath(name)}">Schema of its data<span class="hidden"> of ${name}</span></a>${freshness === 'data' ? `<a href="../${API_ROOT}/${name}.json">First page as a file<span class="hidden"> of ${name}</span></a>` : '<span>Asked live, cached for a minute</span>'}</p>`;
}

function parameters(
  { name, parameters: all }: Operation,
  siteUrl: string,
  values: Map<string, unknown>,
): string {
  if (all.length === 0) return '<p>No parameters.</p>';
  return table(
    `Parameters of ${name}`,
    ['Parameter', 'Meaning', 'Accepts', 'Default', 'Example'],
    all.map((parameter) => [
      `<code id="${name}-${parameter.name}">${parameter.name}</code>`,
      escaped(parameter.description),
      escaped(parameter.accepts),
      parameter.schema['default'] === undefined
        ? ''
        : `<code>${escaped(String(parameter.schema['default']))}</code>`,
      values.has(parameter.name) ? shown(String(values.get(parameter.name))) : '',
    ]),
  );
}

function shown(value: string): string {
  return value === '' ? 'empty' : `<code>${escaped(value)}</code>`;
}
