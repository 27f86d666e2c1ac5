import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translateRules } from '../../../../src/services/registry/acl/legacy/translate.ts';
import { parseRules } from '../../../../src/services/registry/acl/rules.ts';
import { formatJson, type Json } from '../../../../src/wire/json.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

describe('legacy rules', () => {
  test('become prefix rules; duplicates keep the first', () => {
    const legacy = lines(
      ...['agent', 'key', 'node', 'query', 'service', 'session', 'event'].map(
        (kind) => `${kind} "a" { policy = "read" }`,
      ),
      'keyring = "write"',
      'operator = "read"',
    );
    expect(parseRules(translateRules(legacy))).toEqual([
      { resource: 'keyring', isPrefix: false, name: '', level: 'write' },
      { resource: 'operator', isPrefix: false, name: '', level: 'read' },
      ...['agent', 'key', 'node', 'query', 'service', 'session', 'event'].map((resource) => ({
        resource,
        isPrefix: true,
        name: 'a',
        level: 'read',
      })),
    ]);
  });

  test('keep their comments and their order, in the usual layout', () => {
    const legacy = [
      '# These rules are old.',
      '',
      '// Everything.',
      '"key"   "" {"policy"="read"} # but see below',
      'key "secret/" { # anonymous',
      '      policy = "deny"   /* really */',
      '  // at the end',
      '}',
      'service "" {',
      '  policy = "write"',
      '  intentions = "read"',
      '',
      '  # later',
      '}',
      'keyring /* one */ = "write"',
      'operator="read"',
      '/* of two',
      '   lines */',
    ].join('\r\n');
    expect(translateRules(legacy)).toBe(
      lines(
        '# These rules are old.',
        '',
        '// Everything.',
        'key_prefix "" {',
        '  policy = "read"',
        '} # but see below',
        '',
        'key_prefix "secret/" {',
        '  # anonymous',
        '  policy = "deny" /* really */',
        '  // at the end',
        '}',
        '',
        'service_prefix "" {',
        '  policy     = "write"',
        '  intentions = "read"',
        '',
        '  # later',
        '}',
        '',
        '/* one */',
        'keyring  = "write"',
        'operator = "read"',
        '/* of two',
        '   lines */',
      ),
    );
  });

  test('in JSON become text', () => {
    const json = {
      key: { '': { policy: 'read' }, 'a"b': { policy: 'write' } },
      service: [{ web: { policy: 'read', tags: ['x', 1] } }, { api: [{ policy: 'deny' }] }],
      node: {},
      keyring: 'read',
    };
    expect(translateRules(JSON.stringify(json))).toBe(
      lines(
        'key_prefix "" {',
        '  policy = "read"',
        '}',
        '',
        'key_prefix "a\\"b" {',
        '  policy = "write"',
        '}',
        '',
        'service_prefix "web" {',
        '  policy = "read"',
        '  tags   = ["x", 1]',
        '}',
        '',
        'service_prefix "api" {',
        '  policy = "deny"',
        '}',
        '',
        'node_prefix {}',
        '',
        'keyring = "read"',
      ),
    );
  });

  test('keep lists, numbers, empty blocks and multi-line texts unchanged', () => {
    const legacy = lines(
      'key "a" {',
      '    policy = "write"',
      '    sentinel {',
      '    code = <<EOF',
      ' main = rule { true } # no comment',
      '  EOF',
      '    }',
      '  list = [1, "b", # within',
      '    true,],',
      '}',
      'node "" {}',
    );
    expect(translateRules(legacy)).toBe(
      lines(
        'key_prefix "a" {',
        '  policy = "write"',
        '',
        '  sentinel {',
        '    code = <<EOF',
        ' main = rule { true } # no comment',
        '  EOF',
        '  }',
        '',
        '  # within',
        '  list = [1, "b", true]',
        '}',
        '',
        'node_prefix "" {}',
      ),
    );
    expect(translateRules(' \n')).toBe('');
    expect(translateRules('# only this')).toBe('# only this\n');
  });

  test.each([
    ['key "a" {\n  policy "read"\n}', 'line 3: expected "=" or "{", found }'],
    ['key "a" {', 'line 1: expected a name or "}", found the end'],
    ['key "a" {}\n}', 'line 2: expected a name, found }'],
    ['key "a" = "read"', 'line 1: expected "{", found ='],
    ['key "a', 'line 1: unexpected character'],
    ['a = b\n/* never', 'line 2: unexpected character'],
    ['a = <<E\nb', 'line 1: unexpected character'],
    ['a = [<<E\nE\n]', 'line 1: expected a value, found <<E'],
    ['a = ["b" "c"]', 'line 1: expected "]", found "c"'],
    ['a = ', 'line 1: expected a value, found the end'],
    ['a = [', 'line 1: expected a value, found the end'],
    ['= "b"', 'line 1: expected a name, found ='],
    ['a {'.repeat(33), 'line 1: too deeply nested'],
    [`{"a":${'{"a":'.repeat(40)}1${'}'.repeat(41)}`, 'too deeply nested'],
  ])('%j cannot be read', (text, message) => {
    expect(() => translateRules(text)).toThrow(
      message.startsWith('line') ? new RegExp(`^${escaped(message)}`) : message,
    );
  });

  const resource = fc.constantFrom('agent', 'key', 'node', 'query', 'service', 'session', 'event');
  const level = fc.constantFrom('deny', 'read', 'write');
  const rule = fc.oneof(
    fc.record({ resource, name: fc.string({ unit: 'grapheme-ascii' }), level }),
    fc.record({ resource: fc.constantFrom('keyring', 'operator', 'acl'), name: fc.constant(''), level }),
  );
  const noise = fc.constantFrom(' ', '\n', '  # a { "\n', '/* } */', '// x\n', '\n\n');

  test('of any form mean the same in the current syntax, which does not change when translated again', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(rule, noise, noise)), (all) => {
        const single = (kind: string) => ['keyring', 'operator', 'acl'].includes(kind);
        const text = all
          .map(([each, before, within]) => {
            const policy = `"${each.level}"`;
            if (single(each.resource)) return `${before}${each.resource}${within}=${policy}`;
            return `${before}${each.resource} ${JSON.stringify(each.name)}${within}{ "policy"${within}=${policy}}`;
          })
          .join('\n');
        const translated = translateRules(text);
        const meant = new Set(
          all.map(([{ resource, name, level }]) =>
            JSON.stringify({ resource, isPrefix: !single(resource), name, level }),
          ),
        );
        const parsed = parseRules(translated).map((each) => JSON.stringify(each));
        for (const each of parsed) expect(meant).toContain(each);
        const several = new Set(all.flatMap(([each]) => (single(each.resource) ? [each.resource] : [])));
        const counted = all.filter(([each]) => !single(each.resource)).length + several.size;
        expect(parsed).toHaveLength(counted);
        expect(translated.match(/# a \{ "/g)?.length).toBe(text.match(/# a \{ "/g)?.length);
        expect(translateRules(translated)).toBe(translated);
      }),
      { numRuns: 300 },
    );
  });

  test('of any kind in JSON mean the same as in text', () => {
    fc.assert(
      fc.property(fc.array(rule), (all) => {
        const json = new Map<string, Json>();
        for (const { resource, name, level } of all) {
          if (['keyring', 'operator', 'acl'].includes(resource)) json.set(resource, level);
          else {
            const blocks = json.get(resource) ?? [];
            json.set(resource, [...(blocks as Json[]), Object.fromEntries([[name, { policy: level }]])]);
          }
        }
        const renamed = [...json].map(([kind, value]): [string, Json] =>
          typeof value === 'string' ? [kind, value] : [`${kind}_prefix`, value],
        );
        const wanted = parseRules(formatJson(Object.fromEntries(renamed)));
        const found = parseRules(translateRules(formatJson(Object.fromEntries(json))));
        const sorted = (rules: readonly object[]) => rules.map((each) => JSON.stringify(each)).sort();
        expect(sorted(found)).toEqual(sorted(wanted));
      }),
    );
  });
});

function escaped(text: string): string {
  return text.replace(/[{}[\]"=()]/g, '\\$&');
}
