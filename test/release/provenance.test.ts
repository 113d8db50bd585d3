/** [SUPPLY-CHAIN] The statement of provenance: what it says, what verify and mirrors do with it, and what it leaves alone. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sha256, Tree } from '../../build/lib/tree.ts';
import type { Origin } from '../../build/lib/effects.ts';
import { verifyCommand } from '../../build/release/command.ts';
import { renderSidecars } from '../../build/release/describe.ts';
import { mirror } from '../../build/release/mirror.ts';
import type { SigningKey } from '../../build/release/minisign.ts';
import { renderProvenance, type Made } from '../../build/release/provenance.ts';
import { folderSource } from '../../build/release/source.ts';
import { realEffects } from '../../build/write/effects.ts';
import { sidecarText } from '../../shim/core/paths.ts';
import { publishedTree } from '../../shim/store/published.ts';
import { builtTree } from '../_support/tree.ts';
import {
  brief,
  edit,
  findingsOf,
  keyOf,
  manifestOf,
  OTHER_SEED,
  place,
  release,
  SEED,
  SITE,
  TODAY,
  written,
} from './fixture.ts';
import { buildSite, someDatasets } from '../_support/few-rows.ts';

const FILE = 'release.intoto.json';
const CLEAN: Origin = { commit: 'c'.repeat(40), isChanged: false, node: '20.19.0' };

/** A release with the statement of a build. */
function stated(key: SigningKey | null = null, origin = CLEAN, about?: Tree, ownData = true): Tree {
  const tree = release({ key });
  const made: Made = {
    origin,
    lockfile: Buffer.from('{}'),
    siteUrl: SITE,
    rights: ['open'],
    ownData,
    signingKey: key,
  };
  const added = new Tree();
  added.add(renderProvenance((about ?? tree).read('release.json'), made));
  added.add(renderSidecars(added));
  tree.add([...added.contents()].map(([path, bytes]) => ({ path, bytes })));
  return tree;
}

function statementOf(tree: Tree): string {
  return String(tree.read(FILE));
}

/** Changes a file and its sidecar together, as an attacker would. */
function forge(folder: string, change: (text: string) => string): void {
  const text = change(readFileSync(join(folder, FILE), 'utf8'));
  writeFileSync(join(folder, FILE), text);
  writeFileSync(join(folder, `${FILE}.sha256`), sidecarText(FILE, sha256(text)));
}

afterEach(() => void vi.restoreAllMocks());

