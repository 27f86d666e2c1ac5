import { describe, expect, test } from 'vitest';
import type { Engine, EngineParts } from '../../../../src/services/secrets/engine.ts';
import { Routes } from '../../../../src/services/secrets/resource.ts';
import type { SecretsService } from '../../../../src/services/secrets/service.ts';
import { folder, rootToken, shelf } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { data, errors, secrets } from './support.ts';

const denied = [403, [decorated('permission denied')]];
const noToken = [403, ['permission denied']];
const badToken = [403, ['permission denied', 'invalid token']];

describe('a request', () => {
  test('needs a valid token in a token header or as a bearer token', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('p', 'path "shelf/*" { capabilities = ["read"] }');
    const { client_token: token } = await createToken({ policies: ['p'] });
    const read = (headers: Record<string, string>) => ask('GET', 'shelf/echo/x', { token: null, headers });
    for (const name of ['X-Secrets-Token', 'X-Vault-Token'])
      expect((await read({ [name]: token })).status).toBe(200);
    expect((await read({ Authorization: `Bearer ${token}` })).status).toBe(200);
    expect(errors(await read({}))).toEqual(noToken);
    expect(errors(await read({ 'X-Secrets-Token': '' }))).toEqual(noToken);
    expect(errors(await read({ Authorization: 'Bearer ' }))).toEqual(noToken);
    expect(errors(await read({ Authorization: token }))).toEqual(noToken);
    expect(errors(await read({ 'X-Secrets-Token': 'hvs.none' }))).toEqual(badToken);
    expect(errors(await read({ 'X-Secrets-Token': `${token}x` }))).toEqual(badToken);
    expect(errors(await read({ Authorization: 'Bearer hvs.none' }))).toEqual(badToken);
  });

  test('without a token can read only unauthenticated paths', async () => {
    const { ask } = await secrets();
    const status = async (method: string, path: string, token: string | null = null) =>
      (await ask(method, path, { token, ...(method === 'PUT' && { body: {} }) })).status;
    expect(await status('GET', 'shelf/public')).toBe(200);
    expect(await status('GET', 'shelf/public', 'hvs.none')).toBe(200);
    for (const [method, path] of [
      ['LIST', 'shelf/public'],
      ['PUT', 'shelf/public'],
      ['DELETE', 'shelf/public'],
      ['GET', 'shelf/public/x'],
      ['GET', 'shelf/publi'],
      ['GET', 'shelf/x/public'],
      ['GET', 'shelf/echo/x'],
      ['GET', 'nowhere/public'],
    ] as const)
      expect(await status(method, path), `${method} ${path}`).toBe(403);
  });

  test('without a token can create and update on an unauthenticated path with a parameter', async () => {
    const left = { summary: 'Write a thing.', write: () => undefined };
    const routes = new Routes().onUnauthenticated('things/:name/left', left);
    const open = (parts: EngineParts): Engine => ({
      ...shelf(parts),
      isUnauthenticated: (operation, path) => routes.isUnauthenticated(operation, path),
    });
    const { ask } = await secrets({ engines: { shelf: open } });
    const put = async (path: string) => (await ask('PUT', path, { token: null, body: {} })).status;
    expect(await put('shelf/things/a/left')).toBe(204);
    expect(await put('shelf/things/a/left')).toBe(204);
    expect(await put('shelf/things/b/left')).toBe(204);
    expect(await put('shelf/things/a/right')).toBe(403);
    expect(await put('shelf/other/a/left')).toBe(403);
    expect(await put('shelf/things/a/b/left')).toBe(403);
    expect(await put('shelf/things/left')).toBe(403);
    expect((await ask('GET', 'shelf/things/a/left', { token: null })).status).toBe(403);
    expect((await ask('DELETE', 'shelf/things/a/left', { token: null })).status).toBe(403);
    expect(data(await ask('LIST', 'shelf/things'))).toEqual({ keys: ['a/left', 'b/left'] });
  });

  test('needs the capability create for a new object and update for an existing one', async () => {
    const { ask, createToken, policy } = await secrets();
    const tokenFor = async (capability: string) => {
      await policy(capability, `path "shelf/*" { capabilities = ["${capability}"] }`);
      return (await createToken({ policies: [capability] })).client_token;
    };
    const [creator, updater] = [await tokenFor('create'), await tokenFor('update')];
    const put = async (path: string, token: string) => (await ask('PUT', path, { token, body: {} })).status;
    expect([await put('shelf/things/a', updater), await put('shelf/things/a', creator)]).toEqual([403, 204]);
    expect([await put('shelf/things/a', creator), await put('shelf/things/a', updater)]).toEqual([403, 204]);
    // Without an existence check or a mount, a write is an update.
    expect([await put('shelf/echo/a', creator), await put('shelf/echo/a', updater)]).toEqual([403, 200]);
    await policy('everywhere', 'path "*" { capabilities = ["update"] }');
    const { client_token: token } = await createToken({ policies: ['everywhere'] });
    expect(await put('nowhere/a', token)).toBe(404);
  });

  test('to list requires the capability on the path with a trailing slash, others on the path without it', async () => {
    const { ask, createToken, policy } = await secrets();
    const text = (path: string) => `path "${path}" { capabilities = ["read", "list"] }`;
    await policy('p', `${text('shelf/echo/folder/')}\n${text('shelf/echo/both')}`);
    const { client_token: token } = await createToken({ policies: ['p'] });
    const status = async (method: string, path: string) => (await ask(method, path, { token })).status;
    expect(await status('LIST', 'shelf/echo/folder')).toBe(200);
    expect(await status('GET', 'shelf/echo/folder?list=true')).toBe(200);
    expect(await status('GET', 'shelf/echo/folder')).toBe(403);
    expect(await status('LIST', 'shelf/echo/both')).toBe(200);
    expect(await status('GET', 'shelf/echo/both')).toBe(200);
  });

  test('that is denied counts as a use of its token, and takes its last one', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('p', 'path "shelf/echo/mine" { capabilities = ["read"] }');
    const { client_token: token } = await createToken({ policies: ['p'], num_uses: 3 });
    const left = async () => data(await ask('POST', 'auth/token/lookup', { body: { token } }))?.num_uses;
    const read = async (path: string) => (await ask('GET', path, { token })).status;
    expect(await read('shelf/echo/mine')).toBe(200);
    expect(await left()).toBe(2);
    expect(await read('shelf/echo/other')).toBe(403);
    expect(await left()).toBe(1);
    expect(await read('shelf/echo/other')).toBe(403);
    expect(errors(await ask('GET', 'shelf/echo/mine', { token }))).toEqual(badToken);
  });

  test('to renew a token with limited uses counts as a use', async () => {
    const { ask, createToken } = await secrets();
    const token = (await createToken({ num_uses: 3, policies: ['default'], ttl: '1h' })).client_token;
    const left = async () => data(await ask('GET', 'auth/token/lookup-self', { token }))?.num_uses;
    const renew = async () => (await ask('POST', 'auth/token/renew-self', { token, body: {} })).status;
    expect([await left(), await renew(), await left(), await renew()]).toEqual([2, 200, -1, 403]);
  });

  test('of a token with limited uses cannot create a token', async () => {
    const { ask, createToken } = await secrets();
    const token = (await createToken({ num_uses: 2 })).client_token;
    expect(errors(await ask('POST', 'auth/token/create', { token, body: {} }))).toEqual([
      400,
      ['restricted use token cannot generate child tokens'],
    ]);
  });
});

