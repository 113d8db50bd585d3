/** The rules for rows, as tables: a rule returns true, or a message that says what is wrong. */
import { readFamily } from '../import/family.ts';
import { doubtIn } from '../import/official-name.ts';
import { ACCEPTED, type AcceptedNames } from '../lib/accepted-names.ts';
import type {
  AtlasDescriptor,
  AtlasRow,
  Descriptor,
  EntitiesDescriptor,
  EntityRow,
  Indicator,
  ObservationRow,
} from '../lib/dataset.ts';
import { valuesOf } from '../../shim/core/fields.ts';
import { identifier } from '../lib/identity.ts';
import { termCounter } from '../lib/vocabulary.ts';
import { isRecordId } from '../../shim/core/editions.ts';
import { rowFinding, type Finding } from '../lib/findings.ts';
import type { FoundEdition, RowTaker } from '../load/datasets.ts';
import type { Row } from '../load/row.ts';
import { sortedGroups, type Grouping, type NumberedRow, type TakeGroup } from '../load/groups.ts';
import { checkTerms } from './vocabulary.ts';

/** Rules by name for the rows of one kind of dataset. `called` names a row in messages; no two rows of a dataset may share a name. */
interface Rules<Of, Facts> {
  called(row: Of): string;
  rules: Record<string, (row: Of, facts: Facts) => true | string>;
}

interface ObservationFacts {
  indicators: Map<string, Indicator>;
  geographies: Set<string>;
  /** The date of each source's edition, by its id. */
  sources: Map<string, string>;
}

const STATUSES = valuesOf('observations', 'status');
const REASONS = valuesOf('observations', 'unavailableReason');
const TYPES = valuesOf('entities', 'entity_type');

/** The first year of the organized crime index. */
const FIRST_INDEX = 2021;

/** A publication cannot hold what happened after it. */
function isInEdition(period: string, dated: string | undefined): true | string {
  const isLater = dated !== undefined && period > dated.slice(0, period.length);
  return !isLater || `period "${period}" is after the date of its source, ${dated}`;
}

const OBSERVATIONS: Rules<ObservationRow, ObservationFacts> = {
  called: ({ indicatorId, geoCode, period, sourceLocator }) =>
    `the value of ${indicatorId} ${geoCode} ${period} at ${sourceLocator}`,
  rules: {
    'indicator-reference': ({ indicatorId }, { indicators }) =>
      indicators.has(indicatorId) || `indicator "${indicatorId}" is not in the descriptor`,
    'geography-reference': ({ geoCode }, { geographies }) =>
      geographies.has(geoCode) || `geography "${geoCode}" is not in the descriptor`,
    'source-reference': ({ sourceId }, { sources }) =>
      sources.has(sourceId) || `source "${sourceId}" is not in the descriptor`,
    period: ({ period, sourceId }, { sources }) => {
      if (!/^(19|2[01])[0-9]{2}(-(0[1-9]|1[0-2]))?$/.test(period))
        return `period must be YYYY or YYYY-MM from 1900 on, not "${period}"`;
      return isInEdition(period, sources.get(sourceId));
    },
    status: ({ status }) =>
      STATUSES.includes(status) || `status must be one of ${STATUSES.join(', ')}, not "${status}"`,
    'null-exactly-when-unavailable': ({ value, status }) =>
      (value === null) === (status === 'unavailable') ||
      `value ${value ?? 'blank'} does not go with status "${status}": blank exactly when unavailable`,
    'reason-exactly-when-unavailable': ({ unavailableReason: reason, status }) => {
      if ((reason !== null) !== (status === 'unavailable'))
        return `reason "${reason ?? ''}" does not go with status "${status}"`;
      return reason === null || REASONS.includes(reason) || `unknown reason "${reason}"`;
    },
    // Markets have quantities, counts, prices and shares; balances and growth rates of the context may fall below zero.
    'not-negative': ({ indicatorId, value, lower, upper, unit }, { indicators }) => {
      if (indicators.get(indicatorId)?.market === 'context') return true;
      const off = [value, lower, upper].find((number) => number !== null && number < 0);
      return off === undefined || `${off} is below zero, which "${unit}" of a market cannot be`;
    },
    // Eight digits are enough for any row; a longer number may be a telephone number.
    locator: ({ sourceLocator }) =>
      /^(.+![A-Z]{1,3}[1-9]\d{0,7}|row [1-9]\d{0,7}( column .+)?)$/.test(sourceLocator) ||
      `locator must be "Sheet name!H3" or "row 17", not "${sourceLocator}"`,
  },
};

