import { expect, test } from 'vitest';
import { guarded } from './support.ts';

test.each([
  ['a block', '{"key": {"a": {"policy": "read"}}}', true],
  ['a block after space', ' \n{"key": {"a": {"policy": "read"}}}', true],
  ['a list of blocks', '{"key": [{"b": {"policy": "write"}}, {"a": {"policy": "read"}}]}', true],
  ['a list of bodies', '{"key": {"a": [{"policy": "read"}]}}', true],
  [
    'a list of bodies, of which one denies',
    '{"key": {"a": [{"policy": "read"}, {"policy": "deny"}]}}',
    false,
  ],
  ['a prefix', '{"key_prefix": {"": {"policy": "list"}}}', true],
  ['another resource', '{"acl": "read", "node": {"a": {"policy": "read"}}}', false],
])('rules in JSON are read: %s', async (_what, rules, may) => {
  const { holder, manage } = await guarded();
  await manage('PUT', 'kv/a', 'value');
  const { send } = await holder(rules);
  expect(await send.status('GET', 'kv/a')).toBe(may ? 200 : 403);
});

const invalid = (what: string) => `invalid policy for ${what}: it must be one of deny, read or write`;

test.each([
  ['{"key": null}', 'key must be an object'],
  ['{"key": "read"}', 'key must be an object'],
  ['{"key": 1}', 'key must be an object'],
  ['{"key": ["read"]}', 'key must be an object'],
  ['{"key": [[]]}', 'key must be an object'],
  ['{"key": {"a": "read"}}', 'key "a" must be an object'],
  ['{"key": {"a": null}}', 'key "a" must be an object'],
  ['{"key": {"a": []}}', 'key "a" must be an object'],
  ['{"key": {"a": [[]]}}', 'key "a" must be an object'],
  ['{"key": {"a": {}}}', invalid('key "a"')],
  ['{"key": {"a": {"policy": "own"}}}', invalid('key "a"')],
  ['{"key": {"a": {"policy": "read", "intentions": "read"}}}', '"intentions" is not supported in key "a"'],
  ['{"key": {"a": [{"policy": "read"}, {"policy": "all"}]}}', invalid('key "a"')],
  ['{"node_prefix": {"a": {"policy": "list"}}}', invalid('node_prefix "a"')],
  ['{"keyring": "list"}', invalid('keyring')],
  ['{"acl": {"policy": "read"}}', invalid('acl')],
  ['{"_prefix": {"a": {"policy": "read"}}}', 'unknown resource "_prefix"'],
  ['{"acl_prefix": {"a": {"policy": "read"}}}', 'unknown resource "acl_prefix"'],
])('rules in JSON are rejected: %s', async (Rules, message) => {
  const { root } = await guarded();
  expect(await root('PUT', 'acl/policy', { Name: 'p', Rules })).toBe(
    `500 Failed to parse ACL rules: ${message}`,
  );
});