describe('a token', () => {
  test('is valid after a restart until it expires', async () => {
    let now = Date.parse('2026-03-01T00:00:00Z');
    const options = { dataDirectory: await folder(), clock: () => new Date(now) };
    const first = await secrets(options);
    const { client_token: token, accessor } = await first.createToken({ ttl: '1h', policies: ['root'] });
    const child = (await first.createToken({ ttl: '9h' }, { token })).client_token;
    await first.close();
    now += 3_599_000;
    const second = await secrets(options);
    expect((await second.ask('GET', 'shelf/echo/x', { token })).status).toBe(200);
    expect((await second.ask('GET', 'shelf/echo/x', { token: child })).status).toBe(200);
    await second.close();
    now += 1_000;
    const third = await secrets(options);
    for (const each of [token, child])
      expect(errors(await third.ask('GET', 'shelf/echo/x', { token: each }))).toEqual(badToken);
    const lookup = await third.ask('POST', 'auth/token/lookup-accessor', { body: { accessor } });
    expect(lookup.status).toBe(400);
  });

  test('of the previous start is rejected if the service starts with another root token', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory, rootToken: 'hvs.first-token' });
    const { client_token: token } = await first.createToken({}, { token: 'hvs.first-token' });
    await first.close();
    const { ask } = await secrets({ dataDirectory: directory });
    const read = async (as: string) => errors(await ask('GET', 'shelf/echo/x', { token: as }));
    expect(await read('hvs.first-token')).toEqual(badToken);
    expect(await read(rootToken)).toEqual([200, undefined]);
    expect(await read(token)).toEqual([200, undefined]);
    expect((await ask('POST', 'auth/token/revoke-self', { body: {} })).status).toBe(204);
    expect(await read(token)).toEqual(badToken);
  });
});

