/** The word lists: what a story may not say, and what it may. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PASSAGE_RULES, reading } from '../../build/newsroom/gate/passages.ts';
import { claimIn, foreignCharacter } from '../../build/newsroom/gate/words.ts';
import { passageOf } from '../../build/newsroom/story.ts';

/** Texts separated by ` | `. */
function listed(texts: string): string[] {
  return texts.split(' | ');
}

describe('the reviewed list', () => {
  it('matches whole words only, in any case, and lets ordinary prose pass', () => {
    expect(claimIn('It was Caused BY it')?.what).toBe('cause');
    expect(claimIn('as  a\nresult')?.what).toBe('cause');
    for (const text of listed(
      'organized crime, often, tension, weight, halo | a zero, the zero, never zero, nor a zero | the best estimates | the first edition, a second time | on behalf of headquarters | manifold | one area concept and one year | café, Côte d’Ivoire, Zürich | tents, tenure, sevenoaks | I did mix civil and mild | a survey of people in jobs',
    ))
      expect(claimIn(text), text).toBeNull();
  });

  it('catches every phrase it lists, whatever ending or words the phrase leaves open', () => {
    const lists = readFileSync(new URL('../../build/newsroom/words.yaml', import.meta.url), 'utf8');
    const { claims } = parse(lists) as { claims: Record<string, string> };
    expect(Object.keys(claims).length).toBeGreaterThan(5);
    for (const [what, list] of Object.entries(claims))
      for (const phrase of list.split(',').map((text) => text.trim()))
        for (const [ending, between] of [
          ['', ' '],
          ['ing', ' very largely '],
        ] as const)
          expect(
            claimIn(`x ${phrase.replace('*', ending).replace(' ~ ', between)} y`),
            `${what}: ${phrase}`,
          ).not.toBeNull();
  });

  it.each(
    listed(
      'one fifth | a fifth | a sixth | a ninth | an eighth | thirds | halving | half-life | doubles | redoubled | triples | trebled | quintupled | sixfold | eightfold | in the nineties | twentieth century | a decade | eleventh | nil | nought | zeroes | it is zero | quintillion | twos | twenty-five | twentyfive | fourscore | dozens | a pair of | one percent | one in every | one tonne | veinte | trois | zwanzig | MMXXIII | XIX | iv | mmxxiii | tẃo | t-w-o | t w o | m.illion',
    ),
  )('%s is a number', (text) => {
    expect(claimIn(`the ${text} rows`)?.what).toBe('number');
  });

  it.each(
    listed(
      'results in | effects of | effect on | impact on | driven largely by | due mainly to | explain the rise | causation | causality | linked with | contribute to | gives rise to | brings about | enabled | affected | determined by | ascribed to | arising from | fuel | trigger | be-cause | càused | made the rows fall | after the ban | debido a | grâce à',
    ),
  )('%s is cause', (text) => {
    expect(claimIn(`it ${text} it`)?.what).toBe('cause');
  });

  it.each(
    listed(
      'convicted | conviction | implicated | smuggled | trafficked | laundered | dealers | cartel | felon | perpetrated | wrongdoing | suspected | conspirator | bears the fault | is answerable | that is to answer for it | that is behind it',
    ),
  )('%s is guilt', (text) => {
    expect(claimIn(`the ${text} here`)?.what).toBe('guilt');
  });

  it.each(
    listed(
      'biggest | highest | the most | combined score | ranked | more than any country | second to none | an index of risk | a rating of great danger',
    ),
  )('%s is ranking', (text) => {
    expect(claimIn(`${text} here`)?.what).toBe('ranking');
  });
});

describe('places', () => {
  const placeIn = (text: string): boolean =>
    PASSAGE_RULES['safety']?.(reading(passageOf('title', 1, text), new Map())) !== null;

  it.each(
    listed(
      'on Main St in town | near Main St. | Harbour Street | the corner of Elm and Oak | Av. Reforma | Sunset Blvd | Calle Ocho | points of sale | Plaza Mayor | a border crossing | a smuggling route',
    ),
  )('%s is one', (text) => {
    expect(placeIn(text)).toBe(true);
  });

  it('countries and common words are none', () => {
    expect(
      placeIn(
        'In St Lucia and St. Vincent the table, read on a screen, averages nothing on Peru; The road map goes across roads',
      ),
    ).toBe(false);
  });
});

describe('what no dataset holds', () => {
  const safety = (text: string): string | null | undefined =>
    PASSAGE_RULES['safety']?.(reading(passageOf('title', 1, text), new Map()));

  it.each(
    listed(
      'p u r i t y | p.u.r.i.t.y | purer | the purest powder | its strength | the drug was stronger | each hectare gave more | chemists | piperidine | kerosene | pur-ity | Pür’ity | point_of_sale | pointOfSale | unadulterated | cut with caffeine | bulked out with sugar | the fineness | levamisole | output for each hectare | leaves soaked in lime | acetic anhydride | pseudo-ephedrine | potassium permanganate | Birch reduction | sulfuric acid | also known as | nicknamed | an identity card | pu- rity | die Reinheit | la puridad | una cosecha | der Ernteertrag | síntese | coordenadas | Koordinaten | cøordinates | la longitud | la dirección | die Adresse | a P.O. Box | an e-mail | nacido | fecha de nacimiento | apodo | a nom de guerre | pasaporte | Reisepass | cédula | an ID card | a serial number | a telephone | un índice compuesto | a village | sea lanes | Hauptstraße | Kalverstraat | Karl-Marx-Allee | Barrio Tepito | by night | after nightfall | at dawn | overnight | under cover of darkness | pur\nity | pu rity | pu, (rity) | drugs of high grade | drugs in Peru were cut | the quality of the powder | a share of morphine | la teneur | o teor | productividad | produtividade | a colheita | output by hectare | hectares of opium gave more | la recette | a receita | precursores | anhídrido | ácido sulfúrico | gum boiled in lime | uma favela | Praça Mauá | Travessa Nova | Carretera Vieja | Rue Verte, Quai Voltaire | the meridian | índice composto | a blended index | culpado | nascido em | née en | idade | conhecido como | alcunha | called El Alto | passaporte | carte d’identité | número de documento',
    ),
  )('%s is stopped, however it is written', (text) => {
    expect(safety(`The table prints ${text} here`)).toMatch(/which is never published$/);
  });

  it.each(
    listed(
      'cut without notice | an anonymous table | a red line, phosphorescent | birch trees | the synthetic drug trade | the Cook Islands | a recipient | high figures of low quality | a prelate',
    ),
  )('%s is let through', (text) => {
    expect(safety(`The table prints ${text} here`)).toBeNull();
  });
});

describe('characters', () => {
  it.each([
    'тwo',
    '三千',
    '🔟',
    'ca\u3164use',
    'ca\uFE0Fuse',
    'be\u00ADcause',
    'ｔwo',
    'ﬁrst',
    'a\u00A0b',
    'a\u0336',
    'a<b',
    '$',
  ])('%j has one that is not allowed', (text) => {
    expect(foreignCharacter(text)).not.toBeNull();
  });

  it('accents, quotes and dashes are allowed', () => {
    expect(foreignCharacter('Côte d’Ivoire, “Türkiye” (São Tomé) — Łódź, Malmø; e\u0301')).toBeNull();
  });
});
