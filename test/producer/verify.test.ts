import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { prettyJson } from '../../build/lib/tree.ts';
import { gitOid, gitTreeOid, pinOf } from '../../build/producer/hash.ts';
import { verifyProducer } from '../../build/producer/verify.ts';
import { referenceProducer } from '../_support/producer.ts';

const text = new TextDecoder();

/** The release with one document edited and everything above it left as it was, but pinned again. */
function edited(path: string, edit: (document: Record<string, unknown>) => void): Map<string, Uint8Array> {
  const files = referenceProducer();
  const document = JSON.parse(text.decode(files.get(path))) as Record<string, unknown>;
  edit(document);
  files.set(path, prettyJson(document));
  files.set('pin.json', pinOf(files));
  return files;
}

function messages(files: Map<string, Uint8Array>): string {
  const { findings, producer } = verifyProducer(files);
  expect(producer === null).toBe(findings.length > 0);
  return findings.map(({ file, rule, message }) => `${file} ${rule} ${message}`).join('\n');
}

describe('git object ids', () => {
  test('are those git prints', () => {
    expect(gitOid('blob', Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
    expect(gitTreeOid([])).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    // git: `a.txt`, `a/b.txt`, `a0`, each with the content "hello\n": a folder sorts as `a/`
    const oid = gitOid('blob', Buffer.from('hello\n'));
    const files = ['a0', 'a/b.txt', 'a.txt'].map((path) => ({ path, gitBlobOid: oid }));
    expect(gitTreeOid(files)).toBe('84685a5f118a60ab27e1ca5ec51915e8255337b5');
    expect(gitOid('commit', 'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nx\n')).toBe(
      'd032865a17b42a2ad4ec141b477e80f5e0b283c5',
    );
  });
});

describe('[BRI-VERIFY] verifyProducer', () => {
  test('accepts the release as made', () => {
    const { findings, producer } = verifyProducer(referenceProducer());
    expect(findings).toEqual([]);
    expect(producer?.receipt.releaseKind).toBe('reference');
    expect(producer?.manifest.files).toHaveLength(5);
  });

  test('making it twice gives the same bytes', () => {
    expect(referenceProducer()).toEqual(referenceProducer());
  });

  test('catches one flipped byte in any file, wherever it stands', () => {
    const sound = referenceProducer();
    for (const [path, bytes] of sound) {
      const places = new Set([
        0,
        1,
        bytes.length >> 2,
        bytes.length >> 1,
        bytes.length - 2,
        bytes.length - 1,
      ]);
      for (const place of places) {
        const flipped = Uint8Array.from(bytes);
        flipped[place] = (flipped[place] ?? 0) ^ 1;
        const { findings, producer } = verifyProducer(new Map([...sound, [path, flipped]]));
        expect(findings.length, `${path} at ${place}`).toBeGreaterThan(0);
        expect(producer, `${path} at ${place}`).toBeNull();
      }
    }
  });

  test('catches a missing and an unlisted file', () => {
    for (const path of referenceProducer().keys()) {
      const files = referenceProducer();
      files.delete(path);
      expect(messages(files)).toMatch(/producer-(missing|hash)/);
    }
    const more = referenceProducer();
    more.set('release/data/extra.json', Buffer.from('{}'));
    expect(messages(more)).toContain('datasets/producerp/release/data/extra.json producer-unlisted');
  });

  test.each([
    ['artifactTreeSha256', '0'.repeat(64)],
    ['sourceTreeOid', '0'.repeat(40)],
    ['sourceRevision', '0'.repeat(40)],
  ])('makes %s of the release receipt again', (member, value) => {
    const files = edited('release/release-receipt.json', (receipt) => (receipt[member] = value));
    expect(messages(files)).toContain(`the release receipt says ${member} ${value}`);
  });

  test('refuses another producer address, a foreign commit and a wrong total', () => {
    const path = 'release/release-receipt.json';
    expect(
      messages(edited(path, (receipt) => (receipt['canonicalBaseUrl'] = 'https://other.example'))),
    ).toContain('/canonicalBaseUrl');
    const commit = `tree ${'1'.repeat(40)}\n\nx\n`;
    const foreign = edited(path, (receipt) => {
      receipt['sourceCommit'] = commit;
      receipt['sourceRevision'] = gitOid('commit', commit);
    });
    expect(messages(foreign)).toContain('sourceCommit does not name the tree');
    const total = edited(path, (receipt) => {
      receipt['artifactManifest'] = { ...(receipt['artifactManifest'] as object), totalBytes: 1 };
    });
    expect(messages(total)).toContain('totalBytes 1');
  });

  test('binds the pages receipt to the release receipt and to exactly its three resources', () => {
    const path = 'release/pages-publication-receipt.json';
    expect(messages(edited(path, (pages) => (pages['releaseReceiptSha256'] = '0'.repeat(64))))).toContain(
      'releaseReceiptSha256',
    );
    expect(messages(edited(path, (pages) => (pages['freshUntil'] = '2020-01-01T00:00:00Z')))).toContain(
      'freshUntil',
    );
    const served = (pages: Record<string, unknown>): Record<string, unknown>[] =>
      pages['servedResources'] as Record<string, unknown>[];
    expect(messages(edited(path, (pages) => served(pages).pop()))).toContain('/servedResources');
    const moved = edited(path, (pages) =>
      Object.assign(served(pages)[0] ?? {}, { canonicalUrl: 'https://other.example/x' }),
    );
    expect(messages(moved)).toContain('canonicalUrl https://other.example/x');
  });

  test('counts the economic rows again', () => {
    const files = edited('release/data/bri-economic-observations.json', (economics) => {
      const coverage = economics['coverage'] as { totals: { observedRows: number } };
      coverage.totals.observedRows += 1;
    });
    expect(messages(files)).toContain('coverage is not what is counted from the rows');
  });

  test('refuses an interested party whose claim is not called one, and a blocked source that claims', () => {
    type Sources = { sourceId: string; claimClasses: string[] }[];
    const change = (id: string, claims: string[]): Map<string, Uint8Array> =>
      edited('release/data/bri-observatory-register.json', (register) => {
        for (const source of register['sources'] as Sources)
          if (source.sourceId === id) source.claimClasses = claims;
      });
    expect(messages(change('corridor_portal', ['project list']))).toContain(
      'corridor_portal is an interested party',
    );
    expect(messages(change('conflict_events', ['events']))).toContain('/claimClasses');
  });

  test('the tree hash is the sha256 of `<sha256>  <path>` lines sorted by path', () => {
    const files = referenceProducer();
    const { producer } = verifyProducer(files);
    const lines = [...files]
      .filter(([path]) => path.startsWith('release/data/'))
      .map(([path, bytes]) => [
        path.slice('release/'.length),
        createHash('sha256').update(bytes).digest('hex'),
      ])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
      .map(([path, sum]) => `${sum}  ${path}\n`);
    expect(producer?.receipt.artifactTreeSha256).toBe(
      createHash('sha256').update(lines.join('')).digest('hex'),
    );
  });
});
