import { readFileSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import type { Geography } from '../../build/lib/dataset.ts';
import { geographyOf, geographyOfCode } from '../../build/reference/geography.ts';

/** Every name that the annexes of drug seizures and drug prices print, and the country it means. */
const PRINTED = `
  Afghanistan AFG; Albania ALB; Algeria DZA; Andorra AND; Angola AGO; Antigua and Barbuda ATG; Argentina ARG;
  Armenia ARM; Aruba ABW; Australia AUS; Austria AUT; Azerbaijan AZE; Bahamas BHS; Bahrain BHR; Bangladesh BGD;
  Belarus BLR; Belgium BEL; Belize BLZ; Benin BEN; Bhutan BTN; Bolivia (Plurinational State of) BOL;
  Bosnia and Herzegovina BIH; Botswana BWA; Brazil BRA; Brunei Darussalam BRN; Bulgaria BGR; Burkina Faso BFA;
  Cabo Verde CPV; Cambodia KHM; Cameroon CMR; Canada CAN; Central African Republic CAF; Chad TCD; Chile CHL;
  China CHN; China, Hong Kong SAR HKG; China, Macao SAR MAC; China, Taiwan Province of China TWN; Colombia COL;
  Comoros COM; Costa Rica CRI; Croatia HRV; Cyprus CYP; Czechia CZE; Côte d'Ivoire CIV;
  Democratic Republic of the Congo COD; Denmark DNK; Djibouti DJI; Dominican Republic DOM; Ecuador ECU;
  Egypt EGY; El Salvador SLV; Estonia EST; Eswatini SWZ; Finland FIN; France FRA; Gambia GMB; Georgia GEO;
  Germany DEU; Ghana GHA; Gibraltar GIB; Greece GRC; Guatemala GTM; Guinea GIN; Guinea-Bissau GNB; Guyana GUY;
  Haiti HTI; Holy See VAT; Honduras HND; Hungary HUN; Iceland ISL; India IND; Indonesia IDN;
  Iran (Islamic Republic of) IRN; Iraq IRQ; Ireland IRL; Israel ISR; Italy ITA; Jamaica JAM; Japan JPN;
  Jordan JOR; Kazakhstan KAZ; Kenya KEN; Kuwait KWT; Kyrgyzstan KGZ; Lao People's Democratic Republic LAO;
  Latvia LVA; Lebanon LBN; Lesotho LSO; Liberia LBR; Libya LBY; Liechtenstein LIE; Lithuania LTU; Luxembourg LUX;
  Madagascar MDG; Malawi MWI; Malaysia MYS; Maldives MDV; Mali MLI; Malta MLT; Mauritania MRT; Mauritius MUS;
  Mexico MEX; Mongolia MNG; Montenegro MNE; Morocco MAR; Mozambique MOZ; Myanmar MMR; Namibia NAM; Nepal NPL;
  Netherlands NLD; New Zealand NZL; Nicaragua NIC; Niger NER; Nigeria NGA; North Macedonia MKD; Norway NOR;
  Oman OMN; Pakistan PAK; Panama PAN; Paraguay PRY; Peru PER; Philippines PHL; Poland POL; Portugal PRT;
  Qatar QAT; Republic of Korea KOR; Republic of Moldova MDA; Romania ROU; Russian Federation RUS;
  Saudi Arabia SAU; Senegal SEN; Serbia SRB; Seychelles SYC; Sierra Leone SLE; Singapore SGP; Slovakia SVK;
  Slovenia SVN; South Africa ZAF; Spain ESP; Sri Lanka LKA; State of Palestine PSE; Suriname SUR; Sweden SWE;
  Switzerland CHE; Syrian Arab Republic SYR; Tajikistan TJK; Thailand THA; Timor-Leste TLS; Togo TGO;
  Trinidad and Tobago TTO; Tunisia TUN; Türkiye TUR; Uganda UGA; Ukraine UKR; United Arab Emirates ARE;
  United Kingdom GBR; United Republic of Tanzania TZA; United States of America USA; Uruguay URY; Uzbekistan UZB;
  Venezuela (Bolivarian Republic of) VEN; Viet Nam VNM; Zambia ZMB; Zimbabwe ZWE
`
  .split(';')
  .map((pair) => [pair.trim().slice(0, -4), pair.trim().slice(-3)] as const);

/** Spellings of other tables. */
const OTHER = [
  ['Congo, Democratic Republic of the', 'COD'],
  ['Occupied Palestinian Territory', 'PSE'],
  ['Tanzania, United Republic of', 'TZA'],
  ['United Kingdom of Great Britain and Northern Ireland', 'GBR'],
] as const;

describe('[IMPORT-GEOGRAPHY] geographyOf', () => {
  test.each([...PRINTED, ...OTHER])('%s is %s', (name, code) => {
    expect(geographyOf(name)).toMatchObject({ code, name });
  });

  test('each printed name has a code of its own', () => {
    expect(PRINTED.length).toBe(165);
    expect(new Set(PRINTED.map(([, code]) => code)).size).toBe(PRINTED.length);
  });

  test.each([
    ['Kosovo', 'x-kosovo', 'territory'],
    ['Kosovo under UNSCR 1244', 'x-kosovo', 'territory'],
    ['Ireland and Northern Ireland', 'x-ireland-and-northern-ireland', 'aggregate'],
    ['United Kingdom (England)', 'x-england', 'subnational'],
    ['United Kingdom (England and Wales)', 'x-england-and-wales', 'subnational'],
    ['United Kingdom (Northern Ireland)', 'x-northern-ireland', 'subnational'],
    ['United Kingdom (Scotland)', 'x-scotland', 'subnational'],
  ])('%s has no ISO code: %s, %s', (name, code, level) => {
    expect(geographyOf(name)).toEqual({ code, name, level });
  });

  test('a name is kept as printed with white space folded', () => {
    expect(geographyOf('  Viet\u00a0Nam ')).toEqual({ code: 'VNM', name: 'Viet Nam', level: 'country' });
  });

  test('an accent may be a character of its own', () => {
    const printed = 'Re\u0301union';
    expect(geographyOf(printed)).toEqual({ code: 'REU', name: printed, level: 'territory' });
  });

  test('territories say so', () => {
    expect(geographyOf('Aruba')?.level).toBe('territory');
    expect(geographyOf('China, Hong Kong SAR')?.level).toBe('territory');
    for (const name of ['Bonaire, Sint Eustatius and Saba', 'Norfolk Island', 'Saint Barthélemy', 'Tokelau'])
      expect([name, geographyOf(name)?.level]).toEqual([name, 'territory']);
    expect(geographyOf('China')?.level).toBe('country');
  });

  test.each([
    '',
    'Atlantis',
    'Africa',
    'World',
    'Total',
    'Kenya*',
    'Kenia',
    'KEN',
    'Korea',
    'United Kingdom (Wales)',
  ])('no geography is guessed for %j', (name) => {
    expect(geographyOf(name)).toBeNull();
  });
});

describe('geographyOfCode', () => {
  test('takes alpha-3 codes of the standard only', () => {
    expect(geographyOfCode('KEN', ' Kenya ')).toEqual({ code: 'KEN', name: 'Kenya', level: 'country' });
    for (const code of ['', 'KE', 'XXX', 'WLD', 'EUU']) expect(geographyOfCode(code, 'x')).toBeNull();
  });
});

/** What the packaged descriptors say of a geography, and what the importers say of it now. */
const packaged = fastGlob.globSync('datasets/*/[0-9]*/datapackage.json').flatMap((path) => {
  const [, dataset = ''] = path.split('/');
  const { geographies = [] } = JSON.parse(readFileSync(path, 'utf8')) as { geographies?: Geography[] };
  return geographies.map((geography) => ({ dataset, geography, known: geographyOf(geography.name) }));
});

test('a place known by its printed name has the level its name has everywhere', () => {
  const shared = packaged.filter(({ geography, known }) => known?.code === geography.code);
  expect(shared.length).toBeGreaterThan(500);
  const other = shared.filter(({ geography, known }) => known?.level !== geography.level);
  expect(other.map(({ dataset, geography }) => `${dataset}: ${geography.code}`)).toEqual([]);
});
