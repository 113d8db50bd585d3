/**
 * The explorer in a browser: a change of the form or a link of the page requests the data of the new address and draws it in place, with
 * the view that the service prints pages with. The address is that of the page as the service answers it. Where there is no service,
 * the browser answers from the files next to the page (mirror.ts).
 */
import type { Exploration } from '../../../../shim/core/explore-answer.ts';
import { submitted } from '../../../../shim/core/explore-query.ts';
import { WORLD } from '../../../../shim/core/paths.ts';
import type { WorldShapes } from '../../../../shim/view/chart/world.ts';
import type { ExplorePlace } from '../../../../shim/view/explore-link.ts';
import type * as View from './explore-view.ts';
import { siteOfCopy } from './shared/copy.ts';

/** Answers an address from the files of a copy, and says where it read them. */
type Mirror = (search: string) => Promise<{ model: Exploration; read: string }>;

/** Path from the page to the site root. */
const UP = '../';
const ROOT = new URL(UP, location.href.replace(/[?#].*$/, ''));
const page = document.querySelector<HTMLElement>('#explore');
if (page) takeOver(page);

function takeOver(place: HTMLElement): void {
  const start = place.dataset['answered'] === undefined ? [...place.childNodes] : null;
  /** Below the forms of the file: examples, which an answer takes the place of. */
  const rest = start ? [...(place.parentElement?.querySelectorAll(':scope > section') ?? [])] : [];
  let mirror: Mirror | null = null;
  let world: WorldShapes | null = null;
  let latest = 0;
  /** The query that is shown or requested, and the title of the page without one. */
  let query = location.search;
  const title = document.title;
  let changed = { field: '', at: 0 };

  /** Draws the answer of an address; what was requested later is drawn, whichever answer arrives first. */
  async function show(search: string): Promise<void> {
    const turn = (latest += 1);
    query = search;
    const before = typed(place);
    place.setAttribute('aria-busy', 'true');
    try {
      const [answered, view] = await Promise.all([answerOf(search), loadView()]);
      if (view.needsWorld(answered.model)) world ??= await loadWorld();
      if (turn !== latest) return;
      const focus = focusIn(place);
      const edited = [...typed(place)].filter(([name, value]) => before.get(name) !== value);
      view.drawPage(place, answered.model, placeOf(answered), world);
      for (const part of rest) part.toggleAttribute('hidden', true);
      wake();
      for (const [name, value] of edited) keepTyped(place, name, value);
      focus();
    } catch (error) {
      if (turn !== latest) return;
      place.querySelector('.result')?.remove();
      place.append(failed(error));
    }
    place.removeAttribute('aria-busy');
  }

  async function answerOf(search: string): Promise<{ model: Exploration; read?: string }> {
    if (!mirror) {
      const response = await fetch(new URL(`explore/?answer=json&${search.slice(1)}`, ROOT));
      if (!response.ok && response.status !== 404) throw new Error(`HTTP status ${response.status}`);
      const isData = response.headers.get('content-type')?.startsWith('application/json') === true;
      if (response.ok && isData) return { model: (await response.json()) as Exploration };
      const { openMirror } = (await import(script('mirror.js'))) as { openMirror: (root: URL) => Mirror };
      mirror = openMirror(ROOT);
    }
    return mirror(search);
  }

  async function more(link: HTMLAnchorElement): Promise<void> {
    const turn = latest;
    // A second press adds nothing twice.
    if (link.ariaBusy) return;
    link.ariaBusy = 'true';
    place.querySelector('.paging + [role=alert]')?.remove();
    try {
      const [answered, view] = await Promise.all([answerOf(link.search), loadView()]);
      const { fault } = answered.model;
      if (fault) throw new Error(fault.message);
      if (turn === latest) view.addRecords(place, answered.model, placeOf(answered));
    } catch (error) {
      link.parentElement?.after(failed(error));
      link.ariaBusy = null;
    }
  }

  function go(search: string, replace = false): void {
    // Without filters it is the page of the file, with its examples.
    if (search === '') return location.assign(location.pathname);
    const address = `${location.pathname}${search}`;
    // A field that is left with Enter has changed, and is submitted.
    if (replace || search === location.search) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    void show(search);
  }

  /** What only a script can do is shown once there is one. */
  function wake(): void {
    for (const button of place.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
  }

  place.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target?.closest<HTMLElement>('[data-copy]');
    if (button) return void copy(button);
    const link = target?.closest('a');
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.origin !== location.origin || link.pathname !== location.pathname) return;
    // A part of the page that is shown.
    if (link.search === '' || link.getAttribute('href')?.startsWith('#') === true) return;
    event.preventDefault();
    // Records are sorted within their page: those of another would not be where the order puts them.
    const isSorted = new URLSearchParams(location.search).has('sort');
    if (link.dataset['more'] !== undefined && !isSorted) void more(link);
    else go(link.search);
  });
  place.addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    go(searchOf(event.target));
  });
  place.addEventListener('change', (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
    const { form, name } = field;
    if (!form?.classList.contains('explore-form')) return;
    // A label of one indicator is none of another.
    for (const other of DEPENDENT[name] ?? []) {
      const control = form.elements.namedItem(other);
      if (control instanceof HTMLSelectElement) control.value = '';
    }
    // Going through a list with the arrow keys is one change.
    const now = performance.now();
    const isSame = changed.field === name && now - changed.at < 1500;
    changed = { field: name, at: now };
    go(searchOf(form), isSame);
  });
  // What was typed while an answer came has changed too, though no event says so.
  place.addEventListener('focusout', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset['edited'] === undefined) return;
    delete target.dataset['edited'];
    target.dispatchEvent(new Event('change', { bubbles: true }));
  });
  addEventListener('popstate', () => {
    // A link to a part of the page does not lead to another page.
    if (location.search === query) return;
    if (location.search.length > 1 || !start) return void show(location.search);
    latest += 1;
    query = '';
    document.title = title;
    place.removeAttribute('aria-busy');
    place.replaceChildren(...start);
    // What was chosen in the form before it was left.
    for (const form of place.querySelectorAll('form')) form.reset();
    for (const part of rest) part.toggleAttribute('hidden', false);
  });

  // Whoever comes to the form is about to change it.
  place.addEventListener('focusin', () => void loadView(), { once: true });

  const printedFor = place.dataset['site'] ?? '';
  // Requests to copy name the address that the page was opened at.
  for (const code of place.querySelectorAll('.copyable code'))
    code.textContent = code.textContent.replaceAll(`${printedFor}/`, ROOT.href);
  wake();
  if (start && location.search.length > 1) void show(location.search);
}

