/** Strict readers of BibTeX and RIS, written from their formats and not from what this project prints. They throw for anything else. */

/** An entry of a BibTeX file. */
export interface BibtexEntry {
  kind: string;
  key: string;
  fields: Map<string, string>;
}

/** Reads a BibTeX file: entries of `name = {value}` with balanced braces. */
export function readBibtex(text: string): BibtexEntry[] {
  const entries: BibtexEntry[] = [];
  let at = 0;
  const take = (pattern: RegExp, what: string): string => {
    const sticky = new RegExp(pattern, 'y');
    sticky.lastIndex = at;
    const found = sticky.exec(text);
    if (!found) throw new Error(`BibTeX: expected ${what} at ${text.slice(at, at + 40)}`);
    at = sticky.lastIndex;
    return found[1] ?? '';
  };
  const braced = (): string => {
    take(/\s*\{/, 'an opening brace');
    const start = at;
    for (let depth = 1; depth > 0; at += 1) {
      if (at >= text.length) throw new Error('BibTeX: a brace is not closed');
      if (text[at] === '{') depth += 1;
      if (text[at] === '}') depth -= 1;
    }
    return text.slice(start, at - 1);
  };
  while (text.slice(at).trim() !== '') {
    const kind = take(/\s*@([a-z]+)/, 'an entry');
    const key = take(/\s*\{\s*([A-Za-z0-9:.+/-]+)\s*,/, 'a key');
    const fields = new Map<string, string>();
    for (;;) {
      const name = take(/\s*([a-z]+)\s*=/, 'a field');
      if (fields.has(name)) throw new Error(`BibTeX: ${name} twice`);
      const value = braced();
      if (name !== 'url' && /(?<!\\)[&%$#_]/.test(value)) throw new Error(`BibTeX: ${name} is not escaped`);
      fields.set(name, value);
      if (take(/\s*([,}])/, 'a comma or the end') === '}') break;
    }
    entries.push({ kind, key, fields });
  }
  return entries;
}

/** Reads a RIS file: lines `XX  - value` ended by CR LF, from TY to ER. */
export function readRis(text: string): Map<string, string[]>[] {
  const references: Map<string, string[]>[] = [];
  let current: Map<string, string[]> | null = null;
  if (!text.endsWith('\r\n')) throw new Error('RIS: the last line has no end');
  for (const line of text.slice(0, -2).split('\r\n')) {
    const [, tag = '', value = ''] = /^([A-Z][A-Z0-9]) {2}- (.*)$/.exec(line) ?? [];
    if (tag === '' || /[\r\n]/.test(value)) throw new Error(`RIS: not a line: ${line}`);
    if (tag === 'TY') {
      if (current) throw new Error('RIS: a reference does not end');
      current = new Map();
    }
    if (!current) throw new Error(`RIS: ${tag} outside of a reference`);
    current.set(tag, [...(current.get(tag) ?? []), value]);
    if (tag !== 'ER') continue;
    references.push(current);
    current = null;
  }
  if (current) throw new Error('RIS: a reference does not end');
  return references;
}
