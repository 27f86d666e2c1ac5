import type { Tour } from './tour.ts';

/** A secret with versions, and a write that does not lose another's. */
export async function secretsStop({ say, line }: Tour): Promise<void> {
  await say('Second stop: secrets that remember what they were.');
  await line('kv', 'put', 'secret/app/db', 'username=app', 'password=first');
  await say('A change that says which version it is based on cannot undo one that it has not seen:');
  await line('kv', 'put', 'secret/app/db', 'username=app', 'password=second', '--cas', '1');
  await line('kv', 'get', 'secret/app/db', '--field', 'password');
  await line('kv', 'get', 'secret/app/db', '--version', '1');
  await say('For a script, as variables:');
  await line('kv', 'get', 'secret/app/db', '-o', 'env');
}
