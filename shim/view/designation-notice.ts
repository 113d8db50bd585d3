/** What must be said of a list of designations before any of its entries is shown. */
import type { DesignationList } from '../core/designation.ts';
import { el, p, type Child } from './node.ts';
import { counted } from './words.ts';

/** The notice: how old the list is, what it is not, and what is withheld. */
export function noticeOf(list: DesignationList | null): Child {
  const boundary =
    'A designation is an administrative action. It is not proof of guilt and not an adjudication.';
  if (!list)
    return notice(
      p('The list of designations cannot be given at the moment, or is not in this release. '),
      p(boundary),
    );
  const { title, name, publisher, url, date, clock, days, withdrawn, inDoubt } = list;
  return notice(
    p(
      el('b', {}, `List of ${date}, ${counted(days, 'day')} old`),
      ` at the date of this data (${clock}): newer entries and removals are missing; `,
      el('a', { href: url }, 'check the current list'),
      '.',
    ),
    p(boundary),
    p(
      `${title}: ${name}, ${publisher}. ${withheld(withdrawn, inDoubt)} Aliases, addresses, birth data and documents are withheld too.`,
    ),
  );
}

function withheld(withdrawn: number, inDoubt: number): string {
  const left = `${counted(withdrawn, 'entry', 'entries')} that ${withdrawn === 1 ? 'has' : 'have'} left the list since ${withdrawn === 1 ? 'is' : 'are'} withheld`;
  return inDoubt === 0 ? `${left}.` : `${left}, and ${counted(inDoubt, 'name')} in doubt.`;
}

function notice(...children: Child[]): Child {
  return el('aside', { class: 'note warn', 'aria-label': 'About this list' }, children);
}
