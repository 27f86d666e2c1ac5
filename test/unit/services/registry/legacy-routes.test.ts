import { expect, test } from 'vitest';
import { registry } from './support.ts';

async function bootstrapped() {
  const open = await registry();
  const root = { 'X-Registry-Token': String((await open.ask('PUT', 'acl/bootstrap')).json?.SecretID) };
  const manage = async (method: string, path: string, body?: unknown) => {
    const { status, text, headers } = await open.ask(method, path, { body, headers: root });
    return { status, text, type: headers['content-type'] };
  };
  return { ...open, manage };
}

test('legacy rules are translated with permission to read access control', async () => {
  const { manage, said } = await bootstrapped();
  expect(await manage('POST', 'acl/rules/translate', 'key "a" { policy = "read" } # all')).toEqual({
    status: 200,
    text: 'key_prefix "a" {\n  policy = "read"\n} # all\n',
    type: 'text/plain; charset=utf-8',
  });
  expect(await manage('POST', 'acl/rules/translate', 'key "a" {')).toMatchObject({
    status: 400,
    text: 'Failed to parse rules: line 1: expected a name or "}", found the end',
  });
  expect((await manage('POST', 'acl/rules/translate', '#'.repeat(65_537))).status).toBe(413);
  expect((await said('POST', 'acl/rules/translate', 'a = "b"'))[0]).toBe(403);
});

test('a legacy token has the permissions of its rules, and they can be read translated', async () => {
  const { manage, ask, said } = await bootstrapped();
  const Rules = 'key "a/" { policy = "write" } key "a/b" { policy = "read" }';
  const made = JSON.parse((await manage('PUT', 'acl/create', { Name: 'old', Rules })).text);
  const headers = { 'X-Registry-Token': made.ID };
  const put = async (key: string) => (await ask('PUT', `kv/${key}`, { headers, body: '1' })).status;
  expect([await put('a/x'), await put('a/bc'), await put('b')]).toEqual([200, 403, 403]);
  const { json } = await ask('GET', 'acl/token/self', { headers });
  expect(json).toMatchObject({ Description: 'old', Rules });
  expect(json).not.toHaveProperty('Policies');
  expect(await manage('GET', `acl/rules/translate/${json?.AccessorID}`)).toMatchObject({
    status: 200,
    text: 'key_prefix "a/" {\n  policy = "write"\n}\n\nkey_prefix "a/b" {\n  policy = "read"\n}\n',
  });
  expect((await said('GET', `acl/rules/translate/${json?.AccessorID}`))[0]).toBe(403);
});

test('a token without rules, and one that does not exist, have nothing to translate', async () => {
  const { manage } = await bootstrapped();
  const token = JSON.parse((await manage('PUT', 'acl/token', {})).text);
  expect(await manage('GET', `acl/rules/translate/${token.AccessorID}`)).toMatchObject({
    status: 500,
    text: 'The specified token does not have any rules set',
  });
  expect(await manage('GET', 'acl/rules/translate/none')).toMatchObject({
    status: 403,
    text: 'ACL not found',
  });
});

test('a legacy token can be one for management, and cannot have rules that mean nothing', async () => {
  const { manage, ask, said } = await bootstrapped();
  const { ID } = JSON.parse((await manage('PUT', 'acl/create', { Type: 'management' })).text);
  expect((await ask('PUT', 'acl/token', { headers: { 'X-Registry-Token': ID }, body: {} })).status).toBe(200);
  expect(await manage('PUT', 'acl/create', { Rules: 'kee "a" { policy = "read" }' })).toMatchObject({
    status: 400,
    text: 'Failed to parse rules: unknown resource "kee"',
  });
  expect((await manage('PUT', 'acl/create', { Type: 'other' })).status).toBe(400);
  expect((await said('PUT', 'acl/create', {}))[0]).toBe(403);
});
