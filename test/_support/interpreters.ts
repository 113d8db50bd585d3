/** Python and R, where they are installed, and what the clients for them give: one start goes through many queries. */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtTree, temporaryFolder } from './tree.ts';

/** Python itself: the name may be that of a script that looks for it, which takes several times as long as a start. */
export const PYTHON = pythonItself(process.env['PYTHON'] ?? 'python3');

function pythonItself(name: string): string {
  const { status, stdout } = spawnSync(name, ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : name;
}

const has = (command: string, ...words: string[]): boolean => spawnSync(command, words).status === 0;

/** The folder of the clients, as published. */
export const CLIENTS = join(builtTree(), 'clients');

export interface Interpreter {
  language: 'Python' | 'R';
  command: string;
  /** The client, which is a program too. */
  client: string;
  isThere: boolean;
}

const R = { language: 'R', command: 'Rscript', client: join(CLIENTS, 'evidence.R') } as const;
export const INTERPRETERS: Interpreter[] = [
  {
    language: 'Python',
    command: PYTHON,
    client: join(CLIENTS, 'evidence.py'),
    isThere: has(PYTHON, '--version'),
  },
  { ...R, isThere: has(R.command, '-e', 'library(jsonlite)') },
];

/** Runs a script next to the clients. */
export async function ranThere(command: string, text: string, ...words: string[]): Promise<string> {
  const script = join(temporaryFolder(), 'main');
  writeFileSync(script, text);
  const { stdout } = await promisify(execFile)(command, [script, ...words], {
    cwd: CLIENTS,
    env: { ...process.env, PYTHONPATH: CLIENTS, PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

/** Prints for each address and query where the rows are from, the citation of the first and the rows, or the error, in a line of JSON. */
const TELLING = {
  Python: `
import json, sys
import evidence
evidence.Evidence._get.__defaults__ = (0,)
opened = {}
for address, query in json.load(open(sys.argv[1])):
    try:
        if address not in opened:
            opened[address] = evidence.open_evidence(address)
        rows = list(opened[address].observations(**query))
        cited = opened[address].cite(rows[0]) if rows else ""
        print(json.dumps({"from": opened[address].source, "cited": cited, "rows": rows}))
    except evidence.EvidenceError as error:
        print(json.dumps({"error": str(error)}))
`,
  R: `
source("evidence.R")
formals(evidence_get)$retries <- 0
opened <- list()
for (each in jsonlite::fromJSON(commandArgs(trailingOnly = TRUE)[1], simplifyVector = FALSE)) {
  address <- each[[1]]
  told <- tryCatch({
    if (is.null(opened[[address]])) opened[[address]] <- open_evidence(address)
    rows <- do.call(observations, c(list(opened[[address]]), each[[2]]))
    cited <- if (nrow(rows) > 0) cite(opened[[address]], rows[1, ]) else ""
    for (field in c("value", "lower", "upper"))
      rows[[field]] <- ifelse(is.na(rows[[field]]), NA, sprintf("%.17g", rows[[field]]))
    paste0('{"from":"', opened[[address]]$source, '","cited":', jsonlite::toJSON(cited, auto_unbox = TRUE),
      ',"rows":', jsonlite::toJSON(rows, na = "null"), "}")
  }, error = function(error) paste0('{"error":', jsonlite::toJSON(conditionMessage(error), auto_unbox = TRUE), "}"))
  cat(told, "\\n", sep = "")
}
`,
};

/** What a client told of a query. */
export interface Told<Row = object> {
  from: string;
  cited: string;
  rows: Row[];
  error?: string;
}

/** What a client tells of queries to addresses, in one start: without waiting for a busy host, and R with numbers as text. */
export async function told<Row>(
  { language, command }: Interpreter,
  asked: readonly (readonly [address: string, query: object])[],
): Promise<Told<Row>[]> {
  const list = join(temporaryFolder(), 'asked.json');
  writeFileSync(list, JSON.stringify(asked));
  const printed = await ranThere(command, TELLING[language], list);
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Told<Row>);
}
