/** Front matter of a story: a few keys of text and the list of corrections, nothing else. */
import { CST, isNode, Lexer, LineCounter, parseDocument } from 'yaml';
import schema from './content/front-matter.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';

/** Text with the line of the file it begins on, from 1. */
export interface Text {
  text: string;
  line: number;
}

type Key = 'id' | 'title' | 'published' | 'updated' | 'summary';

/** Front matter as its schema has it. */
type WrittenFrontMatter = Partial<Record<Key, string>> & {
  corrections?: { date: string; text: string }[] | '';
};

/** YAML that would be published with the story's file but that no rule of the gate reads. */
const UNREAD = ['comment', 'anchor', 'alias', 'tag', 'directive-line'];

const QUOTES = 'Put text that begins with a token in quotes.';

/** Takes a story file apart; what is wrong is reported with its line. */
export function readFrontMatter(file: string, report: (line: number, message: string) => void) {
  const lines = file.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  let sound = lines[0] === '---' && end > 0;
  if (!sound) report(1, 'a story begins with front matter between two lines of ---');
  // The empty line stands for the first ---, so that lines are those of the file.
  const source = `\n${lines.slice(1, Math.max(1, end)).join('\n')}`;
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', prettyErrors: false, lineCounter });
  const lineAt = (path: string[]): number => {
    const node = document.getIn(path, true);
    return isNode(node) ? lineCounter.linePos(node.range?.[0] ?? 0).line : 1;
  };
  const refuse = (line: number, message: string): void => {
    sound = false;
    report(line, message);
  };

  let line = 1;
  for (const token of new Lexer().lex(source)) {
    const type = CST.tokenType(token) ?? '';
    if (UNREAD.includes(type)) refuse(line, `a ${type} is not allowed: ${token}`);
    line += token.split('\n').length - 1;
  }
  for (const { pos, message } of document.errors)
    refuse(lineCounter.linePos(pos[0]).line, `not valid YAML: ${message}. ${QUOTES}`);
  const values: unknown = sound ? document.toJS() : {};
  for (const { instancePath, params, message = '' } of validator(schema)(values) ?? []) {
    const unknownKey = params['additionalProperty'];
    const path = instancePath.split('/').slice(1);
    if (typeof unknownKey === 'string') refuse(lineAt([...path, unknownKey]), `unknown key "${unknownKey}"`);
    else refuse(lineAt(path), `${path.join(' ')} ${message}. ${QUOTES}`);
  }
  const { corrections, ...texts } = sound ? (values as WrittenFrontMatter) : {};
  return {
    /** The text of a key; empty where there is none. */
    textOf: (key: Key): Text => ({ text: (texts[key] ?? '').trim(), line: lineAt([key]) }),
    corrections: (corrections || []).map(({ date, text }, at) => ({
      date,
      text,
      line: lineAt(['corrections', String(at), 'text']),
    })),
    body: { text: lines.slice(end + 1).join('\n'), line: end + 2 },
  };
}
