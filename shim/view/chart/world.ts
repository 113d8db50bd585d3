/** The world as the map draws it: a plane with a path or a point for each place, by code and without names. */

/** All places in the order of their codes. */
export interface WorldShapes {
  /** Size of the plane in its own units; y grows downwards. */
  width: number;
  height: number;
  places: readonly WorldPlace[];
}

/** One place of the plane. */
export interface WorldPlace {
  /** ISO 3166-1 alpha-3, or an `x-` code. */
  code: string;
  /** Outline as the `d` of an SVG path; null where the place is too small for one. */
  path: string | null;
  /** Centre of its largest part: where a circle, a glyph or the marker of a small place goes. */
  at: readonly [x: number, y: number];
}