/** A service with the namespaces ns1/, ns1/ns2/ and ns1x/, each with a shelf, and tokens of these with all rights. */
async function nested() {
  const service = await secrets();
  const { ask, createToken } = service;
  const tokens = new Map<string, string>();
  for (const path of ['ns1', 'ns1/ns2', 'ns1x']) {
    const headers = { 'X-Secrets-Namespace': path.split('/').slice(0, -1).join('/') };
    await ask('POST', `sys/namespaces/${path.split('/').at(-1)}`, { headers, body: {} });
    const inside = { headers: { 'X-Secrets-Namespace': path } };
    await ask('POST', 'sys/mounts/shelf', { ...inside, body: { type: 'shelf' } });
    const policy = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';
    await ask('PUT', 'sys/policies/acl/all', { ...inside, body: { policy } });
    tokens.set(path, (await createToken({ policies: ['all'] }, inside)).client_token);
  }
  const read = async (namespace: string | undefined, path: string, as?: string) =>
    errors(
      await ask('GET', path, {
        ...(namespace !== undefined && { headers: { 'X-Secrets-Namespace': namespace } }),
        ...(as !== undefined && { token: tokens.get(as) ?? as }),
      }),
    );
  return { ...service, tokens, read };
}

describe('a namespace', () => {
  const ok = [200, undefined];

  test('below that of a token is part of the paths in its policies', async () => {
    const { ask, createToken, tokens, read } = await nested();
    const inside = { headers: { 'X-Secrets-Namespace': 'ns1' } };
    const policy = 'path "ns2/shelf/echo/x" { capabilities = ["read"] }';
    await ask('PUT', 'sys/policies/acl/child', { ...inside, body: { policy } });
    tokens.set('child', (await createToken({ policies: ['child'] }, inside)).client_token);
    expect(await read('ns1/ns2', 'shelf/echo/x', 'child')).toEqual(ok);
    expect(await read('ns1/ns2', 'shelf/echo/y', 'child')).toEqual(denied);
    expect(await read('ns1', 'shelf/echo/x', 'child')).toEqual(denied);
  });

  test('accepts only its own tokens and those of its ancestors', async () => {
    const { read } = await nested();
    const asked = 'shelf/echo/x';
    expect(await read('ns1', asked, 'ns1')).toEqual(ok);
    expect(await read('ns1/ns2', asked, 'ns1')).toEqual(ok);
    expect(await read('ns1/ns2', asked, 'ns1/ns2')).toEqual(ok);
    expect(await read('ns1/ns2', asked)).toEqual(ok);
    for (const [namespace, as] of [
      ['', 'ns1'],
      ['ns1x', 'ns1'],
      ['', 'ns1/ns2'],
      ['ns1', 'ns1/ns2'],
      ['ns1x', 'ns1/ns2'],
      ['ns1', 'ns1x'],
    ] as const)
      expect(await read(namespace, asked, as), `${namespace} as ${as}`).toEqual(denied);
  });

  test('is found by the header, the path, or both', async () => {
    const { read } = await nested();
    for (const [header, path] of [
      ['ns1', 'shelf/echo/x'],
      ['/ns1', 'shelf/echo/x'],
      ['ns1/', 'shelf/echo/x'],
      ['/ns1/', 'shelf/echo/x'],
      [undefined, 'ns1/shelf/echo/x'],
      ['', 'ns1/shelf/echo/x'],
      ['root', 'ns1/shelf/echo/x'],
      ['/', 'ns1/shelf/echo/x'],
      ['ns1/ns2', 'shelf/echo/x'],
      ['ns1', 'ns2/shelf/echo/x'],
      ['root', 'ns1/ns2/shelf/echo/x'],
    ] as const)
      expect(await read(header, path, 'ns1'), `${header} ${path}`).toEqual(ok);
    for (const [header, path] of [
      ['root', 'shelf/echo/x'],
      ['', 'shelf/echo/x'],
      [undefined, 'shelf/echo/x'],
      ['ns1x', 'shelf/echo/x'],
    ] as const)
      expect(await read(header, path, 'ns1'), `${header} ${path}`).toEqual(denied);
  });

  test('that does not exist has no routes, even if a mount has its name', async () => {
    const { read } = await nested();
    const route = (path: string) => [404, [`no handler for route "${path}". route entry not found.`]];
    expect(await read('none', 'shelf/echo/x')).toEqual(route('none/shelf/echo/x'));
    expect(await read('shelf', 'echo/x')).toEqual(route('shelf/echo/x'));
    expect(await read('ns1/shelf', 'echo/x')).toEqual(route('ns1/shelf/echo/x'));
    expect(await read(undefined, 'shelf/echo/x')).toEqual(ok);
  });
});

