import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import type { PlanData } from '../../../src/state/plan-data.ts';
import { planMarkdown } from '../../../src/state/plan-markdown.ts';
import { toPrintable } from '../../../src/wire/printable.ts';

type Operation = PlanData['operations'][number];
type Change = Operation['changes'][number];

/** What could end a code span or a block, or is markup, HTML, a link or a mention. */
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '`',
          '``',
          '```',
          '~~~',
          '\n',
          '\r\n',
          '\t',
          '|',
          '</details>',
          '</summary>',
          '<script>',
          '<!--',
          '-->',
        ],
        ...[
          '<img src=x>',
          '@octocat',
          '#1',
          '[x](http://example.com)',
          '![x](y)',
          '\\',
          '*',
          '_',
          '# ',
          '- ',
          '> ',
        ],
        ...[
          '\u001b[31m',
          '\u202e',
          '\u2028',
          '\u0000',
          '&lt;',
          '$x$',
          '    ',
          ' ',
          '---',
          '+++',
          '@@',
          '::error::',
          'a',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);
const json = fc.oneof(
  hostile,
  fc.array(hostile, { maxLength: 3 }),
  fc.dictionary(hostile, hostile, { maxKeys: 3 }),
);
const change: fc.Arbitrary<Change> = fc
  .record({
    path: hostile.map((name) => `/spec/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    action: fc.constantFrom('add', 'update', 'remove'),
    before: json,
    after: json,
    sensitive: fc.boolean(),
  })
  .map(
    ({ sensitive, before, after, ...rest }): Change =>
      sensitive ? { ...rest, sensitive } : { ...rest, before, after, sensitive },
  );
const operation: fc.Arbitrary<Operation> = fc
  .record({
    action: fc.constantFrom('create', 'update', 'delete', 'adopt', 'none', 'blocked', 'unknown'),
    kind: fc.oneof(fc.constantFrom('registry.policy', 'secrets.kv'), hostile),
    name: hostile,
    reason: fc.option(hostile, { nil: undefined }),
    changes: fc.array(change, { maxLength: 4 }),
  })
  .map(({ kind, name, reason, ...rest }) => ({
    ...rest,
    n: 1,
    id: { kind, scope: {}, key: name },
    name,
    guard: { type: 're-read', value: '' },
    dependsOn: [],
    ...(reason === undefined ? {} : { reason }),
  }));
const warning = hostile.map((message) => ({ code: 'notice', message }));
const plan: fc.Arbitrary<PlanData> = fc
  .record({
    name: hostile,
    operations: fc.array(operation, { maxLength: 8 }),
    warnings: fc.array(warning, { maxLength: 3 }),
  })
  .map(({ name, operations, warnings }) => planOf(operations, { name, warnings }));

function planOf(
  operations: readonly Operation[],
  { name = 'web', warnings = [] as PlanData['warnings'] } = {},
): PlanData {
  return {
    schema: 'lanyard/plan/v1',
    set: { id: 'property01', name, generation: 1 },
    targets: {},
    complete: true,
    operations: [...operations],
    summary: { create: 0, update: 0, delete: 0, adopt: 0, unchanged: 0, blocked: 0, unknown: 0 },
    warnings,
  };
}

/** Everything of a document outside of code: its structure, and the text that people read as Markdown. */
function outside(markdown: string): {
  readonly html: readonly string[];
  readonly texts: readonly string[];
  readonly types: ReadonlySet<string>;
} {
  const tokens = new MarkdownIt({ html: true, linkify: true }).parse(markdown, {});
  const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  const of = (...types: readonly string[]) =>
    all.filter(({ type }) => types.includes(type)).map(({ content }) => content);
  return {
    html: of('html_block', 'html_inline'),
    texts: of('text'),
    types: new Set(all.map(({ type }) => type)),
  };
}

const allowedTypes = new Set([
  ...['heading', 'paragraph', 'bullet_list', 'list_item', 'strong'].flatMap((name) => [
    `${name}_open`,
    `${name}_close`,
  ]),
  ...['inline', 'text', 'code_inline', 'fence', 'html_block', 'softbreak'],
]);
const allowedHtml = /^\s*(<details><summary>\d+ lines?<\/summary>|<\/details>)\s*$/;
const allowedText =
  /^(Plan for set |Plan:|Warning: |Warning: the plan is incomplete: \d+ objects? could not be read| \(|\)|: |: (\d+ [a-z ]+(, )?)+| [\d a-z,]+\.|\d+ more warnings?| \d+ objects| |No changes\. .*|create|update|delete|adopt|blocked|unknown|)$/;

describe('Markdown of a plan', () => {
  test('has texts of files and services only in code', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const { html, texts, types } = outside(planMarkdown(given));
        expect([...types].filter((type) => !allowedTypes.has(type))).toEqual([]);
        expect(html.filter((each) => !allowedHtml.test(each))).toEqual([]);
        expect(texts.filter((each) => !allowedText.test(each))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('has no control or invisible character, and opens and closes each fold', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const markdown = planMarkdown(given);
        expect(toPrintable(markdown)).toBe(markdown);
        const { html } = outside(markdown);
        const opened = html.filter((each) => each.includes('<details>')).length;
        expect(html).toHaveLength(2 * opened);
      }),
    );
  });

  test('shows every object and reason, with escapes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,40}$/), (name) => {
        const markdown = planMarkdown(planOf([{ ...created(1), name }]));
        const spans = new MarkdownIt()
          .parse(markdown, {})
          .flatMap(({ children }) => children ?? [])
          .filter(({ type }) => type === 'code_inline')
          .map(({ content }) => content);
        expect(spans.map((each) => each.trim())).toContain(name.trim());
      }),
    );
  });

  test('never exceeds the limit, and counts what is left out', () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: 6000, max: 20_000 }), (given, limit) => {
        expect(planMarkdown(given, { limit }).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

const created = (index: number): Operation => ({
  n: index,
  action: 'create',
  id: { kind: 'registry.policy', scope: {}, key: `p-${index}` },
  name: `p-${index}`,
  guard: { type: 're-read', value: '' },
  dependsOn: [],
  changes: [],
});
const updated = (index: number, value: string): Operation => ({
  ...created(index),
  action: 'update',
  changes: [{ path: '/spec/Rules', action: 'update', before: 'x', after: value, sensitive: false }],
});

describe('a plan that does not fit into a comment', () => {
  test('leaves out fields before objects', () => {
    const markdown = planMarkdown(
      planOf(Array.from({ length: 200 }, (_none, index) => updated(index, `${index}`.padEnd(900, 'x')))),
    );
    expect(markdown.length).toBeLessThanOrEqual(65_536);
    expect(markdown.match(/^- \*\*update\*\*/gm)).toHaveLength(200);
    const [, left] =
      /^\*\*Left out, because a comment is limited: the changed fields of (\d+) objects\.\*\*/m.exec(
        markdown,
      ) ?? [];
    expect(Number(left)).toBe(200 - (markdown.match(/```diff/g) ?? []).length);
  });

  test('counts objects and deletions', () => {
    const deletions = Array.from({ length: 300 }, (_none, index) => ({
      ...created(index),
      action: 'delete' as const,
    }));
    const markdown = planMarkdown(
      planOf([...Array.from({ length: 4000 }, (_none, index) => created(index)), ...deletions]),
    );
    expect(markdown.length).toBeLessThanOrEqual(65_536);
    const listed = markdown.match(/^- \*\*create\*\*/gm)?.length ?? 0;
    expect(markdown).toContain(`${4300 - listed} objects (300 to delete).**`);
  });

  test('lists sections after the objects', () => {
    const markdown = planMarkdown(planOf([created(1)]), {
      sections: [{ title: 'Not in the files', items: ['registry.policy `x`', 'registry.policy y'] }],
    });
    expect(markdown).toContain(
      '\n### Not in the files\n\n- `` registry.policy `x` ``\n- `registry.policy y`\n',
    );
  });

  test('shows a long list or object by its lines', () => {
    const splits = (...weights: readonly number[]) =>
      weights.map((Weight) => ({ Weight, Service: 'web'.repeat(20) }));
    const markdown = planMarkdown(
      planOf([
        {
          ...created(1),
          action: 'update',
          changes: [
            {
              path: '/spec/Splits',
              action: 'update',
              before: splits(90, 10),
              after: splits(80, 20),
              sensitive: false,
            },
          ],
        },
      ]),
    );
    expect(markdown).toContain('  @@ Splits @@\n');
    expect(markdown).toContain('  -     "Weight": 90,\n  +     "Weight": 80,\n');
  });
});