describe('[SUPPLY-CHAIN] release.intoto.json', () => {
  it('names release, tree, commit, lockfile and Node in the form of in-toto and SLSA', () => {
    const tree = stated();
    expect(JSON.parse(statementOf(tree))).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'release.json', digest: { sha256: tree.sha256('release.json') } },
        { name: 'tree', digest: { sha256: manifestOf(tree).treeSha256 } },
      ],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: 'urn:public-evidence:build:v1',
          externalParameters: { siteUrl: SITE, rights: ['open'], datasets: 'those of the source' },
          internalParameters: { source: 'clean git checkout' },
          resolvedDependencies: [
            { name: 'source', digest: { gitCommit: CLEAN.commit } },
            { name: 'package-lock.json', digest: { sha256: sha256('{}') } },
          ],
        },
        runDetails: { builder: { id: 'urn:public-evidence:npm-run-build', version: { node: '20.19.0' } } },
      },
    });
  });

  it('says when files were changed, or when there is no checkout', () => {
    const changed = statementOf(stated(null, { ...CLEAN, isChanged: true }));
    expect(changed).toContain('"source": "git checkout with changes that are not committed"');
    const none = statementOf(stated(null, { ...CLEAN, commit: null }));
    expect(none).toContain('"source": "not a git checkout"');
    expect(none).not.toContain('gitCommit');
  });

  it('leaves manifest, tree hash and sums as they are, whatever made them', () => {
    const [one, other] = [stated(), stated(null, { commit: null, isChanged: false, node: '24.1.0' })];
    const differing = [...one.contents()].filter(([path, bytes]) => !bytes.equals(other.read(path)));
    expect(differing.map(([path]) => path)).toEqual([FILE, `${FILE}.sha256`]);
    expect(String(one.read('SHA256SUMS'))).not.toContain('intoto');
  });

  it('verify reports it; a release without one is fine', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.useFakeTimers({ now: TODAY, toFake: ['Date'] });
    expect(await verifyCommand(written(stated()))).toBe(0);
    expect(await verifyCommand(written(stated(null, CLEAN, undefined, false)))).toBe(0);
    expect(await verifyCommand(written(release()))).toBe(0);
    vi.useRealTimers();
    const said = print.mock.calls.flat().filter((line) => String(line).startsWith('made '));
    const own = `made with Node 20.19.0, package-lock.json ${sha256('{}')}, commit ${CLEAN.commit} (clean git checkout)`;
    expect(said).toEqual([own, `${own}, data of another folder`]);
  });

  it('is refused when it was edited, is about another release, or lacks the signature of a signed one', async () => {
    const edited = written(stated());
    edit(edited, FILE, (bytes) => bytes.toString().replace('20.19.0', '20.19.1'));
    expect(brief(await findingsOf(edited))).toEqual([`${FILE}.sha256 sidecar`]);
    const other = written(stated(null, CLEAN, release({ docs: 1 })));
    expect(brief(await findingsOf(other))).toEqual([`${FILE} provenance`]);
    const broken = written(stated());
    forge(broken, () => '{}');
    expect(brief(await findingsOf(broken))).toEqual([`${FILE} provenance`]);
    const key = keyOf(SEED);
    expect(await findingsOf(written(stated(key)))).toEqual([]);
    const forged = written(stated(key));
    forge(forged, (text) => text.replace(/c{40}/, 'd'.repeat(40)));
    expect(brief(await findingsOf(forged))).toEqual([`${FILE}.minisig provenance`]);
    const unsigned = written(stated(key));
    for (const ending of ['', '.sha256']) rmSync(join(unsigned, `${FILE}.minisig${ending}`));
    expect(brief(await findingsOf(unsigned))).toEqual([`${FILE}.minisig provenance`]);
    const byAnother = stated(keyOf(OTHER_SEED), CLEAN, release({ key }));
    const swapped = written(stated(key));
    for (const path of [FILE, `${FILE}.minisig`]) {
      writeFileSync(join(swapped, path), byAnother.read(path));
      writeFileSync(join(swapped, `${path}.sha256`), byAnother.read(`${path}.sha256`));
    }
    expect(brief(await findingsOf(swapped))).toEqual([`${FILE}.minisig provenance`]);
  });

  it('the sidecar of its signature is checked, and a signature of no statement is a file that was added', async () => {
    const signature = `${FILE}.minisig`;
    const key = keyOf(SEED);
    const folder = written(stated(key));
    writeFileSync(join(folder, `${signature}.sha256`), 'nonsense');
    expect(brief(await findingsOf(folder))).toEqual([`${signature}.sha256 sidecar`]);
    rmSync(join(folder, `${signature}.sha256`));
    expect(brief(await findingsOf(folder))).toEqual([`${signature}.sha256 missing`]);
    const without = written(release({ key }));
    for (const path of [signature, `${signature}.sha256`]) writeFileSync(join(without, path), 'added');
    const added = [`${signature} unlisted`, `${signature}.sha256 unlisted`];
    expect(brief(await findingsOf(without))).toEqual(added);
    const copy = place();
    const given = { now: TODAY, key: null, minSerial: 0 };
    expect((await mirror(folderSource(without), copy, given, () => undefined)).findings).toEqual([]);
    expect(existsSync(join(copy, signature))).toBe(false);
  });

  it('mirrors copy it with its signature, and servers give it', async () => {
    const tree = stated(keyOf(SEED));
    const copy = place();
    const given = { now: TODAY, key: null, minSerial: 0 };
    const { findings } = await mirror(folderSource(written(tree)), copy, given, () => undefined);
    expect(findings).toEqual([]);
    for (const path of [FILE, `${FILE}.minisig`]) {
      expect(readFileSync(join(copy, path))).toEqual(tree.read(path));
      const served = publishedTree(
        copy,
        () => 0,
        () => undefined,
      );
      expect([served.has(path), served.has(`${path}.sha256`)]).toEqual([true, true]);
      expect((await served.open(path)).sha256).toBe(tree.sha256(path));
    }
    const without = place();
    await mirror(folderSource(written(release())), without, given, () => undefined);
    expect(existsSync(join(without, FILE))).toBe(false);
  });

  it('is written by a build with the option, about that build and this lockfile', async () => {
    expect(existsSync(join(builtTree(), FILE))).toBe(false);
    const out = place();
    await buildSite({ datasets: someDatasets('coca-cultivation'), out, provenance: true });
    const { commit, node } = realEffects().origin();
    const statement = readFileSync(join(out, FILE), 'utf8');
    expect(statement).toContain(sha256(readFileSync(join(out, 'release.json'))));
    expect(statement).toContain(sha256(readFileSync('package-lock.json')));
    expect(statement).toContain(commit ?? 'not a git checkout');
    expect(statement).toContain('another folder');
    expect(node).toBe(process.versions.node);
    expect(await findingsOf(out, { now: new Date('2026-01-01') })).toEqual([]);
  });
});
