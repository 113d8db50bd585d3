/** Signatures that the stock minisign accepts, from either form of key, the same bytes every time. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  publicKeyFile,
  publicKeyOf,
  publicKeyText,
  signatureFile,
  signingKeyOf,
} from '../../build/release/minisign.ts';
import { keyIdText, signatureFault } from '../../shim/remote/signature.ts';
import { buildSettings } from '../../build/settings.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { OTHER_SEED, SEED, keyOf, manifestOf, release, written } from './fixture.ts';
import { words } from '../_support/words.ts';

/** Made by `minisign -G -W` for this test alone. */
const MINISIGN_SECRET = [
  'untrusted comment: minisign encrypted secret key',
  'RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYZqdjZ+4Zp9mWDyUbJtalN6AC4YWur3QNraFTLb9Xfw6fV3Lz6qFuLz00nqksnUmyDp60CTdoR467lscUXUE9sbuhNkpIL58AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  '',
].join('\n');
const MINISIGN_PUBLIC = 'RWRhmp2Nn7hmn7z00nqksnUmyDp60CTdoR467lscUXUE9sbuhNkpIL58';

const hasMinisign = spawnSync('minisign', ['-v']).status === 0;
if (!hasMinisign) console.log('minisign is not installed: its check of our own signatures is skipped');

describe('signing keys', () => {
  it('reads the file of minisign, its line, and a seed', () => {
    expect(publicKeyText(keyOf(MINISIGN_SECRET))).toBe(MINISIGN_PUBLIC);
    expect(publicKeyText(keyOf(MINISIGN_SECRET.split('\n')[1] ?? ''))).toBe(MINISIGN_PUBLIC);
    expect(keyIdText(MINISIGN_PUBLIC)).toBe('9F66B89F8D9D9A61');
    expect(publicKeyText(keyOf(`${SEED}\n`))).not.toBe(publicKeyText(keyOf(OTHER_SEED)));
  });

  it.each([
    '',
    'x',
    'not base64!',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(158).toString('base64'),
  ])('refuses %j', (text) => expect(signingKeyOf(text)).toBeNull());

  it('refuses a minisign key whose halves do not belong together', () => {
    const bytes = Buffer.from(MINISIGN_SECRET.split('\n')[1] ?? '', 'base64');
    bytes[70] = (bytes[70] ?? 0) ^ 1;
    expect(signingKeyOf(bytes.toString('base64'))).toBeNull();
  });

  it('[SETTINGS] a bad SIGNING_KEY stops the build without showing it', () => {
    const secret = 'c2VjcmV0IGJ1dCBiYWQ=';
    expect(() => buildSettings({ SIGNING_KEY: secret })).toThrow(
      /^SIGNING_KEY is .*not shown.*minisign -G -W/,
    );
    expect(() => buildSettings({ SIGNING_KEY: secret })).not.toThrow(secret);
    expect(buildSettings({ SIGNING_KEY: '' }).signingKey).toBeNull();
  });
});

