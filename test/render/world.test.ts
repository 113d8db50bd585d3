/** The shapes of the map: what is drawn where, read from a page of the built tree, and that no geography is left out. */
import { geoEqualEarthRaw } from 'd3-geo';
import { describe, expect, test } from 'vitest';
import { mapFigure } from '../../shim/view/chart/map.ts';
import { print } from '../../shim/view/node.ts';
import { worldShapes } from '../../build/render/map/world.ts';
import { ABOUT, madeRecord, marksOf } from '../_support/maps.ts';
import { allObservations } from '../_support/records.ts';
import { treeText } from '../_support/tree.ts';

const shapes = worldShapes(new Set([...allObservations().map(({ geoCode }) => geoCode), 'GIB']));

describe('the geography', () => {
  const mimic = (): string => treeText('map/mimic/index.html');
  const areas = (): Map<string, [number, number][][]> =>
    new Map(
      [...mimic().matchAll(/<g class="land [^>]*data-geo="([^"]*)"[^>]*><path [^>]*d="([^"]*)"/g)].map(
        ([, code = '', path = '']) => [code, ringsOf(path)],
      ),
    );

  test.each([
    ['Simferopol in Crimea', 34.1, 45.0, 'UKR'],
    ['Sevastopol in Crimea', 33.8, 44.7, 'UKR'],
    ['Moscow', 37.6, 55.75, 'RUS'],
    ['Laayoune in Western Sahara', -12.8, 26.9, 'ESH'],
    ['Marrakesh', -8.0, 31.6, 'MAR'],
    ['Hargeisa in Somaliland', 44.06, 9.56, 'SOM'],
    ['Mogadishu inland', 45.0, 2.8, 'SOM'],
    ['the north of Cyprus', 33.5, 35.25, 'CYP'],
    ['the south of Cyprus', 32.8, 34.9, 'CYP'],
    ['Pristina in Kosovo', 21.1, 42.6, 'x-kosovo'],
    ['Belgrade', 20.5, 44.6, 'SRB'],
    ['French Guiana inland', -53.2, 4.0, 'GUF'],
    ['Paris', 2.35, 48.8, 'FRA'],
    ['Taichung in Taiwan', 120.9, 23.9, 'TWN'],
    ['Xiamen inland', 117.5, 25.5, 'CHN'],
  ])('%s is in one shape alone', (_, longitude, latitude, code) => {
    const point = planeOf(mimic(), longitude, latitude);
    const containing = [...areas()].filter(([, rings]) => isInside(point, rings)).map(([own]) => own);
    expect(containing).toEqual([code]);
  });

  test('Northern Cyprus, Somaliland, Siachen and Antarctica have no shape of their own', () => {
    const codes = new Set([...mimic().matchAll(/data-geo="([^"]*)"/g)].map(([, code]) => code));
    expect(['CYN', 'SOL', 'KAS', 'ATA', 'XKX'].filter((code) => codes.has(code))).toEqual([]);
    expect([...codes].filter((code) => !/^([A-Z]{3}|x-kosovo)$/.test(code ?? ''))).toEqual([]);
  });

  test('every geography of the data is drawn, marked or listed', () => {
    const places = new Set(shapes.places.map(({ code }) => code));
    const levels = new Map(allObservations().map(({ geoCode, geoLevel }) => [geoCode, geoLevel]));
    const without = [...levels].filter(([code]) => !places.has(code));
    expect(without.filter(([, level]) => level === 'country' || level === 'territory')).toEqual([]);
    const html = print(
      mapFigure(
        [...levels].map(([geoCode, geoLevel]) => madeRecord({ geoCode, geoName: geoCode, geoLevel })),
        shapes,
        ABOUT,
      ),
    );
    const found = new Set(marksOf(html).map((mark) => mark.id.slice('prepared.'.length)));
    expect([...levels.keys()].filter((code) => !found.has(code))).toEqual([]);
    const listed = new Set(
      [...html.matchAll(/<li class="mark" data-record="prepared\.([^"]*)"/g)].map(([, code]) => code),
    );
    expect([...listed].sort()).toEqual(without.map(([code]) => code).sort());
  });

  test('a place without a shape is a marker in pixels, Gibraltar too', () => {
    const html = print(
      mapFigure(
        ['MLT', 'GIB', 'SGP'].map((geoCode) => madeRecord({ geoCode, geoName: geoCode })),
        shapes,
        ABOUT,
      ),
    );
    for (const code of ['MLT', 'GIB', 'SGP']) {
      expect(html).not.toContain(`<g class="land shade s3" data-geo="${code}"`);
      expect(html).toMatch(
        new RegExp(
          `data-record="prepared.${code}"[^>]*><title>[^<]*</title><svg class="at"[^>]*><circle class="small shade s5" r="4">`,
        ),
      );
    }
  });
});

/** The rings of a path of whole relative steps; the holes around markers, which have arcs, are left out. */
function ringsOf(path: string): [number, number][][] {
  const outline = path.slice(0, path.includes('M') ? path.indexOf('M') : undefined);
  let [x, y] = [0, 0];
  return outline
    .split('z')
    .filter(Boolean)
    .map((ring) => {
      const points = [...ring.matchAll(/[ml](-?\d+) ?(-?\d+)/g)].map(([, right, down]): [number, number] => {
        [x, y] = [x + Number(right), y + Number(down)];
        return [x, y];
      });
      [x, y] = points[0] ?? [0, 0];
      return points;
    });
}

/** Even-odd rule. */
function isInside([x, y]: [number, number], rings: readonly [number, number][][]): boolean {
  let crossings = 0;
  for (const ring of rings)
    for (const [index, [ax, ay]] of ring.entries()) {
      const [bx, by] = ring[(index + 1) % ring.length] ?? [0, 0];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) crossings += 1;
    }
  return crossings % 2 === 1;
}

/** A position on the plane of the map: Equal Earth around 11 degrees east, to scale by where two markers are. */
function planeOf(html: string, longitude: number, latitude: number): [number, number] {
  const [, width = '', height = ''] = /class="ground" viewBox="0 0 (\d+) (\d+)"/.exec(html) ?? [];
  const at = (code: string): [number, number] => {
    const marker = new RegExp(
      `data-record="mimic\\.${code}[^>]*><title>[^<]*</title><svg class="at" x="([^"%]*)%" y="([^"%]*)%"`,
    );
    const [, x = '', y = ''] = marker.exec(html) ?? [];
    return [(Number(x) / 100) * Number(width), (Number(y) / 100) * Number(height)];
  };
  const raw = (east: number, north: number): [number, number] => {
    const [x, y] = geoEqualEarthRaw(((east - 11) * Math.PI) / 180, (north * Math.PI) / 180);
    return [x, -y];
  };
  const [cape, mauritius] = [at('CPV'), at('MUS')];
  const [rawCape, rawMauritius] = [raw(-24.0, 15.98), raw(57.57, -20.28)];
  const scale = (mauritius[0] - cape[0]) / (rawMauritius[0] - rawCape[0]);
  const [x, y] = raw(longitude, latitude);
  return [cape[0] + (x - rawCape[0]) * scale, cape[1] + (y - rawCape[1]) * scale];
}
