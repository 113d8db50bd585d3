/** Reads a release document: bytes to a value its schema lets through, or findings that name the place. */
import economics from '../../schemas/producerp-bri-economic-observations.schema.json' with { type: 'json' };
import registry from '../../schemas/producerp-bri-economic-registry.schema.json' with { type: 'json' };
import newswire from '../../schemas/producerp-newswire-rights-status.schema.json' with { type: 'json' };
import observatory from '../../schemas/producerp-observatory-register.schema.json' with { type: 'json' };
import pages from '../../schemas/producerp-pages-publication-receipt.schema.json' with { type: 'json' };
import receipt from '../../schemas/producerp-release-receipt.schema.json' with { type: 'json' };
import manifest from '../../schemas/producerp-static-release.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import type {
  EconomicObservations,
  EconomicRegistry,
  NewswireRightsStatus,
  ObservatoryRegister,
  PagesReceipt,
  ReleaseFiles,
  ReleaseReceipt,
  StaticRelease,
} from './release-contract.ts';

/** What is wrong with a release: the file (below datasets/producerp), the rule it breaks, and what was found. */
export interface ReleaseFinding {
  file: string;
  rule: 'missing' | 'unlisted' | 'json' | 'schema' | 'hash' | 'link' | 'content';
  message: string;
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
  findings: ReleaseFinding[],
): ReleaseDocuments[K] | null {
  const bytes = files.get(path);
  if (!bytes) {
    findings.push({ file: path, rule: 'missing', message: 'the release has no such file' });
    return null;
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    findings.push({ file: path, rule: 'json', message: error instanceof Error ? error.message : 'not JSON' });
    return null;
  }
  const violations = validator(SCHEMAS[kind])(value);
  if (!violations) return value as ReleaseDocuments[K];
  for (const { instancePath, keyword, message } of violations)
    findings.push({ file: path, rule: 'schema', message: `${instancePath || '/'} ${message ?? keyword}` });
  return null;
}