describe('[RELEASE-SIGNED] signatures', () => {
  const bytes = Buffer.from('a manifest');
  const key = keyOf(SEED);
  const file = signatureFile(bytes, key, 'serial:1');

  it('are the same every time and hold for these bytes, this key and this comment alone', async () => {
    expect(signatureFile(bytes, key, 'serial:1')).toBe(file);
    expect(await signatureFault(bytes, file, publicKeyText(key))).toBeNull();
    const [own, other] = [publicKeyText(key), publicKeyText(keyOf(OTHER_SEED))];
    const commented = file.replace('serial:1', 'serial:2');
    expect(await signatureFault(Buffer.from('another'), file, own)).toBe('does not match these bytes');
    expect(await signatureFault(bytes, commented, own)).toBe('carries a trusted comment that was altered');
    expect(await signatureFault(bytes, file, other)).toMatch(/^is by key [0-9A-F]{16}, not by/);
    expect(await signatureFault(bytes, 'x', own)).toBe('is not a prehashed minisign signature');
  });

  it('are refused when another key claims the same id', async () => {
    const forger = { ...keyOf(OTHER_SEED), keyId: key.keyId };
    const forged = signatureFile(bytes, forger, 'serial:1');
    expect(await signatureFault(bytes, forged, publicKeyText(key))).toBe('does not match these bytes');
  });

  it('public keys are read from their line or file', () => {
    const text = publicKeyText(key);
    expect(publicKeyOf(text)).toBe(text);
    expect(publicKeyOf(publicKeyFile(text))).toBe(text);
    expect(publicKeyOf('RWQ=')).toBeNull();
  });

  it.skipIf(!hasMinisign)(
    'the stock minisign accepts a signed release, by file and by key, and no altered one',
    () => {
      for (const secret of [SEED, MINISIGN_SECRET]) {
        const folder = written(release({ key: keyOf(secret) }));
        const check = (...args: string[]): string =>
          execFileSync('minisign', ['-V', '-m', 'release.json', ...args], {
            cwd: folder,
            encoding: 'utf8',
            stdio: 'pipe',
          });
        expect(check('-p', 'release.pub')).toContain('serial:1');
        expect(check('-P', publicKeyText(keyOf(secret)))).toContain(
          'Signature and comment signature verified',
        );
        writeFileSync(join(folder, 'release.json'), `${readFileSync(join(folder, 'release.json'), 'utf8')} `);
        expect(() => check('-p', 'release.pub')).toThrow(/verification failed/);
      }
    },
  );

  it.skipIf(!hasMinisign)('a signature of the stock minisign is accepted here', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'key'), MINISIGN_SECRET);
    writeFileSync(join(folder, 'file'), bytes);
    execFileSync('minisign', ['-S', '-s', 'key', '-m', 'file'], { cwd: folder, stdio: 'pipe' });
    expect(
      await signatureFault(bytes, readFileSync(join(folder, 'file.minisig'), 'utf8'), MINISIGN_PUBLIC),
    ).toBeNull();
  });
});

describe('a published release', () => {
  it('[SUMS] has sums and sidecars that sha256sum accepts from each folder', () => {
    const folder = written(release({ key: keyOf(SEED) }));
    execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'SHA256SUMS'], { cwd: folder });
    const script = 'cd "$(dirname "$1")" && sha256sum -c --quiet --strict "$(basename "$1")"';
    for (const path of words(`index.html.sha256 docs/page-3/index.html.sha256 SHA256SUMS.sha256
      release.pub.sha256`))
      execFileSync('sh', ['-c', script, 'sh', path], { cwd: folder });
  });

  it('lists every file but those that describe it, each of which has a sidecar', () => {
    const tree = release({ key: keyOf(SEED) });
    const paths = tree.sorted().map(({ path }) => path);
    const sums = new TextDecoder()
      .decode(tree.read('SHA256SUMS'))
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(66));
    expect(sums).toEqual(paths.filter((path) => path !== 'SHA256SUMS' && !path.endsWith('.sha256')).sort());
    expect(paths.filter((path) => path.endsWith('.sha256')).length).toBe(sums.length + 1);
  });

  it('[RELEASE-SIGNED] differs by nothing but signature and key where no key is set, and says so', () => {
    const [signed, plain] = [release({ key: keyOf(SEED) }), release()];
    const manifest: Record<string, unknown> = { ...manifestOf(plain) };
    expect(manifest['signature']).toBeNull();
    expect(manifest['signatureNote']).toContain('unsigned');
    expect(plain.has('release.pub') || plain.has('release.json.minisig')).toBe(false);
    expect(manifestOf(signed).treeSha256).toBe(manifest['treeSha256']);
  });

  it('refuses to publish under a name that is unsafe or describes the release', () => {
    for (const path of ['../x', 'a b', 'x.sha256', 'release.pub'])
      expect(() => release({ extra: { [path]: 'x' } })).toThrow(/cannot be published|two outputs/);
  });
});
