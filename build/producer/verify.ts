/**
 * Verifies the context producer's files: every byte count, sha256, git blob id, tree hash, revision, cross-link, schema and count is
 * recomputed from the files. Pure; it collects every finding, and there is a verified producer only when there is none. It fetches
 * nothing and reads no clock: it does not say whether an address can be reached.
 */
import economicsSchema from '../../schemas/producerp-bri-economic-observations.schema.json' with { type: 'json' };
import registrySchema from '../../schemas/producerp-bri-economic-registry.schema.json' with { type: 'json' };
import newswireSchema from '../../schemas/producerp-newswire-rights-status.schema.json' with { type: 'json' };
import observatorySchema from '../../schemas/producerp-observatory-register.schema.json' with { type: 'json' };
import pagesSchema from '../../schemas/producerp-pages-publication-receipt.schema.json' with { type: 'json' };
import receiptSchema from '../../schemas/producerp-release-receipt.schema.json' with { type: 'json' };
import manifestSchema from '../../schemas/producerp-static-release.schema.json' with { type: 'json' };
import { errorMessage, type Finding } from '../lib/findings.ts';
import { CANONICAL_BASE_URL, DATA, FILES, SERVED } from './contract.ts';
import type { Documents, FileDescriptor, ProducerFiles, Report, VerifiedProducer } from './contract.ts';
import { checkEconomics } from './coverage.ts';
import { describeFile, pinOf, publishedAt, receiptFacts } from './hash.ts';
import { checkTexts, firstOfEach, producerTerm, textsOf, type ProducerText } from './vocabulary.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema, JsonValue } from '../../shim/core/types.ts';

/** What is checked, and where findings go. */
type Check = { files: ProducerFiles; report: Report };

type Release = Pick<Documents, 'manifest' | 'receipt'>;

/** Every document with its schema, in the order they are read. */
const DOCUMENTS: { [K in keyof Documents]: [path: string, schema: JsonSchema] } = {
  manifest: [FILES.manifest, manifestSchema],
  receipt: [FILES.receipt, receiptSchema],
  pages: [FILES.pages, pagesSchema],
  observatory: [`release/${DATA.observatory}`, observatorySchema],
  economics: [`release/${DATA.economics}`, economicsSchema],
  registry: [`release/${DATA.registry}`, registrySchema],
  newswire: [`release/${DATA.newswire}`, newswireSchema],
};

/** The rights-status document is bounded: a larger one is refused. */
const NEWSWIRE_MAX_BYTES = 16_384;

/** Prefix of every claim of an interested party: such a claim is never an observation. */
const OFFICIAL_CLAIM = 'official claim: ';

/**
 * Checks the files of datasets/producerp, by path below that folder; `producer` is null exactly when there are findings. `texts` are
 * those that the list of texts must have.
 */
export function verifyProducer(files: ProducerFiles): {
  findings: Finding[];
  texts: ProducerText[];
  producer: VerifiedProducer | null;
} {
  const findings: Finding[] = [];
  const report: Report = (file, rule, message) => {
    findings.push({ file: `datasets/producerp/${file}`, row: null, rule: `producer-${rule}`, message });
  };
  const check = { files, report };
  const pinBytes = files.get(FILES.pin);
  if (!pinBytes) report(FILES.pin, 'missing', 'the producer is not pinned');
  else if (Buffer.compare(pinBytes, pinOf(files)) !== 0)
    report(FILES.pin, 'hash', 'the pin is not that of this manifest and these receipts');
  const found: ProducerText[] = [];
  const kinds = Object.keys(DOCUMENTS) as (keyof Documents)[];
  const read = kinds.flatMap((kind) => {
    const document = readDocument(...DOCUMENTS[kind], check);
    if (document === null) return [];
    found.push(...textsOf(kind, DOCUMENTS[kind], document));
    return [[kind, document]];
  });
  const documents = Object.fromEntries(read) as Partial<Documents>;
  const { manifest, receipt, pages, observatory, economics, registry } = documents;
  if (manifest) checkManifest(check, manifest);
  if (manifest && receipt) checkReceipt(check, { manifest, receipt });
  if (manifest && receipt && pages) checkPages(check, { manifest, receipt }, pages);
  if (observatory) checkObservatory(observatory, report);
  const rows = economics && registry ? checkEconomics(economics, registry, files, report) : [];
  for (const [index, { reason }] of rows.entries())
    if (reason !== '')
      // The table has a heading.
      found.push({
        file: `release/${DATA.observations}`,
        at: `line ${index + 2}`,
        term: producerTerm('observations.reason', reason),
      });
  const texts = firstOfEach(found);
  checkTexts(texts, files, report);
  const newswireBytes = files.get(`release/${DATA.newswire}`)?.length ?? 0;
  if (newswireBytes > NEWSWIRE_MAX_BYTES)
    report(`release/${DATA.newswire}`, 'content', `${newswireBytes} bytes; at most ${NEWSWIRE_MAX_BYTES}`);

  const [pin, receiptFile, pagesFile] = [FILES.pin, FILES.receipt, FILES.pages].map((path) =>
    descriptorOf(files, path),
  );
  if (findings.length > 0 || !pin || !receiptFile || !pagesFile) return { findings, texts, producer: null };
  const described = { pin, receipt: receiptFile, pages: pagesFile };
  // Without a finding every document was read.
  const registryBytes = files.get(`release/${DATA.registry}`) ?? new Uint8Array();
  return { findings, texts, producer: { ...(documents as Documents), described, registryBytes } };
}

