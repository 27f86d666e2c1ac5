import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { issuer, withLogin } from './support.ts';

const { pem, sign } = issuer();
const method = { Name: 'ci', Type: 'jwt', Config: { JWTValidationPubKeys: [pem] } };
const rule = { AuthMethod: 'ci', BindType: 'service', BindName: 'web' };

async function two() {
  const all = await withLogin({ datacenters: ['dc1', 'dc2'] });
  /** Asks again until it is so, because a secondary datacenter follows in rounds. */
  const soon = async (ask: () => Promise<readonly (string | number)[]>, status: number) => {
    for (let tries = 0; tries < 1_000 && (await ask())[0] !== status; tries++) await pause(30);
    return ask();
  };
  await soon(() => all.root('GET', 'acl/tokens?dc=dc2'), 200);
  const loginIn = async (dc: string) => {
    const body = { AuthMethod: 'ci', BearerToken: await sign({}) };
    const [status, text] = await all.anonymous('POST', `acl/login?dc=${dc}`, body);
    expect(status, String(text)).toBe(200);
    const token = JSON.parse(String(text));
    return { token, say: all.as({ 'X-Registry-Token': token.SecretID }) };
  };
  return { ...all, soon, loginIn };
}

describe('a login in one of several datacenters', () => {
  test('creates a token that is valid in it only', async () => {
    const { manage, loginIn, login } = await two();
    await manage('PUT', 'acl/auth-method?dc=dc2', method);
    await manage('PUT', 'acl/binding-rule?dc=dc2', rule);
    expect((await login('ci', await sign({})))[0]).toBe(403);
    const { token, say } = await loginIn('dc2');
    expect(token).toMatchObject({ Local: true, AuthMethod: 'ci' });
    expect((await say('GET', 'acl/token/self?dc=dc2'))[0]).toBe(200);
    expect((await say('GET', 'acl/token/self'))[0]).toBe(403);
    expect(await say('POST', 'acl/logout?dc=dc2')).toEqual([200, 'true']);
    expect((await say('GET', 'acl/token/self?dc=dc2'))[0]).toBe(403);
  });

  test('creates a global token only in the primary one, and it is destroyed everywhere', async () => {
    const { manage, root, soon, loginIn } = await two();
    const wide = { ...method, TokenLocality: 'global' };
    expect(await root('PUT', 'acl/auth-method?dc=dc2', wide)).toEqual([
      500,
      "Invalid Auth Method: TokenLocality 'global' can only be used in the primary datacenter",
    ]);
    await manage('PUT', 'acl/auth-method', wide);
    await manage('PUT', 'acl/binding-rule', rule);
    const { say } = await loginIn('dc1');
    expect((await soon(() => say('GET', 'acl/token/self?dc=dc2'), 200))[0]).toBe(200);
    expect(await say('POST', 'acl/logout?dc=dc2')).toEqual([200, 'true']);
    expect((await say('GET', 'acl/token/self'))[0]).toBe(403);
    expect((await soon(() => say('GET', 'acl/token/self?dc=dc2'), 403))[0]).toBe(403);
  });
});
