/** The rules of the citation gate for one passage, as a table: a rule returns null, or a message that says what is wrong. */
import { textAt, type Citation } from '../citation.ts';
import { filledText, foreignMarkup, plainMarkdown } from '../markdown.ts';
import { withTokens, type Passage } from '../story.ts';
import { neighbourProblem } from './neighbours.ts';
import {
  CELL,
  claimIn,
  folded,
  foldedWords,
  foreignCharacter,
  namesPlace,
  nicknameIn,
  readings,
  subjectsIn,
} from './words.ts';
import { listLines } from '../../lib/text.ts';
import type { Geography } from '../../lib/dataset.ts';
import { LABELS } from '../../lib/vocabulary.ts';
import { geographyOf } from '../../reference/geography.ts';

/** A passage as the rules read it. */
interface Reading {
  /** As written, tokens included. */
  text: string;
  /** Without markup, a `CELL` for each token. */
  plain: string;
  /** As it is printed, without the names of cited designations: an organization can be called after a person. */
  printed: string;
  /** The citations of its tokens, in order; undefined where a token cannot be printed. */
  citations: (Citation | undefined)[];
}

/** Reads a passage with the citations that can be printed. */
export function reading({ text, tokens }: Passage, citations: ReadonlyMap<string, Citation>): Reading {
  const printed = (cited?: Citation): string =>
    cited && cited.cell.lane !== 'designations' ? cited.printed : CELL;
  return {
    text,
    plain: plainMarkdown(withTokens(text, () => CELL)),
    printed: filledText(text, (raw) => printed(citations.get(raw))),
    citations: tokens.map(({ raw }) => citations.get(raw)),
  };
}

/** The rules over a passage, by name. */
export const PASSAGE_RULES: Record<string, (reading: Reading) => string | null> = {
  'token-syntax': ({ text }) =>
    /\{\{|\}\}/.test(withTokens(text, () => ''))
      ? 'malformed token; a token is {{dataset:record id#field}}'
      : null,
  characters({ text }) {
    const character = foreignCharacter(withTokens(text, () => ''));
    if (character === null) return null;
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `character not allowed in a story: U+${code}; use Latin letters, plain spaces and common punctuation`;
  },
  markup({ text }) {
    // Pages print an entity as written, but a feed reader may decode it, and some entities are invisible characters.
    const markup = /&#?\w+;/.test(text) ? 'entity' : foreignMarkup(withTokens(text, () => CELL));
    return markup === null ? null : `a story has plain words and emphasis only, not ${markup}`;
  },
  safety({ plain }) {
    const what = placeOrWithheldIn(plain);
    return what === null ? null : `it names ${what}, which is never published`;
  },
  'bare-number'({ text }) {
    const [number] = /\S*\p{N}\S*/u.exec(withTokens(text, () => ' ')) ?? [];
    if (number === undefined) return null;
    return `"${number}" is outside a token; every number, years too, is a token that names its cell`;
  },
  'reviewed-word'({ plain }) {
    const { word, what } = claimIn(plain) ?? {};
    if (word === undefined) return null;
    return what === 'number'
      ? `"${word}" is a number in words; cite the cell it comes from`
      : `"${word}" is a word of ${what}, which no story uses (build/newsroom/words.yaml)`;
  },
  'joined-token': ({ plain, citations }) => neighbourProblem(plain, citations),
  subject({ plain, citations }) {
    const other = foreignCountry(plain, citations) ?? foreignSubject(plain, citations);
    return other === null
      ? null
      : `"${other}" is named next to a value, and no record cited in the sentence is about it`;
  },
  person({ plain }) {
    const name = PERSON.exec(plain)?.[0] ?? nicknameIn(plain);
    return name === null ? null : `"${name}" names a person; no story names one`;
  },
};

