import type { Tour } from './tour.ts';

/** A variable that reaches a program by its environment, and is written nowhere else. */
export async function schedulerStop({ say, line }: Tour): Promise<void> {
  await say('Fifth stop: variables of the scheduler, encrypted where they rest.');
  await line('var', 'put', 'app/db', 'DB_USER=app', 'DB_PASSWORD=third');
  await line('var', 'get', 'app/db');
  await say('A program has them in its environment, and nothing is written to the disk:');
  await line('run', '--var', 'app/db', '--', 'printenv', 'DB_USER');
}
