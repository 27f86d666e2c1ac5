import type { Host } from './context.ts';
import { writeOut, writePaged } from './io/stdout.ts';
import { plainAnswer } from './plain.ts';

/**
 * Runs one command line.
 *
 * @returns the exit code (`errors.ts` has the dictionary).
 */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const plain = await plainAnswer(argv, host);
  if (plain === undefined) return (await import('./run.ts')).run(argv, host);
  try {
    if (['help', '--help', '-h'].includes(argv[0] ?? '')) await writePaged(plain, host);
    else if (plain !== '') await writeOut(host.stdout, plain);
    return 0;
  } catch (error) {
    return (await import('./run.ts')).fail(error, argv, host);
  }
}
