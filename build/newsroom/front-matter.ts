/** Front matter of a story, the only importer of yaml: a few keys of text and the list of corrections; all else is a problem. */
import {
  CST,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  type Node,
  type YAMLMap,
} from 'yaml';

/** Text with the line it begins on. */
interface Text {
  text: string;
  line: number;
}

/** A story file taken apart; lines are those of the file, from 1. */
export interface FrontMatter {
  texts: Map<string, Text>;
  corrections: { date: string; text: string; line: number }[];
  body: string;
  bodyLine: number;
  problems: { line: number; message: string }[];
}

const KEYS = ['id', 'title', 'published', 'updated', 'summary', 'corrections'];

/** YAML that would be published with the story's file but that no rule of the gate reads. */
const UNREAD = ['comment', 'anchor', 'alias', 'tag', 'directive-line'];

/** Takes a story file apart. */
export function readFrontMatter(file: string): FrontMatter {
  const lines = file.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  const matter: FrontMatter = {
    texts: new Map(),
    corrections: [],
    body: lines.slice(end + 1).join('\n'),
    bodyLine: end + 2,
    problems: [],
  };
  const problem = (line: number, message: string): void => void matter.problems.push({ line, message });
  if (lines[0] !== '---' || end < 0) {
    problem(1, 'a story begins with front matter between two lines of ---');
    return matter;
  }
  const source = `\n${lines.slice(1, end).join('\n')}`;
  let line = 1;
  for (const token of new Lexer().lex(source)) {
    const type = CST.tokenType(token) ?? '';
    if (UNREAD.includes(type)) problem(line, `front matter may not have a ${type}: ${token}`);
    line += token.split('\n').length - 1;
  }
  const lineCounter = new LineCounter();
  const { contents, errors } = parseDocument(source, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
  });
  for (const { pos, message } of errors)
    problem(lineCounter.linePos(pos[0]).line, `front matter is not valid YAML: ${message}. ${QUOTES}`);
  const lineOf = (node: Node): number => lineCounter.linePos(node.range?.[0] ?? 0).line;

  const membersOf = (map: YAMLMap, keys: string[]): Map<string, { value: unknown; line: number }> => {
    const members = new Map<string, { value: unknown; line: number }>();
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const at = isScalar(key) ? lineOf(key) : 1;
      if (!keys.includes(name) || members.has(name))
        problem(at, `unknown or duplicate front-matter key "${name}"; the keys are ${keys.join(', ')}`);
      else members.set(name, { value, line: at });
    }
    return members;
  };
  const textsOf = (map: YAMLMap, keys: string[]): Map<string, Text> =>
    new Map(
      [...membersOf(map, keys)].flatMap(([name, { value, line: at }]): [string, Text][] => {
        if (name === 'corrections') readCorrections(value, at);
        else if (isScalar(value)) return [[name, { text: String(value.value).trim(), line: at }]];
        else problem(at, `${name} must be text. ${QUOTES}`);
        return [];
      }),
    );
  const readCorrections = (value: unknown, at: number): void => {
    if (isScalar(value) && value.value === '') return;
    for (const item of isSeq(value) ? value.items : [value]) {
      if (!isMap(item)) problem(at, 'corrections are a list: `- date: YYYY-MM-DD`, then `text: ...`');
      else {
        const texts = textsOf(item, ['date', 'text']);
        const { text = '', line: textLine = at } = texts.get('text') ?? {};
        matter.corrections.push({ date: texts.get('date')?.text ?? '', text, line: textLine });
      }
    }
  };
  if (isMap(contents)) matter.texts = textsOf(contents, KEYS);
  else problem(1, `front matter has the keys ${KEYS.join(', ')}`);
  return matter;
}

const QUOTES = 'Put text that begins with a token in quotes.';
