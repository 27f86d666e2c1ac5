import { expect, test } from 'vitest';
import type { Reply } from '../support.ts';
import { badToken, outcome, secrets } from './support.ts';

// Checking a password takes long enough to remove the auth method or namespace meanwhile.

/** A service with the user bob below a prefix, and functions to log in and to look up the token. */
async function people(prefix: '' | 'ns1/') {
  const { post, get, remove } = await secrets();
  const enable = async () => {
    await post('sys/namespaces/ns1');
    await post(`${prefix}sys/auth/userpass`, { type: 'userpass' });
  };
  await enable();
  await post(`${prefix}auth/userpass/users/bob`, { password: 'pw' });
  return {
    remove,
    enable,
    login: () => post(`${prefix}auth/userpass/login/bob`, { password: 'pw' }, null),
    async lookup({ json }: Reply) {
      const auth = json?.auth as { client_token?: string } | null | undefined;
      return outcome(await get(`${prefix}auth/token/lookup-self`, auth?.client_token ?? 'hvs.none'));
    },
  };
}

test.each([
  ['auth method is disabled', '', 'sys/auth/userpass', 204],
  ['namespace is deleted', 'ns1/', 'sys/namespaces/ns1', 200],
] as const)('a login returns no valid token if its %s during the login', async (_, prefix, path, status) => {
  const { remove, enable, login, lookup } = await people(prefix);
  expect(await lookup(await login())).toBe('200');
  const [attempt, removed] = await Promise.all([login(), remove(path)]);
  expect(removed.status).toBe(status);
  expect((await lookup(attempt)).slice(0, 3)).toBe('403');
  await enable();
  expect(await lookup(attempt)).toBe(badToken);
});
