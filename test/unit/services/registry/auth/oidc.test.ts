// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these places are filled by the registry.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type PendingLogin,
  PendingLogins,
} from '../../../../../src/services/registry/auth/pending-logins.ts';
import { provider } from '../../../../support/provider.ts';
import { withLogin } from './support.ts';

const redirect = 'http://127.0.0.1:8550/oidc/callback';
const people = {
  alice: { groups: ['ops', 'dev'], email: 'alice@example.com' },
  bob: { groups: ['dev'], email: 'bob@example.com' },
};

/** A registry whose people sign in at a real provider; its clock runs, and can be put forward. */
async function withPeople(config: object = {}) {
  let ahead = 0;
  const all = await withLogin({ clock: () => new Date(Date.now() + ahead) });
  const at = await provider([redirect], people);
  const Config = {
    OIDCDiscoveryURL: at.issuer,
    OIDCClientID: at.clientId,
    OIDCClientSecret: at.clientSecret,
    AllowedRedirectURIs: [redirect],
    ClaimMappings: { sub: 'user', email: 'email' },
    ListClaimMappings: { groups: 'groups' },
    ...config,
  };
  await all.manage('PUT', 'acl/auth-method', { Name: 'people', Type: 'oidc', MaxTokenTTL: '1h', Config });
  await all.manage('PUT', 'acl/binding-rule', {
    AuthMethod: 'people',
    BindType: 'service',
    BindName: 'web-${value.user}',
    Selector: 'ops in list.groups',
  });
  const authUrl = async (more: object = {}) => {
    const body = { AuthMethod: 'people', RedirectURI: redirect, ...more };
    const { status, text } = await all.ask('POST', 'acl/oidc/auth-url', { body });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return String(JSON.parse(text).AuthURL);
  };
  const callback = (back: URL, more: object = {}) =>
    all.anonymous('POST', 'acl/oidc/callback', {
      AuthMethod: 'people',
      State: back.searchParams.get('state'),
      Code: back.searchParams.get('code'),
      ...more,
    });
  const signIn = async (login: string) => at.signIn(await authUrl(), login);
  const pass = (seconds: number) => {
    ahead += seconds * 1000;
  };
  return { ...all, at, Config, authUrl, callback, signIn, pass };
}

const notWaitedFor = expect.stringMatching(/^403 .*no pending login has this state/);

describe('a user', () => {
  test('signs in at the provider and gets a token, which is used and destroyed', async () => {
    const { authUrl, callback, at, withToken } = await withPeople();
    const url = new URL(await authUrl({ ClientNonce: 'mine', Meta: { from: 'here' } }));
    expect(url.origin).toBe(at.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: at.clientId,
      code_challenge_method: 'S256',
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'openid',
    });
    const back = await at.signIn(url.href, 'alice');
    const response = await callback(back, { ClientNonce: 'mine' });
    expect(response).toMatch(/^200 /);
    const token = JSON.parse(response.slice(4));
    expect(token).toMatchObject({
      AuthMethod: 'people',
      Description: 'token created via OIDC login: {"from":"here"}',
      ExpirationTime: expect.any(String),
      Local: true,
      ServiceIdentities: [{ ServiceName: 'web-alice' }],
    });
    const send = withToken(token.SecretID);
    expect(await send.status('GET', 'catalog/service/web-alice')).toBe(200);
    expect(await send('POST', 'acl/logout')).toBe('200 true');
    expect(await send.status('GET', 'catalog/service/web-alice')).toBe(403);
  });

  test('of whom no binding rule speaks gets nothing', async () => {
    const { callback, signIn } = await withPeople();
    expect(await callback(await signIn('bob'))).toBe('403 Permission denied');
  });

  test('comes back once', async () => {
    const { callback, signIn } = await withPeople();
    const back = await signIn('alice');
    expect(await callback(back)).toMatch(/^200 /);
    expect(await callback(back)).toEqual(notWaitedFor);
  });

  test('comes back to the client that sent them', async () => {
    const { authUrl, callback, at } = await withPeople();
    const back = await at.signIn(await authUrl({ ClientNonce: 'mine' }), 'alice');
    expect(await callback(back, { ClientNonce: 'other' })).toEqual(notWaitedFor);
    // Who tried has used it up.
    expect(await callback(back, { ClientNonce: 'mine' })).toEqual(notWaitedFor);
    const again = await at.signIn(await authUrl({ ClientNonce: 'mine' }), 'alice');
    expect(await callback(again)).toEqual(notWaitedFor);
  });

  test('comes back within five minutes', async () => {
    const { callback, signIn, pass } = await withPeople();
    const back = await signIn('alice');
    pass(301);
    expect(await callback(back)).toEqual(notWaitedFor);
  });

  test('returns for the auth method of the login, with its code', async () => {
    const { callback, signIn, manage, Config } = await withPeople();
    await manage('PUT', 'acl/auth-method', { Name: 'others', Type: 'oidc', Config });
    expect(await callback(await signIn('alice'), { AuthMethod: 'others' })).toEqual(notWaitedFor);
    const back = await signIn('alice');
    expect(await callback(back, { State: 'x' })).toEqual(notWaitedFor);
    expect(await callback(back, { Code: 'x' })).toMatch(/^500 Error exchanging oidc code: .* answered 400$/);
    // A code is bound to the sign-in that it was given in.
    const [one, two] = [await signIn('alice'), await signIn('alice')];
    const Code = two.searchParams.get('code');
    expect(await callback(one, { Code })).toMatch(/^500 Error exchanging/);
  });

  test('is sent back only to where the method allows, on this machine at any port', async () => {
    const { authUrl } = await withPeople({
      AllowedRedirectURIs: [redirect, 'https://ui.example/oidc/callback'],
    });
    const allowed = ['http://127.0.0.1:1234/oidc/callback', 'https://ui.example/oidc/callback'];
    for (const RedirectURI of allowed) expect(await authUrl({ RedirectURI })).toContain('redirect_uri=');
    const others = [
      ...['', 'http://127.0.0.1:8550/other', 'https://127.0.0.1:8550/oidc/callback'],
      ...[
        'http://localhost:8550/oidc/callback',
        'https://ui.example:444/oidc/callback',
        'https://evil.example/',
      ],
    ];
    for (const RedirectURI of others) {
      await expect(authUrl({ RedirectURI })).rejects.toThrow('500 unauthorized redirect_uri');
    }
  });

  test('signs in only for the audience that the method is bound to', async () => {
    const { callback, signIn } = await withPeople({ BoundAudiences: ['another'] });
    expect(await callback(await signIn('alice'))).toMatch(/^500 .*any bound audience/s);
  });
});

