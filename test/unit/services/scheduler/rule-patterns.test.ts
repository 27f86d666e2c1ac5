import { expect, test } from 'vitest';
import { guarded } from './support.ts';

const Items = { k: 'v' };
const path = (name: string, capability: string) => `path "${name}" { capabilities = ["${capability}"] }`;
const rules = (paths: string, namespace = 'default') => `namespace "${namespace}" { variables { ${paths} } }`;

test.each([
  ['app*', 'app', true],
  ['app*', 'app/web', true],
  ['app*', 'ap', false],
  ['app/*', 'app', false],
  ['*', 'app', true],
  ['*app', 'app', true],
  ['*app', 'my/app', true],
  ['*app', 'app/x', false],
  ['a*c', 'ac', true],
  ['a*c', 'abc', true],
  ['a*c', 'abcd', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'ac', false],
  ['a*b*c', 'axbyc', true],
  ['a*b*c', 'acb', false],
  ['a*bc*cd', 'abcd', false],
  ['a*bc*cd', 'abccd', true],
  ['a*bc*bc*d', 'abcd', false],
  ['a*bc*bc*d', 'abcbcd', true],
  ['a**b', 'ab', true],
  ['*a*', 'xay', true],
  ['*a*', 'xy', false],
])('the path %j matches the variable %j: %s', async (pattern, at, expected) => {
  const { holder, manage } = await guarded();
  await manage('PUT', `var/${at}`, { Items });
  const { send } = await holder(rules(path(pattern, 'read')));
  expect(await send.status('GET', `var/${at}`)).toBe(expected ? 200 : 403);
});

test.each([
  ['a name without a pattern', ['app*', 'app/web']],
  ['the pattern with more characters', ['a*', 'app*']],
  ['the pattern with more characters, not the longer one', ['*a*p*p*', 'app/w*']],
  ['the pattern with more characters, although it has more of "*"', ['app*', '*app/*']],
])('%s decides', async (_what, [other = '', decides = '']) => {
  const { holder, manage } = await guarded();
  await manage('PUT', 'var/app/web', { Items });
  for (const order of [
    path(other, 'write') + path(decides, 'read'),
    path(decides, 'read') + path(other, 'write'),
  ]) {
    const { send } = await holder(rules(order));
    expect(await send.status('GET', 'var/app/web')).toBe(200);
    expect(await send.status('PUT', 'var/app/web', { Items })).toBe(403);
  }
});

test.each([
  ['namespace "web" { policy = "read" }', true],
  ['namespace "web" { policy = "list" }', true],
  ['namespace "web" { policy = "scale" }', true],
  ['namespace "web" { policy = "write" }', true],
  ['namespace "web" { capabilities = ["list-jobs"] }', true],
  ['namespace "w*" { policy = "read" }', true],
  ['namespace "*eb" { policy = "read" }', true],
  ['namespace "**" { policy = "read" }', true],
  ['namespace "*we*" { policy = "read" }', true],
  ['namespace "*x*" { policy = "read" }', false],
  ['namespace "web" { policy = "deny" }', false],
  ['namespace "web" { capabilities = ["deny", "list-jobs"] }', false],
  ['namespace "web" { policy = "read" capabilities = ["deny"] }', false],
  ['namespace "*" { policy = "read" } namespace "web" { policy = "deny" }', false],
  ['namespace "w*" { policy = "deny" } namespace "*" { policy = "read" }', false],
  // Rules for variables alone give no access to the namespace itself, and take none away.
  ['namespace "web" { variables { path "*" { capabilities = ["read"] } } }', false],
  ['namespace "web" { }', false],
  [
    'namespace "*" { policy = "read" } namespace "web" { variables { path "a" { capabilities = [] } } }',
    true,
  ],
  ['agent { policy = "read" }', false],
])('a namespace is read with the rules %s: %s', async (text, expected) => {
  const { holder, manage } = await guarded();
  await manage('PUT', 'namespace', { Name: 'web' });
  const { send } = await holder(text);
  expect(await send.status('GET', 'namespace/web')).toBe(expected ? 200 : 403);
  expect(String(await send.text('GET', 'namespaces')).includes('"web"')).toBe(expected);
});

test.each([
  [['agent { policy = "read" }'], true],
  [['agent { policy = "write" }'], true],
  [['agent { policy = "deny" }'], false],
  [['agent { policy = "read" } agent { policy = "deny" }'], false],
  [['agent { policy = "deny" } agent { policy = "read" }'], false],
  [['agent { policy = "read" }', 'agent { policy = "deny" }'], false],
  [['agent { policy = "read" }', 'namespace "web" { policy = "write" }'], true],
  [['namespace "web" { policy = "write" }'], false],
  [['node { policy = "write" }'], false],
])('the agent is read with the rules %j: %s', async (texts, expected) => {
  const { holder } = await guarded();
  const { send } = await holder(...texts);
  expect(await send.status('GET', 'agent/self')).toBe(expected ? 200 : 403);
});

