/** docs/reference/<resource>/: a page for each resource, with a form that sends its request from the page. */
import { API_ROOT } from '../../../shim/core/paths.ts';
import type { Operation, Parameter } from '../../../shim/core/types.ts';
import { PAGES, referenceAddress, rootFrom } from '../../../shim/view/address.ts';
import { field } from '../../../shim/view/explore-form.ts';
import { code, el, p, type Child } from '../../../shim/view/node.ts';
import { section } from '../../../shim/view/table.ts';
import { grouped } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { exampleTarget, isPaged, shortSummary } from '../openapi/examples.ts';
import { curlCommand, parameterTable, resourceLinks } from './docs.ts';
import { framed, withContents } from './page.ts';

/** Lines of an example response that are printed. */
const MOST_LINES = 100;

/** Renders the pages. */
export function renderReference(facts: SiteFacts): Artifact[] {
  return facts.operations.map((operation) => {
    const { name, summary } = operation;
    const path = `${referenceAddress(name)}index.html`;
    const root = rootFrom(path);
    const title = `GET /${API_ROOT}/${name}`;
    const sections = [
      section('try', 'Try it', tryForm(operation, facts, root)),
      section('parameters', 'Parameters', parameterTable(operation, facts)),
      section('example', 'Example', curlCommand(operation, facts), exampleResponse(operation, facts)),
    ];
    return framed(facts.evidence, {
      path,
      title,
      description: `${shortSummary(operation)}.`,
      trail: [['Documentation', PAGES.docs]],
      scripts: ['try.js'],
      body: [
        el('h1', {}, code(title)),
        p(summary),
        resourceLinks(operation, facts, root),
        withContents(sections),
      ],
    });
  });
}

/** A field for each parameter, filled in so that the request finds a record. Any text can be sent: what is wrong with it, the service says. */
function tryForm(
  { name, parameters, ...operation }: Operation,
  { examples }: SiteFacts,
  root: string,
): Child {
  const [, query = ''] = exampleTarget({ name, parameters, ...operation }, examples.get(name)).split('?');
  const given = new URLSearchParams(query);
  return [
    p(
      'The form sends the request from this page and shows the response as it is. Fields without text are not sent. Without a script, run the command of the example.',
    ),
    el('form', { class: 'explore-form try', hidden: true, action: `${root}${API_ROOT}/${name}` }, [
      el(
        'div',
        { class: 'fields' },
        parameters.map((parameter) =>
          field(parameter.name, parameter.name, null, control(parameter, given), parameter.accepts),
        ),
      ),
      el('p', { class: 'send' }, el('button', {}, 'Send the request')),
    ]),
    el('p', { class: 'try-status', role: 'status' }),
    el('div', { class: 'try-answer' }),
  ];
}

function control(
  { name, schema }: Parameter,
  given: URLSearchParams,
): (attributes: Record<string, string | null>) => Child {
  const value = given.get(name);
  const choices = schema['enum'];
  return (attributes) =>
    Array.isArray(choices)
      ? el('select', attributes, [
          el('option', { value: '' }, 'Not sent'),
          choices.map(String).map((choice) => el('option', { selected: choice === value }, choice)),
        ])
      : el('input', { ...attributes, value, autocomplete: 'off', spellcheck: 'false' });
}

/** The beginning of a real response. One of designations is printed nowhere but where it is asked for. */
function exampleResponse(operation: Operation, { examples }: SiteFacts): Child {
  const example = examples.get(operation.name);
  if (!example || operation.name === 'entities') return '';
  const lines = JSON.stringify(example.body, null, 2).split('\n');
  const length =
    lines.length > MOST_LINES ? `, the first ${MOST_LINES} of ${grouped(lines.length)} lines` : '';
  const lists = isPaged(operation) ? '' : '; long lists are cut short here';
  return [
    p(`A response of this resource, status ${example.status}${length}${lists}:`),
    el('pre', {}, code(lines.slice(0, MOST_LINES).join('\n'))),
  ];
}
