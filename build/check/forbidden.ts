/**
 * What no dataset may name, by the stem of its word: pattern over folded words (lib/text.ts), and what it is. Labels and cells may
 * hold none of it. Prose (descriptions, notes, limitations) may name what is left out, in a sentence that says so.
 */
import { foldedWords } from '../lib/text.ts';
import { placeIn } from './places.ts';

interface Forbidden {
  what: string;
  pattern: RegExp;
  /** Whether prose may use the word freely: it is a common one there, and only its form in places.ts gives anything away. */
  plainInProse?: true;
}

const FORBIDDEN: Forbidden[] = [
  {
    what: 'purity or composition of a drug',
    pattern:
      /\b(im)?purit|\bpurez|\bpurete|\bpure\b|\bpoten(cy|cies|t)\b|\badulter|\bdiluent|\bcutting agent|\bassay|\balkaloid|\b(thc|cbd|cocaine|heroin|morphine|active|drug|base) (content|level|concentration|percentage)|\b(thc|cbd) ?\d|% ?(thc|cbd)\b|\bcontent of\b|\bconcentrations?\b/,
  },
  {
    what: 'yield or potential production',
    pattern:
      /\byield|\brendim|\brendement|\b(potential|possible|estimated)( \S+){0,3} (production|manufacture|output)\b|\b(production|manufacturing) potential|\boven dr|\bper (hectare|ha|acre|plant)\b|\b(kg|kilograms?|t|tons?|tonnes?|g|grams?|lb|pounds?) (ha|hectares?|acres?)\b|\bharvest/,
  },
  {
    what: 'synthesis or chemistry',
    pattern:
      /\bsynthe[st](?!ics?\b|isch)|\bsintesis|\bsintetiz|\bsynthetic (route|method|path|proce|scheme)|\breagent|\bchem(ical|istr)|\bquimic|\brecipe|\bprecursor|\bsolvents?\b|\breductive\b|(acetyl|alkyl|methyl|amin|hydrogen|crystalli[sz])ation\b|\bhydrolys|\bcatalys|\breflux|\bdistill|\b(extraction|manufactur\w*|production|processing|cooking) (method|process|procedure|step|route|technique)/,
  },
  {
    what: 'a point of sale or a place below a district',
    pattern:
      /\bpoints? ?of ?(sale|purchase|supply)|\boutlets?\b|\bsub ?street|\bstreet ?(level|corner|dealer|market|address)|\b(corner|intersection) of\b|\bdealers?\b|\bvendors?\b|\bsellers?\b|\b(dealing|selling|drug|crime|hot) ?spots?\b|\bstash|\bsafe ?houses?\b|\bdrug dens?\b|\bneighbou?rhood/,
  },
  {
    what: 'real-time information',
    pattern:
      /\breal ?time|\blive (feed|track|location|position|stream|map|data|update)|\bnow ?cast|\bhourly\b|\bminute by minute\b|\b(seizure|data|news|tracking) feed\b/,
  },
  {
    what: 'a route',
    pattern:
      /\broutes?\b|\brouting|\b(smuggling|trafficking|supply|transit|drug) corridors?\b|\brutas?\b|\bway ?points?\b|\bitinerar|\bnavigat|\btrajector|\bborder crossing points?\b|\blanding (site|strip)|\bair ?strip/,
  },
  {
    what: 'coordinates',
    pattern:
      /\b(lat|latitudes?|lon|lng|longitudes?|coordinates?|coords?|easting|northing)\b|\blat ?lo?ng?\b|\blo?ng? ?lat\b|\bgeo ?(hash|locat|cod(e|ing)|point|json|tag)|\bgps\b|\bmgrs\b|\butm\b|\bwgs ?84\b|\bgrid ref|\bplus ?codes?\b|\bwhat ?3 ?words\b/,
  },
  {
    what: 'an address',
    pattern: /\baddress(es)?\b|\b(postal|zip|post) ?codes?\b|\bdireccion(es)?\b/,
    plainInProse: true,
  },
  {
    what: 'birth data',
    pattern: /\b(date|place) of birth|\bborn\b|\bbirth ?(date|place|day)\b|\b[dp]ob[: ]+\d/,
    plainInProse: true,
  },
  { what: 'an alias', pattern: /\balias(es)?\b|\ba\.?k\.?a\b|\ba k a\b/, plainInProse: true },
  {
    what: 'a document or telephone number',
    pattern:
      /\bpassport|\bidentity document|\bdocument number|\bnational id\b|\btax id\b|\btel(ephone)?\b ?[:+\d]|\bphone\b|\+\d[\d ().]{8,}/,
    plainInProse: true,
  },
  {
    what: 'a composite, causal or culpability score',
    pattern:
      /\bcomposite|\bculpab|\bculprit|\bguilt|\bcausal|\b(combined|overall|total|single|shared|threat|risk|danger|vulnerability|severity|aggregate) (scor\w+|index|rating|rank|ranking|grade|level)\b/,
  },
  // Publishers assess by scores, and prose may say so; no label or cell is one.
  { what: 'a score', pattern: /\bscor(es?|ed|ing)\b/, plainInProse: true },
];

/** Labels that official publications print and that give nothing away: the exact text of a cell or label, no part of one. */
const PRINTED = new Set([
  'Non-specified precursors',
  'Other precursors',
  'Precursors',
  'Solvents and Inhalants',
  'Solvents and inhalants',
  'score from 1 to 10',
]);

const LEFT_OUT =
  /\b(not|no|nor|never|neither|none|nothing|cannot|without|withheld|excluded|omitted|left out|prohibited)\b/;

/** What a label, a cell or a passage holds that it must not, or null. */
export function forbiddenIn(text: string): string | null {
  if (PRINTED.has(text)) return null;
  const words = foldedWords(text);
  return FORBIDDEN.find(({ pattern }) => pattern.test(words))?.what ?? placeIn(text);
}

/** What prose of a descriptor holds that it must not, or null: nothing is named but to say that it is left out. */
export function forbiddenInProse(text: string): string | null {
  for (const sentence of text.split(/(?<=[.!?])\s+/)) {
    const words = foldedWords(sentence);
    const leftOut = LEFT_OUT.test(words) && !/\d/.test(words);
    const found = FORBIDDEN.find(
      ({ pattern, plainInProse }) => !plainInProse && !leftOut && pattern.test(words),
    );
    if (found) return found.what;
  }
  return placeIn(text);
}
