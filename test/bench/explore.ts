/**
 * `npm run bench:explore`: how long the explorer needs to draw 500 records again after a change, side by side with a query
 * of one record, from the change to the laid-out page, response included. Needs Chromium.
 */
import { chromium } from 'playwright-core';
import { newCommand } from '../../build/lib/command-line.ts';
import { startServer } from '../../shim/node.ts';
import { browserPath } from '../_support/browser-path.ts';
import { programOptions } from '../_support/program-options.ts';
import { median } from './figures.ts';

const ROUNDS = 20;
const QUERIES = {
  one: 'id=opium-cultivation.AFG.2010&view=table',
  many: 'indicator=seizures&limit=500&view=table',
};

const { tree } = programOptions<{ tree: string }>(
  newCommand(
    'npm run bench:explore',
    'Measure how long the explorer needs to draw 500 records again, in Chromium.',
  ).option('--tree <folder>', 'published tree', 'public'),
);
const path = browserPath();
if (path === null) {
  console.error('No Chromium found: install it, or set CHROMIUM_PATH.');
  process.exit(2);
}
const server = await startServer(tree, { PORT: '0' });
const browser = await chromium.launch({
  executablePath: path,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
await page.goto(new URL(`explore/?${QUERIES.many}`, server.url).href);

/** Milliseconds from a change of the address to the page as it is laid out. */
async function redraw(query: string): Promise<number> {
  const text = await page.evaluate(`(async () => {
    const place = document.querySelector('#explore');
    const started = performance.now();
    history.pushState(null, '', '?${query}');
    dispatchEvent(new PopStateEvent('popstate'));
    while (place.hasAttribute('aria-busy')) await new Promise((resolve) => setTimeout(resolve, 1));
    document.body.getBoundingClientRect();
    return performance.now() - started;
  })()`);
  return Number(text);
}

const times: Record<keyof typeof QUERIES, number[]> = { one: [], many: [] };
// The script of the view is loaded by the first change.
await redraw(QUERIES.one);
for (let round = 0; round < ROUNDS; round += 1) {
  times.many.push(await redraw(`${QUERIES.many}&sort=${round % 2 === 0 ? '-' : ''}value`));
  times.one.push(await redraw(QUERIES.one));
}
const [one, many] = [median(times.one), median(times.many)];
console.log(
  `500 records: ${many.toFixed(0)} ms, one record: ${one.toFixed(0)} ms, ratio ${(many / one).toFixed(1)}`,
);
await browser.close();
await server.close();
