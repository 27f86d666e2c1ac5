import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../../../../src/services/core/bexpr/filter.ts';
import { costLimit, expectCost } from '../../../../support/measure.ts';
import { sized } from '../../../../support/soak.ts';

/** With all additions to the language: Nomad. */
const compile = (text: string) => compileFilter(text, { collections: true, nil: true });

// The grammar rule by rule: each selector, operator and value form of
// docs/protocol/common.md#filter-expressions, and their combinations.

const data = {
  Path: 'app/web/db',
  Namespace: 'prod',
  Index: 42,
  Zero: 0,
  Below: -7,
  Half: 0.5,
  Time: 1_790_000_000_123_456_789n,
  On: true,
  Off: false,
  Text: '',
  None: null,
  any: 'x',
  all: 'y',
  is_it: 'z',
  'a/b': 'slash',
  'a.b': 'dot',
  Tags: ['blue', 'green', '10'],
  Ports: [80, 443],
  Nodes: [
    { Name: 'n1', Tags: ['x'], Meta: { zone: 'a' } },
    { Name: 'n2', Tags: [], Meta: { zone: 'b' } },
  ],
  Empty: [],
  Meta: { owner: 'ops', zone: 'a', 'two words': 'yes', 'tilde~x': 't', empty: '', 'a.b': 'c' },
  Nothing: {},
  Deep: { a: { b: { c: { d: 'end' } } } },
  Grid: [
    [1, 2],
    [3, 4],
  ],
};

const yes = (...texts: string[]) => texts.map((text) => [text, true] as const);
const no = (...texts: string[]) => texts.map((text) => [text, false] as const);

