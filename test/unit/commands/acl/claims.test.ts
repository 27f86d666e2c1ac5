import { describe, expect, test } from 'vitest';
import {
  claimsOfJwt,
  evaluate,
  identityOf,
  kubernetesIdentity,
  mappingsOf,
} from '../../../../src/commands/acl/lib/claims.ts';
import { patternCompiler } from '../../../../src/io/patterns.ts';

const claims = {
  project: 'web',
  number: 7.9,
  isProtected: true,
  user: { id: 'u1', 'a/b': 'slash' },
  groups: ['dev', '', 3],
  team: 'one',
};

describe('the identity of a caller', () => {
  test('has the mapped claims: by name or JSON pointer, as text; what is missing is empty', () => {
    const values = {
      project: 'p',
      number: 'n',
      isProtected: 'b',
      '/user/id': 'id',
      '/user/a~1b': 's',
      missing: 'm',
    };
    const lists = { groups: 'g', team: 't', missing: 'm', '/groups/0': 'first' };
    expect(identityOf(claims, { values, lists })).toEqual({
      value: { p: 'web', n: '7', b: 'true', id: 'u1', s: 'slash', m: '' },
      list: { g: ['dev', '3'], t: ['one'], m: [], first: ['dev'] },
    });
  });

  test('a list cannot be mapped as a text', () => {
    expect(() => identityOf(claims, { values: { groups: 'g' }, lists: {} })).toThrow(
      'invalid claim "groups"',
    );
    expect(() => identityOf(claims, { values: {}, lists: { user: 'u' } })).toThrow('invalid claim "user"');
  });

  test.each([
    [{ serviceaccount: { namespace: 'default', name: 'web', uid: '1' } }],
    [{ 'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'web', uid: '1' } } }],
  ])('of a Kubernetes service account: %j', (given) => {
    expect(kubernetesIdentity(given)).toEqual({
      serviceaccount: { namespace: 'default', name: 'web', uid: '1' },
    });
  });

  test('the mappings of an auth method may be missing', () => {
    expect(mappingsOf({ Config: { ClaimMappings: { a: 'b' }, ListClaimMappings: null } })).toEqual({
      values: { a: 'b' },
      lists: {},
    });
    expect(mappingsOf({ Config: null })).toEqual({ values: {}, lists: {} });
  });
});

describe('the claims of a JWT', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('are read without its signature', () => {
    expect(claimsOfJwt(`${encoded({ alg: 'RS256' })}.${encoded({ sub: 'é' })}.x\n`)).toEqual({ sub: 'é' });
  });

  test.each(['', 'a.b.c', `a.${encoded([1])}.c`, 'hunter2'])('"%s" is no JWT', (text) => {
    expect(() => claimsOfJwt(text)).toThrow('invalid bearer token: expected a JWT');
  });
});

const compile = await patternCompiler();

describe('a binding rule', () => {
  const identity = { value: { project: 'web' }, list: { groups: ['dev'] } };
  const bound = (name: string) => ['$', `{${name}}`].join('');

  test('fills in variables of its bind name', () => {
    const BindName = `a-${bound('value.project')}-${bound(' value.nope ')}-${bound('list.groups')}`;
    expect(evaluate({ Selector: '', BindType: 'templated-policy', BindName }, identity, compile)).toEqual({
      matches: true,
      bindName: 'a-web--',
    });
  });

  test.each(['service', 'node', 'role', 'policy'] as const)(
    'with a name that a %s cannot have rejects the login',
    (BindType) => {
      const rule = { Selector: '', BindType, BindName: `a ${bound('value.project')}` };
      expect(evaluate(rule, identity, compile)).toEqual({
        matches: true,
        bindName: 'a web',
        isRejected: true,
        problem: `invalid ${BindType} name "a web": the login fails`,
      });
      expect(evaluate({ ...rule, BindName: bound('value.project') }, identity, compile)).toEqual({
        matches: true,
        bindName: 'web',
      });
      expect(evaluate({ ...rule, Selector: 'value.project == api' }, identity, compile)).toEqual({
        matches: false,
      });
    },
  );

  test('without a match binds nothing', () => {
    expect(
      evaluate({ Selector: 'value.project == api', BindType: 'role', BindName: 'x' }, identity, compile),
    ).toEqual({
      matches: false,
    });
  });

  test('reports fields without a claim, and a selector that cannot be evaluated', () => {
    expect(
      evaluate({ Selector: 'value.nope == a', BindType: 'role', BindName: 'x' }, identity, compile),
    ).toEqual({
      matches: false,
      problem: 'no claim is mapped to value.nope',
    });
    expect(evaluate({ Selector: 'foo.a == b', BindType: 'role', BindName: 'x' }, identity, compile)).toEqual({
      matches: false,
      problem: 'selector, column 1: unknown field "foo.a"',
    });
  });
});
