import { expect, test } from 'vitest';
import { seeded } from '../accounts/support.ts';
import { call, type Reply, type Started, start } from '../support.ts';

/** That of the services outside of tests: guesses take their time. */
const scryptCost = 2 ** 15;
const guess = 'not the password';
const tooMany = 'Too many passwords are being checked; try again later.';

/** A wrong password at each service with passwords, without a token. */
const guesses: Readonly<
  Record<'secrets' | 'box' | 'accounts', (at: Started['addresses']) => Promise<Reply>>
> = {
  secrets: (at) =>
    call(at.secrets, 'POST', '/v1/auth/userpass/login/ada', { token: null, body: { password: guess } }),
  box: (at) =>
    call(at.box, 'POST', '/api/v1/authenticate', {
      token: null,
      body: { user: { login: 'missing', password: guess } },
    }),
  accounts: (at) =>
    call(at.accounts, 'POST', `/v1/auth-methods/${seeded}:authenticate`, {
      token: null,
      body: { attributes: { login_name: 'missing', password: guess } },
    }),
};

/** The response of each to a wrong password, and to one beyond the limit. */
const answers = {
  secrets: [400, { errors: [tooMany] }],
  box: [401, { errors: [tooMany], success: false }],
  accounts: [401, { kind: 'ResourceExhausted', message: tooMany }],
} as const;
const names = ['secrets', 'box', 'accounts'] as const;

test('too many concurrent password guesses are rejected in the format of each service, with one limit for all services', async () => {
  const { addresses } = await start({ scryptCost });
  await call(addresses.secrets, 'POST', '/v1/sys/auth/userpass', { body: { type: 'userpass' } });
  const asked = Array.from({ length: 75 }, () =>
    names.map(async (name) => ({ name, ...(await guesses[name](addresses)) })),
  );
  const replies = await Promise.all(asked.flat());
  for (const service of names) {
    const own = replies.filter(({ name }) => name === service);
    const [wrong, rejected] = answers[service];
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set([wrong, 429]));
    expect(own.find(({ status }) => status === 429)?.json).toEqual(rejected);
  }
  // With a separate limit of 66 for each service, there would not be fewer.
  expect(replies.filter(({ status }) => status !== 429).length).toBeLessThan(3 * 66);
});
