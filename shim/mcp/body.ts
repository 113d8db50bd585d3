/** Reads a bounded JSON body. */

/** The parsed body, or why there is none. Reading stops at the limit, whatever Content-Length said. */
export async function readBody(
  request: Request,
  maxBytes: number,
): Promise<{ body: unknown } | 'too large' | 'not json'> {
  if (Number(request.headers.get('content-length')) > maxBytes) return 'too large';
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel();
      return 'too large';
    }
    chunks.push(part.value);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(joined(chunks, length));
    return { body: JSON.parse(text) as unknown };
  } catch {
    return 'not json';
  }
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
