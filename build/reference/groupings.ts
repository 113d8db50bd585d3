/** Columns that say where the places of a table are and no more: the words of their headings, and the groups of places that they name. */
import { plainLetters } from '../../shim/core/words.ts';
import { countrySpellings, geographyOf } from './geography.ts';
import { otherNamesOf } from './place-names.ts';

const oneOf = (words: string): RegExp => new RegExp(`^(?:${words.trim().replaceAll(/\s+/g, '|')})$`);

/** One of these is in a heading of groups or names of places ... */
const NAMING = oneOf(
  'regions? subregions? continents? country countries pays pais land territory territories nation economy income iso m ref hemisphere',
);
/** ... and nothing else but these. */
const BESIDE = oneOf(`
  sub world un who wb bank ilo oecd unodc geo geographic geographical macro intermediate global major broad areas? groups? grouping
  levels? class classification codes? id names? label alpha numeric official short long full english french spanish arabic russian
  chinese en fr es ar ru zh in of or and the`);

/** Whether a heading says that its column has groups, names or codes of places: `SubRegion`, `Income group`, `ISO3`, `Pays`. */
function isOfGroups(heading: string): boolean {
  const parts = plainLetters(heading.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[a-z]+/g) ?? [];
  return parts.some((one) => NAMING.test(one)) && parts.every((one) => NAMING.test(one) || BESIDE.test(one));
}

/** Whether a heading is one of codes, which may be numbers: `Region code`, `M49`. */
function isOfCodes(heading: string): boolean {
  return isOfGroups(heading) && /code|iso|\bm ?49/i.test(heading);
}

const PART =
  '(?:africa|(?:(?:north|south|latin|central) )?americas?|(?:austral)?asia|europe|oceania|caribbean|pacific|arab states|middle east|(?:mela|micro|poly)nesia|australia|new zealand)';
const SIDE =
  '(?:(?:(?:north|south|east|west)(?:east|west)?(?:ern)?|central|middle|near|latin|sub|saharan|other|rest of|and|the) )*';
/** A part of the world, or several: `Latin America and the Caribbean`, `South-Eastern Asia`, `Upper middle income`. */
const GROUP = new RegExp(
  `^${SIDE}${PART}(?: ${SIDE}${PART})*$|^(?:high|low|(?:lower|upper)? ?middle) income(?: (?:countries|economies))?$`,
);

/** Whether a text is another name or a code of a place, or a group that places are in. */
function isPlaceOrGroup(text: string, place: string): boolean {
  const words = plainLetters(text)
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
  const names = [...countrySpellings(place), ...otherNamesOf(geographyOf(place)?.code ?? '')];
  return GROUP.test(words) || names.some((name) => plainLetters(name) === plainLetters(text));
}

/** The text of a column next to a place; null when blank. */
interface Placed {
  place: string;
  value: string | number | boolean | null;
}

/** Whether a column says no more than where places are: its heading or all its texts do, and there are at least two, one for each place. */
export function saysWhere(heading: string, column: readonly Placed[]): boolean {
  const pairs = [...new Map(column.map((one) => [JSON.stringify([one.place, one.value]), one])).values()];
  const texts = new Set(pairs.flatMap(({ value }) => value ?? []));
  const isOne = pairs.length === new Set(pairs.map(({ place }) => place)).size;
  const isText = [...texts].every((text) => typeof text === 'string' && !/\p{N}/u.test(text));
  if (texts.size < 2 || !isOne || !(isText || isOfCodes(heading))) return false;
  const isNamed = ({ place, value }: Placed): boolean =>
    value === null || isPlaceOrGroup(String(value), place);
  return isOfGroups(heading) || pairs.every(isNamed);
}
