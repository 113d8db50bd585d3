/** The citation gate: each mutation of a sound story stops it, and the finding names story, sentence, line and rule. */
import { describe, expect, it } from 'vitest';
import { findingLine } from '../../build/lib/findings.ts';
import { items } from '../_support/words.ts';
import { findingsOver, gate, packagedDatasets, SOUND as ID, storyText } from '../_support/stories.ts';

const datasets = packagedDatasets();
const sound = storyText(ID);
const O6 = '{{opium-cultivation:opium-cultivation.AFG.2019@2025-06#';
const SEIZURE = '{{drug-seizures:seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2295f3@2025-06#value}}';
const SCORE = '{{organized-crime-index:organized_crime.BEL.2023#data.markets.cocaine_trade}}';

const withParagraph = (paragraph: string): string[] => findingsOver(paragraph, datasets);

describe('a sound story', () => {
  it('passes', () => {
    expect(gate(ID, sound, datasets).findings).toEqual([]);
  });
});

describe('[NEWS-GATE] [NEWS-SYNTHESIS] [NEWS-JOIN] mutations that stop the build', () => {
  const cases: [name: string, paragraph: string, rule: string][] = [
    ['a bare digit', `The area was 178000 in ${O6}period}}.`, 'bare-number'],
    ['a year outside a token', `In 2019 the cell of ${O6}geoName}} broke.`, 'bare-number'],
    ['a digit of another script', `The area was ١٧ in ${O6}period}}.`, 'bare-number'],
    ['a number in words', `The area fell by half after ${O6}period}}.`, 'reviewed-word'],
    ['a reported zero in words', `The country reported zero in ${O6}period}}.`, 'reviewed-word'],
    [
      'a token without a record',
      'It was {{opium-cultivation:opium-cultivation.AFG.1919#lower}}.',
      'unresolved-token',
    ],
    [
      'a token without a dataset',
      'It was {{opium:opium-cultivation.AFG.2019@2025-06#lower}}.',
      'unresolved-token',
    ],
    ['a token without a field', `It was ${O6}best}}.`, 'unresolved-token'],
    ['a token that is none', 'It was {{opium-cultivation AFG}}.', 'token-syntax'],
    ['words in a token', `It was ${O6.replace('#', '@a-pure-drug#')}lower}}.`, 'token-syntax'],
    ['an unavailable cell as a number', `It was ${O6}value}} ${O6}unit}}.`, 'unavailable-as-value'],
    ['a paragraph without a citation', 'Everyone knows this.', 'uncited-paragraph'],
    ['a word of cause', `The fall came because of ${O6}geoName}}.`, 'reviewed-word'],
    ['a word of cause across emphasis', `It was **due** to ${O6}geoName}}.`, 'reviewed-word'],
    ['a word of guilt', `A kingpin of ${O6}geoName}} said so.`, 'reviewed-word'],
    ['coordinates', `It lies at 31.6205, 65.7158 in ${O6}geoName}}.`, 'bare-number'],
    ['coordinates in words', `Take the latitude of ${O6}geoName}}.`, 'safety'],
    ['an address', `It stands in Harbour Street of ${O6}geoName}}.`, 'safety'],
    ['an electronic address', `See www.example.org for ${O6}geoName}}.`, 'safety'],
    ['a link', `See [this](x) of ${O6}geoName}}.`, 'markup'],
    ['a number as an entity', `It fell by &half; in ${O6}geoName}}.`, 'reviewed-word'],
    ['an entity that cannot be seen', `The pur&shy;ity in ${O6}geoName}} fell.`, 'markup'],
    ['a word with a mark in it', `The pu(r)ity in ${O6}geoName}} fell.`, 'safety'],
    ['a word in quotes in part', `The “pu”rity in ${O6}geoName}} fell.`, 'safety'],
    ['an abbreviation with commas', `The a,k,a name of ${O6}geoName}}.`, 'safety'],
    ['letters set apart', `The p,  u,  r,  i,  t,  y in ${O6}geoName}}.`, 'safety'],
    ['an unseen character', `It is be\u00ADcause of ${O6}geoName}}.`, 'characters'],
    ['a list', `- one\n- more of ${O6}geoName}}`, 'story-structure'],
    [
      'a synthesis of one publisher',
      `Synthesis: Both ${O6}lower}} and ${SEIZURE} are printed.`,
      'synthesis-single-publisher',
    ],
    [
      'several datasets without the mark',
      `Both ${O6}lower}} and ${SCORE} are printed.`,
      'synthesis-unmarked',
    ],
    [
      'a join with the context lane',
      '{{national-indicators:sp.pop.totl.MMR.2019#value}} lived there.',
      'prohibited-join',
    ],
    ['a join with designations', 'See {{designations:designations.20260#name}}.', 'prohibited-join'],
  ];

  it.each(cases)('%s', (_name, paragraph, rule) => {
    const lines = withParagraph(paragraph);
    const place = rule === 'story-structure' ? '' : `story ${ID}, sentence 1 `;
    expect(lines.find((line) => line.includes(`: ${rule}: `) && line.includes(place))).toMatch(
      new RegExp(`^datasets/newsroom/${ID}\\.md:\\d+: ${rule}: `),
    );
  });

  it('[NEWS-JOIN] a join is reported where it comes in, and once', () => {
    const token = '{{national-indicators:sp.pop.totl.MMR.2019#value}}';
    const lines = withParagraph(`${token} lived there, of whom ${token} were counted, in ${O6}geoName}}.`);
    expect(lines.filter((line) => line.includes(': prohibited-join: '))).toHaveLength(1);
  });

  it('[NEWS-SYNTHESIS] a synthesis of independent publishers passes', () => {
    expect(withParagraph(`Synthesis: Both ${O6}lower}} and ${SCORE} are printed.`)).toEqual([]);
  });

  it.each([
    [
      'an initiative',
      'The China-Pakistan Economic Corridor is planned there.',
      'context',
      'economic corridor',
    ],
    ['a port', 'It lies near the port of Gwadar.', 'context', 'port of'],
    ['its roads', 'Where China builds roads, the crop grows.', 'context', 'china builds'],
    ['its money', 'Belt and Road money came to the country.', 'context', 'belt and road'],
    [
      'a national indicator',
      'Gross domestic product of Peru is printed elsewhere.',
      'context',
      'gross domestic',
    ],
    ['a national indicator, shortened', 'G.D.P. is printed elsewhere.', 'context', 'gdp'],
    ['designations', 'The table is silent on sanctions.', 'designations', 'sanctions'],
    ['a designated organization', 'The table is silent on Los Zetas.', 'designations', 'los zetas'],
  ])(
    '[NEWS-JOIN] %s in words alone is a join, with story, line and both lanes',
    (_name, words, lane, word) => {
      const id = 'peru-coca-area-concepts';
      const text = storyText(id).replace('## What it cannot show\n', (heading) => `${heading}\n${words}\n`);
      const row = text.split('\n').indexOf(words) + 1;
      const { findings } = gate(id, text, datasets);
      const finding = findings.find(({ rule }) => rule === 'prohibited-join');
      expect(finding).toMatchObject({ file: `datasets/newsroom/${id}.md`, row });
      expect(finding?.message).toContain(`story ${id}, sentence`);
      expect(finding?.message.toLowerCase()).toContain(`"${word}`);
      expect(finding?.message).toMatch(new RegExp(`lanes ${lane} and drugs must not meet in a story`));
    },
  );

  it('[NEWS-JOIN] words of two lanes are a join in any place, even when the story cites neither', () => {
    const id = 'bolivia-informality-by-model';
    const text = storyText(id)
      .replace('## What it cannot show', '## Cocaine and what it cannot show')
      .replace('## The countercase', '## The countercase of the Belt and Road');
    const places = gate(id, text, datasets)
      .findings.filter(({ rule }) => rule === 'prohibited-join')
      .map(({ message }) => message.split('"')[0]);
    expect(places).toContain(`story ${id}, heading 2 `);
    expect(places).toContain(`story ${id}, heading 3 `);
  });

  it.each([
    ['guilt', 'The crop of @G funded terror in @P.'],
    ['cause', 'In @P the rows of @G changed. Violence followed.'],
    ['conclusion', 'The row of @P shows that policy failed.'],
    ['forecast', 'The area of @G will grow after @P.'],
    ['month', 'By March of @P the rows of @G were empty.'],
    ['month', 'In @P, the rows of October were those of @G.'],
    ['advice', 'The country should look at @P.'],
    ['sum', 'The rows of @G add up to more than in @P.'],
  ])('a word of %s', (what, sentence) => {
    expect(withParagraph(sentence).join('\n')).toMatch(
      new RegExp(`: reviewed-word: .* is a word of ${what},`),
    );
  });

  it.each([
    ['a country the sentence cites no record of', 'Bolivia has @V @U in @P.', 'subject'],
    ['a drug the sentence cites no record of', 'The area under coca is @V @U in @P.', 'subject'],
    ['a person by a nickname', 'El Chapo is from @G.', 'person'],
    ['a person by a title', 'President Castillo saw the rows of @G.', 'person'],
    ['a shortened vague word', 'It is in @P approx. @V @U.', 'reviewed-word'],
  ])('%s', (_name, sentence, rule) => {
    expect(withParagraph(sentence).join('\n')).toContain(`: ${rule}: story ${ID}, sentence 1 `);
  });

  it('[NEWS-SYNTHESIS] title, summary, headings and chart titles draw on one dataset', () => {
    const both = `${O6}period}} and ${SCORE}`;
    const text = sound
      .replace(/^title: .*$/m, `title: The years ${both}`)
      .replace(/^summary: .*$/m, `summary: Between ${both} nothing.`)
      .replace('## The countercase', `## The case of ${both}`)
      .replace(/^title: Area.*$/gm, `title: Area of ${both}`);
    const lines = gate(ID, text, datasets).findings.map(findingLine);
    expect(lines).toHaveLength(4);
    for (const place of ['title', 'summary', 'heading 3', 'chart title'])
      expect(lines.some((line) => line.includes(`synthesis-unmarked: story ${ID}, ${place} "`))).toBe(true);
  });

  it('[NEWS-GATE] a story without a cited paragraph, or with an empty place, stops', () => {
    const [, matter = ''] = /^(---[\s\S]*?\n---\n)/.exec(sound) ?? [];
    const [chart = ''] = /```chart[\s\S]*?```\n/.exec(sound) ?? [];
    for (const body of ['', '## What the record shows\n', chart])
      expect(gate(ID, `${matter}\n${body}`, datasets).findings.map(({ message }) => message)).toContain(
        `story ${ID}, a story needs a paragraph that cites a packaged record`,
      );
    expect(withParagraph('##\n')).toEqual([expect.stringContaining('story-text')]);
    expect(gate(ID, sound.replace(/^summary: .*$/m, 'summary: ""'), datasets).findings).toMatchObject([
      { rule: 'story-text' },
    ]);
  });

  it('[NEWS-GATE] markup and characters of no English text stop in every place', () => {
    for (const text of [
      sound.replace('summary: ', 'summary: <script>x()</script> '),
      sound.replace('title: ', 'title: <img src=x onerror=y> '),
      sound.replace('## The countercase', '## The > countercase'),
      sound.replace('corrections: []', 'corrections:\n  - date: 2026-11-22\n    text: It was <b>bold</b>.'),
    ])
      expect(gate(ID, text, datasets).findings.map(({ rule }) => rule)).toContain('characters');
  });

  it('an empty member of a record is not a citation', () => {
    expect(withParagraph(`The group reads “${O6}subgroup}}”.`)).toEqual([
      expect.stringContaining('unresolved-token'),
    ]);
  });

  it('[NEWS-PERSON] a designated individual is not named in prose, in either order, accented or with a nickname', () => {
    const name = String(
      datasets.get('designations')?.records().get(`designations.${individualNumber()}`)?.['name'],
    );
    const [family = '', given = ''] = name.split(', ');
    const [last = ''] = family.split(' ');
    const [first = ''] = given.split(' ');
    for (const written of [
      `${given} ${family}`,
      `${last} ${first}`,
      `${first} ${last}`.toLowerCase(),
      `${first} “the Elder” ${last}`,
      `${first.replace(/a/i, 'á')} ${last}`,
    ])
      expect(
        withParagraph(`Of ${written} the table of ${O6}geoName}} is silent.`).join('\n'),
        written,
      ).toMatch(/: person: story .*is the name of a designated individual/);
    expect(
      gate(ID, sound.replace(/^title: .*$/m, `title: ${first} ${last}`), datasets).findings,
    ).toMatchObject([{ rule: 'person' }]);
    expect(withParagraph(`The family name ${last} stands nowhere in the table of ${O6}geoName}}.`)).toEqual(
      [],
    );
  });

  it('[NEWS-PERSON] nor with a middle name that is on no list, nor by the two family names', () => {
    const names = individualNames();
    const [family = '', given = ''] =
      names.map((name) => name.split(', ')).find(([one = '']) => /^[A-Z]{5,} [A-Z]{5,}$/.test(one)) ?? [];
    const [first = ''] = given.split(' ');
    const [one = '', two = ''] = family
      .split(' ')
      .map((word) => word.charAt(0) + word.slice(1).toLowerCase());
    for (const written of [
      `${first} Inventado ${one}`,
      `${first} Inventado de la Nada ${two}`,
      `${first} J. ${two}`,
      `${first} M\u00AA. ${one}`,
      `${one}, ${first} Inventado`,
      `${one} Inventado ${first}`,
      `${one} ${two}`,
      `${one}-${two}`,
      `${one} y ${two}`,
      family,
    ])
      expect(withParagraph(`Of ${written} the table of @G is silent.`).join('\n'), written).toMatch(
        /: (person|characters): story /,
      );
    for (const written of [`${two} ${one}`, `${first} of Xanadu and ${one}`, `${first}; the table of ${one}`])
      expect(withParagraph(`Of ${written} the table of @G is silent.`), written).toEqual([]);
  });

  it.each(
    items('San José de Costa Rica | Santa Cruz de la Sierra | Mar del Plata | Valle del Cauca | New Leon'),
  )('[NEWS-PERSON] %s is a place', (place) => {
    expect(withParagraph(`Of ${place} the table of @G is silent.`)).toEqual([]);
  });

  it('[NEWS-PERSON] a cited organization may be called after a person', () => {
    const records = [...(datasets.get('designations')?.records().entries() ?? [])];
    const named = individualNames().map((name) => name.split(',')[0] ?? '');
    const [id] =
      records.find(
        ([, record]) =>
          record['entity_type'] === 'organization' &&
          named.some((name) => name.includes(' ') && record['name'] === `${name} ORGANIZATION`),
      ) ?? [];
    expect(id).toBeDefined();
    const text = sound.replace(/## [\s\S]*$/, `See {{designations:${id}#name}}.\n`);
    expect(gate(ID, text, datasets).findings.map(({ rule }) => rule)).not.toContain('person');
  });

  it('[NEWS-PERSON] a natural person is never singled out', () => {
    const text = sound.replace(/## [\s\S]*$/, 'See {{designations:designations.6909#entity_type}}.\n');
    const individual = individualNumber();
    const { findings } = gate(ID, text.replace('6909', individual), datasets);
    expect(findings.map(({ rule }) => rule)).toContain('person');
  });

  it('the gate holds title, summary, headings and corrections to the same rules', () => {
    const text = sound
      .replace(/^title: .*$/m, 'title: The 2019 gap')
      .replace(/^summary: .*$/m, 'summary: It fell because of it.')
      .replace('## The countercase', '## The 3 countercases')
      .replace('corrections: []', 'corrections:\n  - date: 2026-11-22\n    text: It said 5 before.');
    const places = gate(ID, text, datasets).findings.map(({ message }) => message.split('"')[0]);
    expect(places).toEqual(
      ['title', 'summary', 'heading 3', 'correction 1'].map((place) => `story ${ID}, ${place} `),
    );
  });

  it.each([
    ['another id', `id: ${ID}`, 'id: other', 'story-id', 1],
    ['an invalid date', 'published: 2026-11-21', 'published: 2026-02-30', 'story-date', 1],
    ['an update before publication', 'published: 2026-11-21', 'published: 2027-11-21', 'story-date', 1],
    ['an unknown key', 'corrections: []', 'mood: good', 'front-matter', 7],
    ['a duplicate key', 'corrections: []', 'title: Again', 'front-matter', 7],
    ['an unknown key of a correction', 'corrections: []', 'corrections:\n  - day: x', 'front-matter', 8],
    ['corrections that are not a list', 'corrections: []', 'corrections: none', 'front-matter', 7],
    [
      'text that YAML takes for a mapping',
      'corrections: []',
      'corrections: []\nid: {x: y}',
      'front-matter',
      8,
    ],
    ['a token in front without quotes', 'title: The', `title: ${O6}period}}`, 'front-matter', 3],
    ['a comment', 'corrections: []', 'corrections: [] # unread', 'front-matter', 7],
    ['an anchor', 'title: The', 'title: &unread The', 'front-matter', 3],
    ['no end', '\n---\n', '\n', 'front-matter', 1],
  ])('front matter with %s stops, with its line', (_what, from, to, rule, row) => {
    const { findings } = gate(ID, sound.replace(from, to), datasets);
    expect(findings).toContainEqual(expect.objectContaining({ rule, row }));
  });

  it('front matter may quote its text and write it over several lines', () => {
    const text = sound.replace(/^title: (.*)$/m, "title: '$1'").replace('printed, and', 'printed,\n  and');
    expect(gate(ID, text, datasets).findings).toEqual([]);
  });

  it('no text of a story is left unread', () => {
    expect(withParagraph('[x]: /y "because of it"').join('\n')).toContain('uncited-paragraph');
    const twice = sound.replace('```chart\n', '```chart\ntitle: It fell because of it\n');
    expect(gate(ID, twice, datasets).findings.map(({ rule }) => rule)).toContain('chart');
  });

  it('a chart shows one dataset and one unit, and says what each mark is', () => {
    const problems = (lines: string[]): string[] => {
      const text = sound.replace(/```chart\n[\s\S]*?```\n/, ['```chart', ...lines, '```', ''].join('\n'));
      return gate(ID, text, datasets).findings.flatMap(({ rule, message }) =>
        ['chart', 'story-text'].includes(rule) ? message : [],
      );
    };
    const mark = O6.replace('2019', '2010');
    const value = `${mark}value}}`;
    const title = 'title: Area, as printed';
    const noField = 'its record has no field "shade" to name the mark';
    expect(problems([title, value])).toEqual([]);
    const charts: [lines: string[], problem: string][] = [
      [[title, SEIZURE, value], 'a chart uses one dataset, not drug-seizures, opium-cultivation'],
      [[title, ...twoUnits()], 'a chart has one unit; units are never converted'],
      [[title], 'a chart needs at least one mark'],
      [[value], 'chart title is missing'],
      [[title, `${mark}unit}}`], 'is not a number'],
      [[title, value.replace('2010', '1910')], 'has no record "opium-cultivation.AFG.1910"'],
      [[title, 'label: shade', value], noField],
      [[title, 'series: shade', value], noField],
    ];
    for (const [lines, problem] of charts)
      expect(problems(lines)).toEqual([expect.stringContaining(problem)]);
  });
});

/** Marks of two records of one dataset in different units. */
function twoUnits(): string[] {
  const records = [...(datasets.get('national-indicators')?.records().values() ?? [])];
  const byUnit = new Map(records.map((record) => [record['unit'], record]));
  return [...byUnit.values()].slice(0, 2).map(({ id }) => `{{national-indicators:${String(id)}#value}}`);
}

describe('[NEWS-CHANGED] data that changed', () => {
  const token = `${O6}lower}}`;

  it('flags the story and names the sentence, and prints the present value alone', () => {
    const { findings, checked } = gate(ID, sound, datasets, new Map([[token, '148999']]));
    expect(findings).toEqual([]);
    expect(checked?.changes).toMatchObject([
      { place: 'sentence 5', reviewed: '148999', now: '149000' },
      { place: 'chart title', reviewed: '148999', now: '149000' },
    ]);
    expect(checked?.citations.get(token)?.printed).toBe('149000');
  });

  it('does not flag what is as reviewed, nor what was never reviewed', () => {
    expect(gate(ID, sound, datasets, new Map([[token, '149000']])).checked?.changes).toEqual([]);
    expect(gate(ID, sound, datasets).checked?.changes).toEqual([]);
  });
});

function individuals() {
  const records = [...(datasets.get('designations')?.records().values() ?? [])];
  return records.filter((record) => record['entity_type'] === 'individual');
}

function individualNumber(): string {
  return String(individuals()[0]?.['sanctions_entity_number']);
}

function individualNames(): string[] {
  return individuals().map(({ name }) => String(name));
}
