/** Templates of pages: every value is escaped, whatever it is put into. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lines, markup, chaptersOf, filledPage, filledText } from '../../build/lib/html.ts';
import { trusted } from '../../shim/view/node.ts';

test('values are escaped, markup is not, lists are joined', () => {
  const item = markup`<b title="${'"&'}">${'<'}</b>`;
  expect(item.markup).toBe('<b title="&quot;&amp;">&lt;</b>');
  expect(markup`${[item, "'", 1]}${trusted('<br>')}`.markup).toBe(`${item.markup}&#39;1<br>`);
  expect(lines(['<', item]).markup).toBe(`&lt;\n${item.markup}`);
});

test('no text can leave its element or its attribute', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { markup: html } = markup`<p title="${text}">${text}</p>`;
      expect(html.match(/[<>"]/g)).toEqual(['<', '"', '"', '>', '<', '>']);
      expect(html.match(/&(?!(?:amp|lt|gt|quot|#39);)/)).toBeNull();
    }),
  );
});

test('a Markdown page: anchors, code, escaped values, paragraphs that are replaced whole', () => {
  const template = '# T\n\n## One & two {#one}\n\nA `{{code}}` here.\n\n{{block}}\n';
  expect(chaptersOf(template)).toEqual([{ id: 'one', title: 'One & two' }]);
  expect(filledPage(template, { code: '<x>', block: markup`<ul></ul>` }).markup).toBe(
    '<h1>T</h1>\n<h2 id="one">One &amp; two</h2>\n<p>A <code>&lt;x&gt;</code> here.</p>\n<ul></ul>',
  );
  expect(filledText('{{a}} & b', { a: '<' })).toBe('< & b');
  expect(() => filledText('{{a}}', {})).toThrow('no value for {{a}} in the template');
});
