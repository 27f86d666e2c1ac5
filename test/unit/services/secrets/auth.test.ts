import { describe, expect, test } from 'vitest';
import type { Engine, EngineParts } from '../../../../src/services/secrets/engine.ts';
import { Routes } from '../../../../src/services/secrets/resource.ts';
import type { SecretsService } from '../../../../src/services/secrets/service.ts';
import { folder, rootToken, shelf } from '../support.ts';
import { authOf, badToken, data, denied, everything, outcome, secrets, t0 } from './support.ts';

describe('a request', () => {
  test('needs a valid token in a token header or as a bearer token', async () => {
    const { ask, tokenWith } = await secrets();
    const token = await tokenWith('path "shelf/*" { capabilities = ["read"] }');
    for (const [name, value, expected] of [
      ['X-Secrets-Token', token, '200'],
      ['X-Vault-Token', token, '200'],
      ['Authorization', `Bearer ${token}`, '200'],
      ['X-Other', token, '403 permission denied'],
      ['X-Secrets-Token', '', '403 permission denied'],
      ['Authorization', 'Bearer ', '403 permission denied'],
      ['Authorization', token, '403 permission denied'],
      ['X-Secrets-Token', 'hvs.none', badToken],
      ['X-Secrets-Token', `${token}x`, badToken],
      ['Authorization', 'Bearer hvs.none', badToken],
    ] as const) {
      const reply = await ask('GET', 'shelf/echo/x', { token: null, headers: { [name]: value } });
      expect(outcome(reply), `${name}: ${value}`).toBe(expected);
    }
  });

  test('without a token can read only unauthenticated paths', async () => {
    const { ask, get } = await secrets();
    for (const token of [null, 'hvs.none']) expect((await get('shelf/public', token)).status).toBe(200);
    for (const [method, path] of [
      ['LIST', 'shelf/public'],
      ['PUT', 'shelf/public'],
      ['DELETE', 'shelf/public'],
      ['GET', 'shelf/public/x'],
      ['GET', 'shelf/publi'],
      ['GET', 'shelf/x/public'],
      ['GET', 'shelf/echo/x'],
      ['GET', 'nowhere/public'],
    ] as const) {
      const reply = await ask(method, path, { token: null, ...(method === 'PUT' && { body: {} }) });
      expect(reply.status, `${method} ${path}`).toBe(403);
    }
  });

  test('without a token can create and update on an unauthenticated path with a parameter', async () => {
    const left = { summary: 'Write a thing.', write: () => undefined };
    const routes = new Routes().onUnauthenticated('things/:name/left', left);
    const open = (parts: EngineParts): Engine => ({
      ...shelf(parts),
      access: (operation, path) => routes.access(operation, path),
    });
    const { put, get, list, remove } = await secrets({ engines: { shelf: open } });
    for (const [path, status] of [
      ['things/a/left', 204],
      ['things/a/left', 204],
      ['things/b/left', 204],
      ['things/a/right', 403],
      ['other/a/left', 403],
      ['things/a/b/left', 403],
      ['things/left', 403],
    ] as const)
      expect((await put(`shelf/${path}`, {}, null)).status, path).toBe(status);
    for (const send of [get, remove]) expect((await send('shelf/things/a/left', null)).status).toBe(403);
    expect(data(await list('shelf/things'))).toEqual({ keys: ['a/left', 'b/left'] });
  });

  test('needs the capability create for a new object and update for an existing one', async () => {
    const { put, tokenWith } = await secrets();
    const tokenFor = (capability: string) => tokenWith(`path "*" { capabilities = ["${capability}"] }`);
    const [creator, updater] = [await tokenFor('create'), await tokenFor('update')];
    for (const [path, token, status] of [
      ['shelf/things/a', updater, 403],
      ['shelf/things/a', creator, 204],
      ['shelf/things/a', creator, 403],
      ['shelf/things/a', updater, 204],
      // Without an existence check or a mount, a write is an update.
      ['shelf/echo/a', creator, 403],
      ['shelf/echo/a', updater, 200],
      ['nowhere/a', updater, 404],
    ] as const)
      expect((await put(path, {}, token)).status, path).toBe(status);
  });

  test('to list requires the capability on the path with a trailing slash, others on the path without it', async () => {
    const { ask, tokenWith } = await secrets();
    const text = (path: string) => `path "${path}" { capabilities = ["read", "list"] }`;
    const token = await tokenWith(`${text('shelf/echo/folder/')}\n${text('shelf/echo/both')}`);
    for (const [method, path, status] of [
      ['LIST', 'folder', 200],
      ['GET', 'folder?list=true', 200],
      ['GET', 'folder', 403],
      ['LIST', 'both', 200],
      ['GET', 'both', 200],
    ] as const)
      expect((await ask(method, `shelf/echo/${path}`, { token })).status, `${method} ${path}`).toBe(status);
  });

  test('that is denied counts as a use of its token, and takes its last one', async () => {
    const { createToken, policy, post, get } = await secrets();
    await policy('p', 'path "shelf/echo/mine" { capabilities = ["read"] }');
    const { client_token: token } = await createToken({ policies: ['p'], num_uses: 3 });
    const left = async () => data(await post('auth/token/lookup', { token }))?.num_uses;
    const read = async (path: string) => (await get(`shelf/echo/${path}`, token)).status;
    expect([await read('mine'), await left()]).toEqual([200, 2]);
    expect([await read('other'), await left(), await read('other')]).toEqual([403, 1, 403]);
    expect(outcome(await get('shelf/echo/mine', token))).toBe(badToken);
  });

  test('to renew a token with limited uses counts as a use', async () => {
    const { createToken, post, get } = await secrets();
    const token = (await createToken({ num_uses: 3, policies: ['default'], ttl: '1h' })).client_token;
    const left = async () => data(await get('auth/token/lookup-self', token))?.num_uses;
    const renew = async () => (await post('auth/token/renew-self', {}, token)).status;
    expect([await left(), await renew(), await left(), await renew()]).toEqual([2, 200, -1, 403]);
  });

  test('of a token with limited uses cannot create a token', async () => {
    const { createToken, post } = await secrets();
    const token = (await createToken({ num_uses: 2 })).client_token;
    expect(outcome(await post('auth/token/create', {}, token))).toBe(
      '400 restricted use token cannot generate child tokens',
    );
  });
});

