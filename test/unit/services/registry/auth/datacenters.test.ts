import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../support/eventually.ts';
import { issuer, withLogin } from './support.ts';

const { pem, sign } = issuer();
const method = { Name: 'ci', Type: 'jwt', Config: { JWTValidationPubKeys: [pem] } };
const rule = { AuthMethod: 'ci', BindType: 'service', BindName: 'web' };

async function two() {
  const all = await withLogin({ datacenters: ['dc1', 'dc2'] });
  await eventually(async () => expect(await all.root.status('GET', 'acl/tokens?dc=dc2')).toBe(200));
  const loginIn = async (dc: string) => {
    const body = { AuthMethod: 'ci', BearerToken: await sign({}) };
    const { status, text } = await all.ask('POST', `acl/login?dc=${dc}`, { body });
    expect(status, text).toBe(200);
    const token = JSON.parse(text);
    return { token, send: all.withToken(token.SecretID) };
  };
  return { ...all, loginIn };
}

describe('a login in one of several datacenters', () => {
  test('creates a token that is valid in it only', async () => {
    const { manage, loginIn, login } = await two();
    await manage('PUT', 'acl/auth-method?dc=dc2', method);
    await manage('PUT', 'acl/binding-rule?dc=dc2', rule);
    expect(await login('ci', await sign({}))).toMatch(/^403 /);
    const { token, send } = await loginIn('dc2');
    expect(token).toMatchObject({ Local: true, AuthMethod: 'ci' });
    expect(await send.status('GET', 'acl/token/self?dc=dc2')).toBe(200);
    expect(await send.status('GET', 'acl/token/self')).toBe(403);
    expect(await send('POST', 'acl/logout?dc=dc2')).toBe('200 true');
    expect(await send.status('GET', 'acl/token/self?dc=dc2')).toBe(403);
  });

  test('creates a global token only in the primary one, and it is destroyed everywhere', async () => {
    const { manage, root, loginIn } = await two();
    const wide = { ...method, TokenLocality: 'global' };
    expect(await root('PUT', 'acl/auth-method?dc=dc2', wide)).toBe(
      "500 Invalid Auth Method: TokenLocality 'global' can only be used in the primary datacenter",
    );
    await manage('PUT', 'acl/auth-method', wide);
    await manage('PUT', 'acl/binding-rule', rule);
    const { send } = await loginIn('dc1');
    await eventually(async () => expect(await send.status('GET', 'acl/token/self?dc=dc2')).toBe(200));
    expect(await send('POST', 'acl/logout?dc=dc2')).toBe('200 true');
    expect(await send.status('GET', 'acl/token/self')).toBe(403);
    await eventually(async () => expect(await send.status('GET', 'acl/token/self?dc=dc2')).toBe(403));
  });
});