const cases = {
  'equal and not equal': [
    ...yes('Path == "app/web/db"', 'Path == `app/web/db`', 'Namespace == prod', 'Namespace != dev'),
    ...yes('Path==`app/web/db`', 'Namespace=="prod"', 'Namespace!="dev"', 'Namespace  ==\tprod'),
    ...yes('Index == 42', 'Index == "42"', 'Index != 43', 'Zero == 0', 'Below == -7', 'Half == 0.5'),
    ...yes('Time == 1790000000123456789', 'Time != 1790000000123456788', 'On == true', 'Off == false'),
    ...yes('Text == ""', 'Text == ``', 'Text != "x"', 'None != "x"', 'Missing != "x"'),
    ...no('Path == "app"', 'Path == "APP/WEB/DB"', 'Namespace != prod', 'Namespace == "prod "'),
    ...no('Index == 4', 'Index != 42', 'Index == "x"', 'Zero == ""', 'Below == 7', 'Half == 5'),
    ...no('Time == 1790000000123456788', 'On == 1', 'On == yes', 'Missing == ""', 'None == ""'),
    ...no('Tags == blue', 'Meta == owner', 'None == null', 'Missing == undefined'),
  ],
  'contains and in': [
    ...yes('Tags contains blue', 'Tags contains "green"', 'Tags contains 10', 'blue in Tags'),
    ...yes('"green" in Tags', '`green` in Tags', '10 in Tags', '80 in Ports', '"80" in Ports'),
    ...yes(
      'Meta contains owner',
      'owner in Meta',
      '"two words" in Meta',
      'web in Path',
      'Path contains "/web/"',
    ),
    ...yes(
      'Tags not contains red',
      'red not in Tags',
      '81 not in Ports',
      'x not in Missing',
      'x not in None',
    ),
    ...yes('"" in Path', 'Empty not contains x', 'x not in Nothing'),
    ...no('Tags contains red', 'blu in Tags', 'red in Tags', '8 in Ports', 'Meta contains ops'),
    ...no('Tags not contains blue', 'blue not in Tags', 'owner not in Meta', 'WEB in Path'),
    ...no('x in Missing', 'x in None', 'x in Empty', 'Index contains 4', 'On contains t'),
    ...no('toString in Meta', '"__proto__" in Meta', 'length in Tags'),
  ],
  'empty and nil': [
    ...yes('Text is empty', 'None is empty', 'Missing is empty', 'Empty is empty', 'Nothing is empty'),
    ...yes(
      'Path is not empty',
      'Tags is not empty',
      'Meta is not empty',
      'Zero is not empty',
      'Meta.empty is empty',
    ),
    ...yes('None is nil', 'Missing is nil', 'Meta.none is nil', 'Tags.9 is nil', 'Text is not nil'),
    ...yes(
      'Empty is not nil',
      'Nothing is not nil',
      'Off is not nil',
      'Zero is not nil',
      'Meta.empty is not nil',
    ),
    ...no('Path is empty', 'Text is not empty', 'Tags is empty', 'Off is empty', 'Missing is not empty'),
    ...no('Path is nil', 'None is not nil', 'Missing is not nil', 'Text is nil', 'Empty is nil'),
  ],
  matches: [
    ...yes('Path matches "^app/"', 'Path matches `/db$`', 'Path matches "w.b"', 'Path matches ""'),
    ...yes('Namespace matches "^(prod|dev)$"', 'Namespace matches prod', 'Path not matches "^web"'),
    ...yes('Path matches "(?i)WEB"', 'Path matches `^\\w+/\\w+/\\w+$`', 'Text matches "^$"'),
    ...no('Path matches "^web"', 'Path matches "^app$"', 'Path not matches "app"', 'Path matches "WEB"'),
    ...no('Missing matches ".*"', 'None matches ".*"', 'Index matches "4"', 'Tags matches "blue"'),
  ],
  'selectors with names and indexes': [
    ...yes('Meta.owner == ops', 'Meta["owner"] == ops', 'Meta[`owner`] == ops', 'Meta[ "owner" ] == ops'),
    ...yes(
      'Meta["two words"] == yes',
      'Meta["a.b"] == c',
      'Deep.a.b.c.d == end',
      'Deep["a"].b["c"].d == end',
    ),
    ...yes(
      'Tags.0 == blue',
      'Tags.2 == 10',
      'Ports.1 == 443',
      'Nodes.0.Name == n1',
      'Nodes.1.Meta.zone == b',
    ),
    ...yes(
      'Grid.1.0 == 3',
      'Tags["0"] == blue',
      'x in Nodes.0.Tags',
      'Nodes.1.Tags is empty',
      'a/b == slash',
    ),
    ...yes('is_it == z', 'any == x', 'all == y', 'any != y and all != x', 'any is not empty', 'x in any'),
    ...no('Meta.owner.x == ops', 'Tags.3 == blue', 'Tags.00 == blue', 'Tags.length == 3', 'Path.0 == a'),
    ...no('Path.length == 10', 'Meta.constructor.name == Object', 'Deep.a.b.c == end', 'Grid.2.0 == 3'),
  ],
  'selectors as JSON pointers': [
    ...yes('"/Path" == "app/web/db"', '"/Meta/owner" == ops', '"/Deep/a/b/c/d" == end', '"/Tags/0" == blue'),
    ...yes('"/Nodes/1/Meta/zone" == b', '"/a~1b" == slash', '"/Meta/tilde~0x" == t', '"/Meta/a.b" == c'),
    ...yes(
      '"/Missing" is empty',
      '"/None" is nil',
      '"/Tags" contains blue',
      'blue in "/Tags"',
      '"/Path" matches "^app"',
    ),
    ...yes(
      'owner in "/Meta"',
      'red not in "/Tags"',
      '"/Index" == 42',
      '"/Tags" is not empty',
      '"/Tags" not contains x',
    ),
    ...yes('not "/Path" == x', 'all "/Tags" as t { t is not empty }', 'any "/Nodes" as n { n.Name == n2 }'),
    ...yes('"/web/" in Path', '"/none" not in Path'),
    ...no(
      '"/Meta/owner" == dev',
      '"/Path/0" == a',
      '"/Nodes/9/Name" == n1',
      '"/Meta" is empty',
      '"/web" not in Path',
    ),
  ],
  'any and all': [
    ...yes('any Tags as t { t == blue }', 'all Tags as t { t is not empty }', 'any Ports as p { p == 443 }'),
    ...yes('any Nodes as n { n.Name == n1 and n.Meta.zone == a }', 'any Nodes as n { x in n.Tags }'),
    ...yes('all Nodes as n { n.Name matches "^n[0-9]$" }', 'any Meta as k { k == owner }'),
    ...yes(
      'any Meta as k, v { k == zone and v == a }',
      'all Meta as k, v { k != v }',
      'any Tags as i, t { i == 1 and t == green }',
    ),
    ...yes('any Tags as _, t { t == green }', 'all Empty as x { x == 1 }', 'all Nothing as x { x == 1 }'),
    ...yes(
      'all Missing as x { x == 1 }',
      'any Nodes as n { any n.Tags as t { t == x } }',
      'any Grid as row { 4 in row }',
    ),
    ...yes('On == true or any Nodes as n { n.Meta.zone == Meta }', 'any Tags as t { Namespace == prod }'),
    ...yes(
      'not (any Tags as t { t == red })',
      '(any Tags as t{t==blue})',
      'any Tags as Path { Path == blue }',
    ),
    ...yes(
      'any Nodes as any { any.Name == n1 }',
      'all Nodes as n { any n.Meta as k, v { k == zone and v != c } }',
    ),
    ...no('any Tags as t { t == red }', 'all Tags as t { t == blue }', 'any Empty as x { x != 1 }'),
    ...no('any Missing as x { x != 1 }', 'any Path as c { c == a }', 'any Meta as k { k == ops }'),
    ...no('not (all Tags as t { t is not empty })', 'any Tags as t { t == blue and t == green }'),
  ],
  'and, or, not and parentheses': [
    ...yes(
      'On == true and Off == false',
      'On == false or Off == false',
      'not On == false',
      'not not On == true',
    ),
    ...yes('On == true or On == true and On == false', '(On == true)', '((On == true))', '( On == true )'),
    ...yes('not (On == true and Off == true)', 'not On == false and Off == false', 'not (On==false)'),
    ...yes('On == true and (Off == true or Index == 42)', 'On == false or Off == true or Index == 42'),
    ...yes(
      'On == true and Off == false and Index == 42',
      '\n On\n==\n true\n',
      'On == true\tand\tOff == false',
    ),
    ...no(
      'On == true and Off == true',
      'On == false or Off == true',
      'not On == true',
      'not not On == false',
    ),
    ...no('(On == true or On == true) and On == false', 'not (On == false or Off == false)'),
    ...no('On == false and Off == false or Index == 1', 'not On == true and Off == false'),
  ],
};

