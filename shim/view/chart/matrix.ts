/** Coverage matrix: what is known, what is a zero, what is absent and why, and what has no row at all. A real table. */
import { groupedBy } from '../../core/groups.ts';
import type { Observation } from '../../core/records.ts';
import { el, linkTo, type Child } from '../node.ts';
import { spanWords } from '../periods.ts';
import { scrolling } from '../table.ts';
import { counted, kindOf, statusWords } from '../words.ts';
import { legend } from './legend.ts';
import { alone, glyph, isAbsent } from './mark.ts';

/** A row of the matrix: its heading, its records, and where a cell leads. */
export interface MatrixRow {
  label: Child;
  records: readonly Observation[];
  hrefOf?: (period: string) => string | undefined;
}

/** The matrix of rows and periods; a period of four digits holds the months of its year. Addresses of `hrefOf` are from the root. */
export function coverageMatrix(
  caption: string,
  rows: readonly MatrixRow[],
  periods: readonly string[],
  root: string,
): Child {
  const columns = new Set(periods);
  const drawn = rows.map(({ records }) =>
    groupedBy(records, ({ period }) => (columns.has(period) ? period : period.slice(0, 4))),
  );
  // Only a record that is alone in its cell is drawn as its kind, without its range.
  const single = drawn.flatMap((cells) =>
    [...cells].flatMap(([period, [record, further]]) =>
      record && !further && columns.has(period) ? [{ ...record, lower: null, upper: null }] : [],
    ),
  );
  const isSeveral = drawn.some((cells) =>
    [...cells].some(([period, own]) => columns.has(period) && own.length > 1),
  );
  // On a narrow screen only the newest columns are in sight at first: the caption says how far they go.
  return el('div', { class: 'matrix' }, [
    scrolling(`${caption}, ${spanWords(periods[0] ?? '', periods.at(-1) ?? '')}`, [
      el('thead', {}, [
        el('tr', {}, [
          el('td', {}),
          periods.map((period) => el('th', { scope: 'col' }, el('span', {}, period))),
        ]),
      ]),
      el('tbody', {}, [
        rows.map(({ label, hrefOf }, index) => [
          '\n',
          el('tr', {}, [
            el('th', { scope: 'row' }, label),
            periods.map((period) => {
              const own = drawn[index]?.get(period) ?? [];
              const content = cell(own);
              const href = own.length > 0 ? hrefOf?.(period) : undefined;
              return el('td', {}, href === undefined ? content : linkTo(root, href, content));
            }),
          ]),
        ]),
      ]),
    ]),
    legend(single, { none: el('span', {}, '·') }),
    isSeveral &&
      el('p', { class: 'how' }, [
        'A number counts rows: of several labels, or several of one label. Their values are not added.',
      ]),
  ]);
}

function cell(own: readonly Observation[]): Child {
  const [record] = own;
  if (!record) return el('abbr', { title: 'no row in the source', class: 'none' }, '·');
  const words = [...groupedBy(own, (one) => (one.value === 0 ? 'zero' : statusWords(one)))];
  if (own.length === 1) {
    const [state = ''] = words[0] ?? [];
    return el('abbr', { title: state }, alone(glyph(kindOf(record))), el('span', { class: 'hidden' }, state));
  }
  const title = `${counted(own.length, 'row')}: ${words.map(([state, rows]) => `${rows.length} ${state}`).join(', ')}`;
  const isGone = own.every((one) => isAbsent(kindOf(one)));
  return el('abbr', { title, class: isGone ? 'count gone' : 'count' }, String(own.length));
}
