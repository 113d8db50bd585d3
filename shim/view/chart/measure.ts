/**
 * How amounts of a unit may be drawn on a map: the one table of units, and the classes of shades. A unit that no row names is
 * drawn as a dot plot, so that nothing is shaded or added up to an area by mistake.
 */

/** Shades of the place, circles by area at the place, or no map. */
export type Drawing = 'shades' | 'circles' | 'none';

/** Units in words, the first row that fits. */
const UNITS: readonly { drawing: Drawing; unit: RegExp }[] = [
  // Rates and shares do not grow with a country's size.
  { drawing: 'shades', unit: /%|\bper ?cent(age)?\b/i },
  { drawing: 'shades', unit: /\bper (1[\d, .]*0|capita|head|thousand|million)\b/i },
  { drawing: 'shades', unit: /\b(score|index)\b/i },
  // A price is neither a share nor an amount of something in the place.
  { drawing: 'none', unit: /\/|\b(USD|EUR|US\$)/i },
  {
    drawing: 'circles',
    unit: /^counts?\b|^number of (?!years|months|days)|\b(people|persons|units|cases|events)\b/i,
  },
  {
    drawing: 'circles',
    unit: /^((kilo|milli)?grams?|kg|(metric )?tons?|tonnes?|lbs?|pounds|lit(re|er)s?|hectares?|ha)$/i,
  },
];

/** How values of this unit are drawn. */
export function drawingOf(unit: string): Drawing {
  return UNITS.find((row) => row.unit.test(unit))?.drawing ?? 'none';
}

/** A class of values, from its first value to below the next class; the last one holds its end too. */
export interface ValueClass {
  from: number;
  to: number;
  words: string;
}

const SCORES = [1, 3, 5, 7, 9, 10];

/**
 * The five classes of a unit for values above zero. Their bounds are fixed, never drawn from how values are spread: scores
 * have bounds of their own; shares and rates five equal steps of 1, 2 or 5 from zero, the smallest that hold all values.
 */
export function classesOf(unit: string, values: readonly number[]): ValueClass[] {
  const bounds =
    /\bscore\b/i.test(unit) && values.every((value) => value >= 1 && value <= 10) ? SCORES : steps(values);
  const last = bounds.length - 2;
  return bounds.slice(0, -1).map((from, index) => {
    const to = bounds[index + 1] ?? from;
    const words = index === last ? `${from} to ${to}` : `${from} to under ${to}`;
    return { from, to, words: from === 0 ? `above 0, under ${to}` : words };
  });
}

/** The class of a value, from 0; -1 where none holds it. */
export function classOf(value: number, classes: readonly ValueClass[]): number {
  return classes.findIndex(({ from, to }, index) =>
    index === classes.length - 1 ? value >= from && value <= to : value >= from && value < to,
  );
}

function steps(values: readonly number[]): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  for (let power = -6; power <= 15; power += 1)
    for (const digit of [1, 2, 5]) {
      // Read from its digits, so that 3 steps of 0.2 are 0.6 and not 0.6000000000000001.
      const first = Math.floor(low / Number(`${digit}e${power}`));
      const bounds = [0, 1, 2, 3, 4, 5].map((step) => Number(`${(first + step) * digit}e${power}`));
      if ((bounds[5] ?? 0) >= high) return bounds;
    }
  return [0, 1, 2, 3, 4, 5];
}
