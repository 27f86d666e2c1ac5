import { describe, expect, test } from 'vitest';
import { decide, mergeRules, type Requested } from '../../../../src/commands/acl/lib/access.ts';
import { parseRules, type Resource } from '../../../../src/commands/acl/lib/policy-rules.ts';

const merged = (...policies: string[]) =>
  mergeRules(
    policies.flatMap((text, index) =>
      parseRules(text).rules.map((rule) => ({ ...rule, from: `policy p${index + 1}` })),
    ),
  );
const can = (rules: ReturnType<typeof merged>, request: string, policy: 'allow' | 'deny' = 'deny') => {
  const [resource = '', access = '', name = ''] = request.split(/[: ]/);
  return decide(rules, { resource: resource as Resource, access: access as Requested, name }, policy)
    .isAllowed;
};

// Compared with the decisions of Consul 1.21.4.
describe('decides as Consul does', () => {
  const rules = merged(
    'key_prefix "app/" { policy = "read" } key "app/x" { policy = "write" } mesh = "read"',
    'service "web" { policy = "write" } service_prefix "" { policy = "read" } key_prefix "app/list/" { policy = "list" }',
    'key_prefix "app/deny/" { policy = "deny" } key_prefix "all/" { policy = "write" }',
  );
  test.each([
    ['key:read app/a', true],
    ['key:write app/a', false],
    ['key:write app/x', true],
    ['key:read app/xy', true],
    ['key:write app/xy', false],
    ['key:list app/a', false],
    ['key:list app/list/a', true],
    ['key:read app/list/a', true],
    ['key:write app/list/a', false],
    ['key:read app/deny/a', false],
    ['key:read other', false],
    ['key:write-prefix app/', false],
    ['key:write-prefix all/', true],
    ['key:write-prefix all/sub', true],
    ['key:write-prefix al', false],
    ['service:write web', true],
    ['service:write web2', false],
    ['intention:read web', true],
    ['intention:write web', false],
    ['mesh:read', true],
    ['mesh:write', false],
    ['operator:read', false],
    ['peering:read', false],
    ['acl:read', false],
  ])('%s: %s', (request, expected) => {
    expect(can(rules, request)).toBe(expected);
  });

  test('mesh and peering follow the operator rule without a rule of their own', () => {
    const operator = merged('operator = "write"');
    expect([can(operator, 'mesh:write'), can(operator, 'peering:read')]).toEqual([true, true]);
  });

  test('the default policy allows what no rule names, except access control', () => {
    expect(can([], 'key:write a', 'allow')).toBe(true);
    expect(can([], 'key:write-prefix a', 'allow')).toBe(true);
    expect(can([], 'mesh:write', 'allow')).toBe(true);
    expect(can([], 'acl:read', 'allow')).toBe(false);
    expect(can(merged('key "ab" { policy = "read" }'), 'key:write-prefix a', 'allow')).toBe(false);
  });
});

describe('merges rules about the same name', () => {
  test('a denial decides, else the one that allows most', () => {
    const rules = merged(
      'key "a" { policy = "read" } key "b" { policy = "deny" }',
      'key "a" { policy = "write" } key "b" { policy = "write" }',
      'key "a" { policy = "write" }',
    );
    expect(rules).toEqual([
      { resource: 'key', isPrefix: false, name: 'a', access: 'write', from: ['policy p2', 'policy p3'] },
      { resource: 'key', isPrefix: false, name: 'b', access: 'deny', from: ['policy p1'] },
    ]);
  });

  test('an exact name and a prefix are different rules', () => {
    const rules = merged('key "a" { policy = "deny" } key_prefix "a" { policy = "write" }');
    expect(rules.map(({ isPrefix, access }) => [isPrefix, access])).toEqual([
      [true, 'write'],
      [false, 'deny'],
    ]);
  });
});
