/** The printed table of an audit. */
import type { Outcome } from './compare.ts';

const SHOWN = 5;
const COUNTS = ['records', 'reported', 'estimated', 'unavailable', 'zeros'] as const;

/** One line a source: each count once where both sides agree, `published/read again` where not; then what differs. */
export function report(outcomes: Outcome[]): string {
  const head = ['source', ...COUNTS, 'cells', 'mismatches'];
  const lines = outcomes.map(({ source, api, reread, cells, mismatches }) => [
    source,
    ...COUNTS.map((name) => (api[name] === reread[name] ? `${api[name]}` : `${api[name]}/${reread[name]}`)),
    `${cells}`,
    `${mismatches.length}`,
  ]);
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + of(one), 0);
  const different = sum(({ mismatches }) => mismatches.length);
  return [
    ...aligned([head, ...lines]),
    ...outcomes.flatMap(({ source, mismatches }) => [
      ...mismatches.slice(0, SHOWN).map((mismatch) => `  ${source}: ${mismatch}`),
      ...(mismatches.length > SHOWN ? [`  ${source}: and ${mismatches.length - SHOWN} more`] : []),
    ]),
    `${outcomes.length} sources, ${sum(({ cells }) => cells)} cells, ${different === 0 ? 'no mismatch' : `${different} mismatches`}.`,
  ].join('\n');
}

function aligned(table: string[][]): string[] {
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((cells) => (cells[at] ?? '').length)));
  return table.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
}
