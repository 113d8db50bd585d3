/** Front matter of a story: the few lines of YAML a story needs, and no more; what is not understood is a finding. */

/** Front matter read: scalars with their lines, corrections, the line the text begins on, and what was not understood. */
export interface Matter {
  scalars: Map<string, { text: string; line: number }>;
  corrections: { date: string; text: string; line: number }[];
  bodyLine: number;
  body: string;
  problems: { line: number; message: string }[];
}

const KEYS = new Set(['id', 'title', 'published', 'updated', 'summary', 'corrections']);

/** Takes a story file apart. */
export function readMatter(file: string): Matter {
  const lines = file.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  const matter: Matter = {
    scalars: new Map(),
    corrections: [],
    bodyLine: end + 2,
    body: lines.slice(end + 1).join('\n'),
    problems: [],
  };
  if (lines[0] !== '---' || end < 0) {
    matter.problems.push({ line: 1, message: 'a story begins with front matter between two lines of ---' });
    return matter;
  }
  let key = '';
  for (const [offset, text] of lines.slice(1, end).entries()) key = readLine(matter, key, text, offset + 2);
  return matter;
}

/** Reads one line; returns the key whose indented lines may follow. */
function readLine(matter: Matter, key: string, text: string, line: number): string {
  if (text.trim() === '') return key;
  const [, name, rest = ''] = /^([a-z]+):(?:\s+(.*))?$/.exec(text) ?? [];
  if (name !== undefined) {
    if (!KEYS.has(name) || matter.scalars.has(name))
      matter.problems.push({
        line,
        message: `front matter has no second or other key "${name}"; it has ${[...KEYS].join(', ')}`,
      });
    else if (name !== 'corrections') matter.scalars.set(name, { text: unquoted(rest), line });
    else if (rest !== '' && rest !== '[]')
      matter.problems.push({
        line,
        message: 'corrections are a list: `- date: YYYY-MM-DD`, then `text: ...`',
      });
    return name;
  }
  const [, first, member, value = ''] = /^\s+(- )?\s*(date|text):\s+(.*)$/.exec(text) ?? [];
  const last = matter.corrections.at(-1);
  if (key === 'corrections' && member !== undefined && (first !== undefined || last !== undefined)) {
    const entry = first === undefined && last !== undefined ? last : { date: '', text: '', line };
    if (entry !== last) matter.corrections.push(entry);
    if (member === 'date') entry.date = unquoted(value);
    else [entry.text, entry.line] = [unquoted(value), line];
    return key;
  }
  const scalar = matter.scalars.get(key);
  if (/^\s/.test(text) && scalar) {
    scalar.text = `${scalar.text} ${text.trim()}`.trim();
    return key;
  }
  matter.problems.push({ line, message: `front matter line ${JSON.stringify(text)} is not understood` });
  return key;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const [, quote, inner = ''] = /^(["'])(.*)\1$/.exec(trimmed) ?? [];
  if (quote === undefined) return trimmed;
  return quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'");
}
