/**
 * release.intoto.json: what a release was made from and by, as an in-toto statement with the SLSA provenance predicate. Code of
 * another commit and another version of Node give the same release where its data are the same, so the statement is in no list of
 * the release and not under its tree hash: it names the release, not the reverse.
 */
import { PROVENANCE, PROVENANCE_SIGNATURE, RELEASE } from '../../shim/core/paths.ts';
import type { Verdict } from '../lib/dataset.ts';
import { prettyJsonArtifact, sha256, textArtifact } from '../lib/tree.ts';
import type { Artifact } from '../lib/tree.ts';
import type { Origin } from '../lib/effects.ts';
import documents from './documents.json' with { type: 'json' };
import { parseDocument, parseRelease } from './manifest.ts';
import { signatureFile, type SigningKey } from './minisign.ts';

/** Most bytes of a statement that are read. */
export const PROVENANCE_LIMIT = 64 * 1024;

/** What a statement says besides the release it is about. */
export interface Made {
  origin: Origin;
  /** package-lock.json. */
  lockfile: Uint8Array;
  siteUrl: string;
  rights: readonly Verdict[];
  /** Whether the data are those of the project. */
  ownData: boolean;
  signingKey: SigningKey | null;
}

/** What a statement says of data that are those of the commit. */
const OWN_DATA = 'those of the source';

interface Statement {
  subject: [{ digest: { sha256: string } }, { digest: { sha256: string } }];
  predicate: {
    buildDefinition: {
      externalParameters: { datasets?: unknown };
      internalParameters: { source: string };
      resolvedDependencies: { name: string; digest: { gitCommit?: string; sha256?: string } }[];
    };
    runDetails: { builder: { version: { node: string } } };
  };
}

/** The statement about the release of a manifest, and its signature where there is a key. */
export function renderProvenance(manifest: Uint8Array, made: Made): Artifact[] {
  const { commit, isChanged, node } = made.origin;
  const state = isChanged ? 'git checkout with changes that are not committed' : 'clean git checkout';
  const statement = prettyJsonArtifact(PROVENANCE, {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: RELEASE, digest: { sha256: sha256(manifest) } },
      { name: 'tree', digest: { sha256: parseRelease(manifest).treeSha256 } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:public-evidence:build:v1',
        externalParameters: {
          siteUrl: made.siteUrl,
          rights: made.rights,
          datasets: made.ownData ? OWN_DATA : 'another folder',
        },
        internalParameters: { source: commit === null ? 'not a git checkout' : state },
        resolvedDependencies: [
          ...(commit === null ? [] : [{ name: 'source', digest: { gitCommit: commit } }]),
          { name: 'package-lock.json', digest: { sha256: sha256(made.lockfile) } },
        ],
      },
      runDetails: { builder: { id: 'urn:public-evidence:npm-run-build', version: { node } } },
    },
  });
  if (!made.signingKey) return [statement];
  const comment = `file:${PROVENANCE}\trelease:${sha256(manifest)}\thashed`;
  const signature = signatureFile(statement.bytes, made.signingKey, comment);
  return [statement, textArtifact(PROVENANCE_SIGNATURE, signature)];
}

/** What a statement says in one line. Throws an Error with one sentence where it is not about the release of this manifest. */
export function provenanceLine(bytes: Uint8Array, manifest: Uint8Array): string {
  const { subject, predicate } = parseDocument(
    bytes,
    documents.provenance,
    'statement of provenance',
  ) as Statement;
  const [file, tree] = subject;
  const { treeSha256 } = parseRelease(manifest);
  if (file.digest.sha256 !== sha256(manifest) || tree.digest.sha256 !== treeSha256)
    throw new Error(`is about another release: ${file.digest.sha256}, not ${sha256(manifest)}`);
  const { externalParameters, internalParameters, resolvedDependencies } = predicate.buildDefinition;
  const commit = resolvedDependencies.flatMap(({ digest }) => digest.gitCommit ?? [])[0];
  const lockfile = resolvedDependencies.find(({ name }) => name === 'package-lock.json')?.digest.sha256;
  const { node } = predicate.runDetails.builder.version;
  const from = commit === undefined ? '' : `, commit ${commit}`;
  // The commit says nothing of them.
  const data = externalParameters.datasets === OWN_DATA ? '' : ', data of another folder';
  return `made with Node ${node}, package-lock.json ${lockfile ?? 'unknown'}${from} (${internalParameters.source})${data}`;
}
