/** Progress of long work: a bar on a terminal, one plain line per step elsewhere. */
import type { Progress } from '../lib/effects.ts';

const WIDTH = 30;
const REDRAW_MS = 100;

/** Reports progress on a stream. A step with a total becomes a bar that is redrawn in place; any other step is a line. */
export function progressOn(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Progress {
  let step = '';
  let drawn = 0;
  let unfinished = false;
  return (message, done, total) => {
    const bar = output.isTTY && done !== undefined && total !== undefined;
    if (message !== step) {
      if (unfinished) output.write('\n');
      if (!bar) output.write(`${message}\n`);
      [step, drawn, unfinished] = [message, 0, bar];
    }
    if (!bar || !unfinished) return;
    const now = performance.now();
    if (done < total && now - drawn < REDRAW_MS) return;
    const filled = '='.repeat(total === 0 ? WIDTH : Math.floor((WIDTH * done) / total)).padEnd(WIDTH);
    output.write(`\r\u001B[2K${message} [${filled}] ${done}/${total}`);
    drawn = now;
    unfinished = done < total;
    if (!unfinished) output.write('\n');
  };
}
