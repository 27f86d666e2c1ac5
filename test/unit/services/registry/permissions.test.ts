import { describe, expect, test } from 'vitest';
import {
  type Resource,
  type Right,
  RulePermissions,
  unrestricted,
} from '../../../../src/services/registry/acl/permissions.ts';
import { levels, parseRules } from '../../../../src/services/registry/acl/rules.ts';

const rights = ['read', 'list', 'write'] as const;
const permissionsOf = (rules: string, defaultPolicy: 'allow' | 'deny' = 'deny', accessor?: string) =>
  new RulePermissions(parseRules(rules), defaultPolicy, accessor);
/** The rights that rules give on a name. */
const rightsOf = (permissions: RulePermissions, resource: Resource, name: string): readonly Right[] =>
  rights.filter((right) => permissions.allows(`${resource}:${right}`, name));
const key = (name: string, level: string) => `key "${name}" { policy = "${level}" }\n`;
const prefix = (name: string, level: string) => `key_prefix "${name}" { policy = "${level}" }\n`;

describe('the rights that rules give', () => {
  test.each([
    ['deny', []],
    ['read', ['read']],
    ['list', ['read', 'list']],
    ['write', ['read', 'list', 'write']],
  ])('of the level %s include the lower ones', (level, expected) => {
    expect(rightsOf(permissionsOf(key('a', level)), 'key', 'a')).toEqual(expected);
    expect(rightsOf(permissionsOf(prefix('a', level)), 'key', 'ab')).toEqual(expected);
  });

  test('are those of the name, then of the longest prefix', () => {
    const all = permissionsOf(
      key('a/b', 'list') + prefix('', 'write') + prefix('a/', 'read') + prefix('a', 'deny'),
    );
    expect(rightsOf(all, 'key', 'a/b')).toEqual(['read', 'list']);
    expect(rightsOf(all, 'key', 'a/bc')).toEqual(['read']);
    expect(rightsOf(all, 'key', 'ab')).toEqual([]);
    expect(rightsOf(all, 'key', 'b')).toEqual(['read', 'list', 'write']);
    expect(rightsOf(all, 'node', 'a/b')).toEqual([]);
  });

  test('of two rules about the same name are those of the higher level, and none if one denies', () => {
    for (const first of levels)
      for (const second of levels) {
        const denied = first === 'deny' || second === 'deny';
        const highest = Math.max(levels.indexOf(first), levels.indexOf(second));
        const expected = denied ? [] : rights.slice(0, highest);
        expect(rightsOf(permissionsOf(key('a', first) + key('a', second)), 'key', 'a')).toEqual(expected);
      }
  });

  test('are those of the default policy without a rule, except for tokens and policies', () => {
    for (const rules of ['', key('a', 'read') + prefix('b', 'read')]) {
      expect(rightsOf(permissionsOf(rules, 'allow'), 'key', 'c')).toEqual(rights);
      expect(rightsOf(permissionsOf(rules), 'key', 'c')).toEqual([]);
      for (const policy of ['allow', 'deny'] as const)
        expect(rightsOf(permissionsOf(rules, policy), 'acl', '')).toEqual([]);
    }
    expect(rightsOf(permissionsOf('acl = "read"'), 'acl', '')).toEqual(['read']);
    expect(rightsOf(permissionsOf(key('a', 'deny'), 'allow'), 'key', 'a')).toEqual([]);
  });
});