/** `isIndex`: whether the atlas is the organized crime index, found once and not for each row. */
type AtlasFacts = AtlasDescriptor & { isIndex: boolean };

const ATLAS: Rules<AtlasRow, AtlasFacts> = {
  called: ({ iso3, year }) => `${iso3} ${year}`,
  rules: {
    iso3: ({ iso3 }) => /^[A-Z]{3}$/.test(iso3) || `iso3 must be three capital letters, not "${iso3}"`,
    year: ({ year, source }, { isIndex, sources }) => {
      if (!Number.isInteger(year) || year < 1900) return `year must be a whole number from 1900, not ${year}`;
      if (isIndex && (year < FIRST_INDEX || (year - FIRST_INDEX) % 2 !== 0))
        return `the index has an edition every second year from ${FIRST_INDEX}, none for ${year}`;
      return isInEdition(String(year), sources.find(({ id }) => id === source)?.dated);
    },
    country: ({ country }) => country !== '' || 'country is blank',
    'source-reference': ({ source }, { sources }) =>
      sources.some(({ id }) => id === source) || `source "${source}" is not in the descriptor`,
    locator: ({ locator }) =>
      /^(.+![A-Z]{1,3}[1-9]\d{0,7}([:,][A-Z]{1,3}[1-9]\d{0,7})*|row [1-9]\d{0,7})$/.test(locator) ||
      `locator must name cells of a sheet ("Sheet name!D3:F3,H3") or be "row 17", not "${locator}"`,
    // Scores and counts of firearms: neither goes below zero.
    'not-negative': (row) => {
      const [name, value] = firstNumber(row, (number) => number < 0) ?? [];
      return name === undefined || `"${name}" is ${value}, and what it counts cannot be negative`;
    },
    'known-gap': ({ year, values }, { isIndex }) => {
      if (!isIndex) return true;
      const gap = Object.keys(values).find(
        (path) => values[path] === null && !(year < (readFamily('oc-index').since[path] ?? 0)),
      );
      return gap === undefined || `"${gap}" is blank, but the index assessed it in ${year}`;
    },
    scale: (row, { isIndex }) => {
      const off = isIndex && firstNumber(row, (number) => number < 1 || number > 10);
      return (
        !off || `"${off[0]}" is ${off[1]}, the scale is 1 to 10; what was not assessed is blank, never 0`
      );
    },
  },
};

/** The first field of an atlas row whose number passes the test. */
function firstNumber({ values }: AtlasRow, test: (number: number) => boolean) {
  return Object.entries(values).find(([, value]) => typeof value === 'number' && test(value));
}

const ENTITIES: Rules<EntityRow, EntitiesDescriptor & { accepted: AcceptedNames }> = {
  called: ({ sanctions_entity_number: number }) => `entity number ${number}`,
  rules: {
    'entity-number': ({ sanctions_entity_number: number }) =>
      (Number.isInteger(number) && number >= 1) ||
      `entity number must be a whole number from 1, not ${number}`,
    name: ({ name }) => name.trim() !== '' || 'the official name is blank',
    type: ({ entity_type: type }) =>
      TYPES.includes(type) || `type must be one of ${TYPES.join(', ')}, not "${type}"`,
    programs: ({ programs }, descriptor) => {
      if (programs.length === 0) return 'at least one program is needed';
      const unknown = programs.find((program) => !descriptor.programs.includes(program));
      return unknown === undefined || `program "${unknown}" is not one of ${descriptor.programs.join(', ')}`;
    },
    repeated: ({ programs, countries }) => {
      const twice = [programs, countries].flatMap((all) => all.filter((one, at) => all.indexOf(one) !== at));
      return twice.length === 0 || `"${twice[0]}" is listed twice`;
    },
    privacy: ({ sanctions_entity_number: number, name, entity_type: type }, { accepted }) => {
      const doubt = accepted.get(number) === name ? null : doubtIn(name, type);
      return (
        doubt === null ||
        `${JSON.stringify(name)} looks like it holds ${doubt}; only official names may be packaged. If it is one, accept it in ${ACCEPTED}`
      );
    },
  },
};

/** By printed label: the label in the key of its records. Labels that are their own key are left out. */
export type LabelKeys = Readonly<Record<string, string>>;

/** How observations are grouped by indicator and place, and what receives each group with its ids as long as there are no findings. */
interface Groups {
  grouping: (take: TakeGroup) => Grouping;
  take: (group: readonly NumberedRow[], ids: string[]) => void;
}

