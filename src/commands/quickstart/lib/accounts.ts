import type { Tour } from './tour.ts';

/** Creates and lists an account. */
export async function accountsStop({ say, line }: Tour): Promise<void> {
  const method = 'ampw_1234567890';
  await say('6. Accounts: create an account of an auth method and list all of them.');
  await line('account', 'create', '--auth-method', method, '--login-name', 'ada', '--no-password', '--quiet');
  await line('account', 'list', '--auth-method', method);
}
