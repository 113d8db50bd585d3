/** What titles, notes and rows of units say about the numbers of a table: one that scales them, or states another unit than the headings, is refused. */
import { refuse, textOf, type Cell } from './cells.ts';
import { shown } from './importer.ts';

const WORDS = String.raw`(?:thousands?|thous\b\.?|millions?|mln|mn|billions?|bn|lakhs?|crores?)`;
const THOUSAND = '1[ ,.]?000';
/** A power of ten, which no unit and no footnote is printed as. */
const POWER = String.raw`10 ?(?:\^ ?[-+]?\d|[⁻⁺]?[²³⁴-⁹])`;

/** How a text says that numbers are scaled: `(in thousands)`, `'000 ha`, `(1000s)`, `x 10^3`, `multiply by 1,000`, `mn USD`, `kg/100`. */
const SCALE = new RegExp(
  [
    String.raw`\bin (?:units of )?(?:hundreds|${WORDS}|${THOUSAND})(?!\p{L})`,
    String.raw`\b(?:are|is|as) ${WORDS}(?!\p{L})`,
    String.raw`(?:^|[(,:=]) *${WORDS}(?!\p{L})`,
    String.raw`(?<!\p{L})(?:thous\.|(?:mn|mln|bn)\.? (?:us|\$|eur|€))`,
    String.raw`['’]000\b`,
    String.raw`\((?:${THOUSAND}|000)(?:s|[´'’]s)?\)`,
    String.raw`(?<![\d ,.]|\d[ ,.])(?:${THOUSAND}|000)[´'’]?s\b`,
    String.raw`(?<!\d[ ,.]?)\b000(?:s\b| ?(?:kg|kilo|ton|ha|hectare))`,
    String.raw`(?:\bx|[×*]) ?${THOUSAND}\b`,
    String.raw`(?<![\d.,])${POWER}`,
    String.raw`\b(?:multipl(?:y|ied)|divided?) by (?:an? (?:factor|hundred|thousand|million)|10+\b|${THOUSAND})`,
    String.raw`\b(?:kg|kilograms?|tons?|tonnes?|ha|hectares?|usd|us\$) ?/ ?10+\b`,
  ].join('|'),
  'iu',
);

/** Refuses a title or note which says that the numbers of a table are scaled. */
export function refuseScale(texts: readonly Cell[]): void {
  const scaled = texts.find(({ value }) => typeof value === 'string' && SCALE.test(value));
  if (scaled) refuse(scaled, 'a table whose numbers are as printed, not in thousands or millions');
}

/** Units, with the words for them in titles and headings. */
const UNITS = Object.entries({
  kilograms: 'kgs?|kilos?|kilogram(?:me)?s?',
  grams: 'gram(?:me)?s?',
  milligrams: '(?:milli|micro)gram(?:me)?s?',
  tonnes: '(?:metric )?ton(?:ne)?s?',
  kilotonnes: '(?:kilo|mega)[ -]?ton(?:ne)?s?',
  pounds: 'lbs?|pounds?',
  hectares: 'ha|hectares?',
  acres: 'acres?',
  'square kilometres': 'km ?[2²]|square kilomet(?:re|er)s?',
  litres: 'lit(?:er|re)s?',
  ounces: 'oz|ounces?',
  tablets: 'tablets?|pills?|doses?',
  'units of a national currency': '(?:national|local) currency',
  'US dollars': 'usd|us ?\\$|(?:us |united states )?dollars?',
  euros: 'eur|€|euros?',
  'per cent': '%|per ?cent|percentages?',
}).map(([unit, words]) => ({
  unit,
  inHeading: new RegExp(`(?:^|[ _(])(?:${words})\\)?$`, 'i'),
  // "Reported in tons by two countries and converted by them" states no unit of the table.
  inTitle: new RegExp(
    `(?:^|[(,:=]|\\b(?:in|(?:weights?|amounts?|quantit(?:y|ies)|areas?|prices?|values?|figures?|numbers?|data) (?:are|is))) *(?:${words})(?: equivalents?)?(?:[),.;]|$)|(?:\\(|\\bin) *(?:${words})(?![\\p{L}\\d])(?!.*\\bconver)`,
    'iu',
  ),
}));

/** A text that does nothing but state a unit, which may be one that no list has: `Unit: Mt`. */
const STATEMENT = /^\(?units?(?: of (?:measure(?:ment)?|quantity))? ?[:=] ?(?:in )?(.+)$/i;

/** The known units that a text names. */
function unitsIn(cell: Cell, where: 'inHeading' | 'inTitle'): string[] {
  return UNITS.filter((one) => one[where].test(textOf(cell))).map(({ unit }) => unit);
}

/** Refuses a title or note that states another unit than the headings of its table or an earlier title: one of the two is wrong. */
export function refuseOtherUnit(titles: readonly Cell[], headings: readonly Cell[] = []): void {
  const withUnits = (cell: Cell, where: 'inHeading' | 'inTitle') =>
    unitsIn(cell, where).map((unit) => ({ unit, cell }));
  let own = headings.flatMap((cell) => withUnits(cell, 'inHeading'));
  for (const title of titles) {
    const stated = withUnits(title, 'inTitle');
    const [first] = own;
    const isStated = stated.length > 0 || STATEMENT.test(textOf(title));
    const isOther = isStated && !stated.some(({ unit }) => own.some((known) => known.unit === unit));
    if (first && isOther) refuse(title, `a table in ${first.unit}, as ${shown(first.cell.value)} says`);
    if (!first) own = stated;
  }
}

/** Refuses a text alone under the heading of a value and above all of its values, unless it names the unit of that heading. */
export function refuseUnitRow(cell: Cell, heading: Cell): void {
  const own = unitsIn(heading, 'inHeading');
  if (unitsIn(cell, 'inTitle').some((unit) => own.includes(unit))) return;
  refuse(cell, `values, or the unit of ${shown(heading.value)}, under this heading`);
}
