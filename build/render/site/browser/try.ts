/**
 * The form of docs/reference/<resource>/: sends its request to the service that the page is from, and shows the response as it
 * came: status, time, header fields, and the first lines of the body.
 */
import { code, el, p, type Child } from '../../../../shim/view/node.ts';
import { facts } from '../../../../shim/view/table.ts';
import { grouped } from '../../../../shim/view/words.ts';
import { draw } from './shared/dom.ts';

/** Lines of a body that are shown. */
const MOST_LINES = 200;

const form = document.querySelector<HTMLFormElement>('.try');
const status = document.querySelector('.try-status');
const answer = document.querySelector('.try-answer');
/** The request that was sent last: only its response is shown. */
let last = '';

if (form && status && answer) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const address = addressOf(form);
    last = address;
    draw(status, 'The request is on its way.');
    draw(answer, null);
    send(address).then(
      ([line, parts]) => {
        if (last !== address) return;
        draw(status, line);
        draw(answer, parts);
      },
      () => {
        if (last === address) draw(status, 'No response came: the service cannot be reached from here.');
      },
    );
  });
}

/** The address that the form stands for: every field that holds a text is a parameter. */
function addressOf(given: HTMLFormElement): string {
  const address = new URL(given.action);
  for (const [name, value] of new FormData(given))
    if (typeof value === 'string' && value !== '') address.searchParams.append(name, value);
  return address.href;
}

/** The response to a GET request in one line, and its parts. Rejects where none comes. */
async function send(address: string): Promise<[line: string, parts: Child]> {
  const began = performance.now();
  const response = await fetch(address);
  const body = await response.text();
  const took = Math.round(performance.now() - began);
  const lines = linesOf(body);
  const shown = lines.slice(0, MOST_LINES);
  const bytes = grouped(new TextEncoder().encode(body).length);
  return [
    `Status ${response.status} after ${grouped(took)} ms, ${bytes} bytes.`,
    [
      el('h3', {}, 'Request'),
      el('pre', {}, el('a', { href: address }, `GET ${address}`)),
      el('h3', {}, 'Header fields of the response'),
      facts([...response.headers]),
      el('h3', {}, 'Body'),
      shown.length < lines.length && p(`The first ${MOST_LINES} of ${grouped(lines.length)} lines.`),
      el('pre', { tabindex: 0, role: 'region', 'aria-label': 'Body' }, code(shown.join('\n'))),
    ],
  ];
}

/** JSON with a line for each value; anything else as it is, since a copy of the files may answer with a page. */
function linesOf(body: string): string[] {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // It is shown as it came.
  }
  return text.split('\n');
}