const IN_MEMORY: Groups = { grouping: sortedGroups, take: () => undefined };

/**
 * Checks the rows of an edition one by one, and observations of one indicator and place together; `keys` are those that its
 * importer states for labels of the dataset. Apart from `grouping`, memory grows with labels and findings, not with rows.
 */
export function rowChecker(
  edition: FoundEdition,
  descriptor: Descriptor,
  keys: LabelKeys,
  { grouping, take }: Groups = IN_MEMORY,
): Pick<RowTaker<Finding[]>, 'row'> & { finish(): Finding[] } {
  const found: Finding[] = [];
  const ids: Finding[] = [];
  const terms = termCounter(descriptor);
  const add = (line: number, rule: string, message: true | string): void => {
    if (message !== true) found.push(rowFinding(edition, line, rule, message));
  };
  const check = rulesOf(edition, descriptor, add);
  const { labelKeys = {} } = descriptor.kind === 'observations' ? descriptor : {};
  const idsOf = identifier(labelKeys);
  const inOrder = (findings: Finding[]): Finding[] => findings.sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  const groups = grouping((rows) => {
    const seen = new Set<string>();
    for (const { row, line } of rows) {
      const place = `${row.period} at ${row.sourceLocator}`;
      if (seen.has(place)) add(line, 'unique-id', `${OBSERVATIONS.called(row)} is duplicated`);
      seen.add(place);
    }
    const own = idsOf(rows.map(({ row }) => row));
    for (const [at, { line }] of rows.entries()) {
      const id = own[at] ?? '';
      if (!isRecordId(id)) ids.push(rowFinding(edition, line, 'record-id', `${id} is not a record id`));
    }
    if (found.length + ids.length === 0) take(rows, own);
  });
  const isGrouped = descriptor.kind === 'observations';
  return {
    row(row, line) {
      terms.row(row, line);
      check(row, line);
      // The border: the kind of the descriptor is that of its rows.
      if (isGrouped) groups.add(row as ObservationRow, line);
    },
    finish() {
      groups.finish();
      // Where rows break a rule, a wrong id is only a consequence.
      const own = found.length > 0 ? inOrder(found) : inOrder(ids);
      const used = terms.finish();
      const withoutKey = used.rows.filter(
        ({ term: { field, value } }) =>
          ['category', 'subgroup'].includes(field) && keys[value] !== undefined && !(value in labelKeys),
      );
      for (const { term, first } of withoutKey) {
        const message = `${JSON.stringify(term.value)} needs its key ${JSON.stringify(keys[term.value])} in labelKeys; import again`;
        own.push(rowFinding(edition, first, 'label-key', message));
      }
      return [...own, ...checkTerms(edition, used)];
    },
  };
}

function rulesOf(
  { accepted }: FoundEdition,
  descriptor: Descriptor,
  add: (line: number, rule: string, message: true | string) => void,
): (row: Row, line: number) => void {
  // The border: rows are of the kind that their descriptor says.
  if (descriptor.kind === 'atlas') {
    const facts = { ...descriptor, isIndex: descriptor.domain === 'organized_crime' };
    return ruled(ATLAS, facts, add, true) as ReturnType<typeof rulesOf>;
  }
  if (descriptor.kind === 'entities')
    return ruled(ENTITIES, { ...descriptor, accepted }, add, true) as ReturnType<typeof rulesOf>;
  const { indicators, geographies, sources } = descriptor;
  const facts = {
    indicators: new Map(indicators.map((indicator) => [indicator.id, indicator])),
    geographies: new Set(geographies.map(({ code }) => code)),
    sources: new Map(sources.map(({ id, dated }) => [id, dated])),
  };
  return ruled(OBSERVATIONS, facts, add, false) as ReturnType<typeof rulesOf>;
}

/** Applies rules to rows; `keepsNames` says that the names of all rows are kept, to find duplicates. */
function ruled<Of, Facts>(
  { called, rules }: Rules<Of, Facts>,
  facts: Facts,
  add: (line: number, rule: string, message: true | string) => void,
  keepsNames: boolean,
): (row: Of, line: number) => void {
  const tests = Object.entries(rules);
  const seen = new Set<string>();
  return (row, line) => {
    for (const [rule, test] of tests) add(line, rule, test(row, facts));
    if (!keepsNames) return;
    const name = called(row);
    add(line, 'unique-id', !seen.has(name) || `${name} is duplicated`);
    seen.add(name);
  };
}
