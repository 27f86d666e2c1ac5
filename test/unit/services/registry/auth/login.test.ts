// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these places are filled by the registry.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { begin, issuer, withLogin } from './support.ts';

const { pem, sign, privateKey } = issuer();

async function withMethod(config: object = {}, method: object = {}) {
  const all = await withLogin();
  await all.manage('PUT', 'acl/auth-method', {
    Name: 'ci',
    Type: 'jwt',
    Config: { JWTValidationPubKeys: [pem], ...config },
    ...method,
  });
  await all.manage('PUT', 'acl/binding-rule', { AuthMethod: 'ci', BindType: 'service', BindName: 'web' });
  return all;
}

describe('a login', () => {
  test('makes a token that is used and destroyed', async () => {
    const { token, manage, withToken } = await withMethod();
    const made = await token('ci', await sign({}));
    expect(made).toMatchObject({
      Description: 'token created via login',
      Local: true,
      AuthMethod: 'ci',
      ServiceIdentities: [{ ServiceName: 'web' }],
      CreateTime: '2026-01-02T12:00:00.000Z',
    });
    expect(made).not.toHaveProperty('ExpirationTime');
    const send = withToken(made.SecretID);
    expect(await send.status('GET', 'catalog/service/web')).toBe(200);
    expect(JSON.parse(String(await send.text('GET', 'acl/token/self')))).toEqual(made);
    expect(await manage('GET', 'acl/tokens?authmethod=ci')).toMatchObject([{ AccessorID: made.AccessorID }]);
    expect(await manage('GET', 'acl/tokens?authmethod=x')).toEqual([]);
    expect(await send('POST', 'acl/logout')).toBe('200 true');
    expect(await send('GET', 'acl/token/self')).toBe('403 token does not exist: ACL not found');
    expect(await send('POST', 'acl/logout')).toBe('403 ACL not found');
  });

  test('adds the metadata of the caller to the description, and has the expiry and scope of the method', async () => {
    const { token, pass, withToken } = await withMethod({}, { MaxTokenTTL: '10m', TokenLocality: 'global' });
    const made = await token('ci', await sign({}), { Meta: { pod: 'a', b: 'c' } });
    expect(made).toMatchObject({
      Description: 'token created via login: {"pod":"a","b":"c"}',
      Local: false,
      ExpirationTime: '2026-01-02T12:10:00.000Z',
    });
    pass(601);
    const send = withToken(made.SecretID);
    expect(await send('GET', 'acl/token/self')).toBe('403 token does not exist: ACL not found');
  });

  test('keeps its origin when its token is updated, and cannot be cloned', async () => {
    const { token, manage, root } = await withMethod();
    const { AccessorID } = await token('ci', await sign({}));
    const changed = await manage('PUT', `acl/token/${AccessorID}`, { Description: 'x', Local: true });
    expect(changed).toMatchObject({ AuthMethod: 'ci', Local: true, Description: 'x' });
    expect(await root('PUT', `acl/token/${AccessorID}/clone`, {})).toBe(
      '500 Cannot clone a token created from an auth method',
    );
  });

  test('is rejected for an unknown method, an OIDC method, or an invalid body', async () => {
    const { login, manage, anonymous } = await withMethod();
    expect(await login('', await sign({}))).toBe('403 ACL not found: auth method "" not found');
    expect(await login('ci', 'x'.repeat(70_000))).toBe('500 a jwt has at most 65536 characters');
    expect(await login('ci', 'x', { Namespace: 'n' })).toMatch(/^400 .*Namespaces are/s);
    expect(await anonymous('POST', 'acl/login', '{')).toMatch(/^400 Failed to decode request body: /);
    expect(await login('ci', await sign({}), { Meta: { a: 1 } })).toMatch(/^400 /);
    expect(await login('ci', await sign({}), { Meta: { a: 'x'.repeat(5000) } })).toMatch(/^400 /);
    const Config = {
      OIDCDiscoveryURL: 'http://127.0.0.1:1',
      OIDCClientID: 'registry',
      OIDCClientSecret: 's',
      AllowedRedirectURIs: ['http://localhost:8550/oidc/callback'],
    };
    await manage('PUT', 'acl/auth-method', { Name: 'people', Type: 'oidc', Config });
    expect(await login('people', 'x')).toMatch(/^500 .*is of type oidc/s);
  });
});

