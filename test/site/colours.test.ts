/** The colours of assets/site.css: every pair that pages use can be told apart, in light and dark. */
import { describe, expect, test } from 'vitest';
import { contrast } from '../_support/colour.ts';
import { treeText } from '../_support/tree.ts';

const css = treeText('assets/site.css');

/** Tokens of colour in a rule for :root, by name. */
function tokensIn(rule: string): Map<string, string> {
  return new Map(
    [...rule.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const [, lightRule = ''] = /\n:root \{([^}]*--paper: #[^}]*)\}/.exec(css) ?? [];
const [, darkRule = ''] = /prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/.exec(css) ?? [];
const SCHEMES = { light: tokensIn(lightRule), dark: tokensIn(darkRule) };

describe.each(Object.entries(SCHEMES))('%s', (_scheme, tokens) => {
  const between = (one: string, other: string): number => {
    const [first, second] = [tokens.get(one), tokens.get(other)];
    if (first === undefined || second === undefined) throw new Error(`no colour --${one} or --${other}`);
    return contrast(first, second);
  };

  test.each(['ink', 'soft', 'accent', 'range', 'warn'])('--%s can be read on paper and panel', (name) => {
    expect(between(name, 'paper')).toBeGreaterThanOrEqual(4.5);
    expect(between(name, 'panel')).toBeGreaterThanOrEqual(4.5);
  });

  test('warnings can be read on their own paper, and the text of buttons on theirs', () => {
    expect(between('warn', 'warn-paper')).toBeGreaterThanOrEqual(4.5);
    expect(between('paper', 'accent')).toBeGreaterThanOrEqual(4.5);
    expect(between('ink', 'warn-paper')).toBeGreaterThanOrEqual(4.5);
  });

  test('borders of controls can be seen on paper and panel', () => {
    expect(between('edge', 'paper')).toBeGreaterThanOrEqual(3);
    expect(between('edge', 'panel')).toBeGreaterThanOrEqual(3);
  });

  test('the five steps of the ramp go one way, each a step that can be seen', () => {
    const steps = [1, 2, 3, 4, 5].map((step) => between(`ramp${step}`, 'paper'));
    for (const [at, step] of steps.slice(1).entries())
      expect(step / (steps[at] ?? 0)).toBeGreaterThanOrEqual(1.3);
    expect(steps.at(-1)).toBeGreaterThanOrEqual(4.5);
  });
});

test('both schemes have the same colours, and no rule uses one that is not defined', () => {
  expect([...SCHEMES.dark.keys()].toSorted()).toEqual([...SCHEMES.light.keys()].toSorted());
  const defined = new Set([...css.matchAll(/--([a-z0-9-]+):/g)].map(([, name]) => name));
  const used = [...css.matchAll(/var\(--([a-z0-9-]+)/g)].map(([, name]) => name);
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
});

test('no rule but the tokens names a colour', () => {
  const rules = css.replaceAll(/:root \{[^}]*\}/g, '');
  expect(rules.match(/#[0-9a-f]{3,8}\b(?=[;, )])|rgba?\(|hsla?\(/gi)).toBeNull();
});