test.each([
  [['node { policy = "read" }'], true],
  [['node { policy = "write" }'], true],
  [['node { policy = "deny" }'], false],
  [['node { policy = "read" }', 'node { policy = "deny" }'], false],
  [['agent { policy = "read" }'], false],
])('the servers are listed with the rules %j: %s', async (texts, expected) => {
  const { holder } = await guarded();
  const { send } = await holder(...texts);
  expect(await send.status('GET', 'agent/members')).toBe(expected ? 200 : 403);
});

test('a management token reads the agent, the servers and all namespaces', async () => {
  const { manage } = await guarded();
  const { member } = await manage('GET', 'agent/self');
  expect(await manage('GET', 'agent/members')).toEqual({
    ServerName: 'lanyard',
    ServerRegion: 'global',
    ServerDC: 'dc1',
    Members: [member],
  });
  expect(await manage('GET', 'namespaces')).toMatchObject([{ Name: 'default' }]);
  await manage('GET', 'namespace/default');
});

test.each(['node_pool', 'operator', 'quota', 'host_volume', 'plugin', 'sentinel'])(
  'a policy can have rules for the resource %s, which the scheduler does not have',
  async (resource) => {
    const { manage, root } = await guarded();
    await manage('PUT', 'acl/policy/a', { Rules: `${resource} "x" { policy = "read" }` });
    expect(await root.status('PUT', 'acl/policy/a', { Rules: `${resource}s { policy = "read" }` })).toBe(400);
  },
);

test.each([
  [' \n', 'no rules'],
  ['agent { }', 'invalid policy of agent'],
  ['agent { policy = "maybe" }', 'invalid policy of agent'],
  ['agent { policy = ["read"] }', 'invalid policy of agent'],
  ['node { policy = "maybe" }', 'invalid policy of node'],
  ['namespace "a" { policy = "maybe" }', 'invalid policy of namespace "a"'],
  ['namespace "a" { policy = "" }', 'invalid policy of namespace "a"'],
  ['namespace "a" { capabilities = "read" }', 'the capabilities of namespace must be a list'],
  ['namespace "a" { variables { capabilities = ["read"] } }', '"capabilities" is not known in variables'],
  ['namespace "a" { variables { paths "b" { } } }', '"paths" is not known in variables'],
  ['namespace "a" { variables { path "b" { path "c" { } } } }', '"path" is not known in path'],
  [
    'namespace "a" { variables { path "b" { capabilities = ["fly"] } } }',
    'invalid capability "fly" of the variables path "b"',
  ],
  [
    'namespace "a" { variables { path "/b" { } } }',
    'invalid variables path "/b": it cannot begin with a slash',
  ],
  ['namespace "a" { variables { path { } } }', 'a path of variables has no name'],
  ['namespace {}', 'invalid namespace name ""'],
  ['namespace "a_b" {}', 'invalid namespace name "a_b"'],
  ['namespace "a" { policy = ["read"] }', 'invalid policy of namespace "a"'],
  ['namespace "a" { secrets { } }', '"secrets" is not known in namespace'],
  ['namespace "a" { level = "read" }', '"level" is not known in namespace'],
  ['namespace "a" { variables { path "b" { policy = "read" } } }', '"policy" is not known in path'],
  [
    'namespace "a" { variables { path "b" { capabilities = "read" } } }',
    'the capabilities of path must be a list',
  ],
  ['namespace "a" {\n  policy =\n}', 'line 3: expected a value, found }'],
  ['namespace "a" {', 'line 1: expected a name or "}", found the end'],
  ['namespace "a" { policy = "\\q" }', 'line 1: invalid quoted string "\\q"'],
  ['namespace "a" { ! }', 'line 1: unexpected character'],
  ['a {'.repeat(9), 'line 1: too deeply nested'],
  ['a {'.repeat(8), 'line 1: expected a name or "}", found the end'],
  ['namespace "a b" { }', 'invalid namespace name "a b"'],
  [`namespace "${'a'.repeat(129)}" { }`, `invalid namespace name "${'a'.repeat(129)}"`],
  ['namespaces "a" { }', 'unknown resource "namespaces"'],
])('a policy with the rules %j is rejected', async (Rules, message) => {
  const { root } = await guarded();
  expect(await root('PUT', 'acl/policy/a', { Rules })).toBe(`400 failed to parse rules: ${message}`);
});

test('a namespace name in a policy has up to 128 letters, digits, "-" and "*"', async () => {
  const { manage } = await guarded();
  for (const name of ['a'.repeat(128), 'A-z09*'])
    await manage('PUT', 'acl/policy/a', { Rules: `namespace "${name}" { policy = "read" }` });
});
