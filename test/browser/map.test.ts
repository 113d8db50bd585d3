/** Maps in a browser: every state has pixels of its own, a keyboard reaches places by name, and small places stay visible. */
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { worldShapes } from '../../build/render/map/world.ts';
import { printPage } from '../../shim/view/frame.ts';
import { mapFigure } from '../../shim/view/chart/map.ts';
import { inBrowser } from '../_support/browser.ts';
import { ABOUT, madeRecord, unavailableIn } from '../_support/maps.ts';

const site = inBrowser();

/** One large country for each state of a map; Russia has no row. */
const STATES: Record<string, string> = {
  BRA: 'a low value',
  IND: 'a high value',
  AUS: 'zero',
  USA: 'blank',
  CAN: 'suppressed',
  CHN: 'several rows',
  RUS: 'no row',
};

/** Pixels of a side of what is cut out of a picture. */
const CROP = 28;

const SHAPES = worldShapes(new Set(['MLT', 'SGP']));

/** A page with a map of all states, drawn for a unit. */
function preparedPage(unit: string): string {
  const records = [
    madeRecord({ geoCode: 'BRA', geoName: 'Brazil', value: 12 }),
    madeRecord({ geoCode: 'IND', geoName: 'India', value: 88 }),
    madeRecord({ geoCode: 'AUS', geoName: 'Australia', value: 0 }),
    madeRecord({ geoCode: 'MLT', geoName: 'Malta', value: 50 }),
    madeRecord({ geoCode: 'SGP', geoName: 'Singapore', value: 50 }),
    unavailableIn('USA', 'blank_in_source'),
    unavailableIn('CAN', 'suppressed_by_source'),
    ...[1, 2, 3].map((value) => madeRecord({ id: `row.${value}`, geoCode: 'CHN', geoName: 'China', value })),
  ].map((record) => ({ ...record, unit }));
  return printPage(
    { siteUrl: 'https://evidence.example', generatedAt: null },
    {
      path: 'map/prepared/index.html',
      title: 'Prepared',
      description: 'Every state of a map.',
      body: [mapFigure(records, SHAPES, { ...ABOUT, root: '../../' })],
    },
  );
}

/** Opens the prepared page in the built site, with its styles. */
async function openPrepared(unit: string, viewport: { width: number; height: number }): Promise<Page> {
  const { page } = await site.open('map/prepared/', { viewport, made: { html: preparedPage(unit) } });
  return page;
}

/** The pixels around the centre of each state's place. */
async function cropsOf(page: Page): Promise<{ state: string; crop: PNG }[]> {
  const plane = await page.locator('.map .marks').boundingBox();
  if (!plane) throw new Error('no map');
  const window = PNG.sync.read(await page.screenshot());
  return Object.entries(STATES).map(([code, state]) => {
    const place = SHAPES.places.find((one) => one.code === code);
    if (!place) throw new Error(`no place ${code}`);
    const [x, y] = [
      plane.x + (place.at[0] / SHAPES.width) * plane.width,
      plane.y + (place.at[1] / SHAPES.height) * plane.height,
    ];
    const crop = new PNG({ width: CROP, height: CROP });
    PNG.bitblt(window, crop, Math.round(x) - CROP / 2, Math.round(y) - CROP / 2, CROP, CROP);
    return { state, crop };
  });
}

describe.each(['%', 'Kilograms'])('a map in %s', (unit) => {
  test('every state has its own pixels, in light, dark and forced colours', async () => {
    const page = await openPrepared(unit, { width: 1200, height: 1000 });
    for (const scheme of [
      { colorScheme: 'light', forcedColors: 'none' },
      { colorScheme: 'dark', forcedColors: 'none' },
      { colorScheme: 'light', forcedColors: 'active' },
    ] as const) {
      await page.emulateMedia(scheme);
      const crops = await cropsOf(page);
      const alike = crops.flatMap((a, index) =>
        crops.slice(index + 1).flatMap((b) => {
          const differing = pixelmatch(a.crop.data, b.crop.data, undefined, CROP, CROP, { threshold: 0.1 });
          return differing < 20 ? [`${a.state} and ${b.state}: ${differing} pixels differ`] : [];
        }),
      );
      expect({ ...scheme, alike }).toEqual({ ...scheme, alike: [] });
    }
  });

  test('small places are visible and nothing scrolls sideways at any width', async () => {
    const page = await openPrepared(unit, { width: 320, height: 900 });
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Malta', 'Singapore']) {
        const box = await page.locator('.marks .mark', { hasText: name }).locator('circle').boundingBox();
        expect(box?.width ?? 0, `${name} at ${width}`).toBeGreaterThanOrEqual(5);
      }
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([width, overflow]).toEqual([width, 0]);
    }
  });
});

test('a keyboard reaches every place of a map in the order of their names, each a link to its record', async () => {
  const { page, messages } = await site.open('map/mimic/');
  const links = page.locator('.map .marks a');
  const names = (await links.locator('title').allTextContents()).map((title) =>
    title.replace(/, \d{4}: .*$/, ''),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names).toEqual(names.toSorted());
  await page.evaluate(`globalThis.reached = [];
    addEventListener('focusin', ({ target }) => reached.push(target.querySelector('title')?.textContent ?? ''))`);
  await links.first().focus();
  for (const _ of names.slice(1)) await page.keyboard.press('Tab');
  const reached = (await page.evaluate('reached')) as string[];
  expect(reached.map((title) => title.replace(/, \d{4}: .*$/, ''))).toEqual(names);
  // What has the focus is drawn with an outline of its own.
  const brazil = links.filter({ hasText: 'Brazil' });
  const outline = (): Promise<string> =>
    brazil
      .locator('.over')
      .evaluate((shape) => shape.ownerDocument.defaultView?.getComputedStyle(shape).stroke ?? '');
  expect(await outline()).toBe('none');
  await brazil.focus();
  expect(await outline()).toMatch(/^rgb/);
  expect(messages).toEqual([]);
});
