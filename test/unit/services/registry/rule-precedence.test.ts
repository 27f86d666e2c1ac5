import { expect, test } from 'vitest';
import { guarded, registry } from './support.ts';

type Guarded = Awaited<ReturnType<typeof guarded>>;

/** What a token with one policy for each of the rules can do with the key a/b: the first letters of read and write. */
async function allowed({ manage, grant }: Guarded, ...rules: string[]): Promise<string> {
  const Policies: object[] = [];
  for (const [at, Rules] of rules.entries()) {
    const { ID } = await manage('PUT', 'acl/policy', { Name: `policy-${at}`, Rules });
    Policies.push({ ID });
  }
  const send = await grant({ Policies });
  const read = (await send.status('GET', 'kv/a/b')) === 200;
  const write = (await send.status('PUT', 'kv/a/b', 'value')) === 200;
  return (read ? 'r' : '') + (write ? 'w' : '');
}

const key = (name: string, level: string) => `key "${name}" { policy = "${level}" }`;
const prefix = (name: string, level: string) => `key_prefix "${name}" { policy = "${level}" }`;

test.each([
  ['no rule', ['acl = "read"'], ''],
  ['read', [key('a/b', 'read')], 'r'],
  ['list, which includes read', [key('a/b', 'list')], 'r'],
  ['write, which includes read', [key('a/b', 'write')], 'rw'],
  ['deny', [key('a/b', 'deny')], ''],
  ['another name', [key('a', 'write') + key('a/bc', 'write')], ''],
  ['a prefix', [prefix('a', 'write')], 'rw'],
  ['the empty prefix', [prefix('', 'write')], 'rw'],
  ['a prefix that is the name', [prefix('a/b', 'write')], 'rw'],
  ['a prefix that is longer than the name', [prefix('a/b/', 'write')], ''],
  ['a prefix of another resource', ['node_prefix "a" { policy = "write" }'], ''],
  ['the name of another resource', ['node "a/b" { policy = "write" }'], ''],
  ['the name before a prefix that is the name', [key('a/b', 'read') + prefix('a/b', 'write')], 'r'],
  ['the name before a prefix that denies', [prefix('a', 'deny') + key('a/b', 'write')], 'rw'],
  ['the longest prefix', [prefix('', 'write') + prefix('a/', 'read') + prefix('a', 'write')], 'r'],
  [
    'the longest prefix in any order',
    [prefix('a', 'write') + prefix('a/', 'read') + prefix('', 'write')],
    'r',
  ],
  [
    'ten prefixes, of which the longest decides',
    [...'a/b'].map((_, at, all) => prefix(all.slice(0, at + 1).join(''), at === 2 ? 'read' : 'write')),
    'r',
  ],
  ['the higher level of two policies', [key('a/b', 'read'), key('a/b', 'write')], 'rw'],
  ['the higher level of two policies in any order', [key('a/b', 'write'), key('a/b', 'read')], 'rw'],
  ['deny of one of two policies', [key('a/b', 'write'), key('a/b', 'deny')], ''],
  ['deny of one of two policies in any order', [key('a/b', 'deny'), key('a/b', 'write')], ''],
  ['deny of the first of three policies', [key('a/b', 'deny'), key('a/b', 'read'), key('a/b', 'write')], ''],
])('a token has the permissions of %s', async (_what, rules, expected) => {
  const all = await guarded();
  await all.manage('PUT', 'kv/a/b', 'value');
  expect(await allowed(all, ...rules)).toBe(expected);
});

test.each([
  ['the prefix', prefix('a/', 'write'), true],
  ['a shorter prefix', prefix('a', 'write'), true],
  ['only a longer prefix', prefix('a/b', 'write'), false],
  ['a prefix with a longer one that is read-only', prefix('a/', 'write') + prefix('a/b', 'read'), false],
  ['a prefix with a longer one that is denied', prefix('a/', 'write') + prefix('a/b', 'deny'), false],
  ['a prefix with a read-only key', prefix('a/', 'write') + key('a/b', 'read'), false],
  [
    'a prefix with a writable longer one and key',
    prefix('a/', 'write') + prefix('a/b', 'write') + key('a/b', 'write'),
    true,
  ],
  [
    'a prefix with a read-only key elsewhere',
    prefix('a/', 'write') + key('b', 'read') + prefix('c', 'read'),
    true,
  ],
  ['a read-only prefix', prefix('a/', 'read'), false],
  [
    'a prefix, and another resource denied',
    `${prefix('a/', 'write')} node "a/b" { policy = "deny" } node_prefix "a/" { policy = "deny" }`,
    true,
  ],
])('a recursive delete with write permission for %s', async (_what, rules, may) => {
  const { holder, manage, anonymous } = await guarded();
  await manage('PUT', 'kv/a/b', 'value');
  const { send, AccessorID } = await holder(rules);
  expect(await send('DELETE', 'kv/a/?recurse')).toBe(
    may
      ? '200 true'
      : `403 Permission denied: token with AccessorID '${AccessorID}' lacks permission 'key:write' on "a/"`,
  );
  expect(await anonymous.status('DELETE', 'kv/a/?recurse')).toBe(403);
});

test('before access control is bootstrapped, and with a management token, all keys can be deleted', async () => {
  const open = await registry();
  expect(await open.send('DELETE', 'kv/?recurse')).toBe('200 true');
  const { manage } = await guarded();
  expect(await manage('DELETE', 'kv/?recurse')).toBe(true);
});

test('before access control is bootstrapped, a request without a token cannot read tokens', async () => {
  const { send } = await registry();
  expect(await send.status('GET', 'acl/tokens')).toBe(403);
  expect(await send.status('GET', 'operator/raft/configuration')).not.toBe(403);
});

test('an identity gives permission for its own name only', async () => {
  const { manage, grant } = await guarded();
  const node = { Node: 'n1', Address: '10.0.0.1' };
  await manage('PUT', 'catalog/register', node);
  const web = await grant({ ServiceIdentities: [{ ServiceName: 'web' }] });
  const registering = async (Service: string) =>
    await web.status('PUT', 'catalog/register', { ...node, Service: { Service } });
  expect(await registering('web')).toBe(200);
  expect(await registering('web2')).toBe(403);
  expect(await registering('web-sidecar-proxy')).toBe(200);
  expect(await registering('web-sidecar-proxy2')).toBe(403);
  const n1 = await grant({ NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }] });
  expect(await n1.status('PUT', 'catalog/register', { ...node, Address: '10.0.0.2' })).toBe(200);
  expect(await n1.status('PUT', 'catalog/register', { Node: 'n12', Address: '10.0.0.2' })).toBe(403);
});
