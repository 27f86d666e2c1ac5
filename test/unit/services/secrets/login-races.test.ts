import { expect, test } from 'vitest';
import type { Reply } from '../support.ts';
import { errors, secrets } from './support.ts';

// Checking a password takes long enough to remove the auth method or namespace meanwhile.

const denied = 403;

/**
 * A service with the namespace ns1 and the user bob in it, and functions to log in and to look up a token.
 */
async function people(namespace: string) {
  const { ask } = await secrets();
  const inside = { headers: { 'X-Secrets-Namespace': namespace } };
  const create = () => ask('POST', 'sys/namespaces/ns1', { body: {} });
  const enable = () => ask('POST', 'sys/auth/userpass', { ...inside, body: { type: 'userpass' } });
  await create();
  await enable();
  await ask('POST', 'auth/userpass/users/bob', { ...inside, body: { password: 'pw' } });
  return {
    ask,
    inside,
    create,
    enable,
    login: () => ask('POST', 'auth/userpass/login/bob', { ...inside, token: null, body: { password: 'pw' } }),
    lookup: async ({ json }: Reply) => {
      const auth = json?.auth as unknown as { client_token: string } | undefined;
      const reply = await ask('GET', 'auth/token/lookup-self', {
        ...inside,
        token: auth?.client_token ?? 'hvs.none',
      });
      return errors(reply)[0];
    },
  };
}

test('a login returns no valid token if its auth method is disabled during the login', async () => {
  const { ask, inside, enable, login, lookup } = await people('');
  expect(await lookup(await login())).toBe(200);
  const [attempt, removed] = await Promise.all([login(), ask('DELETE', 'sys/auth/userpass', inside)]);
  expect(removed.status).toBe(204);
  expect(await lookup(attempt)).toBe(denied);
  await enable();
  expect(await lookup(attempt)).toBe(denied);
});

test('a login returns no valid token if its namespace is deleted during the login', async () => {
  const { ask, create, enable, login, lookup } = await people('ns1');
  expect(await lookup(await login())).toBe(200);
  const [attempt, removed] = await Promise.all([login(), ask('DELETE', 'sys/namespaces/ns1')]);
  expect(removed.status).toBe(200);
  expect(await lookup(attempt)).toBe(denied);
  await create();
  await enable();
  expect(await lookup(attempt)).toBe(denied);
});
