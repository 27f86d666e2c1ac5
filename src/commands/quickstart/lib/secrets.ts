import type { Tour } from './tour.ts';

/** Writes versions of a secret, with check-and-set. */
export async function secretsStop({ say, line }: Tour): Promise<void> {
  await say('2. Secrets: write a key-value secret, which keeps its previous versions.');
  await line('kv', 'put', 'secret/app/db', 'username=app', 'password=first');
  await say('With --cas, a write fails if the secret has changed since that version:');
  await line('kv', 'put', 'secret/app/db', 'username=app', 'password=second', '--cas', '1');
  await line('kv', 'get', 'secret/app/db', '--field', 'password');
  await line('kv', 'get', 'secret/app/db', '--version', '1');
  await say('Print the secret as environment variables for a script:');
  await line('kv', 'get', 'secret/app/db', '-o', 'env');
}
