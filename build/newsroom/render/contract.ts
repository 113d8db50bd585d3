/** A story's documents against the schemas they are published with: one that breaks its own stops the build. */
import briefSchema from '../../../schemas/news-brief.schema.json' with { type: 'json' };
import dossierSchema from '../../../schemas/news-dossier.schema.json' with { type: 'json' };
import { validator } from '../../../shim/core/schema.ts';
import type { JsonSchema } from '../../../shim/core/types.ts';
import { BuildStopped } from '../../lib/findings.ts';
import { NEWSROOM } from '../story.ts';
import type { Artifact } from '../../lib/tree.ts';

const SCHEMAS: [end: string, schema: JsonSchema][] = [
  ['/brief.json', briefSchema],
  ['/dossier.json', dossierSchema],
];

/** Gives the artifacts of a story back; throws BuildStopped with every violation. */
export function heldToSchemas(id: string, artifacts: Artifact[]): Artifact[] {
  const findings = artifacts.flatMap(({ path, bytes }) => {
    const [, schema] = SCHEMAS.find(([end]) => path.endsWith(end)) ?? [];
    const violations = schema ? validator(schema)(JSON.parse(Buffer.from(bytes).toString('utf8'))) : null;
    return (violations ?? []).map(({ instancePath, message = '' }) => ({
      file: `${NEWSROOM}/${id}.md`,
      row: null,
      rule: 'story-schema',
      message: `${path}: ${instancePath || 'the document'} ${message}`,
    }));
  });
  if (findings.length > 0) throw new BuildStopped(findings);
  return artifacts;
}
