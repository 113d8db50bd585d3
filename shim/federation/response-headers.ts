/** What an upstream's headers may say, read strictly: a header that stands twice says nothing. */
import type { IncomingMessage } from 'node:http';

/** Whether the body is declared as application/json, in UTF-8 where it names a charset. */
export function isJson(response: IncomingMessage): boolean {
  const [type = '', ...parameters] = (single(response, 'content-type') ?? '')
    .split(';')
    .map((part) => part.trim());
  return (
    type.toLowerCase() === 'application/json' &&
    parameters.every((parameter) => !/^charset=/i.test(parameter) || /^charset="?utf-?8"?$/i.test(parameter))
  );
}

/** The one encoding of the body; null when it is none of those asked for. */
export function acceptedEncoding(response: IncomingMessage): 'identity' | 'gzip' | 'br' | null {
  if (response.headersDistinct['content-encoding'] === undefined) return 'identity';
  const printed = (single(response, 'content-encoding') ?? '').trim().toLowerCase();
  if (printed === 'gzip' || printed === 'x-gzip') return 'gzip';
  return printed === 'br' || printed === 'identity' ? printed : null;
}

/** The Retry-After header as printed, when it is seconds or a date. */
export function retryAfterOf(response: IncomingMessage): string | undefined {
  const printed = single(response, 'retry-after')?.trim();
  return printed !== undefined && /^([0-9]{1,9}|[A-Z][a-z]{2}, [0-9A-Za-z: ]{20,24} GMT)$/.test(printed)
    ? printed
    : undefined;
}

function single(response: IncomingMessage, name: string): string | undefined {
  const [value, ...more] = response.headersDistinct[name] ?? [];
  return more.length === 0 ? value : undefined;
}
