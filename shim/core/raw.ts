/** Members of a payload that are serialized already: copied into the envelope, never parsed or rebuilt. */
import type { JsonValue } from './types.ts';

/** Records of packs; each chunk is one or more of them, joined by commas. */
export class RawList {
  readonly chunks: Uint8Array[];

  constructor(chunks: Uint8Array[]) {
    this.chunks = chunks;
  }
}

/** A value that many answers carry unchanged. */
export class RawJson {
  readonly text: string;

  constructor(value: JsonValue) {
    this.text = JSON.stringify(value);
  }
}
