/**
 * The official names that a person has accepted although a rule doubts them: `datasets/<id>/accepted.csv`, one reviewed line
 * per entity number with the name and the reason. A line accepts exactly this name of this entity and no other.
 */
import { readCsv } from './csv.ts';

/** The file of the list, in the folder of its dataset; it is absent where no name is in doubt. */
export const ACCEPTED = 'accepted.csv';

const COLUMNS = ['sanctions_entity_number', 'name', 'reason'];

/** Accepted names by entity number. */
export type AcceptedNames = ReadonlyMap<number, string>;

/** Reads the list; throws where a line is not a number, a name and a reason. */
export function readAccepted(bytes: Uint8Array | null): AcceptedNames {
  const [header, ...records] = bytes === null ? [] : readCsv(bytes);
  if (header && header.cells.join() !== COLUMNS.join())
    throw new Error(`its columns must be ${COLUMNS.join()}; restore its first line`);
  return new Map(
    records.map(({ line, cells: [number = '', name = '', reason = ''] }) => {
      if (!/^[1-9]\d*$/.test(number) || name === '' || reason.trim() === '')
        throw new Error(`line ${line} must be an entity number, its name and the reason to accept it`);
      return [Number(number), name];
    }),
  );
}
