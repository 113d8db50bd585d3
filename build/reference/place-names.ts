/**
 * What places are called in other languages, by their codes: the words by which series are found. The names are those of
 * i18n-iso-countries, so that every machine that builds gets the same ones.
 */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { createRequire } from 'node:module';
import LANGUAGES from '../../shim/core/languages.json' with { type: 'json' };
import others from '../../shim/core/names.json' with { type: 'json' };

const load = createRequire(import.meta.url);
/** The names in each language, read when the first place is asked for: most builds take all that is made of them from the cache. */
let known: { countries: Record<string, string | string[]> }[] | null = null;
const allNames = (): NonNullable<typeof known> =>
  (known ??= LANGUAGES.map(
    (language) => load(`i18n-iso-countries/langs/${language}.json`) as NonNullable<typeof known>[number],
  ));

const ALPHA2 = new Map(codes.map(([alpha2 = '', alpha3 = '']) => [alpha3, alpha2]));
const OTHERS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(others));

/** The alpha-2 code of a geography and its names in other languages and in common use; none where nothing is known of it. */
export function otherNamesOf(code: string): string[] {
  const alpha2 = ALPHA2.get(code);
  const names = alpha2 === undefined ? [] : allNames().flatMap(({ countries }) => countries[alpha2] ?? []);
  return [...(alpha2 === undefined ? [] : [alpha2]), ...names, ...(OTHERS.get(code) ?? [])];
}
