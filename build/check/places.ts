/**
 * Shapes of places finer than any record may name: positions in the notations in use, and addresses. They are known by
 * their form, so no word is needed next to them. Texts are folded (lib/text.ts) first, except where degrees would be lost.
 */
import { folded } from '../lib/text.ts';

/** A decimal number with its sign, with a point or a comma, no part of a longer number or of a name such as `2,5-dimethoxy`. */
const DECIMAL = String.raw`([-+]?\d{1,3}(?:\.\d+(?!\d|\.\d)|,\d+(?![.,]?\d)))`;
const HEMISPHERE = String.raw`\s*(?:°|deg)?\s*[nsew]?`;
const PAIR = new RegExp(
  String.raw`(?<![\p{L}\d.]|\d,)${DECIMAL}${HEMISPHERE}(?:\s*[,;/|:]\s*|\s+)[nsew]?\s*${DECIMAL}`,
  'gu',
);
/** What may follow the degrees: minutes and seconds, separated in any way. */
const SEXAGESIMAL = String.raw`(?:[\s.,:°'′"″-]{1,3}\d{1,6}){0,3}[\s°'′"″]{0,3}`;

const POSITIONS: RegExp[] = [
  // ISO 6709: both numbers with their sign, nothing between them.
  /(?<![\p{L}\d.])[-+]\d{2,6}(\.\d+)?[-+]\d{3,7}(\.\d+)?(?!\d)/u,
  new RegExp(
    String.raw`(?<![\p{L}\d])[ns]\s?\d{1,2}(?!\d)${SEXAGESIMAL}[\s,;/|]{0,3}[ew]\s?\d{1,3}(?!\d)`,
    'u',
  ),
  new RegExp(
    String.raw`(?<![\p{L}\d])\d{1,2}(?!\d)${SEXAGESIMAL}[ns][\s,;/|]{0,3}\d{1,3}(?!\d)${SEXAGESIMAL}[ew](?!\p{L})`,
    'u',
  ),
  /(?<![\p{L}\d.])\d{1,3}\.\d{2,}\s?°?\s?[nsew](?![\p{L}\d])/u,
  /^[-+]?\d{1,3}[.,]\d{3,}$/u,
  // Military grid and UTM: zone, band, square, digits.
  /(?<![\p{L}\d])\d{1,2}\s?[c-hj-np-x]\s?[a-hj-np-z][a-hj-np-v]\s?\d{2,5}\s?\d{2,5}(?![\p{L}\d])/u,
  /(?<![\p{L}\d])\d{1,2}\s?[c-hj-np-x]\s+\d{6}\s+\d{7}(?!\d)/u,
  // Plus codes, well-known text, geo addresses, three words.
  /(?<![\p{L}\d])[2-9cfghjmpqrvwx]{4,8}\+[2-9cfghjmpqrvwx]{2,3}(?![\p{L}\d])/u,
  /\b(multi)?(point|linestring|polygon)\s*(z|m|zm)?\s*\(|\bgeo:\s*-?\d|\/\/\/\p{L}+\.\p{L}+\.\p{L}+/u,
];

const ADDRESSES: RegExp[] = [
  /\b\d+[a-z]?,?\s+([\p{L}\d.']+\s+){1,4}(street|st|avenue|ave|av|road|rd|boulevard|blvd|drive|dr|lane|ln|highway|hwy|square|sq)\b/u,
  /\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(st|nd|rd|th))\s+(street|avenue|ave|road)\b/u,
  /\b(street|avenue|road|boulevard|lane|highway)\s+(no\.?\s*|#\s*)?\d/u,
  /\b(calle|carrera|avenida|avda|av|ave|blvd|bulevar|paseo|transversal|rua|rue|via|viale|ulica|ul)\b\.?\s+([\p{L}.']+\s+){0,4}(no\.?\s*|#\s*)?\d/u,
  /\p{L}{2,}(strasse|straße)\b/u,
  /\b(apt|apartment|apto|suite|colonia|col)\b\.?\s*(no\.?\s*|#\s*)?\d/u,
  /\bp\.? ?o\.? ?box\b|\bapartado\b|\b(zip|post(al)?)( code)?\b\s*:?\s*\d|\bc\.?p\.?\s*\d{4,}/u,
  /[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}|\bhttps?:\/\/|\bwww\./u,
];

/** Streets without a number, known by the capitals of a name: read as printed. */
const STREET_NAME =
  /(?<!\p{L})(\p{Lu}[\p{L}.]+ (Street|Avenue|Boulevard|Lane|Highway)|(Calle|Avenida|Carrera|Rua|Rue|Paseo) \p{Lu}\p{L}+)(?!\p{L})/u;

/** What place a text gives away by its form, or null. */
export function placeIn(text: string): string | null {
  const read = folded(text);
  const address = STREET_NAME.test(text) || ADDRESSES.some((pattern) => pattern.test(read));
  return coordinatesIn(text) ?? (address ? 'an address' : null);
}

/** `coordinates` where a text holds a position in any notation, else null. */
export function coordinatesIn(text: string): string | null {
  return /\d\s*[°º˚]/u.test(text) || hasPosition(folded(text)) ? 'coordinates' : null;
}

function hasPosition(read: string): boolean {
  if (POSITIONS.some((pattern) => pattern.test(read))) return true;
  for (const [, first = '', second = ''] of read.matchAll(PAIR)) {
    const [a, b] = [magnitude(first), magnitude(second)];
    if (Math.min(a, b) <= 90 && Math.max(a, b) <= 180) return true;
  }
  return false;
}

function magnitude(number: string): number {
  return Math.abs(Number(number.replace(',', '.')));
}
