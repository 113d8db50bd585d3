/**
 * `npm run import -- producerp-reference <source-register.md>`: makes the reference release from the source register and
 * the packaged national series. It is this project's own work in the producer's contract, and says so; an operator who
 * has a real producer's release pins that instead (producerp.ts). Every date comes from the data.
 */
import {
  CANONICAL_BASE_URL,
  DATA,
  FILES,
  type NewswireRightsStatus,
  type ObservatoryRegister,
  type PagesReceipt,
  type ReleaseFiles,
  type ReleaseReceipt,
  type StaticRelease,
} from './contract.ts';
import { artifactTreeSha256, describeFile, gitCommitOid, gitTreeOid, jsonBytes, sha256Hex } from './hash.ts';
import { pinOf } from './pin.ts';
import { byCodeUnits } from '../lib/dataset.ts';
import { targetAreas } from './areas.ts';
import { economicFiles, type NationalSeries } from './economics.ts';
import { parseRegister } from './register.ts';

const MIRROR_BASE_URL = 'https://mirror.producerp.example';

/** What the reference release is made from. */
export interface ReferenceInput {
  register: { name: string; bytes: Uint8Array };
  national: NationalSeries;
}

/** All files of datasets/producerp. The same input gives the same bytes; throws a Refusal for what it cannot read. */
export function makeReferenceRelease({ register, national }: ReferenceInput): ReleaseFiles {
  const { files, retrieved } = economicFiles(national);
  const moment = `${retrieved}T00:00:00Z`;
  const data = new Map<string, Uint8Array>([
    ...files,
    [DATA.observatory, jsonBytes(observatoryOf(register, moment))],
    [DATA.newswire, jsonBytes(newswireOf(moment))],
  ]);
  const listed = [...data]
    .map(([path, bytes]) => describeFile(path, bytes))
    .sort((a, b) => byCodeUnits(a.path, b.path));
  const manifest: StaticRelease = {
    schemaVersion: 'producerp.static-release.v1',
    producer: 'ProducerP',
    files: listed,
  };
  const manifestBytes = jsonBytes(manifest);

  const tree = gitTreeOid(listed);
  const artifactTree = artifactTreeSha256(listed);
  const deploymentId = `reference-${artifactTree.slice(0, 16)}`;
  const commit = `tree ${tree}\n\n${deploymentId}\n`;
  const receipt: ReleaseReceipt = {
    schemaVersion: 'producerp.release-receipt.v1',
    producer: 'ProducerP',
    releaseKind: 'reference',
    canonicalBaseUrl: CANONICAL_BASE_URL,
    mirrorBaseUrl: MIRROR_BASE_URL,
    deploymentId,
    sourceRevision: gitCommitOid(commit),
    sourceCommit: commit,
    sourceTreeOid: tree,
    artifactTreeSha256: artifactTree,
    artifactManifest: {
      schemaVersion: manifest.schemaVersion,
      bytes: manifestBytes.length,
      sha256: sha256Hex(manifestBytes),
      fileCount: listed.length,
      totalBytes: listed.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    verifiedAt: moment,
    verificationSemantics: VERIFICATION,
  };
  const receiptBytes = jsonBytes(receipt);
  const served = listed.filter(({ path }) => SERVED.includes(path));
  const pages: PagesReceipt = {
    schemaVersion: 'producerp.pages-publication-receipt.v1',
    producer: 'ProducerP',
    sourceRevision: receipt.sourceRevision,
    sourceTreeOid: tree,
    releaseReceiptSha256: sha256Hex(receiptBytes),
    verifiedAt: moment,
    freshUntil: `${Number(retrieved.slice(0, 4)) + 1}-12-31T23:59:59Z`,
    availabilitySemantics: AVAILABILITY,
    servedResources: served.map((file) => ({
      ...file,
      canonicalUrl: `${CANONICAL_BASE_URL}/${file.path}`,
      mirrorUrl: `${MIRROR_BASE_URL}/${file.path}`,
    })),
  };
  const release = new Map<string, Uint8Array>([
    [FILES.manifest, manifestBytes],
    [FILES.receipt, receiptBytes],
    [FILES.pages, jsonBytes(pages)],
    ...[...data].map(([path, bytes]): [string, Uint8Array] => [`release/${path}`, bytes]),
  ]);
  return new Map([[FILES.pin, pinOf(release)], ...release]);
}

/** The three resources the pages receipt answers for. */
const SERVED: string[] = [DATA.observatory, DATA.economics, DATA.newswire];

function observatoryOf({ name, bytes }: ReferenceInput['register'], moment: string): ObservatoryRegister {
  const parsed = parseRegister(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const areas = targetAreas(name, parsed);
  return {
    schemaVersion: 'producerp.bri-observatory-register.v1',
    generatedAt: moment,
    derivedFrom: {
      title: 'Source register: five target areas and their national context',
      bytes: bytes.length,
      sha256: sha256Hex(bytes),
    },
    classificationRule: CLASSIFICATION,
    rules: parsed.rules,
    buildReadyGaps: areas.buildReadyGaps,
    sources: parsed.sources.map(({ areas: _letters, ...source }) => source),
    targetAreas: areas.targetAreas,
  };
}

function newswireOf(moment: string): NewswireRightsStatus {
  return {
    schemaVersion: 'producerp.newswire-rights-status.v1',
    producer: 'ProducerP',
    status: 'restricted',
    recordedAt: moment,
    statement:
      'Newswire text is not redistributed. This is a reference statement of that restriction at the recorded date: it monitors nothing, lists no quarantined path and grants no right.',
    monitoring: 'none_historical_receipt',
    quarantinedPathCount: null,
    quarantinedPathsRepublished: false,
  };
}

const CLASSIFICATION =
  'Each source is official or administrative (a statement or statistic of the body itself), an independent observation or compilation, or modelled or analytical; a source of two classes stands in both lists. What an interested party says is an official claim, never an observation. Independent compilations support "observed or compiled", never "official".';

const VERIFICATION =
  'This is a reference release: this project made it from a register of public sources and the World Development Indicators; it is not the publication of a real producer, and nothing was fetched from the addresses it names, which are reserved example names. Verification means that every byte count, sha256, git blob id, the git tree id, the tree hash and the revision (the git id of sourceCommit, a commit text without author) were recomputed from the release\'s own files, and that manifest, receipts and pin agree. verifiedAt is the retrieval date of the newest data, not a clock reading. An operator pins a real producer\'s release of the same contract with "npm run import -- producerp <folder>".';

const AVAILABILITY =
  'The receipt binds three resources of the release to their bytes. For a reference release it does not say that any address answers: the addresses are reserved example names, and the bytes are those packaged here. freshUntil is the end of the year after retrieval (the series are renewed yearly); it is a statement about the data, compared with no clock.';
