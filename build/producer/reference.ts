/**
 * The two ways the context producer's files come into datasets/producerp: the folder of a real producer, verified and pinned
 * (`npm run import -- producerp <folder>`), or the reference made here from a source register and the packaged national series
 * (`npm run import -- producerp-reference <source-register.md>`). The reference is this project's own work in the producer's contract,
 * and says so; every date in it comes from the data. Either replaces the whole folder at once, or nothing changes.
 */
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../import/importer.ts';
import { extendList } from '../import/vocabulary.ts';
import { byPath, prettyJson, sha256, treeHash } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { BuildStopped } from '../lib/findings.ts';
import { vocabularyText } from '../lib/vocabulary.ts';
import { loadDatasets } from '../load/datasets.ts';
import { CANONICAL_BASE_URL, DATA, FILES, type ProducerFiles, SERVED } from './contract.ts';
import { type NationalSeries, economicFiles } from './economics.ts';
import { describeFile, gitTreeOid, pinOf, publishedAt, receiptFacts, referenceId } from './hash.ts';
import { parseRegister, targetAreas } from './register.ts';
import { verifyProducer } from './verify.ts';
import allTexts from './texts.json' with { type: 'json' };

interface ReferenceInput {
  register: { name: string; bytes: Uint8Array };
  national: NationalSeries;
}

const texts = allTexts.reference;

type Effects = Pick<BuildEffects, 'read' | 'folders' | 'files' | 'replaceTree'>;

/** The families of `npm run import` that are handled here. */
export const PRODUCER_FAMILIES = ['producerp', 'producerp-reference'];

/** The dataset the reference takes its economic series from. */
const NATIONAL = 'national-indicators';

/**
 * Runs one of PRODUCER_FAMILIES; returns the lines to print. Throws BuildStopped with every finding, or a Refusal, also for texts that
 * are not in the list of the folder, which `acceptLabels` adds to it.
 */
export function importProducer(
  family: string,
  files: string[],
  { datasets, acceptLabels }: { datasets: string; acceptLabels: boolean },
  effects: Effects,
): string[] {
  const [path, ...more] = files;
  const expected = family === 'producerp' ? 'one folder of the producer' : 'one source register (Markdown)';
  if (path === undefined || more.length > 0)
    throw new Refusal(family, 'the files', expected, `${files.length}`);
  const made = family === 'producerp' ? readFolder(path, effects) : readReference(path, datasets, effects);
  const used = verifyProducer(made).texts.map(({ term }) => term);
  const { findings, producer } = verifyProducer(withList(made, vocabularyText(used)));
  if (!producer) throw new BuildStopped(findings);
  const file = `${datasets}/producerp/${FILES.vocabulary}`;
  const { text, lines } = extendList(used, { file, bytes: effects.read(file) }, acceptLabels);
  effects.replaceTree(`${datasets}/producerp`, withList(made, text));
  const { releaseKind, deploymentId, artifactManifest, artifactTreeSha256: tree } = producer.receipt;
  return [
    `producerp: ${releaseKind} release ${deploymentId} pinned`,
    `  ${artifactManifest.fileCount} files, ${artifactManifest.totalBytes} bytes, tree ${tree}`,
    ...lines,
  ];
}

/** The files of a release with the list of its texts. */
function withList(files: ProducerFiles, list: string): ProducerFiles {
  return new Map([...files, [FILES.vocabulary, Buffer.from(list)]]);
}

/** The files of datasets/producerp as the build verifies them. */
export function loadProducer(
  datasets: string,
  { files, read }: Pick<Effects, 'files' | 'read'>,
): ProducerFiles {
  const folder = `${datasets}/producerp`;
  return new Map(files(folder).map((path) => [path, read(`${folder}/${path}`) ?? new Uint8Array()]));
}

/** A producer's folder as the files of datasets/producerp, with the pin it would get. */
function readFolder(folder: string, { files, read }: Effects): ProducerFiles {
  const found = files(folder).map((path): [string, Uint8Array] => [
    `release/${path}`,
    read(`${folder}/${path}`) ?? new Uint8Array(),
  ]);
  if (found.length === 0) throw new Refusal('producerp', folder, 'a folder of the producer', 'no files');
  return pinned(found);
}