describe('a token', () => {
  test('is valid after a restart until it expires', async () => {
    let now = t0;
    const options = { dataDirectory: await folder(), clock: () => new Date(now) };
    const first = await secrets(options);
    const { client_token: token, accessor } = await first.createToken({ ttl: '1h', policies: ['root'] });
    const child = (await first.createToken({ ttl: '9h' }, { token })).client_token;
    await first.close();
    now += 3_599_000;
    const second = await secrets(options);
    for (const each of [token, child]) expect((await second.get('shelf/echo/x', each)).status).toBe(200);
    await second.close();
    now += 1_000;
    const third = await secrets(options);
    for (const each of [token, child]) expect(outcome(await third.get('shelf/echo/x', each))).toBe(badToken);
    expect((await third.post('auth/token/lookup-accessor', { accessor })).status).toBe(400);
  });

  test('of the previous start is rejected if the service starts with another root token', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory, rootToken: 'hvs.first-token' });
    const { client_token: token } = await first.createToken({}, { token: 'hvs.first-token' });
    await first.close();
    const { post, get } = await secrets({ dataDirectory: directory });
    const read = async (as: string) => outcome(await get('shelf/echo/x', as));
    expect(await read('hvs.first-token')).toBe(badToken);
    expect([await read(rootToken), await read(token)]).toEqual(['200', '200']);
    expect((await post('auth/token/revoke-self')).status).toBe(204);
    expect(await read(token)).toBe(badToken);
  });
});

