/**
 * Official names as the designating authority prints them, and what makes one doubtful: a part that is more than a name. A
 * name in doubt is withheld and counted until a person has accepted it by its entity number in accepted.csv.
 */
import type { EntityRow } from '../lib/dataset.ts';
import { plainLetters } from '../../shim/core/words.ts';
import { characterFaultIn } from '../lib/text.ts';

/**
 * `SURNAME, Given names` or one word: the surname in capitals but for a part such as Mc, a second one in brackets, the given names as
 * they are written.
 */
const INDIVIDUAL =
  /^(?=[^ ]+$|.+,)(\b(Mc|Mac|Fitz|De|Di|Du|La|Le|Van|Von)(?=\p{Lu}{2})|[\p{Lu}\p{M}'’. -])+( \([\p{Lu} ]+\))?(, (JR|SR)\.)?(, [\p{Lu}'’][\p{L}\p{M}'’. -]*)?(, ([JS]r\.|I{2,3}|IV))?$/u;
/** A surname of one word, which is not checked for doubtful words: BORN and AKA are surnames too. */
const SURNAME = /^\p{L}+(?=, \p{L})/u;
/** An article begins a nickname, "El Chapo" or "Juan El Alto"; after a particle it belongs to the name. */
const NICKNAME = /, (?:.*?([\p{L}\p{M}'’]+) )?([Ee]l|[Ll](a|os|as)|[Tt]he) \p{Lu}/u;
/** What a person is said to be, in place of a given name. */
const ROLE =
  /, (.* )?(murderer|killer|assassin|hitman|sicario|kingpin|boss|capo|jefe|leader|gangster|criminal|terrorist|(narco)?(traffick|trafic|smuggl|launder)\w+|narco\w*)\b/;
/** Words that official names have in small letters; any other such word is a remark. */
const PARTICLES = new Set(
  'abd abou abu ag al ap ben bin bint da dal das de del della den der des di do dos du e el i ibn la las le los ould san st ten ter u ul ur van vom von y zu zur'.split(
    ' ',
  ),
);
/** Every other name is printed in capitals; a word in small letters is a remark. */
const OTHER = /^[\p{Lu}\p{M}\p{N} .,:'’&()/+@-]+$/u;

const FORM = String.raw`\b(llc|l\.l\.c|inc|incorporated|ltd|limited|corp|s\.? ?a|c\.v|ltda|s\.a\.s|c\.a|s\.r\.l|sal|sarl|gmbh)\b\.?`;
/** A legal form, which ends a company's name: a building that it owns may come before it, and an abbreviation in brackets after it. */
const COMPANY = new RegExp(`${FORM}( \\((off[ -]shore|[^() ]+)\\))?$`);
/** A company named by its number in a register. */
const NUMBERED = new RegExp(String.raw`^(\d{5,9}|3-10\d-\d{6}),? [^\d]*${FORM}$`);

const MONTH = String.raw`(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\.?`;
const STREET = String.raw`(street|st|avenue|ave|road|rd|boulevard|blvd|drive|lane|highway|calle|carrera|avenida|avda?|av|rua|rue|colonia|apt|apartment|apto|suite)\b\.?`;

/** After a comma or a dash, a name has a legal form, a place or further business of the company: a number or a street there is an address. */
const SITE = new RegExp(
  String.raw`([,;/(]| [-–—] ).*(\b${STREET}(?!\p{L})|\d|\b(carretera|autopista|paseo|plaza|barrio|fraccionamiento|urbanizacion|bairro|travessa|strasse|km|piso|edif(icio)?|building|floor|tower|torre)\b)`,
  'u',
);

/** What a doubtful name may hold, with the pattern that finds it in small letters without accents. */
const DOUBTS: [what: string, pattern: RegExp][] = [
  [
    'an alias',
    /\S[\s,;(]*\b[afn]ka\b|\b[afn][./ ]k[./ ]a\b|\bd[./]?b[./]?a\b|\bt\/a\b|\balias(es)?\b|\b(formerly|called|nicknamed|dite?|otro nombre|outro nome|llamad[oa]|(known|trading|business) as|con(oc|hec)id[oa] como|connue? sous|nombre comercial|vulgo|apodo|alcunha)\b|["“”«»„‟]/,
  ],
  [
    'birth data',
    /\b[dp]\.?o\.?b\b|\bborn\b|\bbirth|\bnas?cid[oa]\b|\bnacimiento|\bdata de nascimento|\bnaissance|\b(nacio|nasceu|geboren)\b|\bne\(e\)/,
  ],
  ['a document', /\bpassport|\bpasaporte|\bcedula|\b(dni|rfc|curp|ssn)\b|\br\.f\.c\b|\bc\.u\.r\.p\b/],
  [
    'a date',
    new RegExp(
      String.raw`\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|\b${MONTH} (de )?(\d{1,2},? )?(19|20)\d{2}\b|\b\d{1,2}[ /.-]${MONTH}[ /.-]\d{2,4}\b|\bmcm[lxvi]{2,}\b`,
    ),
  ],
  [
    'the number of a document or a telephone',
    /\d{5,}|\+\s?\d|(\d[\s.()-]{0,2}){7,}|\b[a-z]{1,4}\d{6}|\b(tel|phone|fax|nit|ruc|serial|sn|iban)\b\W*(n(o|um|ro|umero)\b\W*)?([a-z]{2})?\d|(?=\S*\d)\w{20,}/,
  ],
  [
    'coordinates',
    /\d[.,]\d{2}|°|\b(lat|lon|latitude|longitude)\b\W*\d|\b\d{1,3}([-. ]\d{1,2}){0,2} ?[ns]\b\W*\d{1,3}([-. ]\d{1,2}){0,2} ?[ew]\b|\b[ns]\d{1,2}\b\W*[ew]\d{1,3}\b/,
  ],
  [
    'an office-holder',
    /\b(director|president|presidente|chairman|manager|gerente|representante|owner|propietari[oa]|founder|ceo)\b\W+\p{L}+ \p{L}+/u,
  ],
  ['an address', /\bc\/o\b/],
  [
    'a statement about a drug',
    /\bpur(ity|eza|ete)\b|\d ?(pct|per ?cent)\b|\d.*\bpure\b|\b(heroin|cocain|fentanyl|methamphetamin|opium|cannabis|marihuana|marijuana)\w*\b.*\d|\d.*\b(heroin|cocain|fentanyl|methamphetamin|opium|cannabis|marihuana|marijuana)/,
  ],
  ['an electronic address', /\S@\S|\bhttps?:|\bwww\.|\.(com|net|org|info)(\.[a-z]{2})?$/],
  ['a post office box', /\bp\.? ?o\.? ?box\b|\bapartado\b|\b(zip|c\.? ?p)\b\.? ?\d/],
  [
    'an allegation',
    /\b(linked to|owned by|controlled by|front company)\b|\b(murder|assassin|sicario|kingpin|hitm[ae]n\b|narcotra)|\b(launder|traffick|smuggl)\w*\b(?! (& )?((drug trafficking|money laundering|transnational criminal) )*organi[sz]ation\b)|\S (?<!\b(popular|democratic|people's|national|revolutionary|patriotic|islamic|liberation) )front for\b|\b(convicted|accused|guilty|suspected|indicted|arrested|wanted|charged|fugitive)\b|\([^)]*(launder|traffick|smuggl|crimin|terror|cartel)/u,
  ],
];

/** What else may be in a name that does not end with a legal form, and in that of a sheet. */
const DOUBTS_WITHOUT_FORM: typeof DOUBTS = [
  ['an alias', /^[afn]ka\b/],
  [
    'an address',
    new RegExp(
      String.raw`\b${STREET}\s+([\p{L}.']+\s+){0,3}(no\.?\s*|#\s*)?\d|\b\d+[a-z]?,?\s+([\p{L}.']+\s+){1,3}${STREET}(?!\p{L})|(strasse|straat|\b(km|piso|local|edificio))\b\.? \d|\S[\s,]+(bl(oc)?k|unit|b(ui)?ldg|building|floor|lot|plot|sector|manzana|tower|torre)\b\.? \d`,
      'u',
    ),
  ],
];
const SECOND: (typeof DOUBTS)[number] = ['a second name in brackets', /\([^)]*\p{L}{2,}[^\p{L})]+\p{L}/u];

/** A legal form that other countries print, at the beginning or the end of a name. */
const OTHER_FORM =
  /^((open |public )?joint stock company|jsc|llc|limited liability company|doo|aktsionerno\w+ obshchestvo|obshchestvo s)\b|\b(company|corporation|trust|limitada|ag|ad|e?ood|ooo|jsc|fzco|r\.l)\.?$/;
/** In a name without a legal form, a number behind a word is that of a house, a year or a share, but for what is numbered. */
const NUMBER =
  /(?<=\p{L}[.,]? )(?<!\b(office|branch|institution|threat) )(?!(?<=\bno\.? )\d\b)\d+(?! farm\b)(?=[ ,]|$)/u;

/** A nickname in quotes; names of other languages begin or end a word with an apostrophe. */
const QUOTED = /(?<![\p{L}.])['‘’][^'‘’]+['‘’](?!\p{L})/u;

/** What makes a name doubtful, in words, or null. */
export function doubtIn(name: string, type: EntityRow['entity_type']): string | null {
  // Official names have up to 200 characters; longer texts would take long to read.
  if (name.length > 500) return 'more than a name';
  const fault = characterFaultIn(name);
  if (fault !== null) return fault;
  // The list is printed in Latin letters with accents: others can look like them and hide an alias from every rule about words.
  if (/(?![a-z])\p{L}/u.test(plainLetters(name))) return 'letters that are not Latin';
  if (type === 'aircraft' && /^[A-Z\d-]{3,9}$/.test(name)) return null;
  const whole = plainLetters(type === 'individual' ? name.replace(SURNAME, 'DOE') : name);
  const read = whole.slice(NUMBERED.exec(whole)?.[1]?.length ?? 0);
  const doubts = COMPANY.test(read) ? DOUBTS : [...DOUBTS, ...DOUBTS_WITHOUT_FORM, SECOND];
  const doubt = firstOf(doubts, read);
  if (doubt !== null) return doubt;
  if (type !== 'individual' && SITE.test(read)) return 'an address';
  if (type === 'organization' && !COMPANY.test(read) && !OTHER_FORM.test(read) && NUMBER.test(read))
    return 'a number as of a house or a year';
  if (type === 'individual' && ROLE.test(read)) return 'an allegation';
  if (type !== 'individual' && OTHER.test(name)) return null;
  const article = type === 'individual' ? NICKNAME.exec(name) : null;
  if (QUOTED.test(name) || (article && !PARTICLES.has(article[1]?.toLowerCase() ?? ''))) return 'a nickname';
  const small = name.match(/(?<![\p{L}\p{M}'’-])\p{Ll}[\p{L}\p{M}]*(?![\p{L}\p{M}'’-])/gu) ?? [];
  const isName = INDIVIDUAL.test(name) && !/ -|- /.test(name) && small.every((word) => PARTICLES.has(word));
  return isName ? null : 'more than a name';
}

function firstOf(doubts: typeof DOUBTS, read: string): string | null {
  // Abbreviations are closed up, whatever is between their letters.
  const closed = read.replaceAll(/\b(\p{L})[.,/\\·_-](?=\p{L}\b)/gu, '$1');
  return doubts.find(([, pattern]) => pattern.test(read) || pattern.test(closed))?.[0] ?? null;
}

/** What in the name of a sheet or column says more than what the table is about, in words, or null. */
export function doubtInTitle(name: string): string | null {
  const read = plainLetters(name).replaceAll('_', ' ');
  // What a table is about accuses nobody.
  const about = read.replaceAll(/\b(?:arms|firearms?|weapons?|drugs?|persons?|human) trafficking\b/g, '');
  return firstOf([...DOUBTS, ...DOUBTS_WITHOUT_FORM], about);
}
