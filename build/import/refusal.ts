/** The one way an importer says no: where it looked, what it expected, what it found. Nothing is written after one. */
export class Refusal extends Error {
  /** `place` is a cell (`Sheet!H3`), a row (`row 17`) or a part of the file; file is its name. */
  constructor(file: string, place: string, expected: string, found: string) {
    super(`${file}: ${place}: expected ${expected}; found ${found}`);
    this.name = 'Refusal';
  }
}

/** A value as an error message shows it: quoted, cut, never empty. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'a blank cell';
  return JSON.stringify(typeof value === 'string' && value.length > 80 ? `${value.slice(0, 80)}...` : value);
}