describe('a bearer token', () => {
  const unverified = '500 no known key successfully validated the token signature';
  const invalid = (what: string) => expect.stringMatching(`^500 error validating claims: .*${what}`);

  test('is valid only with the signature of a configured key', async () => {
    const { login } = await withMethod();
    const other = issuer();
    expect(await login('ci', await other.sign({}))).toEqual(unverified);
    const good = await sign({});
    expect(await login('ci', good)).toMatch(/^200 /);
    const [head, , signature] = good.split('.');
    const forged = Buffer.from(JSON.stringify({ iat: begin, sub: 'x' })).toString('base64url');
    expect(await login('ci', `${head}.${forged}.${signature}`)).toEqual(unverified);
    expect(await login('ci', `${head}.${forged}.`)).toEqual(unverified);
    // Consul's words for what is no JWT at all.
    const three = 'go-jose/go-jose: compact JWS format must have three parts';
    for (const [text, why] of [
      ['abc', three],
      ['a.b', three],
      [`${head}...`, three],
      ['x.y.z', 'illegal base64 data at input byte 0'],
      ['YWJj!.c.d', 'illegal base64 data at input byte 4'],
      ['aGk.aGk.aGk', "invalid character 'h' looking for beginning of value"],
    ] as const)
      expect(await login('ci', text)).toBe(`500 error parsing token: ${why}`);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await login('ci', `${none}.${forged}.`)).toEqual(unverified);
  });

  test('cannot be signed with the public key as if it were a secret', async () => {
    const { login } = await withMethod();
    const confused = await new SignJWT({ iat: begin })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(pem));
    expect(await login('ci', confused)).toEqual(unverified);
  });

  test('has an allowed algorithm, RS256 by default', async () => {
    const ec = issuer('ec');
    const usual = await withMethod({ JWTValidationPubKeys: [ec.pem, pem] });
    expect(await usual.login('ci', await ec.sign({}))).toEqual(unverified);
    expect(await usual.login('ci', await sign({}, 'PS256'))).toEqual(unverified);
    expect(await usual.login('ci', await sign({}))).toMatch(/^200 /);
    const other = await withMethod({ JWTValidationPubKeys: [pem, ec.pem], JWTSupportedAlgs: ['ES256'] });
    expect(await other.login('ci', await ec.sign({}))).toMatch(/^200 /);
    expect(await other.login('ci', await sign({}))).toEqual(unverified);
  });

  test('is of the issuer and for one of the audiences that the method is bound to', async () => {
    const { login } = await withMethod({ BoundIssuer: 'https://ci', BoundAudiences: ['a', 'b'] });
    const good = { iss: 'https://ci', aud: ['b', 'c'] };
    expect(await login('ci', await sign(good))).toMatch(/^200 /);
    expect(await login('ci', await sign({ ...good, aud: 'a' }))).toMatch(/^200 /);
    expect(await login('ci', await sign({ ...good, iss: 'https://other' }))).toEqual(invalid('issuer'));
    expect(await login('ci', await sign({ aud: 'a' }))).toEqual(invalid('issuer'));
    expect(await login('ci', await sign({ ...good, aud: 'c' }))).toEqual(invalid('audience'));
    expect(await login('ci', await sign({ iss: 'https://ci' }))).toEqual(invalid('audience'));
  });

  test('has its time, with a minute for clocks that differ', async () => {
    const { login } = await withMethod();
    const status = async (claims: object) => Number.parseInt(await login('ci', await sign(claims)), 10);
    const late = (seconds: number) => ({ iat: begin - 600, exp: begin - seconds });
    expect([await status(late(59)), await status(late(61))]).toEqual([200, 500]);
    const early = (seconds: number) => ({ nbf: begin + seconds });
    expect([await status(early(59)), await status(early(61))]).toEqual([200, 500]);
    expect(await login('ci', await sign(late(61)))).toEqual(invalid('expired'));
    expect(await login('ci', await sign({ exp: 'never' }))).toEqual(invalid('numbers'));
    // What it does not say follows from when it was made: 150 seconds, and the minute.
    const since = (seconds: number) => ({ iat: begin - seconds, exp: undefined });
    expect([await status(since(209)), await status(since(211))]).toEqual([200, 500]);
    expect(await login('ci', await sign({ iat: undefined, exp: undefined }))).toEqual(
      invalid('no issued at'),
    );
  });

  test('has the leeways that the method gives', async () => {
    const { login } = await withMethod({ ClockSkewLeeway: -1, ExpirationLeeway: '10s' });
    const status = async (claims: object) => Number.parseInt(await login('ci', await sign(claims)), 10);
    expect(await status({ iat: begin - 60, exp: begin - 1 })).toBe(500);
    expect(await status({ iat: begin - 9, exp: undefined })).toBe(200);
    expect(await status({ iat: begin - 11, exp: undefined })).toBe(500);
  });

  test('is verified with keys fetched from this machine', async () => {
    const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' };
    const { n, e, kty, alg, use } = jwk;
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ keys: [{ n, e, kty, alg, use }] }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const JWKSURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    const { manage, login } = await withMethod();
    await manage('PUT', 'acl/auth-method', { Name: 'ci', Type: 'jwt', Config: { JWKSURL } });
    expect(await login('ci', await sign({}))).toMatch(/^200 /);
    expect(await login('ci', await issuer().sign({}))).toEqual(unverified);
  });
});

