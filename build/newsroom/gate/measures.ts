/**
 * Words that change what the number beside them says: units, currencies, magnitudes, signs and operations. A story never puts
 * one beside a cell's value unless it is the unit the record itself has.
 */

const UNITS =
  /^(?:(?:kilo|milli|micro|mega)?(?:gram(?:me)?|lit(?:re|er)|met(?:re|er)|tonne|ton)s?|kilos?|[kmu]?g|[km]m|cm|ml|cl|lbs?|oz|pounds?|ounces?|gallons?|barrels?|hectares?|ha|acres?|miles?|feet|foot|inch(?:es)?|tablets?|pills?|doses?|capsules?|ampoules?|units?|pieces?|people|persons?)$/;
const MONEY =
  /^(?:usd?|eur|gbp|cny|rmb|jpy|mxn|cop|pen|bob|afn|mmk|pkr|dollars?|euros?|pesos?|yen|yuan|renminbi|rupees?|francs?|kyats?|afghanis?|soles|cents?|bucks?)$/;
const MAGNITUDES =
  /^(?:percent|percentage|pct|pc|pp|permille|basis|mn|mln|mil|mio|mrd|bn|bln|tn|trn|k|m|b|t|x|e)$/;
const OPERATIONS =
  /^(?:minus|plus|negative|times|point|dot|divided|multiplied|squared|cubed|metric|cubic|square|degrees?)$/;
const SPANS = /^(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)$/;

/** Whether a folded word is a unit, a currency or a magnitude. */
export function isMeasure(word: string): boolean {
  return UNITS.test(word) || MONEY.test(word) || MAGNITUDES.test(word);
}

/** Whether a folded word beside a number makes it another number or another quantity. */
export function isQuantityWord(word: string): boolean {
  return isMeasure(word) || OPERATIONS.test(word);
}

/** Whether a folded word is a span of time: it changes a number it follows, not one it comes before ("the year"). */
export function isSpan(word: string): boolean {
  return SPANS.test(word);
}

/** A word without the mark of its plural, for comparing with a unit as a source prints it. */
export function singular(word: string): string {
  return word.replace(/(?<=..)s$/, '');
}
