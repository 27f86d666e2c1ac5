import { expect, test } from 'vitest';
import { guarded } from './support.ts';

test('legacy rules are translated with permission to read access control', async () => {
  const { root, rootHeaders, ask, anonymous } = await guarded();
  const body = 'key "a" { policy = "read" } # all';
  const { status, text, headers } = await ask('POST', 'acl/rules/translate', { body, headers: rootHeaders });
  expect([status, text]).toEqual([200, 'key_prefix "a" {\n  policy = "read"\n} # all\n']);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(await root('POST', 'acl/rules/translate', 'key "a" {')).toBe(
    '400 Failed to parse rules: line 1: expected a name or "}", found the end',
  );
  expect(await root.status('POST', 'acl/rules/translate', '#'.repeat(65_537))).toBe(413);
  expect(await anonymous.status('POST', 'acl/rules/translate', 'a = "b"')).toBe(403);
});

test('a legacy token has the permissions of its rules, and they can be read translated', async () => {
  const { manage, root, withToken, anonymous } = await guarded();
  const Rules = 'key "a/" { policy = "write" } key "a/b" { policy = "read" }';
  const { ID } = await manage('PUT', 'acl/create', { Name: 'old', Rules });
  const send = withToken(ID);
  const put = (key: string) => send.status('PUT', `kv/${key}`, '1');
  expect([await put('a/x'), await put('a/bc'), await put('b')]).toEqual([200, 403, 403]);
  const self = JSON.parse(await send.text('GET', 'acl/token/self'));
  expect(self).toMatchObject({ Description: 'old', Rules });
  expect(self).not.toHaveProperty('Policies');
  const path = `acl/rules/translate/${self.AccessorID}`;
  expect(await root('GET', path)).toBe(
    '200 key_prefix "a/" {\n  policy = "write"\n}\n\nkey_prefix "a/b" {\n  policy = "read"\n}\n',
  );
  expect(await anonymous.status('GET', path)).toBe(403);
});

test('a token without rules, and one that does not exist, have nothing to translate', async () => {
  const { manage, root } = await guarded();
  const { AccessorID } = await manage('PUT', 'acl/token', {});
  expect(await root('GET', `acl/rules/translate/${AccessorID}`)).toBe(
    '500 The specified token does not have any rules set',
  );
  expect(await root('GET', 'acl/rules/translate/none')).toBe('403 ACL not found');
});

test('a legacy token can be one for management, and cannot have rules that mean nothing', async () => {
  const { manage, root, withToken, anonymous } = await guarded();
  const { ID } = await manage('PUT', 'acl/create', { Type: 'management' });
  expect(await withToken(ID).status('PUT', 'acl/token', {})).toBe(200);
  expect(await root('PUT', 'acl/create', { Rules: 'kee "a" { policy = "read" }' })).toBe(
    '400 Failed to parse rules: unknown resource "kee"',
  );
  expect(await root.status('PUT', 'acl/create', { Type: 'other' })).toBe(400);
  expect(await anonymous.status('PUT', 'acl/create', {})).toBe(403);
});
