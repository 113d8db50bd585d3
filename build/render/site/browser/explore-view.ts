/**
 * What the script of the explorer draws with: the view of the page, loaded at the first change. A page that is only read, or was printed by
 * the service, needs none of it.
 */
import type { Exploration } from '../../../../shim/core/explore-answer.ts';
import type { WorldShapes } from '../../../../shim/view/chart/world.ts';
import type { ExplorePlace } from '../../../../shim/view/explore-link.ts';
import { recordsSection } from '../../../../shim/view/explore-records.ts';
import { exploreTitle } from '../../../../shim/view/explore-title.ts';
import { exploreBody, needsWorld } from '../../../../shim/view/explore.ts';
import { counted, grouped } from '../../../../shim/view/words.ts';
import { leadToRows } from './shared/copy.ts';
import { draw } from './shared/dom.ts';

export { needsWorld };

/** Draws the page of an answer. */
export function drawPage(
  element: Element,
  model: Exploration,
  place: ExplorePlace,
  world: WorldShapes | null,
): void {
  draw(element, exploreBody(model, place, world));
  if (place.read !== undefined) leadToRows(element, place.root);
  document.title = `${exploreTitle(model)} - Explore - Public Evidence`;
}

/** Adds the records of a further page to the table that is shown; the focus goes to the first of them. */
export function addRecords(element: Element, model: Exploration, place: ExplorePlace): void {
  const { answer } = model;
  const [body, paging] = [element.querySelector('#records ~ table tbody'), element.querySelector('.paging')];
  if (!answer || !body || !paging) return;
  const part = document.createElement('div');
  draw(part, recordsSection(model, answer, place));
  if (place.read !== undefined) leadToRows(part, place.root);
  const first = part.querySelector<HTMLElement>('tbody a');
  body.append(...(part.querySelector('tbody')?.childNodes ?? []));
  const { matched } = answer.page;
  const count = body.querySelectorAll('tr').length;
  const next = part.querySelector<HTMLElement>('.paging [data-more]');
  paging.replaceChildren(...(next ? [next] : []));
  first?.focus();
  const [caption, status] = [
    element.querySelector('#records ~ table caption'),
    element.querySelector('.result [role=status]'),
  ];
  if (caption) caption.textContent = counted(count, 'record');
  if (status)
    status.textContent = `${counted(matched, 'record')} match. The table has ${count === matched ? 'all' : grouped(count)} of them.`;
}
