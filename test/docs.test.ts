/** The documents are true: every command and setting is named and exists, and what they show is answered and passes. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { buildSettings } from '../build/settings.ts';
import { OPERATIONS } from '../shim/core/operations/all.ts';
import { serverSettings } from '../shim/settings.ts';
import { restDoor } from './_support/doors.ts';
import { description } from './_support/openapi.ts';
import { tableOf, quoted } from './_support/markdown.ts';
import { gate, packagedDatasets, SOUND } from './_support/stories.ts';

const readme = readFileSync('README.md', 'utf8');
const described = description();
const door = restDoor();

/** Every setting that reading the settings looks at. */
function settingsRead(read: (env: Record<string, string | undefined>) => unknown): string[] {
  const asked = new Set<string>();
  read(new Proxy({}, { get: (_env, name) => void asked.add(String(name)) }));
  // NETLIFY is no setting: the host sets it to say where a build runs.
  return [...asked].filter((name) => name !== 'NETLIFY');
}

describe('[README]', () => {
  test('fits under 130 lines', () => expect(readme.split('\n').length).toBeLessThan(130));

  test('names every command, and none that is not there', () => {
    const named = tableOf(readme, 'Commands')
      .flatMap(([command]) => quoted(command))
      .map((command) => /^npm (?:run )?([a-z:-]+)/.exec(command)?.[1]);
    expect(named.toSorted()).toEqual(Object.keys(packageJson.scripts).toSorted());
  });

  test('runs no command elsewhere that is not there', () => {
    const run = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });

  test('names every setting, and none that nothing reads', () => {
    const named = tableOf(readme, 'Settings').flatMap(([name]) => quoted(name));
    const read = new Set([...settingsRead(serverSettings), ...settingsRead(buildSettings)]);
    expect(named.toSorted()).toEqual([...read].toSorted());
  });

  test('gives the defaults that hold', () => {
    const { siteUrl, port, host, producersBaseUrl } = serverSettings({});
    const defaults = new Map(
      tableOf(readme, 'Settings').flatMap(([names, values = '']) =>
        quoted(names).map((name, index) => [name, quoted(values)[index] ?? values] as const),
      ),
    );
    expect(defaults.get('SITE_URL')).toBe(siteUrl);
    expect(defaults.get('PORT')).toBe(String(port));
    expect(defaults.get('HOST')).toBe(host);
    expect([defaults.get('PRODUCERS_BASE_URL'), producersBaseUrl]).toEqual(['unset', null]);
    expect([defaults.get('SIGNING_KEY'), buildSettings({}).signingKey]).toEqual(['unset', null]);
  });

  const requests = [...readme.matchAll(/(?:curl|npm run get --) '(?:http:\/\/localhost:3000)?([^']*)'/g)].map(
    ([, target = '']) => target,
  );

  test('shows a record that the request above it returns', async () => {
    const { text } = await door.ask(requests[0] ?? '');
    const { data } = JSON.parse(text) as { data: { observations: unknown[] } };
    const shown: unknown = JSON.parse(/```json\n([^]*?)```/.exec(readme)?.[1] ?? '');
    expect(data.observations).toEqual([shown]);
  });

  test('has a request for every resource', () => {
    const asked = new Set(requests.map((target) => /^\/api\/v1\/([a-z-]+)/.exec(target)?.[1]));
    expect([...asked].toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
  });

  test.each(requests)('%s answers 200 with something in it', async (target) => {
    const { status, text } = await door.ask(target);
    expect(status).toBe(200);
    expect(text).not.toContain('"matched":0,');
  });
});

test('[DISC-DOCS] every parameter of every operation stands in openapi.json, and none that is not there', () => {
  for (const { name, parameters } of OPERATIONS)
    expect(described.paths[`/api/v1/${name}`]?.get.parameters?.map((each) => each.name) ?? [], name).toEqual(
      parameters.map((each) => each.name),
    );
});

test('[NEWS-GATE] the story that docs/newsroom.md shows, with its chart, passes the gate', () => {
  const guide = readFileSync('docs/newsroom.md', 'utf8');
  const shown = [...guide.matchAll(/^(`{3,4})markdown\n(.*?)^\1\n/gms)].map(([, , text]) => text);
  expect(shown).toHaveLength(2);
  expect(gate(SOUND, shown.join('\n'), packagedDatasets()).findings).toEqual([]);
});
