import { describe, expect, test } from 'vitest';
import { parseRules } from '../../../../src/commands/acl/lib/policy-rules.ts';

const rulesOf = (text: string): string[] => {
  const { rules, problems } = parseRules(text);
  expect(problems).toEqual([]);
  return rules.map(
    ({ resource, isPrefix, name, access }) => `${resource}${isPrefix ? '*' : ''} "${name}" ${access}`,
  );
};
const problemsOf = (text: string): string[] =>
  parseRules(text).problems.map(({ line, column, what }) => `${line}:${column} ${what}`);

describe('valid rules', () => {
  test.each([
    ['', []],
    ['acl = "read"', ['acl "" read']],
    ['key_prefix "a/" { policy = "list" }', ['key* "a/" list']],
    ['"key" "a" { policy = "WRITE" }', ['key "a" write']],
    ['key "a" { policy = "read" }\nkey "b" { policy = "deny" }', ['key "a" read', 'key "b" deny']],
    ['key = { "a" = { policy = "read" } }', ['key "a" read']],
    ['{"key": {"a": {"policy": "read"}}, "acl": "write"}', ['key "a" read', 'acl "" write']],
    ['{"key": [{"a": [{"policy": "read"}]}, {"b": {"policy": "deny"}}]}', ['key "a" read', 'key "b" deny']],
    // Consul grants the reading of intentions with any access to the service.
    ['service "web" { policy = "write" }', ['service "web" write', 'intention "web" read']],
    ['service "web" { policy = "deny" }', ['service "web" deny', 'intention "web" deny']],
    [
      'service_prefix "" { policy = "read" intentions = "write" }',
      ['service* "" read', 'intention* "" write'],
    ],
    ['identity "web" { policy = "read" }', []],
    // As Consul 1.21.4 reads them.
    ['KEY "a" { POLICY = "read" }', ['key "a" read']],
    ['key a { policy = "read" }', ['key "a" read']],
    ['acl = ""', []],
    ['service "a" { policy = "read" intentions = "" }', ['service "a" read', 'intention "a" read']],
    ['mesh = "read" peering = "write" keyring = "deny" operator = "read"', expect.any(Array)],
    [
      'key "a" { policy = "write" sentinel { code = <<EOF\nmain = rule { true }\nEOF\n } }',
      ['key "a" write'],
    ],
  ])('%s', (text, expected) => {
    expect(rulesOf(text)).toEqual(expected);
  });

  test('rules of namespaces and partitions are checked and left out', () => {
    const text = 'partition "p" { namespace_prefix "" { policy = "read" key "a" { policy = "read" } } }';
    expect(parseRules(text)).toEqual({ rules: [], problems: [], isComplete: false });
    expect(problemsOf('namespace "n" { kez "a" { policy = "read" } }')).toEqual([
      '1:17 unknown resource "kez"; did you mean "key"?',
    ]);
  });
});

describe('problems', () => {
  test.each([
    ['key "a" { policy = read }', '1:20 expected a quoted string, found read'],
    ['key "a" {\n  policy = "read"\n', '3:1 expected a name or "}", found the end'],
    ['key "a"', '1:8 expected "=" or "{", found the end'],
    ['key "a" "b" { policy = "read" }', '1:9 expected "{", found "b"'],
    ['key "a" {}', '1:1 missing field "policy" in key "a"'],
    ['key "a" { polcy = "read" }', '1:11 unknown field "polcy" in key "a"; did you mean "policy"?'],
    ['key "a" { policy = "read" ttl = "1h" }', '1:27 unknown field "ttl" in key "a"'],
    ['key "a" { policy = "read" policy = "deny" }', '1:27 duplicate field "policy" in key "a"'],
    ['key "a" { policy = "read" intentions = "deny" }', '1:27 unknown field "intentions" in key "a"'],
    ['key = "read"', '1:1 expected key "NAME" { policy = "read" }'],
    ['acl { policy = "read" }', '1:1 expected acl = "read", "write" or "deny"'],
    ['acl = ["read"]', '1:1 expected acl = "read", "write" or "deny"'],
    [
      'service "a" { policy = "list" }',
      '1:15 invalid access "list" for service "a": expected read, write or deny',
    ],
    ['services "a" { policy = "read" }', '1:1 unknown resource "services"; did you mean "service"?'],
    ['acl = "read"\nacl = "write"', '2:1 duplicate rule "acl"'],
    [
      'key "a" { policy = <<EOF\nread\nEOF\n}',
      '1:11 invalid access "read\n" for key "a": expected read, list, write or deny',
    ],
    ['frobnicate = "read"', '1:1 unknown resource "frobnicate"'],
    ['{"acl": 1}', 'undefined:undefined expected acl = "read", "write" or "deny"'],
    ['{"key": {"a": {}}}', 'undefined:undefined missing field "policy" in key "a"'],
    ['{"key":\n 1,}', '2:4 invalid JSON: Expected double-quoted property name'],
    ['{"key":\n hunter22}', '2:2 invalid JSON'],
  ])('%s', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  test('the other rules are returned', () => {
    const { rules, problems } = parseRules('acl = "read"\nkez "a" { policy = "read" }');
    expect(rules).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });
});
