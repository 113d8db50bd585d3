/** The safety gate: every text of a dataset is read, whatever its spelling; what official labels print still passes. */
import { describe, expect, test } from 'vitest';
import { forbiddenIn, forbiddenInProse } from '../../build/check/forbidden.ts';
import { descriptor, findingsOf, firstRow, rulesOf, type LooseDescriptor } from './gate-door.ts';
import { items, words } from '../_support/words.ts';

const OPIUM = 'opium-cultivation';

const FORBIDDEN = [
  ['Point of sale', 'pointOfSale', 'point_of-sale', 'Retail outlet: corner of Main Street and Fifth'],
  ['12 Main Street', '12 Main Street, Kabul', 'Calle Hidalgo 12', 'Hauptstraße 12', 'Apt. 4', 'P.O. Box 7'],
  ['Street-level dealer spot', 'sub-street', 'Neighbourhood', 'stash house'],
  ['Real-time seizure feed', 'live tracking', 'hourly'],
  ['Smuggling route A to B', 'route waypoint', 'trafficking corridor', 'navigation'],
  ['Potential cocaine manufacture', 'Potential opium production', 'Production potential'],
  ['Oven-dry opium yielded', 'Yielding', 'kg/ha', 'Kilograms per hectare'],
  ['80% pure', 'Impurities', 'Adulterated', 'THC content', '15% THC', 'THC 15%', 'Potency', 'Pureza'],
  items(`synthesized | Synthesised | synthetic route | Precursor | chemical | Reductive amination |
    Acetylation | Recrystallisation`),
  items(`34.52, 69.18 | 34.5281 69.1723 | 34.5281N 69.1723E | 34,5281; 69,1723 | +34.5281+069.1723/ |
    34.52,69.18 | (34.5281,69.1723) | -33.9,18.4 | ٣٤ ٦٩`),
  ['N34 31 42 E69 10 20', '34 31 42 N, 69 10 20 E', "34°31'N", '34N 69E', '-12.05 / -77.04', '69.1723'],
  ['42SWD1234567890', '42S WD 12345 67890', '42S 516000 3820000', '8FVC9G8F+6X', 'POINT(69.17 34.52)'],
  ['geo:34.52,69.18', 'latlon', 'lat', 'Longitude', 'geohash', 'GPS'],
  items(`born 1960 | phone +52 667 715 0000 | guilt | Guilty | culpable | combined score |
    overall score | threat score | Risk index`),
  words(`AB\u202eCD A\u0000B A\u200bB pur\u00adity <script> &lt;b&gt; pu\u0301rity Ｐurity \u0440urity`),
].flat();

describe('[SAFETY-GATES] a cell', () => {
  test.each(FORBIDDEN)('%j is refused, in small letters, in capitals and inside a label', (text) => {
    for (const cell of [text, text.toUpperCase(), `Amphetamine; ${text}`].slice(
      0,
      text === '69.1723' ? 1 : 3,
    ))
      expect(rulesOf(findingsOf(OPIUM, { 'records.csv': firstRow({ category: cell }) })), cell).toContain(
        'safety',
      );
  });

  test.each(
    words(`category subgroup unit unavailableReason sourceLocator geoCode sourceId period
    indicatorId`),
  )('in column %s is read', (column) => {
    const findings = findingsOf(OPIUM, { 'records.csv': firstRow({ [column]: '34.5281, 69.1723!A1' }) });
    expect(rulesOf(findings)).toContain('safety');
  });

  test.each(['row 1 column purity 80%', 'Purity!H3', 'Routes by GPS!H3'])(
    '%s is not a locator',
    (locator) => {
      expect(rulesOf(findingsOf(OPIUM, { 'records.csv': firstRow({ sourceLocator: locator }) }))).toContain(
        'safety',
      );
    },
  );
});

