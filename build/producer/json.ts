/** Reads a release document: bytes to a value its schema lets through, or findings that name the place. */
import economics from '../../schemas/producerp-bri-economic-observations.schema.json' with { type: 'json' };
import registry from '../../schemas/producerp-bri-economic-registry.schema.json' with { type: 'json' };
import newswire from '../../schemas/producerp-newswire-rights-status.schema.json' with { type: 'json' };
import observatory from '../../schemas/producerp-observatory-register.schema.json' with { type: 'json' };
import pages from '../../schemas/producerp-pages-publication-receipt.schema.json' with { type: 'json' };
import receipt from '../../schemas/producerp-release-receipt.schema.json' with { type: 'json' };
import manifest from '../../schemas/producerp-static-release.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import type { Finding } from '../lib/findings.ts';
import type {
  EconomicObservations,
  EconomicRegistry,
  NewswireRightsStatus,
  ObservatoryRegister,
  PagesReceipt,
  ReleaseFiles,
  ReleaseReceipt,
  StaticRelease,
} from './contract.ts';

/** The rules a release can break; `hash` and `link` are cross-checks made again from the bytes. */
export type ReleaseRule = 'missing' | 'unlisted' | 'json' | 'schema' | 'hash' | 'link' | 'content';

/** A finding about a file of the release (its path below datasets/producerp). */
export function releaseFinding(file: string, rule: ReleaseRule, message: string): Finding {
  return { file: `datasets/producerp/${file}`, row: null, rule: `release-${rule}`, message };
}

/** The documents of a release and the type each schema lets through. */
export interface ReleaseDocuments {
  manifest: StaticRelease;
  receipt: ReleaseReceipt;
  pages: PagesReceipt;
  observatory: ObservatoryRegister;
  economics: EconomicObservations;
  registry: EconomicRegistry;
  newswire: NewswireRightsStatus;
}

const SCHEMAS = { manifest, receipt, pages, observatory, economics, registry, newswire };

/** The document, or null after adding findings. */
export function readDocument<K extends keyof ReleaseDocuments>(
  kind: K,
  files: ReleaseFiles,
  path: string,
  findings: Finding[],
): ReleaseDocuments[K] | null {
  const bytes = files.get(path);
  if (!bytes) {
    findings.push(releaseFinding(path, 'missing', 'the release has no such file'));
    return null;
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    findings.push(releaseFinding(path, 'json', error instanceof Error ? error.message : 'not JSON'));
    return null;
  }
  const violations = validator(SCHEMAS[kind])(value);
  if (!violations) return value as ReleaseDocuments[K];
  for (const { instancePath, keyword, message } of violations)
    findings.push(releaseFinding(path, 'schema', `${instancePath || '/'} ${message ?? keyword}`));
  return null;
}
