// biome-ignore-all lint/suspicious/noTemplateCurlyInString: interpolations of query templates are written so
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goRules } from '../../../../src/services/core/schema/go-rules.ts';
import { read } from '../../../../src/services/core/schema/read.ts';
import { State } from '../../../../src/services/core/state/state.ts';
import { putQuery, query, queryForName } from '../../../../src/services/registry/model/queries.ts';
import type { TableName } from '../../../../src/services/registry/model/tables.ts';
import { definitionOf, validate } from '../../../../src/services/registry/query/definition.ts';
import { randomOrder } from '../../../../src/services/registry/query/order.ts';
import { renderQuery } from '../../../../src/services/registry/query/template.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { expectLinear } from '../../../support/measure.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';
import { sized } from '../../../support/soak.ts';

const definitionFrom = (body: Json) => definitionOf(read(query, body, goRules));

const Template = { Type: 'name_prefix_match' } as const;

test('a name means the query of that name, or else the longest template that it begins with', async () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 5 });
  const query = fc.record({ name, template: fc.boolean() });
  const queries = fc.uniqueArray(query, { selector: (each) => each.name, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(queries, fc.array(name, { maxLength: 10 }), async (stored, asked) => {
      const state = new State<TableName>({
        storage: memoryStorage(),
        clock: () => new Date(),
        random: randomBytes,
      });
      const usable = stored.filter((each) => each.template || each.name !== '');
      await state.update((draft) => {
        for (const { name: Name, template } of usable) {
          const definition = definitionFrom({
            Name,
            ...(template && { Template }),
            Service: { Service: 's' },
          });
          putQuery(draft, { ID: `id-${Name}`, ...definition });
        }
      });
      for (const wanted of asked) {
        const fitting = usable
          .filter((each) => (each.template ? wanted.startsWith(each.name) : wanted === each.name))
          .sort((a, b) => b.name.length - a.name.length);
        expect(queryForName(state.view, wanted)?.Name).toBe(fitting[0]?.name);
      }
    }),
    { numRuns: sized(100, 30) },
  );
});

test('a template that can be stored can be rendered for every name, in bounded size', async () => {
  const piece = fc.constantFrom(
    '${name.full}',
    '${name.prefix}',
    '${ name.suffix }',
    '${match(0)}',
    '${match(2)}',
    '${match(-1)}',
    '${match(99999999999999999999)}',
    '${agent.segment}',
    '${name.other}',
    '${',
    '}',
    '$',
    'é',
    '__proto__',
  );
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
  const regexp = fc.constantFrom('', '^(a*)(b)?', '(', '(.)(.)(.)', '[', '\\pL+', '(?i)(x|y)*');
  const service = fc.record({
    Service: text,
    Tags: fc.array(text),
    NodeMeta: fc.dictionary(fc.string(), text),
  });
  await fc.assert(
    fc.asyncProperty(
      service,
      regexp,
      fc.string(),
      fc.string({ unit: 'binary' }),
      async (Service, Regexp, Name, rest) => {
        const template = { ...Template, Regexp, RemoveEmptyTags: true };
        const definition = definitionFrom({ Name, Template: template, Service });
        const storable = await Promise.resolve()
          .then(() => validate(definition))
          .then(() => renderQuery(definition, Name))
          .then(
            () => true,
            (error: { status?: number }) => {
              expect(error.status).toBe(500);
              return false;
            },
          );
        if (!storable) return;
        const { Service: found } = await renderQuery(definition, Name + rest);
        expect(found.Tags).not.toContain('');
        expect(JSON.stringify(found).length).toBeLessThan(2_000_000);
      },
    ),
    { numRuns: sized(300, 60) },
  );
});

test('an expression that makes other engines slow costs in proportion to the name', async () => {
  for (const Regexp of ['^(([a-z])+.)+[A-Z]([a-z])+$', '(a*)*b', '(a|aa)+$', 'a{0,300}a{300}b']) {
    const definition = definitionFrom({
      Name: 'a',
      Template: { ...Template, Regexp },
      Service: { Service: '${match(0)}' },
    });
    await expectLinear((size) => renderQuery(definition, `${'a'.repeat(size - 1)}!`), 512);
  }
});

test('every order has every item, the nearest first, and no more than the limit', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat()),
      fc.nat({ max: 12 }),
      fc.nat({ max: 5 }),
      (items, limit, divisor) => {
        const near = (item: number) => divisor > 0 && item % divisor === 0;
        const order = randomOrder(items, near, limit, randomBytes);
        const count = limit === 0 ? items.length : Math.min(limit, items.length);
        expect(new Set(order).size).toBe(count);
        expect(order.every((item) => items.includes(item))).toBe(true);
        const first = Math.min(items.filter(near).length, count);
        expect(order.map(near)).toEqual(order.map((_item, at) => at < first));
      },
    ),
  );
});