describe('intentions', () => {
  test('of a service may be read with its rule, or have the level that the rule states', () => {
    const rules = `
      service "a" { policy = "write" }
      service "b" { policy = "deny" }
      service "c" { policy = "read" intentions = "write" }
      service_prefix "d" { policy = "write" intentions = "deny" }
      node "e" { policy = "write" }`;
    const all = permissionsOf(rules);
    const rightsOfEach = ['a', 'b', 'c', 'd1', 'e'].map((name) => rightsOf(all, 'intention', name));
    expect(rightsOfEach).toEqual([['read'], [], ['read', 'list', 'write'], [], []]);
    expect(rightsOf(permissionsOf('node "e" { policy = "write" }', 'allow'), 'intention', 'x')).toEqual(
      rights,
    );
  });

  test('of all services may be read by those who may read one of them', () => {
    const canRead = (rules: string, defaultPolicy: 'allow' | 'deny' = 'deny') =>
      permissionsOf(rules, defaultPolicy).allows('intention:read', '*');
    expect(canRead('service "a" { policy = "read" } service "b" { policy = "deny" }')).toBe(true);
    expect(canRead('service_prefix "a" { policy = "read" }')).toBe(true);
    expect(canRead('service "a" { policy = "deny" } node "b" { policy = "read" }')).toBe(false);
    expect(canRead('service "a" { policy = "deny" } node "b" { policy = "read" }', 'allow')).toBe(false);
    expect(canRead('node "b" { policy = "read" }')).toBe(false);
    expect(canRead('node "b" { policy = "read" }', 'allow')).toBe(true);
    const one = permissionsOf('service "a" { policy = "write" intentions = "write" }');
    expect(one.allows('intention:write', '*')).toBe(false);
    expect(one.allows('intention:read', 'b')).toBe(false);
    expect(one.allows('service:read', '*')).toBe(false);
  });
});

describe('a prefix can be written', () => {
  test.each([
    ['with its rule', prefix('a/', 'write'), true],
    ['with the rule of a shorter one', prefix('', 'write'), true],
    ['not without a rule', '', false],
    ['not with the rule of a longer one, or of a key', prefix('a/b', 'write') + key('a/c', 'write'), false],
    ['not with a lower level', prefix('a/', 'list'), false],
    ['not if a longer one cannot', prefix('a/', 'write') + prefix('a/b', 'list'), false],
    ['not if a key in it cannot', prefix('a/', 'write') + key('a/b', 'deny'), false],
    ['if all in it can', prefix('a/', 'write') + prefix('a/b', 'write') + key('a/c', 'write'), true],
    ['whatever is elsewhere', prefix('a/', 'write') + prefix('b', 'read') + key('ba/', 'read'), true],
    ['whatever is above', prefix('a/', 'write') + prefix('a', 'deny') + key('a', 'deny'), true],
    [
      'whatever the rules of other resources are',
      `${prefix('a/', 'write')} node_prefix "a/" { policy = "deny" } session "a/b" { policy = "read" }`,
      true,
    ],
  ])('%s', (_when, rules, expected) => {
    expect(permissionsOf(rules).canWritePrefix('a/')).toBe(expected);
  });

  test('by the default policy, unless a rule in it says otherwise', () => {
    expect(permissionsOf('', 'allow').canWritePrefix('a/')).toBe(true);
    expect(permissionsOf(key('a/b', 'write'), 'allow').canWritePrefix('a/')).toBe(true);
    expect(permissionsOf(key('a/b', 'read'), 'allow').canWritePrefix('a/')).toBe(false);
    expect(permissionsOf(prefix('a', 'read'), 'allow').canWritePrefix('a/')).toBe(false);
  });
});

test('a denial names the permission, the object if it has a name, and the accessor of the token', () => {
  const of = (accessor?: string) => permissionsOf('', 'deny', accessor);
  const anonymous = 'The anonymous token is used implicitly when a request does not specify a token.';
  expect(of('an-accessor').denialMessage('key:write', 'a/b')).toBe(
    `Permission denied: token with AccessorID 'an-accessor' lacks permission 'key:write' on "a/b"`,
  );
  expect(of('an-accessor').denialMessage('operator:read', '')).toBe(
    "Permission denied: token with AccessorID 'an-accessor' lacks permission 'operator:read'",
  );
  expect(of().denialMessage('node:read', 'n')).toBe(
    `Permission denied: anonymous token lacks permission 'node:read' on "n". ${anonymous}`,
  );
});

test('a caller without restrictions has every permission', () => {
  expect(unrestricted.allows('acl:write', '')).toBe(true);
  expect(unrestricted.canWritePrefix('')).toBe(true);
});
