/** Whom and what a sentence names: a value is printed only next to the place and the drug its record is about. */
import type { Geography } from '../../lib/dataset.ts';
import { geographyOf } from '../../reference/geography.ts';
import { textAt, type Citation } from '../citation.ts';
import { drugsIn, folded } from './words.ts';

/** The citations of a sentence; undefined where a token cannot be printed. */
type Citations = readonly (Citation | undefined)[];

/** A title of a person before a name. */
export const PERSON =
  /\b(?:President|(?:Prime )?Minister|Senator|Governor|Mayor|Judge|General|Colonel|Captain|King|Queen|Mr|Mrs|Ms|Dr|Don|Doña)\.? (?!Assembly|Secretariat)\p{Lu}\p{Ll}+/u;

/** The first country that a sentence with a value names, although it cites no record of it; null where there is none. */
export function foreignCountry(plain: string, citations: Citations): string | null {
  if (!hasAmount(citations)) return null;
  const cited = citations.flatMap((citation) =>
    citation ? ['geoCode', 'data.iso3'].map((path) => textAt(citation.cell.record, path)) : [],
  );
  return countriesIn(plain).find(({ code }) => !cited.includes(code))?.name ?? null;
}

/** The first drug that a sentence with a value names, although no record it cites is about it; null where there is none. */
export function foreignDrug(plain: string, citations: Citations): string | null {
  if (!hasAmount(citations)) return null;
  const cited = folded(citations.map(subjectOf).join(' '));
  return drugsIn(plain).find((word) => !cited.includes(word)) ?? null;
}

function hasAmount(citations: Citations): boolean {
  return citations.some((citation) => citation !== undefined && citation.unit !== null);
}

/** What a cited record says of its subject. */
function subjectOf(citation: Citation | undefined): string {
  if (!citation) return '';
  const { dataset, record, source } = citation.cell;
  const { title, indicators } = dataset.document;
  const label = indicators.find(({ id }) => id === record['indicatorId'])?.label ?? '';
  const printed = ['category', 'subgroup', 'group'].map((path) => textAt(record, path) ?? '');
  return [title, label, source.name, ...printed, citation.field.replaceAll('_', ' ')].join(' ');
}

/** The countries that words with a capital letter name: of up to five words, the longest name first. */
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
