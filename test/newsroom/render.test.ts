/** What the renderers of the newsroom hold themselves to, whatever reached them: published schemas, and text that is no markup. */
import { describe, expect, it } from 'vitest';
import { printStory } from '../../build/newsroom/printed-story.ts';
import { renderRssFeed } from '../../build/newsroom/render/lists.ts';
import { renderNewsroom } from '../../build/newsroom/render/newsroom.ts';
import { gate, packagedDatasets, storyText } from '../_support/stories.ts';
import { TEST_SITE } from '../_support/tree.ts';

const ID = 'opium-broken-best-estimates';
const datasets = packagedDatasets();
const { checked } = gate(ID, storyText(ID), datasets);
if (!checked) throw new Error(`the gate gives nothing for ${ID}`);

describe('renderers', () => {
  it('[NEWS-DOCUMENTS] a document that breaks its schema stops the build', () => {
    expect(renderNewsroom([checked], datasets, TEST_SITE)).not.toEqual([]);
    const empty = { ...checked, citations: new Map() };
    expect(() => renderNewsroom([empty], datasets, TEST_SITE)).toThrow(
      /news\/opium-broken-best-estimates\/dossier\.json: story-schema: \/citations /,
    );
  });

  it('[NEWS-FEEDS] markup in titles and summaries is text in RSS', () => {
    const story = printStory(checked, datasets);
    const title = { ...story.title, text: '<img src=x onerror=y> & more' };
    const summary = { ...story.summary, text: '<script>x()</script>' };
    const { bytes } = renderRssFeed([{ ...story, title, summary }], TEST_SITE);
    const xml = Buffer.from(bytes).toString('utf8');
    expect(xml).not.toMatch(/<img|<script/);
    expect(xml).toContain('&lt;img src=x onerror=y&gt; &amp; more');
  });
});
