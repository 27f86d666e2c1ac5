import type { Tour } from './tour.ts';

/** Writes a variable, and sets it in the environment of a program. */
export async function schedulerStop({ say, line }: Tour): Promise<void> {
  await say('5. Variables: write a scheduler variable, which is encrypted at rest.');
  await line('var', 'put', 'app/db', 'DB_USER=app', 'DB_PASSWORD=third');
  await line('var', 'get', 'app/db');
  await say('Run a program with its items in the environment; nothing is written to disk:');
  await line('run', '--var', 'app/db', '--', 'printenv', 'DB_USER');
}