test('a token of a namespace that does not exist is rejected', async () => {
  const { ask, services } = await secrets();
  const { state } = services.secrets as SecretsService;
  await state.core.tokens.create('hvs.stray', {
    policies: ['root'],
    path: 'auth/token/create',
    displayName: 'token',
    meta: null,
    uses: 0,
    parent: null,
    ttl: 0,
    maxTtl: 0,
    renewable: false,
    namespace: 'gone/',
  });
  expect(errors(await ask('GET', 'shelf/echo/x', { token: 'hvs.stray' }))).toEqual(badToken);
  expect(errors(await ask('GET', 'gone/shelf/echo/x', { token: 'hvs.stray' }))).toEqual(badToken);
});

describe('a token of an entity', () => {
  /** A service with the user bob, a token of bob, and bob's entity. */
  async function bob() {
    const service = await secrets();
    const { ask, policy } = service;
    await policy('login', 'path "shelf/who" { capabilities = ["read"] }');
    await policy('more', 'path "shelf/echo/x" { capabilities = ["read"] }');
    await ask('POST', 'sys/auth/userpass', { body: { type: 'userpass' } });
    await ask('POST', 'auth/userpass/users/bob', { body: { password: 'pw', token_policies: 'login' } });
    const reply = await ask('POST', 'auth/userpass/login/bob', { token: null, body: { password: 'pw' } });
    const auth = reply.json?.auth as unknown as { client_token: string; entity_id: string };
    const read = async (path: string) => errors(await ask('GET', path, { token: auth.client_token }));
    const change = async (body: Record<string, string | boolean | string[]>) =>
      ask('POST', `identity/entity/id/${auth.entity_id}`, { body });
    return { ...service, auth, read, change };
  }

  test('also has the policies of the entity', async () => {
    const { read, change, ask, auth } = await bob();
    expect([await read('shelf/who'), await read('shelf/echo/x')]).toEqual([[200, undefined], denied]);
    await change({ policies: ['more'] });
    expect([await read('shelf/who'), await read('shelf/echo/x')]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const seen = data(await ask('GET', 'shelf/who', { token: auth.client_token }));
    expect(seen?.entity).toMatchObject({ id: auth.entity_id });
    expect(data(await ask('GET', 'shelf/who'))).toEqual({ entity: null });
  });

  test('is rejected if the entity is disabled or deleted', async () => {
    const { read, change, ask, auth } = await bob();
    await change({ disabled: true });
    expect(await read('shelf/who')).toEqual(denied);
    await change({ disabled: false });
    expect(await read('shelf/who')).toEqual([200, undefined]);
    await ask('DELETE', `identity/entity/id/${auth.entity_id}`);
    expect(await read('shelf/who')).toEqual(denied);
  });
});
