/** The four forms of a citation, to the letter: of a record, and of a work whose texts hold what the forms have signs of their own for. */
import { expect, test } from 'vitest';
import { citeRecord, formsOf } from '../../shim/core/cite.ts';
import { readBibtex, readRis } from '../_support/citations.ts';

const PROOF = `Record seizures.BEL.2023.cocaine~2295f3 of dataset drug-seizures (sha256 ${'a'.repeat(64)}), read from Sheet 1!H3 of the publisher's file (sha256 ${'b'.repeat(64)})`;

function recordAt(address: string | null): ReturnType<typeof citeRecord> {
  return citeRecord({
    dataset: 'drug-seizures',
    recordId: 'seizures.BEL.2023.cocaine~2295f3',
    packSha256: 'a'.repeat(64),
    locator: 'Sheet 1!H3',
    source: {
      name: 'Drug seizures',
      publisher: 'UNODC',
      url: 'https://publisher.example/page',
      license: 'CC BY 4.0',
      dated: '2025-06',
      retrievedAt: '2026-11-19',
      sha256: 'b'.repeat(64),
    },
    address,
  });
}

test('a record leads to its page, and names the page of the publisher too', () => {
  const address = 'https://evidence.example/r/seizures.BEL.2023.cocaine~2295f3@2025-06';
  const note = `${PROOF}. Publisher's page: https://publisher.example/page. Licence: CC BY 4.0`;
  const { text, csl, bibtex, ris } = recordAt(address);
  expect(text).toBe(
    `UNODC, "Drug seizures" (2025-06). ${PROOF}; retrieved 2026-11-19. ${address}. Publisher's page: https://publisher.example/page. Licence: CC BY 4.0.`,
  );
  expect(csl).toEqual({
    id: 'drug-seizures:seizures.BEL.2023.cocaine~2295f3',
    type: 'dataset',
    author: [{ literal: 'UNODC' }],
    title: 'Drug seizures',
    publisher: 'UNODC',
    issued: { 'date-parts': [[2025, 6]] },
    accessed: { 'date-parts': [[2026, 11, 19]] },
    URL: address,
    number: 'seizures.BEL.2023.cocaine~2295f3',
    version: 'a'.repeat(64),
    license: 'CC BY 4.0',
    note,
  });
  const [entry] = readBibtex(bibtex);
  expect([entry?.kind, entry?.key]).toEqual(['misc', 'drug-seizures:seizures.BEL.2023.cocaine-2295f3']);
  expect(Object.fromEntries(entry?.fields ?? [])).toEqual({
    // A name in braces is not taken apart into given and family name.
    author: '{UNODC}',
    title: 'Drug seizures',
    date: '2025-06',
    year: '2025',
    url: address,
    urldate: '2026-11-19',
    note: note.replace('~', '{\\textasciitilde}'),
  });
  const [reference] = readRis(ris);
  expect([...(reference ?? [])]).toEqual([
    ['TY', ['DATA']],
    ['ID', ['drug-seizures:seizures.BEL.2023.cocaine~2295f3']],
    ['AU', ['UNODC']],
    ['TI', ['Drug seizures']],
    ['PB', ['UNODC']],
    ['PY', ['2025']],
    ['DA', ['2025/06//']],
    ['Y2', ['2026/11/19/']],
    ['UR', [address]],
    ['N1', [note]],
    ['ER', ['']],
  ]);
});

test('a record without a page leads to the page of the publisher, named once', () => {
  const { text, csl } = recordAt(null);
  expect(text).toBe(
    `UNODC, "Drug seizures" (2025-06). ${PROOF}; retrieved 2026-11-19. https://publisher.example/page. Licence: CC BY 4.0.`,
  );
  expect(csl).toMatchObject({
    URL: 'https://publisher.example/page',
    note: `${PROOF}. Licence: CC BY 4.0`,
  });
});

test('signs of TeX are printed as they are, and no text ends a field or a line', () => {
  const work = {
    id: 'a b/c~d',
    type: 'webpage' as const,
    author: 'A {B} & C',
    title: '50 % of $5, #1_a ^ ~ \\end}',
    issued: '2024',
    accessed: '2025-02-03',
    url: 'https://evidence.example/a_b?c=1&d=%20#e',
    note: 'one\r\nER  - \n\ttwo',
    text: 'as given',
  };
  const { bibtex, ris, csl, text } = formsOf(work);
  const [entry] = readBibtex(bibtex);
  expect([entry?.kind, entry?.key]).toEqual(['online', 'a-b-c-d']);
  expect(Object.fromEntries(entry?.fields ?? [])).toEqual({
    author: '{A (B) \\& C}',
    title: '50 \\% of \\$5, \\#1\\_a {\\textasciicircum} {\\textasciitilde} /end)',
    date: '2024',
    year: '2024',
    url: work.url,
    urldate: '2025-02-03',
    note: work.note,
  });
  const [reference, ...others] = readRis(ris);
  expect(others).toEqual([]);
  expect(Object.fromEntries(reference ?? [])).toMatchObject({
    TY: ['ELEC'],
    TI: [work.title],
    PY: ['2024'],
    DA: ['2024///'],
    N1: ['one ER - two'],
    ER: [''],
  });
  expect([csl['type'], csl['title'], text]).toEqual(['webpage', work.title, 'as given']);
});
