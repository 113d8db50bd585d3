/**
 * A SQLite database in memory, and its bytes: the only importer of the library, the WebAssembly build of the SQLite project. The
 * same statements in the same order give the same bytes: nothing in the file depends on a clock, a folder or the computer.
 */
import initialise from '@sqlite.org/sqlite-wasm';

/** The value of a cell; a boolean is 0 or 1. */
export type SqlValue = string | number | null;

/** A database that is being made. Throws an Error that names the statement where SQLite refuses one. */
export interface Database {
  run(sql: string): void;
  /** A prepared INSERT of a whole row into a table: call it with the values in the order of the columns. */
  inserter(table: string): (row: readonly SqlValue[]) => void;
  /** The bytes of the database file; the database is closed. */
  bytes(): Uint8Array;
}

/** The functions of the library that take a row, called directly: through its objects every value would cost twice as much. */
interface Exports {
  sqlite3_bind_null(statement: number, position: number): number;
  sqlite3_bind_int(statement: number, position: number, value: number): number;
  sqlite3_bind_double(statement: number, position: number, value: number): number;
  sqlite3_bind_text(statement: number, position: number, at: number, bytes: number, keep: 0): number;
  sqlite3_step(statement: number): number;
  sqlite3_reset(statement: number): number;
}

/** Most bytes of the texts of one row; a row with more is refused. */
const ROW_BYTES = 256 * 1024;

/** Opens an empty database. */
export async function openDatabase(): Promise<Database> {
  const { capi, oo1, wasm } = await initialise();
  const functions = wasm.exports as Exports;
  const database = new oo1.DB(':memory:');
  const rowAt = wasm.alloc(ROW_BYTES);
  const encoder = new TextEncoder();
  const statements: { finalize(): unknown }[] = [];
  const run = (sql: string): void => void database.exec(sql);
  run('PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA encoding = "UTF-8"; BEGIN');
  return {
    run,
    inserter(table) {
      const columns = Number(database.selectValue('SELECT count(*) FROM pragma_table_info(?)', [table]));
      const prepared = database.prepare(`INSERT INTO ${named(table)} VALUES (${'?, '.repeat(columns - 1)}?)`);
      statements.push(prepared);
      const statement = prepared.pointer ?? 0;
      // Values stay bound, and most cells repeat those of the row before. Texts share one buffer and are always bound again.
      const bound: SqlValue[] = [];
      return (row) => {
        // When the memory has grown, it is a new array.
        const memory = wasm.heap8u();
        let at = rowAt;
        for (let position = 1; position <= columns; position += 1) {
          const value = row[position - 1] ?? null;
          if (value === bound[position] && typeof value !== 'string') continue;
          bound[position] = value;
          if (value === null) functions.sqlite3_bind_null(statement, position);
          else if (typeof value === 'string') {
            const { read, written } = encoder.encodeInto(value, memory.subarray(at, rowAt + ROW_BYTES));
            if (read !== value.length) throw new Error(`a row of ${table} has more than ${ROW_BYTES} bytes`);
            functions.sqlite3_bind_text(statement, position, at, written, 0);
            at += written;
          } else if ((value | 0) === value) functions.sqlite3_bind_int(statement, position, value);
          else functions.sqlite3_bind_double(statement, position, value);
        }
        const result = functions.sqlite3_step(statement);
        functions.sqlite3_reset(statement);
        if (result !== capi.SQLITE_DONE)
          throw new Error(`${table} refuses a row: ${capi.sqlite3_js_rc_str(result) ?? result}`);
      };
    },
    bytes() {
      for (const statement of statements) statement.finalize();
      run('COMMIT');
      const bytes = capi.sqlite3_js_db_export(database.pointer ?? 0);
      database.close();
      return bytes;
    },
  };
}

/** A name as SQL writes it. */
export function named(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