/** Fields that mean nothing any more when another one changes. */
const DEPENDENT: Record<string, string[]> = {
  dataset: ['indicator', 'category', 'subgroup'],
  indicator: ['category', 'subgroup'],
  category: ['subgroup'],
};

function placeOf({ read }: { read?: string }): ExplorePlace {
  const siteUrl = ROOT.href.replace(/\/$/, '');
  return { root: UP, siteUrl, ...(read === undefined ? {} : { read, site: siteOfCopy(ROOT) }) };
}

/** What is said where an answer does not come. */
function failed(error: unknown): HTMLElement {
  const note = document.createElement('p');
  note.className = 'note warn result';
  note.setAttribute('role', 'alert');
  note.textContent = `No response: ${error instanceof Error ? error.message : String(error)}. Try again.`;
  return note;
}

function searchOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const query = submitted(`?${new URLSearchParams([...fields, ['form', '1']])}`) ?? '';
  return query === '' ? '' : `?${query}`;
}

function script(name: string): string {
  return new URL(`assets/${name}`, ROOT).href;
}

async function loadView(): Promise<typeof View> {
  return (await import(script('explore-view.js'))) as typeof View;
}

/** The shapes of maps; null where they cannot be had: what is drawn without them is shown. */
async function loadWorld(): Promise<WorldShapes | null> {
  try {
    const response = await fetch(new URL(WORLD, ROOT));
    return response.ok ? ((await response.json()) as WorldShapes) : null;
  } catch {
    return null;
  }
}

async function copy(button: HTMLElement): Promise<void> {
  const code = button.parentElement?.querySelector('code');
  if (!code) return;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Without permission the text is selected, ready to be copied by hand.
    getSelection()?.selectAllChildren(code);
  }
}

/** What is typed into the fields of the form. */
function typed(place: HTMLElement): Map<string, string> {
  const fields = place.querySelectorAll<HTMLInputElement>('.explore-form input:not([type=hidden])');
  return new Map([...fields].map(({ name, value }) => [name, value]));
}

/** Puts what was typed into the field that was drawn meanwhile. */
function keepTyped(place: HTMLElement, name: string, value: string): void {
  const field = place.querySelector<HTMLInputElement>(`.explore-form input[name="${CSS.escape(name)}"]`);
  if (!field) return;
  field.value = value;
  field.dataset['edited'] = '';
}

/** Where the keyboard is and what is open, given back after a drawing. */
function focusIn(place: HTMLElement): () => void {
  const active = document.activeElement;
  const [id, words] = [active?.id ?? '', active?.textContent.replaceAll(/[ ↑↓]/g, '') ?? ''];
  const had = active !== null && place.contains(active);
  const open = new Set([...place.querySelectorAll('details[open] > summary')].map((one) => one.textContent));
  return () => {
    for (const summary of place.querySelectorAll('summary'))
      if (open.has(summary.textContent)) summary.parentElement?.toggleAttribute('open', true);
    if (!had) return;
    const same =
      (id === '' ? null : document.getElementById(id)) ??
      [...place.querySelectorAll<HTMLElement>('nav a, thead a, summary, button')].find(
        (one) => one.textContent.replaceAll(/[ ↑↓]/g, '') === words,
      );
    const heading = place.querySelector<HTMLElement>('#result');
    if (!same) heading?.setAttribute('tabindex', '-1');
    (same ?? heading)?.focus({ preventScroll: true });
  };
}
