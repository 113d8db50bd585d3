/**
 * Citation tokens: `{{opium-cultivation:opium-cultivation.AFG.2019.O6#lower}}`, that is dataset, record id and field.
 * A record id is the `id` of an observation, `<domain>.<iso3>.<year>` of an atlas record, `designations.<entity number>`.
 */
import type { Passage, Token } from './story.ts';

const TOKEN = /\{\{([a-z0-9][a-z0-9-]*):([^\s#{}|]+)#([A-Za-z]\w*(?:\.\w+)*)\}\}/g;

/** All tokens of a text, in order. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(([raw, dataset = '', recordId = '', field = '']) => ({
    raw,
    dataset,
    recordId,
    field,
  }));
}

/** The text with every token replaced by what `print` gives for it; `position` counts the tokens from 0. */
export function withTokens(text: string, print: (raw: string, position: number) => string): string {
  let position = -1;
  return text.replaceAll(TOKEN, (raw) => print(raw, (position += 1)));
}

/** A passage over one line of markdown. */
export function passageOf(place: string, line: number, text: string): Passage {
  return { place, line, text, tokens: tokensOf(text) };
}