describe('an OIDC auth method', () => {
  test('is not one of programs, nor the other way round', async () => {
    const { authUrl, manage, at, anonymous } = await withPeople();
    const Config = { OIDCDiscoveryURL: at.issuer };
    await manage('PUT', 'acl/auth-method', { Name: 'ci', Type: 'jwt', Config });
    await expect(authUrl({ AuthMethod: 'ci' })).rejects.toThrow('500 auth method "ci" is of type jwt');
    await expect(authUrl({ AuthMethod: 'x' })).rejects.toThrow(
      '403 ACL not found: auth method "x" not found',
    );
    await expect(authUrl({ Namespace: 'n' })).rejects.toThrow('400 Invalid query parameter');
    expect(await anonymous.status('POST', 'acl/oidc/callback', '{')).toBe(400);
    expect(await anonymous.status('POST', 'acl/oidc/callback', { AuthMethod: 'ci' })).toBe(500);
  });

  test('reports a provider that does not respond, or not as one', async () => {
    const { manage, authUrl, Config } = await withPeople();
    let metadata: object = {};
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/moved')) response.writeHead(302, { Location: 'http://192.0.2.1/' });
      response.end(JSON.stringify(metadata));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const rejection = async (OIDCDiscoveryURL: string, told: object = {}) => {
      metadata = told;
      await manage('PUT', 'acl/auth-method/people', {
        Type: 'oidc',
        Config: { ...Config, OIDCDiscoveryURL },
      });
      return authUrl().catch((error: Error) => error.message);
    };
    const good = {
      issuer: address,
      authorization_endpoint: 'https://login.example/',
      token_endpoint: `${address}/t`,
      jwks_uri: `${address}/k`,
    };
    expect(await rejection(address, good)).toMatch(/^https:\/\/login\.example\/\?/);
    expect(await rejection('http://127.0.0.1:1')).toMatch(
      /^500 cannot use the provider at http:\/\/127.0.0.1:1\/: /,
    );
    expect(await rejection(address, { ...good, issuer: 'http://other' })).toMatch(
      'calls itself "http://other"',
    );
    const elsewhere = 'https://192.0.2.1/';
    expect(await rejection(address, { ...good, token_endpoint: elsewhere })).toMatch(
      'token_endpoint must be on this',
    );
    expect(await rejection(address, { ...good, jwks_uri: elsewhere })).toMatch(
      'jwks_uri must be on this machine',
    );
    expect(await rejection(address, { ...good, authorization_endpoint: 'javascript:x' })).toMatch(
      'must be a URL',
    );
    expect(await rejection(`${address}/moved`, good)).toMatch(/^500 cannot use the provider/);
  });

  test('has a sibling of type jwt that takes ID tokens of the same provider', async () => {
    const { manage, at, login } = await withPeople();
    const Config = {
      OIDCDiscoveryURL: at.issuer,
      BoundAudiences: [at.clientId],
      ClaimMappings: { sub: 'user' },
    };
    await manage('PUT', 'acl/auth-method', { Name: 'ci', Type: 'jwt', Config });
    await manage('PUT', 'acl/binding-rule', {
      AuthMethod: 'ci',
      BindType: 'node',
      BindName: '${value.user}',
    });
    const verifier = 'v'.repeat(43);
    const url = new URL(`${at.issuer}/auth`);
    url.search = new URLSearchParams({
      client_id: at.clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    const code = (await at.signIn(url.href, 'bob')).searchParams.get('code') ?? '';
    const answer = await fetch(`${at.issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${at.clientId}:${at.clientSecret}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
      }),
    });
    const { id_token } = (await answer.json()) as { readonly id_token: string };
    expect(await login('ci', id_token)).toMatch(/^200 .*"NodeName":"bob"/);
  });
});

test('the number of pending logins is limited', () => {
  const waiting = new PendingLogins();
  const signIn: PendingLogin = {
    method: 'm',
    redirect,
    clientNonce: '',
    nonce: 'n',
    verifier: undefined,
    meta: null,
  };
  for (let made = 0; made <= 1000; made++) waiting.add(`state-${made}`, signIn, 0);
  expect(waiting.take('state-0', 1)).toBeUndefined();
  expect(waiting.take('state-1', 1)).toEqual(signIn);
  expect(waiting.take('state-1', 1)).toBeUndefined();
  expect(waiting.take('state-1000', 1)).toEqual(signIn);
});
