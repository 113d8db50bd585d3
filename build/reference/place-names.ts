/**
 * What places are called in other languages, by their codes: the words by which series are found. The names are those of
 * i18n-iso-countries, so that every machine that builds gets the same ones.
 */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import arabic from 'i18n-iso-countries/langs/ar.json' with { type: 'json' };
import chinese from 'i18n-iso-countries/langs/zh.json' with { type: 'json' };
import dutch from 'i18n-iso-countries/langs/nl.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import french from 'i18n-iso-countries/langs/fr.json' with { type: 'json' };
import german from 'i18n-iso-countries/langs/de.json' with { type: 'json' };
import hindi from 'i18n-iso-countries/langs/hi.json' with { type: 'json' };
import italian from 'i18n-iso-countries/langs/it.json' with { type: 'json' };
import japanese from 'i18n-iso-countries/langs/ja.json' with { type: 'json' };
import korean from 'i18n-iso-countries/langs/ko.json' with { type: 'json' };
import persian from 'i18n-iso-countries/langs/fa.json' with { type: 'json' };
import polish from 'i18n-iso-countries/langs/pl.json' with { type: 'json' };
import portuguese from 'i18n-iso-countries/langs/pt.json' with { type: 'json' };
import russian from 'i18n-iso-countries/langs/ru.json' with { type: 'json' };
import spanish from 'i18n-iso-countries/langs/es.json' with { type: 'json' };
import turkish from 'i18n-iso-countries/langs/tr.json' with { type: 'json' };
import ukrainian from 'i18n-iso-countries/langs/uk.json' with { type: 'json' };
import others from '../../shim/core/names.json' with { type: 'json' };

const LANGUAGES: { countries: Record<string, string | string[]> }[] = [
  english,
  french,
  spanish,
  portuguese,
  german,
  italian,
  dutch,
  polish,
  turkish,
  russian,
  ukrainian,
  arabic,
  persian,
  hindi,
  chinese,
  japanese,
  korean,
];

const ALPHA2 = new Map(codes.map(([alpha2 = '', alpha3 = '']) => [alpha3, alpha2]));
const OTHERS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(others));

/** The alpha-2 code of a geography and its names in other languages and in common use; none where nothing is known of it. */
export function otherNamesOf(code: string): string[] {
  const alpha2 = ALPHA2.get(code);
  const names = alpha2 === undefined ? [] : LANGUAGES.flatMap(({ countries }) => countries[alpha2] ?? []);
  return [...(alpha2 === undefined ? [] : [alpha2]), ...names, ...(OTHERS.get(code) ?? [])];
}