function readDocument(path: string, schema: JsonSchema, { files, report }: Check): JsonValue {
  const bytes = files.get(path);
  if (!bytes) {
    report(path, 'missing', 'the producer has no such file');
    return null;
  }
  let text: string;
  let value: JsonValue;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    report(path, 'json', errorMessage(error));
    return null;
  }
  const violations = validator(schema)(value);
  for (const { instancePath, keyword, message } of violations ?? [])
    report(path, 'schema', `${instancePath || '/'} ${message ?? keyword}`);
  // The registry is published byte for byte: of a member that it names twice, only one would be checked.
  if (path.endsWith(DATA.registry) && withoutSpace(text) !== withoutSpace(JSON.stringify(value)))
    report(path, 'json', 'must be written as JSON.stringify does: no member twice, no needless escape');
  return violations ? null : value;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/gu, '');
}

function checkManifest({ files, report }: Check, { files: listed }: Documents['manifest']): void {
  const paths = new Set(listed.map(({ path }) => `release/${path}`));
  if (paths.size !== listed.length) report(FILES.manifest, 'content', 'lists a path twice');
  for (const path of Object.values(DATA))
    if (!paths.has(`release/${path}`)) report(FILES.manifest, 'missing', `does not list ${path}`);
  const known = new Set<string>([...paths, ...Object.values(FILES)]);
  for (const path of files.keys())
    if (!known.has(path)) report(path, 'unlisted', 'is in the folder but not in the manifest');
  for (const stated of listed) {
    const file = `release/${stated.path}`;
    const actual = descriptorOf(files, file);
    if (!actual) report(file, 'missing', 'the manifest lists it');
    else compare(file, 'the manifest', stated, { ...actual, path: stated.path }, report);
  }
}

function checkReceipt({ files, report }: Check, { manifest: { files: listed }, receipt }: Release): void {
  const actual = listed.flatMap(({ path }) => {
    const file = descriptorOf(files, `release/${path}`);
    return file ? [{ ...file, path }] : [];
  });
  const manifest = descriptorOf(files, FILES.manifest) ?? { bytes: 0, sha256: '' };
  const { artifactManifest, ...facts } = receiptFacts(actual, manifest, receipt.sourceCommit);
  const expected = { canonicalBaseUrl: CANONICAL_BASE_URL, ...facts };
  compare(FILES.receipt, 'the release receipt', receipt, expected, report);
  if (receipt.sourceCommit.split('\n')[0] !== `tree ${facts.sourceTreeOid}`)
    report(FILES.receipt, 'link', 'sourceCommit does not name the tree of the files');
  const where = 'artifactManifest of the release receipt';
  compare(FILES.receipt, where, receipt.artifactManifest, artifactManifest, report);
}

function checkPages(
  { files, report }: Check,
  { manifest, receipt }: Release,
  pages: Documents['pages'],
): void {
  const expected = {
    sourceRevision: receipt.sourceRevision,
    sourceTreeOid: receipt.sourceTreeOid,
    releaseReceiptSha256: descriptorOf(files, FILES.receipt)?.sha256 ?? '',
  };
  compare(FILES.pages, 'the pages receipt', pages, expected, report);
  if (Date.parse(pages.freshUntil) < Date.parse(pages.verifiedAt))
    report(FILES.pages, 'content', 'freshUntil is before verifiedAt');
  const served = pages.servedResources.map(({ path }) => path).sort();
  if (served.join() !== SERVED.toSorted().join())
    report(FILES.pages, 'content', `served resources must be ${SERVED.join(', ')}`);
  for (const resource of pages.servedResources) {
    const file = manifest.files.find(({ path }) => path === resource.path);
    if (!file) continue;
    const mirrorBase = resource.mirrorUrl === undefined ? null : receipt.mirrorBaseUrl;
    const published = publishedAt(file, receipt.canonicalBaseUrl, mirrorBase);
    compare(FILES.pages, `served resource ${file.path}`, resource, published, report);
  }
}

/** Ids are unique, targets name known sources, interested parties only claim. */
function checkObservatory({ sources, targetAreas }: Documents['observatory'], report: Report): void {
  const add = (message: string): void => report(`release/${DATA.observatory}`, 'content', message);
  const ids = new Set(sources.map(({ sourceId }) => sourceId));
  if (ids.size !== sources.length) add('a sourceId is duplicated');
  const targets = targetAreas.flatMap((area) => area.targets);
  if (new Set(targets.map(({ targetId }) => targetId)).size !== targets.length)
    add('a targetId is duplicated');
  for (const { targetId, sourceIds } of targets)
    for (const id of sourceIds) if (!ids.has(id)) add(`target ${targetId} names the unknown source ${id}`);
  for (const { sourceId, interestedParty, claimClasses } of sources)
    if (interestedParty && !claimClasses.every((claim) => claim.startsWith(OFFICIAL_CLAIM)))
      add(`${sourceId} is an interested party: each claim must start with "${OFFICIAL_CLAIM}"`);
}

function descriptorOf(files: ProducerFiles, path: string): FileDescriptor | null {
  const bytes = files.get(path);
  return bytes ? describeFile(path, bytes) : null;
}

/** Reports every member whose stated value is not the recomputed one. */
function compare(file: string, where: string, stated: object, recomputed: object, report: Report): void {
  const members = new Map<string, unknown>(Object.entries(stated));
  for (const [member, value] of Object.entries(recomputed))
    if (members.get(member) !== value)
      report(file, 'hash', `${where} says ${member} ${members.get(member)}; recomputed ${value}`);
}
