import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { engines } from '../../../src/services/secrets/engines.ts';
import type { EngineTable } from '../../../src/services/secrets/model/mounts.ts';
import { keyPair } from '../../support/keys.ts';
import { guarded, registry } from './registry/support.ts';
import { guarded as guardedScheduler } from './scheduler/support.ts';
import { type Auth, data, everything, outcome, secrets } from './secrets/support.ts';

// Known vulnerabilities of the products, tested against the embedded services (docs/security.md has the
// table).

const real: EngineTable = { ssh: engines.ssh as EngineTable[string], kv: engines.kv as EngineTable[string] };

describe('the secrets service', () => {
  test('CVE-2024-7594: signs nothing without principals unless the role permits it', async () => {
    const { post } = await secrets({ engines: real });
    await post('ssh/config/ca', { key_type: 'ed25519' });
    await post('ssh/roles/any', { key_type: 'ca', allow_user_certificates: true, allowed_users: '*' });
    const public_key = keyPair('ed25519').publicLine;
    for (const valid_principals of [undefined, '', ' ', ',', ', ,', '\n'])
      expect((await post('ssh/sign/any', { public_key, valid_principals })).status).toBe(400);
  });

  test('CVE-2020-24359: returns the one address and user that a one-time password is valid for', async () => {
    const { post } = await secrets({ engines: real });
    const role = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' };
    await post('ssh/roles/otp', role);
    const made = data(await post('ssh/creds/otp', { ip: '10.1.2.3' }));
    const verified = data(await post('ssh/verify', { otp: made?.key }, null));
    expect(verified).toEqual({ ip: '10.1.2.3', role_name: 'otp', username: 'ubuntu' });
    expect((await post('ssh/verify', { otp: made?.key }, null)).status).toBe(400);
    expect((await post('ssh/creds/otp', { ip: '192.168.1.1' })).status).toBe(400);
  });

  test('CVE-2024-9180, CVE-2025-5999, CVE-2025-64761: grants no root permissions through an entity', async () => {
    const { tokenWith, post, get } = await secrets();
    const token = await tokenWith(everything);
    const spellings = [
      'root',
      'ROOT',
      ' root',
      'root ',
      'Root\t',
      '\nroot',
      'root\u0000',
      'default,root',
      'ｒoot',
    ];
    await post('sys/auth/userpass', { type: 'userpass' });
    for (const [index, name] of spellings.entries()) {
      for (const policies of [[name], name]) {
        await post('identity/entity', { name: `e${index}`, policies }, token);
        const user = { password: 'password', token_policies: policies };
        await post(`auth/userpass/users/u${index}`, user, token);
        for (const { json } of [
          await post(`auth/userpass/login/u${index}`, { password: 'password' }, null),
          await post('auth/token/create', { policies }, token),
        ]) {
          const auth = json?.auth as unknown as Partial<Auth> | undefined;
          expect(auth?.policies ?? []).not.toContain('root');
          if (auth?.client_token) expect((await get('sys/mounts', auth.client_token)).status).toBe(403);
        }
      }
    }
    const { json } = await get('identity/entity/name/e0', token);
    expect(JSON.stringify(json ?? {})).not.toContain('"root"');
  });

  test('CVE-2025-52894, CVE-2026-5807: has no rekey or root generation that could be canceled', async () => {
    const { ask, get } = await secrets();
    for (const path of [
      'generate-root/attempt',
      'generate-root/update',
      'rekey/init',
      'rekey-recovery-key/init',
    ])
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const { status } = await ask(method, `sys/${path}`, { token: null, body: {} });
        expect(status).toBeGreaterThanOrEqual(403);
      }
    expect((await get('sys/health', null)).json).toMatchObject({ sealed: false });
  });

  test('CVE-2026-45808: has none of the older lease routes, which ignored namespaces', async () => {
    const { put } = await secrets();
    for (const path of ['revoke/x', 'renew', 'revoke-prefix/shelf', 'revoke-force/shelf'])
      expect((await put(`sys/${path}`)).status).toBe(404);
  });

  test('CVE-2026-40264: a token of one namespace cannot affect tokens of another by accessor', async () => {
    const { ask, createToken, post, get } = await secrets();
    const { accessor, client_token } = await createToken({});
    await ask('POST', 'sys/namespaces/ns1');
    for (const path of ['lookup-accessor', 'revoke-accessor', 'renew-accessor'])
      expect((await post(`ns1/auth/token/${path}`, { accessor })).status).toBeGreaterThanOrEqual(400);
    expect((await get('auth/token/lookup-self', client_token)).status).toBe(200);
  });

  test('CVE-2026-3605: a path with dot segments is rejected', async () => {
    const { tokenWith, put, get } = await secrets();
    const token = await tokenWith('path "shelf/things/mine/*" { capabilities = ["read", "list"] }');
    await put('shelf/things/other', { k: 'v' });
    for (const step of ['..', '%2e%2e', '.%2E', '..%2f', '%2e%2e%2f', '.', '%2e'])
      expect((await get(`shelf/things/mine/${step}/other`, token)).status).toBe(400);
  });

  test('CVE-2025-4166, CVE-2025-52893: errors about a body do not repeat it', async () => {
    const { post } = await secrets({ engines: real });
    const secret = 'a-secret-that-was-sent';
    for (const body of [
      `{"data":"${secret}"}`,
      `{"data":{"k":"${secret}"},"options":"${secret}"}`,
      `{"data":{"k":"${secret}"`,
      `{"${secret}"`,
      secret,
      `["${secret}"]`,
    ])
      for (const path of ['kv/x', 'ssh/config/ca', 'auth/token/create', 'sys/policies/acl/p', 'sys/unseal']) {
        const { text, status } = await post(path, body);
        if (status >= 400) expect(text, path).not.toContain(secret);
      }
  });

  test('CVE-2025-6011: a wrong password and an unknown user get the same error', async () => {
    const { post } = await secrets();
    await post('sys/auth/userpass', { type: 'userpass' });
    await post('auth/userpass/users/ada', { password: 'password' });
    const login = async (user: string) =>
      outcome(await post(`auth/userpass/login/${user}`, { password: 'guess' }, null));
    expect(await login('missing')).toEqual(await login('ada'));
  });
});

