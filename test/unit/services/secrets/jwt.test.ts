import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { rsaPair } from '../../../support/keys.ts';
import { authOf, data, outcome, secrets, t0 } from './support.ts';

const now = t0 / 1000;

const rsa = rsaPair();
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token in compact form, signed as its header specifies. */
function token(
  alg: string,
  key: KeyObject,
  claims: Record<string, Json>,
  header: Record<string, Json> = {},
): string {
  const signed = `${base64url({ alg, typ: 'JWT', ...header })}.${base64url(claims)}`;
  const hash = alg === 'EdDSA' ? null : 'sha256';
  const signature = sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const good = {
  iss: 'https://ci.example',
  sub: 'repo:a/b',
  aud: ['secrets', 'other'],
  exp: now + 60,
  actor: 'octo',
  ref: { branch: 'main' },
};

async function withRole(role: Record<string, Json> = {}) {
  const service = await secrets();
  const { post } = service;
  await post('sys/auth/ci/jwt', { type: 'jwt' });
  const config = {
    jwt_validation_pubkeys: [pem(rsa.publicKey), pem(ec.publicKey), pem(ed.publicKey)],
    bound_issuer: 'https://ci.example',
    default_role: 'build',
  };
  const put = async (path: string, body: Record<string, Json>) =>
    outcome(await post(`auth/ci/jwt/${path}`, body));
  expect(await put('config', config)).toBe('204');
  const bound = { bound_audiences: 'secrets', user_claim: 'actor', token_policies: 'deploy', ...role };
  expect(await put('role/build', bound)).toBe('204');
  const login = (jwt: string, more: Record<string, Json> = {}) =>
    post('auth/ci/jwt/login', { role: 'build', jwt, ...more }, null);
  return { ...service, put, login };
}

describe('jwt', () => {
  test.each([
    ['RS256', rsa.privateKey],
    ['ES256', ec.privateKey],
    ['EdDSA', ed.privateKey],
  ] as const)('accepts a token signed with %s', async (alg, key) => {
    const { login, get } = await withRole({ claim_mappings: { sub: 'repository', '/ref/branch': 'branch' } });
    const auth = authOf(await login(token(alg, key, good)));
    expect(auth).toMatchObject({
      policies: ['default', 'deploy'],
      metadata: { role: 'build', repository: 'repo:a/b', branch: 'main' },
    });
    const self = await get('auth/token/lookup-self', auth.client_token);
    expect(data(self)?.display_name).toBe('ci-jwt-octo');
  });

  test('rejects a token with a signature of an unknown key', async () => {
    const { login } = await withRole();
    const wrong = '400 error validating token: no known key successfully validated the token signature';
    expect(outcome(await login(token('EdDSA', stranger.privateKey, good)))).toEqual(wrong);
    const [header, , signature] = token('EdDSA', ed.privateKey, good).split('.');
    expect(
      outcome(await login([header, base64url({ ...good, actor: 'root' }), signature].join('.'))),
    ).toEqual(wrong);
    // The signature of one algorithm with the name of another.
    expect(outcome(await login(token('EdDSA', ed.privateKey, good, { alg: 'RS256' })))).toEqual(wrong);
    for (const alg of ['none', 'HS256', 'constructor']) {
      const signed = `${base64url({ alg })}.${base64url(good)}`;
      const mac = createHmac('sha256', pem(rsa.publicKey)).update(signed).digest('base64url');
      expect(outcome(await login(`${signed}.${mac}`))).toBe(
        '400 error validating token: unsupported signing algorithm',
      );
    }
    for (const text of ['x', 'a.b', 'a.b.c', '..', `${base64url([])}.e30.`, `${header}.${header}=.x`]) {
      expect(outcome(await login(text))).toMatch(/^400 error validating token: /);
    }
    const critical = token('EdDSA', ed.privateKey, good, { crit: ['b64'] });
    expect((await login(critical)).status).toBe(400);
  });

  test.each<[string, object]>([
    ['token is expired', { exp: now - 61 }],
    ['token is not yet valid', { nbf: now + 61 }],
    ['token was issued in the future', { iat: now + 61 }],
    ['one of exp, nbf, iat must be set', { exp: undefined }],
    ['invalid issuer (iss) claim', { iss: 'https://elsewhere' }],
    ['invalid audience (aud) claim: audience claim does not match any bound audience', { aud: 'x' }],
    ['claim "actor" is not a string', { actor: { a: 1 } }],
    ['claim "actor" is not a string', { actor: 'octo\nroot' }],
    ['claim "ref" is missing', { ref: null }],
    ['claim "ref" does not match any associated bound claim values', { ref: 'branch' }],
    ['invalid subject (sub) claim', { sub: 'repo:a/c' }],
  ])('rejects a token: %s', async (message, claims) => {
    const { login } = await withRole({ bound_claims: { ref: ['main', 'release'] }, bound_subject: good.sub });
    const attempt = async (more: object) =>
      outcome(await login(token('EdDSA', ed.privateKey, { ...good, ref: 'main', ...more })));
    expect(await attempt({})).toBe('200');
    expect(await attempt(claims)).toBe(`400 error validating claims: ${message}`);
  });

  test('rejects a token for an audience if the role has none', async () => {
    const { login } = await withRole({ bound_audiences: '', bound_subject: 'repo:a/b' });
    expect(outcome(await login(token('EdDSA', ed.privateKey, good)))).toBe(
      '400 error validating claims: audience claim found in JWT but no audiences bound to the role',
    );
  });

  test('reports what a login lacks', async () => {
    const { login, get } = await withRole();
    expect(outcome(await login(''))).toBe('400 missing token');
    expect(outcome(await login('x', { role: 'none' }))).toBe('400 role "none" could not be found');
    expect((await login(token('EdDSA', ed.privateKey, good), { role: '' })).status).toBe(200);
    expect(data(await get('auth/ci/jwt/role/build'))).toMatchObject({
      role_type: 'jwt',
      bound_audiences: ['secrets'],
      user_claim: 'actor',
    });
  });

  test('logs in from the addresses of the role only, and binds the token to them', async () => {
    const { put, login, get } = await withRole({ bound_cidrs: '10.0.0.0/8' });
    const jwt = token('EdDSA', ed.privateKey, good);
    expect(outcome(await login(jwt))).toBe('403 permission denied');
    const role = { bound_audiences: 'secrets', user_claim: 'actor', token_bound_cidrs: '127.0.0.1/8' };
    expect(await put('role/build', role)).toBe('204');
    const { client_token: bound } = authOf(await login(jwt));
    expect(data(await get('auth/token/lookup-self', bound))).toMatchObject({ bound_cidrs: ['127.0.0.1/8'] });
  });

  const secret = ed.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  test.each([
    [
      'config',
      { jwks_url: 'https://ci.example/keys' },
      'jwks_url is not supported: this service makes no outbound calls; set jwt_validation_pubkeys',
    ],
    ['config', { jwt_validation_pubkeys: 'no key' }, ''],
    ['config', { jwt_validation_pubkeys: [secret] }, 'error parsing public key: it is a private key'],
    ['role/x', { bound_audiences: 'a' }, 'a user claim must be defined on the role'],
    [
      'role/x',
      { user_claim: 'sub' },
      'must have at least one bound constraint when creating/updating a role',
    ],
    ['role/x', { user_claim: 'sub', bound_audiences: 'a', role_type: 'oidc' }, ''],
    ['role/x', { user_claim: 'sub', bound_claims: { a: '*' }, bound_claims_type: 'glob' }, ''],
  ])('rejects a %s that it cannot enforce: %o', async (path, body, error) => {
    const { put } = await withRole();
    expect(await put(path, body)).toMatch(error === '' ? /^400 ./ : `400 ${error}`);
  });
});
