/** How a server sends a file: its media type, and that any origin may read it. */
import type { ReleaseFinding } from './finding.ts';
import type { Digest } from './source.ts';

/** Checks the headers of one answer. */
export function checkHeaders(
  file: string,
  expected: string,
  { mediaType, allowOrigin }: Pick<Digest, 'mediaType' | 'allowOrigin'>,
): ReleaseFinding[] {
  const findings: ReleaseFinding[] = [];
  if (!sameType(expected, mediaType ?? ''))
    findings.push({
      file,
      rule: 'media-type',
      message: `is sent as ${mediaType ?? 'nothing'}; it is ${expected}`,
    });
  if (allowOrigin !== '*')
    findings.push({
      file,
      rule: 'cors',
      message: `is sent with Access-Control-Allow-Origin ${allowOrigin ?? 'missing'}; it must be *`,
    });
  return findings;
}

/** Types are equal without regard to case; a charset may be left out or added as long as it is UTF-8. */
function sameType(expected: string, actual: string): boolean {
  const [type, wanted] = parsed(expected);
  const [given, parameters] = parsed(actual);
  const charset = parameters.get('charset') ?? 'utf-8';
  if (type !== given || charset.toLowerCase() !== 'utf-8') return false;
  return [...wanted].every(([name, value]) => name === 'charset' || parameters.get(name) === value);
}

function parsed(text: string): [type: string, parameters: Map<string, string>] {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = rest.map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=', 2);
    return [name.toLowerCase(), value.replaceAll('"', '')];
  });
  return [type.toLowerCase(), new Map(parameters)];
}
