/** Tables of the pages for people. */
import { escaped } from '../../lib/html.ts';

/** A table that scrolls on narrow screens, reachable by keyboard. */
export function table(label: string, head: string[], rows: string[][]): string {
  return `<div class="scroll" role="region" aria-label="${escaped(label)}" tabindex="0"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(([first = '', ...rest]) => `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}
</tbody></table></div>`;
}