function readReference(path: string, datasets: string, { read, folders }: Effects): ProducerFiles {
  const bytes = read(path);
  if (!bytes) throw new Refusal('producerp-reference', path, 'the source register', 'no such file');
  const { datasets: loaded, findings } = loadDatasets(datasets, {
    read,
    folders: (folder) => (folder === datasets ? [NATIONAL] : folders(folder)),
  });
  // Editions are loaded in the order of their dates: the last is current.
  const national = loaded.at(-1);
  if (findings.length > 0 || !national) throw new BuildStopped(findings);
  if (national.kind !== 'observations') throw new Refusal(NATIONAL, 'kind', 'observations', national.kind);
  return makeReference({ register: { name: path, bytes }, national });
}

/** All files of datasets/producerp. The same input gives the same bytes; throws a Refusal for what it cannot read. */
export function makeReference({ register, national }: ReferenceInput): ProducerFiles {
  const { files, retrieved } = economicFiles(national);
  const moment = `${retrieved}T00:00:00Z`;
  const data = new Map<string, Uint8Array>([
    ...files,
    [DATA.observatory, prettyJson(observatoryOf(register, moment))],
    [DATA.newswire, prettyJson({ ...texts.newswire, recordedAt: moment })],
  ]);
  const listed = [...data].map(([path, bytes]) => describeFile(path, bytes)).sort(byPath);
  const producer = 'ProducerP';
  const manifest = prettyJson({ schemaVersion: 'producerp.static-release.v1', producer, files: listed });
  const deploymentId = referenceId(treeHash(listed));
  const sourceCommit = `tree ${gitTreeOid(listed)}\n\n${deploymentId}\n`;
  const described = describeFile(FILES.manifest, manifest);
  const { sourceRevision, ...facts } = receiptFacts(listed, described, sourceCommit);
  const receipt = prettyJson({
    schemaVersion: 'producerp.release-receipt.v1',
    producer,
    releaseKind: 'reference',
    canonicalBaseUrl: CANONICAL_BASE_URL,
    mirrorBaseUrl: texts.mirrorBaseUrl,
    deploymentId,
    sourceRevision,
    sourceCommit,
    ...facts,
    verifiedAt: moment,
    verificationSemantics: texts.verificationSemantics,
  });
  const pages = prettyJson({
    schemaVersion: 'producerp.pages-publication-receipt.v1',
    producer,
    sourceRevision,
    sourceTreeOid: facts.sourceTreeOid,
    releaseReceiptSha256: sha256(receipt),
    verifiedAt: moment,
    freshUntil: `${Number(retrieved.slice(0, 4)) + 1}-12-31T23:59:59Z`,
    availabilitySemantics: texts.availabilitySemantics,
    servedResources: listed
      .filter(({ path }) => SERVED.includes(path))
      .map((file) => publishedAt(file, CANONICAL_BASE_URL, texts.mirrorBaseUrl)),
  });
  return pinned([
    [FILES.manifest, manifest],
    [FILES.receipt, receipt],
    [FILES.pages, pages],
    ...[...data].map(([path, bytes]): [string, Uint8Array] => [`release/${path}`, bytes]),
  ]);
}

function pinned(files: [path: string, bytes: Uint8Array][]): ProducerFiles {
  return new Map([[FILES.pin, pinOf(new Map(files))], ...files]);
}

function observatoryOf({ name, bytes }: ReferenceInput['register'], moment: string): object {
  if (!isUtf8(bytes))
    throw new Refusal(name, 'the text', 'a source register, Markdown in UTF-8', 'other bytes');
  const parsed = parseRegister(name, new TextDecoder().decode(bytes));
  const areas = targetAreas(name, parsed);
  return {
    schemaVersion: 'producerp.bri-observatory-register.v1',
    generatedAt: moment,
    derivedFrom: { title: texts.registerTitle, bytes: bytes.length, sha256: sha256(bytes) },
    classificationRule: texts.classificationRule,
    rules: parsed.rules,
    buildReadyGaps: areas.buildReadyGaps,
    sources: parsed.sources.map(({ areas: _letters, ...source }) => source),
    targetAreas: areas.targetAreas,
  };
}