describe('the registry', () => {
  test('CVE-2022-29153: sends no requests for checks, and follows no redirects', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { Location: 'http://169.254.169.254/' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const witness = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { ask, manage } = await guarded();
    const Check = { Name: 'c', Definition: { HTTP: `${witness}/check`, Interval: '1ms' }, Interval: '1ms' };
    await manage('PUT', 'catalog/register', { Node: 'n', Address: '10.0.0.1', Check });
    await pause(50);
    expect(asked).toEqual([]);
    const method = { Name: 'm', Type: 'oidc', Config: { OIDCDiscoveryURL: witness, OIDCClientID: 'c' } };
    const Config = { ...method.Config, OIDCClientSecret: 's', AllowedRedirectURIs: ['http://localhost/'] };
    await manage('PUT', 'acl/auth-method', { ...method, Config });
    const body = { AuthMethod: 'm', RedirectURI: 'http://localhost/' };
    expect((await ask('POST', 'acl/oidc/auth-url', { body })).status).toBeGreaterThanOrEqual(400);
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  test('CVE-2025-11374: a value is limited without Content-Length too', async () => {
    const { addresses, ask } = await registry();
    const text = 'x'.repeat(600 * 1024);
    expect((await ask('PUT', 'kv/long', { body: text })).status).toBe(413);
    // Without a length, chunked.
    const body = new Blob([text]).stream();
    const sent = await fetch(`${addresses.registry}/v1/kv/long`, { method: 'PUT', body, duplex: 'half' });
    expect(sent.status).toBe(413);
    expect((await ask('GET', 'kv/long')).status).toBe(404);
  });

  test('CVE-2025-11375: has no events of unlimited length', async () => {
    const { ask } = await registry();
    expect((await ask('PUT', 'event/fire/x', { body: 'x'.repeat(1_000_000) })).status).toBe(501);
  });

  test('CVE-2019-8336: the placeholder shown for a token is not a token', async () => {
    const { ask } = await guarded();
    for (const token of ['<hidden>', '%3Chidden%3E', 'hidden'])
      expect((await ask('GET', 'kv/x', { headers: { 'X-Consul-Token': token } })).status).toBe(403);
  });

  test('CVE-2020-25864: a value is never served as a page, whatever it contains', async () => {
    const { ask } = await registry();
    await ask('PUT', 'kv/page', { body: '<script>alert(1)</script>' });
    const { headers } = await ask('GET', 'kv/page?raw');
    expect(headers['content-type'] ?? '').not.toMatch(/html|xml|^$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe('sandbox');
  });
});

test('CVE-2023-1296: a deny rule of the scheduler has precedence over any other rule', async () => {
  const { holder, manage } = await guardedScheduler();
  await manage('PUT', 'var/app/secret', { Items: { k: 'v' } });
  const rules = (name: string, paths: string) => `namespace "${name}" { variables { ${paths} } }`;
  const deny = 'path "app/secret" { capabilities = ["deny"] }';
  const all = 'path "*" { capabilities = ["read", "write", "list", "destroy"] }';
  const denied = [[rules('default', all + deny)], [rules('default', all), rules('default', deny)]];
  for (const policies of denied) {
    const { send } = await holder(...policies);
    for (const [method, body] of [['GET'], ['PUT', { Items: { k: 'w' } }], ['DELETE']] as const)
      expect(await send.status(method, 'var/app/secret', body), method).toBe(403);
  }
});