describe('a kubernetes method', () => {
  const account = { name: 'builder', uid: 'u-1' };
  const bound = { 'kubernetes.io': { namespace: 'ci', serviceaccount: account } };
  const old = {
    'kubernetes.io/serviceaccount/namespace': 'ci',
    'kubernetes.io/serviceaccount/service-account.name': 'builder',
    'kubernetes.io/serviceaccount/service-account.uid': 'u-1',
    iat: undefined,
    exp: undefined,
  };

  async function withCluster() {
    const all = await withLogin();
    const Config = { JWTValidationPubKeys: [pem] };
    await all.manage('PUT', 'acl/auth-method', { Name: 'k8s', Type: 'kubernetes', Config });
    await all.manage('PUT', 'acl/binding-rule', {
      AuthMethod: 'k8s',
      BindType: 'service',
      BindName: '${serviceaccount.name}',
      Selector: 'serviceaccount.namespace == ci and serviceaccount.uid != "u-2"',
    });
    return all;
  }

  test.each([
    ['that are bound', bound],
    ['of the old kind', old],
  ])('verifies tokens of service accounts %s', async (_kind, claims) => {
    const { token, login } = await withCluster();
    expect(await token('k8s', await sign(claims))).toMatchObject({
      ServiceIdentities: [{ ServiceName: 'builder' }],
    });
    const elsewhere = { 'kubernetes.io': { namespace: 'prod', serviceaccount: account } };
    expect(await login('k8s', await sign(elsewhere))).toBe('403 Permission denied');
  });

  test('rejects others', async () => {
    const { login } = await withCluster();
    const failed = (why: string) => `500 lookup failed: ${why}`;
    expect(await login('k8s', await sign({ sub: 'me' }))).toEqual(
      failed('the token is not of a service account'),
    );
    expect(await login('k8s', await issuer().sign(bound))).toEqual(
      failed('no known key successfully validated the token signature'),
    );
    expect(await login('k8s', await sign({ ...bound, exp: begin - 100 }))).toEqual(
      failed('error validating claims: token is expired (exp)'),
    );
  });
});

describe('a logout', () => {
  test('is of a token that a login made', async () => {
    const { holder } = await withMethod();
    const { send } = await holder('acl = "write"');
    expect(await send.status('POST', 'acl/logout')).toBe(403);
    expect(await send.status('GET', 'acl/token/self')).toBe(200);
  });
});