/** Streets and squares known by the capitals of a name, which the list of places cannot see. */
const STREET_NAMES = [
  /\b(?!(?:The|An?|This|That|These|Those|Each|No|In|On|Of|By|At|To|From|Across|Along|Per)\b)\p{Lu}[\p{L}.'’]* (?:[Ss]treet|[Aa]venue|[Rr]oad|[Bb]oulevard|[Ll]ane|[Dd]rive|[Ss]quare|[Hh]ighway|[Aa]lley|Terrace|Crescent|Plaza)s?\b/u,
  /(?<!\p{L})(?:Plaza|Paseo|Piazza|Place|Platz|Ulica|Ul\.|ul\.|Colonia|Comuna|Jalan|Viale|Praça|Largo|Travessa|Estrada|Cal[cz]ada|Carretera|Autopista|Camino|Callej[oó]n|Alameda|Esquina|Boulevard|Impasse|Quai|Chemin|Allée|Cours) (?:(?:d[aeou]s?|del|la|las|los|el) )*\p{Lu}/u,
  /\b\p{Lu}[\p{L}-]*(?:stra(?:ss|ß)e|straat|gasse|[Aa]llee|plein)\b/u,
  // "Main St", not "St Lucia": the abbreviation ends a name, and no name follows it.
  /\b\p{Lu}[\p{L}.'’]* (St|Str|Dr|Sq|Ln|Pl|Ct)\b(?!\.? \p{Lu})/u,
];

/** A place finer than a story may name, or anything that is never packaged. */
function placeOrWithheldIn(text: string): string | null {
  if (namesPlace(text) || STREET_NAMES.some((pattern) => pattern.test(text)))
    return 'a place finer than a story may name';
  return (
    [text, ...readings(text)].map((form) => withheldIn(foldedWords(form))).find(Boolean) ?? brokenIn(text)
  );
}

/** What no story may name: the heading of each section of withheld.txt, and one pattern of its word stems. */
const WITHHELD = sections(listLines(new URL('../withheld.txt', import.meta.url)));

function sections(lines: string[]): [what: string, pattern: RegExp][] {
  const found: [what: string, patterns: string[]][] = [];
  for (const line of lines) {
    const [, heading] = /^\[([a-z ,-]+)\]$/.exec(line) ?? [];
    if (heading === undefined) found.at(-1)?.[1].push(line);
    else found.push([heading, []]);
  }
  return found.map(([what, patterns]) => [what, new RegExp(patterns.join('|'), 'u')]);
}

/** The section with a word stem that is in a text, or null; with `joint`, only stems that span this position count. */
function withheldIn(words: string, joint?: number): string | null {
  const isOver = ({ index, 0: { length } }: RegExpExecArray): boolean =>
    joint === undefined || (index < joint && index + length > joint);
  const [what = null] =
    WITHHELD.find(([, pattern]) => [pattern.exec(words)].some((found) => found && isOver(found))) ?? [];
  return what;
}

/** The same for two neighbouring words written as one, since a word may be broken over two lines. */
function brokenIn(text: string): string | null {
  const words = foldedWords(text).split(/[^a-z0-9]+/);
  const found = words.map((word, at) => withheldIn(`${word}${words[at + 1] ?? ''}`, word.length));
  return found.find((what) => what !== null) ?? null;
}

/** The citations of a sentence; undefined where a token cannot be printed. */
type Citations = readonly (Citation | undefined)[];

/** A title of a person before a name. */
const PERSON =
  /\b(?:President|(?:Prime )?Minister|Senator|Governor|Mayor|Judge|General|Colonel|Captain|King|Queen|Mr|Mrs|Ms|Dr|Don|Doña)\.? (?!Assembly|Secretariat)\p{Lu}\p{Ll}+/u;

/** The first country that a sentence with a value names, although it cites no record of it; null where there is none. */
function foreignCountry(plain: string, citations: Citations): string | null {
  if (!hasAmount(citations)) return null;
  const cited = citations.flatMap((citation) =>
    citation ? ['geoCode', 'data.iso3'].map((path) => textAt(citation.cell.record, path)) : [],
  );
  return countriesIn(plain).find(({ code }) => !cited.includes(code))?.name ?? null;
}

/** The first drug or quantity that a sentence with a value names, although no record it cites is about it; null where there is none. */
function foreignSubject(plain: string, citations: Citations): string | null {
  if (!hasAmount(citations)) return null;
  const cited = folded(citations.map(subjectOf).join(' '));
  return subjectsIn(plain).find((word) => !cited.includes(word.replace(/s$/, ''))) ?? null;
}

function hasAmount(citations: Citations): boolean {
  return citations.some((citation) => citation !== undefined && citation.unit !== null);
}

/** What a cited record says about its subject. */
function subjectOf(citation: Citation | undefined): string {
  if (!citation) return '';
  const { dataset, record, source } = citation.cell;
  const { title, indicators } = dataset.document;
  const label = indicators.find(({ id }) => id === record['indicatorId'])?.label ?? '';
  const printed = LABELS.map((path) => textAt(record, path) ?? '');
  const unit = textAt(record, 'unit') ?? '';
  return [title, label, unit, source.name, ...printed, citation.field.replaceAll('_', ' ')].join(' ');
}

/** The countries in a text: names of up to five words that begin with a capital, the longest match first. */
function countriesIn(text: string): Geography[] {
  const words = text.replaceAll(/['’]s?(?!\p{L})|[“”",.;:!?()*]/gu, ' ').split(/\s+/);
  const found: Geography[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!/^\p{Lu}/u.test(words[at] ?? '')) continue;
    for (let length = 5; length > 0; length -= 1) {
      const place = geographyOf(words.slice(at, at + length).join(' '));
      if (!place) continue;
      found.push(place);
      at += length - 1;
      break;
    }
  }
  return found;
}
