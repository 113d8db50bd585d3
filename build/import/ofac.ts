/**
 * The Specially Designated Nationals list, narrowed to four programs and five fields, as the dataset
 * designations. Entities known to have left the list since its publication are withheld and counted.
 */
import { byCodeUnits, type Dataset, type EntityRow, type Source } from '../lib/dataset.ts';
import { count, newAudit, type Imported, type Importer } from './importer.ts';
import { readCountries, readEntities, readWithdrawn, recognizeFiles, type ListFiles } from './ofac-list.ts';
import { Refusal } from './refusal.ts';
import { describeSource, type SourceFacts } from './sources.ts';

const PROGRAMS: EntityRow['programs'] = ['ILLICIT-DRUGS-EO14059', 'SDNT', 'SDNTK', 'TCO'];

const LIST_PAGE = 'https://sanctionslist.ofac.treas.gov/Home/SdnList';
const NOTHING_ELSE =
  'Only entity number, official name, type, programs and countries are packaged; everything else in the file is left out.';

const COMMON = {
  publisher: 'US Department of the Treasury, Office of Foreign Assets Control (OFAC)',
  url: LIST_PAGE,
  license: 'US Government work, public domain',
  licenseUrl: null,
} as const;

const FACTS: Record<keyof ListFiles, SourceFacts> = {
  sdn: {
    ...COMMON,
    id: 'ofac-sdn',
    title: 'Specially Designated Nationals list, SDN.CSV',
    path: 'https://www.treasury.gov/ofac/downloads/sdn.csv',
    cadence: 'P1D',
    notes: [NOTHING_ELSE],
    copies: { d768d28ee9e3ac7b27f9a956c922bf97dc286ebd39eff63faa4ef231f1ef668b: '2023-12-29' },
  },
  add: {
    ...COMMON,
    id: 'ofac-add',
    title: 'Specially Designated Nationals list, ADD.CSV',
    path: 'https://www.treasury.gov/ofac/downloads/add.csv',
    cadence: 'P1D',
    notes: ['Read for the country column only.'],
    copies: { c9706ac0aacaabc8f6a2f8c66e07d0932161354f67772ddc41ed2e1328561ea5: '2023-12-29' },
  },
  withdrawn: {
    ...COMMON,
    id: 'ofac-withdrawn',
    title: 'Entity numbers no longer on the list',
    path: LIST_PAGE,
    license: 'Facts: entity numbers alone',
    cadence: null,
    notes: ["The project's own comparison of the publication with a later copy of the list."],
    copies: { '3e33e71f9ab9c7bbd3cb402a31bb6f0775ed9c01a0c8c26d9f1212e35854096d': '2026-08-22' },
  },
};

/** Imports one publication of the list into designations. */
export const ofac: Importer = {
  name: 'ofac',
  summary: 'OFAC designations under four programs: number, official name, type, programs and countries',
  datasets: ['designations'],
  files: 'sdn.csv add.csv withdrawn.csv',
  read(files, options) {
    const list = recognizeFiles(files);
    const source = (role: keyof ListFiles): Source => describeSource(FACTS[role], list[role], options);
    return [designations(list, [source('sdn'), source('add'), source('withdrawn')])];
  },
};

function designations(list: ListFiles, sources: [Source, Source, Source]): Imported {
  const entities = readEntities(list.sdn);
  const countries = new Map<number, Set<string>>();
  for (const { number, country, line } of readCountries(list.add)) {
    if (!entities.has(number))
      throw new Refusal(list.add.name, `row ${line}`, `an entity number of ${list.sdn.name}`, String(number));
    if (country !== null) countries.set(number, (countries.get(number) ?? new Set()).add(country));
  }
  const withdrawn = readWithdrawn(list.withdrawn);
  const audit = newAudit();
  const rows: EntityRow[] = [];
  let withheld = 0;
  for (const { flag, ...entity } of entities.values()) {
    const { sanctions_entity_number: number, programs } = entity;
    audit.read += 1;
    const own = PROGRAMS.filter((program) => programs.includes(program));
    if (own.length === 0) {
      count(audit.withheld, 'entity under none of the four programs');
      continue;
    }
    if (withdrawn.has(number)) {
      withheld += 1;
      count(audit.withheld, 'entity no longer on the list');
      continue;
    }
    const printed = new Set(countries.get(number));
    if (flag !== null) printed.add(flag);
    if (own.length < programs.length)
      count(audit.notes, 'entity with further programs, which are not packaged');
    if (printed.size === 0) count(audit.notes, 'entity without a country');
    rows.push({ ...entity, programs: own, countries: [...printed].sort(byCodeUnits) });
    audit.kept += 1;
  }
  audit.withheld['columns of SDN.CSV that are never packaged'] = 7;
  audit.withheld['columns of ADD.CSV that are never packaged'] = 4;
  return { dataset: asDataset(sources, rows, withheld), audit };
}

function asDataset(sources: [Source, Source, Source], rows: EntityRow[], withheld: number): Dataset {
  return {
    kind: 'entities',
    descriptor: {
      name: 'designations',
      kind: 'entities',
      title: 'OFAC designations under drug trafficking and organized crime programs',
      description:
        'Persons and organizations the US Treasury has designated under four programs: official names, types, programs and countries.',
      sources,
      limitations: [
        'A designation is an administrative action: it is no proof of guilt and no adjudication.',
        'Aliases, addresses, birth data, documents, remarks and every other detail of the list are withheld.',
        'The list is one publication; entities known to have left it since are not published, later additions are missing.',
        'Countries are those of the addresses and vessel flags the list prints, as printed; they are not nationalities.',
        'Programs outside the four are not shown, even where an entity stands under one of them too.',
      ],
      listDate: sources[0].dated,
      withheldAfterWithdrawal: withheld,
      programs: PROGRAMS,
    },
    rows,
  };
}