describe.each(Object.entries(cases))('%s', (_rule, lines) => {
  test.each(lines)('%s is %s', async (text, expected) => {
    expect((await compile(text)).matches(data)).toBe(expected);
  });
});

test('there are more than 150 cases', () => {
  expect(Object.values(cases).flat().length).toBeGreaterThan(200);
});

describe('any input', () => {
  const piece = fc.constantFrom(
    ...[
      'Path',
      'Tags',
      'Meta',
      'Nodes',
      '.',
      '0',
      '"/Meta/owner"',
      '"x"',
      '`y`',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ',',
    ],
    ...[
      'not',
      'in',
      'is',
      'empty',
      'nil',
      '==',
      '!=',
      'and',
      'or',
      '7',
      '-1.5',
      'matches',
      'contains',
      '"',
      'any',
    ],
    ...['all', 'as', 't', '"(a+)+$"', '"(.*){50}"', '__proto__', 'constructor', '\u0000', '💥', '\\', '~1'],
  );
  const anything = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' ')),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.string({ maxLength: 10_000, size: 'max' }),
    fc.tuple(piece, fc.integer({ min: 1, max: 9_000 })).map(([each, times]) => `${each} `.repeat(times)),
  );

  /** A filter with the maximum permitted work, as the unit of cost. */
  const plainFilter = async () => {
    const { select } = await compile(Array.from({ length: 390 }, () => 'Path != x').join(' and '));
    const items = Array.from({ length: 1_000 }, () => ({ ...data, Path: 'a' }));
    return () => expect(select(items)).toHaveLength(1_000);
  };

  test('is parsed or rejected, and filters at most at the cost of a few plain filters', async () => {
    const items = Array.from({ length: 100 }, (_none, at) => ({ ...data, Path: `${'a'.repeat(100)}${at}!` }));
    await compile('Path matches "x"');
    const expectCheap = await costLimit(5, await plainFilter());
    await fc.assert(
      fc.asyncProperty(anything, (text) =>
        expectCheap(async () => {
          try {
            (await compile(text)).select(items);
          } catch (error) {
            expect((error as Error).constructor.name, text.slice(0, 200)).toBe('ExpressionError');
          }
        }),
      ),
      { numRuns: sized(1_500, 300) },
    );
  });

  test.each([
    ['many tests', Array.from({ length: 500 }, () => 'Path != x').join(' and ')],
    ['a pattern that tries much', `Path matches "${'(a*)*'.repeat(20)}b"`],
    ['any in any in any', `${'any Nodes as n { '.repeat(12)}Path == x${' }'.repeat(12)}`],
    ['long lists many times', Array.from({ length: 400 }, () => 'x in Long').join(' or ')],
  ])('%s over much data is rejected at most at the cost of a few plain filters', async (_what, text) => {
    const Long = Array.from({ length: 10_000 }, (_none, at) => at);
    const items = Array.from({ length: 1_000 }, () => ({ ...data, Path: 'a'.repeat(128), Long }));
    const { select } = await compile(text);
    const rejected = () => expect(() => select(items)).toThrow('too expensive');
    await expectCost(rejected, 5, await plainFilter());
  });
});
