/**
 * One changed byte in every file that a query reads from a mirror, sidecars and lists included, each in turn: the queries that touch it
 * fail and name it, the others are answered. And in every file of the release, read by itself.
 */
import { expect, test } from 'vitest';
import { publicKeyText, signatureFile } from '../../build/release/minisign.ts';
import { open } from '../../shim/client/client.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { explore } from '../../shim/core/explore.ts';
import { answerOf } from '../../shim/remote/answers.ts';
import { openRemote, type RemoteRelease, type Trust } from '../../shim/remote/release.ts';
import { httpSource, SourceError } from '../../shim/remote/source.ts';
import { keyOf, SEED } from '../release/fixture.ts';
import { fileFetch, flipped, type Sent } from '../_support/file-server.ts';
import { queriesByPack } from '../_support/queries.ts';
import { allObservations, packManifest } from '../_support/records.ts';
import { casesOf, shareOf, someOfEachKind } from '../_support/share.ts';
import { builtTree, filesOfTree, TEST_SITE, treeFile } from '../_support/tree.ts';

const MIRROR = 'https://mirror.example/a/folder/';
const signature = Buffer.from(signatureFile(treeFile('release.json'), keyOf(SEED), 'file:release.json'));

type Fetch = typeof globalThis.fetch;
/** Something that is requested of a mirror, from the start. */
type Request = (fetch: Fetch) => Promise<unknown>;

/** A mirror in a folder of its host; one file of it may be changed. */
function mirror(which: string | null | (() => string | null)): ReturnType<typeof fileFetch> {
  const damagedNow = typeof which === 'function' ? which : () => which;
  const sign = (path: string, sent: Sent): Sent =>
    path === 'release.json.minisig' ? { status: 200, headers: {}, body: signature } : sent;
  const files = fileFetch(builtTree(), {
    fault: (path, sent) => (path === damagedNow() ? flipped(sign(path, sent)) : sign(path, sent)),
  });
  const fetch: Fetch = async (address, init) => files.fetch(String(address).replace('/a/folder/', '/'), init);
  return { ...files, fetch };
}

const opened = (fetch: Fetch): Promise<RemoteRelease> => openRemote(httpSource(MIRROR, { fetch }));

/** What is requested, by name: every resource, a record of every pack, what the client says of a record, and the explorer. */
const REQUESTS = requests();

function requests(): Map<string, Request> {
  const targets = [
    ...OPERATIONS.filter(({ freshness }) => freshness === 'data').map(({ name }) => `/api/v1/${name}`),
    ...queriesByPack().map(({ query }) => query),
    '/api/v1/series?query=cocaine',
    '/api/v1/market-observations?geo=MEX&limit=3',
  ];
  const all = new Map<string, Request>();
  for (const target of targets)
    all.set(target, async (fetch) => {
      const { status } = await answerOf(target, await opened(fetch), OPERATIONS);
      if (status !== 200) throw new Error(`status ${status}`);
      return status;
    });
  for (const { id } of packManifest().packs.filter(({ kind }) => kind === 'observations')) {
    const record = allObservations().find(({ datasetId }) => datasetId === id);
    if (record)
      all.set(`cite ${id}`, async (fetch) => {
        const evidence = await open(MIRROR, { fetch, from: 'files' });
        await evidence.prove(record);
        return evidence.cite(record);
      });
  }
  all.set('explore', async (fetch) => {
    const { release, settled } = await opened(fetch);
    return settled(() =>
      explore('?indicator=seizures&geo=MEX', { settings: { siteUrl: TEST_SITE }, release }, () => undefined),
    );
  });
  return all;
}

test('[FLIPS] one changed byte at a mirror: the queries that touch the file fail and name it, all others are answered', async () => {
  const all = [...REQUESTS];
  const touched = new Map<string, Set<string>>();
  for (const [name, request] of all) {
    const { fetch, requests: seen } = mirror(null);
    await request(fetch);
    for (const { path } of seen()) touched.set(path, (touched.get(path) ?? new Set()).add(name));
  }
  const lists = ['data/packs.json', 'data/packs.json.sha256', 'data/catalog.json'];
  expect([...touched.keys()]).toEqual(expect.arrayContaining(lists));
  expect(touched.size).toBeGreaterThan(70);
  for (const [position, [damaged, by]] of [...touched].entries()) {
    const { fetch } = mirror(damaged);
    const [failing] = all.filter(([name]) => by.has(name));
    const others = all.filter(([name]) => !by.has(name));
    const fine = others[position % others.length];
    // What a changed sidecar no longer fits is the file beside it.
    await expect(failing?.[1](fetch), `${failing?.[0]} with ${damaged}`).rejects.toThrow(
      damaged.replace(/\.sha256$/, ''),
    );
    if (fine) await expect(fine[1](fetch), `${fine[0]} with ${damaged}`).resolves.toBeDefined();
  }
});

test.each<[string, number, Trust]>([
  ['without a key', 1, {}],
  ['with a key', 8, { key: publicKeyText(keyOf(SEED)) }],
])(
  '[FLIPS] every file, read by itself %s, is refused by its name when a byte was changed',
  async (_name, step, trust) => {
    let changed: string | null = null;
    const { fetch } = mirror(() => changed);
    const release = await openRemote(httpSource(MIRROR, { fetch }), trust);
    const files = someOfEachKind(filesOfTree().filter((path) => !path.endsWith('.sha256')));
    const paths = shareOf(files, step);
    expect(paths.length).toBeGreaterThan(casesOf(1000, 400) / step);
    const wrong: string[] = [];
    for (const path of paths)
      for (const damaged of trust.key === undefined ? [path, `${path}.sha256`] : [path]) {
        changed = damaged;
        const failure: unknown = await release.file(path).catch((error: unknown) => error);
        if (!(failure instanceof SourceError) || failure.path.replace(/\.sha256$/, '') !== path)
          wrong.push(`${damaged}: ${String(failure)}`);
      }
    expect(wrong.slice(0, 5)).toEqual([]);
    changed = null;
    const [some = ''] = paths.slice(step);
    expect(Buffer.compare(await release.file(some), treeFile(some))).toBe(0);
  },
);

test('an unsigned release is refused where a key is given, and the message says that this is why', async () => {
  const { fetch } = fileFetch(builtTree());
  const trust = { key: publicKeyText(keyOf(SEED)) };
  const message =
    'release.json.minisig: the host answers 404 for it; as a key was given, only a release that is signed by it is accepted';
  await expect(openRemote(httpSource(MIRROR.replace('/a/folder', ''), { fetch }), trust)).rejects.toThrow(
    message,
  );
});
