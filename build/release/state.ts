/** What a mirror remembers of the release it last held, beside its folder: `<folder>.state.json`. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { placeOfTree } from '../write/tree-folder.ts';
import type { Release, ReleaseName } from './manifest.ts';
import type { PublicKeyText } from './minisign.ts';

/** The last release seen at a place, and the key it was signed with (null: unsigned). */
export interface MirrorState extends ReleaseName {
  schema: 'svc.mirror-state.v1';
  publicKey: PublicKeyText | null;
}

/** The state file of a folder. */
export function statePath(folder: string): string {
  return `${placeOfTree(folder)}.state.json`;
}

/** Reads a state file; null where there is none. Throws an Error when it is damaged: forgetting it would allow a rollback. */
export function readState(path: string): MirrorState | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const state: unknown = parsed(text);
  if (isState(state)) return state;
  throw new Error(`${path} is no mirror state; restore it, or remove it to trust the next release afresh`);
}

/** Writes the state of a release, in one step. */
export function writeState(path: string, { serial, treeSha256, signature }: Release): void {
  const state: MirrorState = {
    schema: 'svc.mirror-state.v1',
    serial,
    treeSha256,
    publicKey: signature?.publicKey ?? null,
  };
  writeFileSync(`${path}.next`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${path}.next`, path);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isState(value: unknown): value is MirrorState {
  if (typeof value !== 'object' || value === null) return false;
  const state: Partial<Record<keyof MirrorState, unknown>> = value;
  return (
    state.schema === 'svc.mirror-state.v1' &&
    Number.isSafeInteger(state.serial) &&
    typeof state.treeSha256 === 'string' &&
    (state.publicKey === null || typeof state.publicKey === 'string')
  );
}
