import type { Host } from '../command/host.ts';
import { writeOut, writePaged } from '../io/stdout.ts';
import { fastPath } from './fast-path.ts';

/**
 * Runs one command line.
 *
 * @returns the exit code (see `src/errors.ts`).
 */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  try {
    const plain = await fastPath(argv, host);
    if (plain === undefined) return (await import('./run/run.ts')).run(argv, host);
    if (plain === '') return 0;
    if (['help', '--help', '-h'].includes(argv[0] ?? '')) await writePaged(plain, host);
    else await writeOut(host.stdout, plain);
    return 0;
  } catch (error) {
    return (await import('./run/run.ts')).reportFailure(error, argv, host);
  }
}
