import type { Tour } from './tour.ts';

/** Accounts, whose every change says which version it is based on. */
export async function accountsStop({ say, line }: Tour): Promise<void> {
  const method = 'ampw_1234567890';
  await say('Last stop: accounts of people. Who may log in here:');
  await line('account', 'create', '--auth-method', method, '--login-name', 'ada', '--no-password', '--quiet');
  await line('account', 'list', '--auth-method', method);
}