/** A service with the namespaces ns1/, ns1/ns2/ and ns1x/, each with a shelf, and tokens of these with all rights. */
async function nested() {
  const service = await secrets();
  const { ask, post, put } = service;
  const tokens = new Map<string | undefined, string>([[undefined, rootToken]]);
  const tokenOf = async (namespace: string, policy: string) => {
    await put(`${namespace}/sys/policies/acl/p`, { policy });
    return authOf(await post(`${namespace}/auth/token/create`, { policies: ['p'] })).client_token;
  };
  for (const [parent, name] of [
    ['', 'ns1'],
    ['ns1/', 'ns2'],
    ['', 'ns1x'],
  ]) {
    const path = `${parent}${name}`;
    await post(`${parent}sys/namespaces/${name}`);
    await post(`${path}/sys/mounts/shelf`, { type: 'shelf' });
    tokens.set(path, await tokenOf(path, everything));
  }
  /** Reads as the token of a namespace. */
  const read = async (header: string | undefined, path: string, as?: string) => {
    const headers = header === undefined ? {} : { 'X-Secrets-Namespace': header };
    return outcome(await ask('GET', path, { headers, token: tokens.get(as) ?? '' }));
  };
  return { ...service, tokens, tokenOf, read };
}

describe('a namespace', () => {
  test('below the namespace of a token is part of the paths in its policies', async () => {
    const { tokens, tokenOf, read } = await nested();
    tokens.set('child', await tokenOf('ns1', 'path "ns2/shelf/echo/x" { capabilities = ["read"] }'));
    expect(await read('ns1/ns2', 'shelf/echo/x', 'child')).toBe('200');
    expect(await read('ns1/ns2', 'shelf/echo/y', 'child')).toBe(denied);
    expect(await read('ns1', 'shelf/echo/x', 'child')).toBe(denied);
  });

  test('accepts only its own tokens and tokens of its ancestors', async () => {
    const { read } = await nested();
    for (const [namespace, as, expected] of [
      ['ns1', 'ns1', '200'],
      ['ns1/ns2', 'ns1', '200'],
      ['ns1/ns2', 'ns1/ns2', '200'],
      ['ns1/ns2', undefined, '200'],
      ['', 'ns1', denied],
      ['ns1x', 'ns1', denied],
      ['', 'ns1/ns2', denied],
      ['ns1', 'ns1/ns2', denied],
      ['ns1x', 'ns1/ns2', denied],
      ['ns1', 'ns1x', denied],
    ] as const)
      expect(await read(namespace, 'shelf/echo/x', as), `${namespace} as ${as}`).toBe(expected);
  });

  test('is found by the header, the path, or both', async () => {
    const { read } = await nested();
    for (const [header, path, expected] of [
      ['ns1', 'shelf/echo/x', '200'],
      ['/ns1', 'shelf/echo/x', '200'],
      ['ns1/', 'shelf/echo/x', '200'],
      ['/ns1/', 'shelf/echo/x', '200'],
      [undefined, 'ns1/shelf/echo/x', '200'],
      ['', 'ns1/shelf/echo/x', '200'],
      ['root', 'ns1/shelf/echo/x', '200'],
      ['/', 'ns1/shelf/echo/x', '200'],
      ['ns1/ns2', 'shelf/echo/x', '200'],
      ['ns1', 'ns2/shelf/echo/x', '200'],
      ['root', 'ns1/ns2/shelf/echo/x', '200'],
      ['root', 'shelf/echo/x', denied],
      ['', 'shelf/echo/x', denied],
      [undefined, 'shelf/echo/x', denied],
      ['ns1x', 'shelf/echo/x', denied],
    ] as const)
      expect(await read(header, path, 'ns1'), `${header} ${path}`).toBe(expected);
  });

  test('that does not exist has no routes, even if a mount has its name', async () => {
    const { read } = await nested();
    for (const [header, path] of [
      ['none', 'shelf/echo/x'],
      ['shelf', 'echo/x'],
      ['ns1/shelf', 'echo/x'],
    ] as const)
      expect(await read(header, path)).toBe(
        `404 no handler for route "${header}/${path}". route entry not found.`,
      );
    expect(await read(undefined, 'shelf/echo/x')).toBe('200');
  });
});

test('a token of a namespace that does not exist is rejected', async () => {
  const { services, get } = await secrets();
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
  for (const path of ['shelf/echo/x', 'gone/shelf/echo/x'])
    expect(outcome(await get(path, 'hvs.stray'))).toBe(badToken);
});