describe('[SAFETY-GATES] a descriptor', () => {
  const places: [string, (value: LooseDescriptor, text: string) => void][] = [
    ['title', (value, text) => (value.title = text)],
    ['description', (value, text) => (value.description = text)],
    ['limitation', (value, text) => value.limitations.push(text)],
    ['source title', (value, text) => Object.assign(value.sources[0] ?? {}, { title: text })],
    ['source publisher', (value, text) => Object.assign(value.sources[0] ?? {}, { publisher: text })],
    ['source note', (value, text) => Object.assign(value.sources[0] ?? {}, { notes: [text] })],
    ['indicator label', (value, text) => Object.assign(value.indicators[0] ?? {}, { label: text })],
    [
      'indicator description',
      (value, text) => Object.assign(value.indicators[0] ?? {}, { description: text }),
    ],
    ['indicator limitation', (value, text) => value.indicators[0]?.limitations.push(text)],
    ['geography name', (value, text) => Object.assign(value.geographies[0] ?? {}, { name: text })],
  ];

  test.each(places)('holds nothing forbidden in its %s', (_place, write) => {
    for (const text of ['Purity 80%', '12 Main Street, Kabul', '34.5281 69.1723', 'AB\u202eCD', '<script>']) {
      const change = descriptor((value) => write(value, text));
      expect(rulesOf(findingsOf(OPIUM, { 'datapackage.json': change })), text).toContain('safety');
    }
  });

  test.each(['x-34-5281-69-1723', 'x-12-main-street', 'x-gps'])('has no geography %s', (code) => {
    const change = descriptor(({ geographies }) =>
      geographies.push({ code, name: 'Place', level: 'aggregate' }),
    );
    expect(findingsOf(OPIUM, { 'datapackage.json': change })).not.toEqual([]);
  });

  test('has no position in a web address', () => {
    const url = 'https://maps.example/@34.5281,69.1723';
    const change = descriptor(({ sources }) => Object.assign(sources[0] ?? {}, { url }));
    expect(rulesOf(findingsOf(OPIUM, { 'datapackage.json': change }))).toEqual(['safety']);
  });
});

describe('[SAFETY-GATES] prose may name what is left out, and nothing else', () => {
  test.each([
    'The sheet of purities is not read and nothing of it is packaged.',
    'Yield and potential production are withheld.',
    'Aliases, addresses and birth data are withheld.',
    'The address is that of the page that offers the workbook.',
    'Expert scores of criminal markets on a scale from 1 to 10.',
    'A designation is no proof of guilt.',
  ])('%s', (text) => {
    expect(forbiddenInProse(text)).toBeNull();
  });

  test.each([
    'Purity is the mean of samples.',
    'Purity was 80%, which is not adjusted.',
    'Nothing is withheld. The yield is given by field.',
    'It is not at 12 Main Street.',
    'No station stands at 34.5281, 69.1723.',
    'An overall score of each country.',
  ])('%s is refused', (text) => {
    expect(forbiddenInProse(text)).not.toBeNull();
  });
});

describe('[SAFETY-GATES] what official labels print passes', () => {
  test.each(
    [
      ['Precursors', 'Other precursors', 'Non-specified precursors', 'Solvents and inhalants'],
      ['2,5-Dimethoxy-4-chloroamphetamine (DOC)', '3,4-Methylenedioxyphenyl-2-propanone (3,4-MDP-2-P, PMK)'],
      [
        'Synthetic cannabinoids',
        'Synthetic cathinones',
        'synthetic cannabinoids: under street name "herbal"; Grams',
      ],
      ['Brolamfetamine (DOB, dimethoxybromoamphetamine, bromo-DMA)', 'Ephedrine+Pseudo-ephedrine; Gram'],
      ['Illicitly manufactured', 'hectares', 'USD / 10 gram', 'percent of population', '15-64; a, b, d'],
      items(`Heroin no 4; Gram | Ketamine, 1.5-2.5 g | Crystalline methamphetamine | Acetylated opium |
        Area as interpreted on satellite imagery | THA | Côte d’Ivoire | Türkiye`),
    ].flat(),
  )('%s', (label) => {
    expect(forbiddenIn(label)).toBeNull();
  });

  test.each(
    [
      ['arms', 'coca-cultivation', 'drug-prices', 'drug-seizures', 'drug-use-prevalence', 'firearms-tracing'],
      ['informal-economy', 'informal-employment', 'national-indicators', OPIUM, 'organized-crime-index'],
    ].flat(),
  )('all of %s', (id) => {
    expect(findingsOf(id)).toEqual([]);
  });
});
