/** The newsroom through the build: a story that breaks a rule stops it, changed data reaches the page at once. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build } from '../../build/build.ts';
import { realEffects } from '../../build/write/effects.ts';
import { BuildStopped } from '../../build/lib/findings.ts';
import { listedStory, renderLists } from '../../build/newsroom/render/lists.ts';
import { printStory } from '../../build/newsroom/render/newsroom.ts';
import { checkStory } from '../../build/newsroom/verify.ts';
import { folderSource } from '../../build/release/source.ts';
import { gate, packagedDatasets, storyText } from '../_support/stories.ts';
import { temporaryFolder, TEST_SITE } from '../_support/tree.ts';

const ID = 'opium-broken-best-estimates';
const STORY = `datasets/newsroom/${ID}.md`;
const RECORDS = 'datasets/opium-cultivation/2025-06/records.csv';

/** Builds one dataset and one story, with the files given changed on their way in. */
async function built(change: Record<string, (text: string) => string>) {
  const real = realEffects();
  const progress: string[] = [];
  const out = join(temporaryFolder(), 'public');
  await build(
    { datasets: 'datasets', schemas: 'schemas', out, settings: { siteUrl: TEST_SITE } },
    {
      ...real,
      progress: (message) => progress.push(message),
      folders: (path) => (path === 'datasets' ? ['opium-cultivation', 'newsroom'] : real.folders(path)),
      files: (path) => (path === 'datasets/newsroom' ? [`${ID}.md`, `${ID}.reviewed.csv`] : real.files(path)),
      pieces: null,
      read(path) {
        const bytes = real.read(path);
        const edit = change[path];
        return bytes && edit ? Buffer.from(edit(bytes.toString('utf8'))) : bytes;
      },
    },
  );
  const file = (path: string): string =>
    existsSync(join(out, path)) ? readFileSync(join(out, path), 'utf8') : '';
  return {
    out,
    progress,
    page: file(`news/${ID}/index.html`),
    brief: file(`news/${ID}/brief.json`),
    feeds: file('news/feed.json') + file('news/feed.xml'),
  };
}

describe('build', () => {
  it('names a file of reviewed values that cannot be read', async () => {
    const file = `datasets/newsroom/${ID}.reviewed.csv`;
    const stopped = built({ [file]: () => 'a,b\n"unclosed\n' });
    await expect(stopped).rejects.toThrow(new RegExp(`${file}.*restore the file`));
  });

  it('[NEWS-GATE] stops on a story that breaks a rule, with its file, line, story and sentence', async () => {
    const stopped = built({ [STORY]: (text) => text.replace('They run from', 'They ran to 5 from') });
    await expect(stopped).rejects.toThrow(BuildStopped);
    await expect(stopped).rejects.toThrow(
      new RegExp(
        `^1 finding; nothing was written\n${STORY}:16: bare-number: story ${ID}, sentence 5 "They ran to 5`,
      ),
    );
  });

  it('[NEWS-CHANGED] prints a changed cell with its new value, flags the story everywhere, and names the sentence', async () => {
    const { out, progress, page, brief, feeds } = await built({
      [RECORDS]: (text) => text.replace(',2019,,149000,178000,', ',2019,,151000,178000,'),
    });
    expect(page).toContain('>151000</data>');
    for (const text of [page, brief, feeds]) expect(text).not.toMatch(/\b149000\b/);
    expect(page).toContain('Cited data changed since review');
    expect(page).toMatch(/data-place="sentence 5" class="changed"/);
    expect(JSON.parse(brief)).toMatchObject({
      citedDataChanged: true,
      changes: [{ place: 'sentence 5' }, { place: 'chart title' }],
    });
    expect(feeds.match(/Cited data changed since this story was last reviewed/g)).toHaveLength(2);
    expect(progress.join('')).toMatch(
      /sentence 5: \{\{.*#lower\}\} was 149000 when reviewed and is now 151000/,
    );
    expect((await checkStory(ID, folderSource(out))).findings).toEqual([]);
  });

  it('stops when a cited number becomes unavailable', async () => {
    const stopped = built({
      [RECORDS]: (text) =>
        text.replace(
          ',2022,233000,215000,250000,hectares,estimated,,',
          ',2022,,215000,250000,hectares,unavailable,blank_in_source,',
        ),
    });
    await expect(stopped).rejects.toThrow(
      /unavailable-as-value: story .* sentence \d+ .*\(blank_in_source\)/,
    );
  });

  it('[NEWS-CORRECTIONS] shows corrections on the page, in the brief and in the feed', async () => {
    const { page, brief, feeds } = await built({
      [STORY]: (text) =>
        text.replace(
          'corrections:\n',
          'corrections:\n  - date: 2026-11-22\n    text: The first edition named the wrong country; it is {{opium-cultivation:opium-cultivation.AFG.2019@2025-06#geoName}}.\n',
        ),
    });
    const words = 'The first edition named the wrong country; it is Afghanistan.';
    expect(page).toContain('<time datetime="2026-11-22">');
    expect(JSON.parse(brief)).toMatchObject({ corrections: [{ date: '2026-11-22', text: words }, {}] });
    expect(feeds).toContain(words);
  });
});

const { checked } = gate(ID, storyText(ID), packagedDatasets());
if (!checked) throw new Error(`the gate returned nothing for ${ID}`);

describe('renderers', () => {
  it('[NEWS-DOCUMENTS] a document that breaks its schema stops the build', () => {
    expect(printStory(checked, TEST_SITE).files).not.toEqual([]);
    const empty = { ...checked, citations: new Map() };
    expect(() => printStory(empty, TEST_SITE)).toThrow(
      /news\/opium-broken-best-estimates\/dossier\.json: story-schema: \/citations /,
    );
  });

  it('[NEWS-FEEDS] markup in titles and summaries is text in RSS', () => {
    const title = { ...checked.title, text: '<img src=x onerror=y> & more' };
    const summary = { ...checked.summary, text: '<script>x()</script>' };
    const feeds = renderLists([listedStory({ ...checked, title, summary }, TEST_SITE)], TEST_SITE);
    const { bytes = '' } = feeds.find(({ path }) => path.endsWith('.xml')) ?? {};
    const xml = Buffer.from(bytes).toString('utf8');
    expect(xml).not.toMatch(/<img|<script/);
    expect(xml).toContain('&lt;img src=x onerror=y&gt; &amp; more');
  });
});
