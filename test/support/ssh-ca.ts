import type { Home, RunOptions } from './run.ts';

/** Runs a command that has to succeed. @returns what it wrote to standard output. */
export async function done(at: Home, argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const ran = await at.run(argv, options);
  if (ran.code !== 0) throw new Error(`lanyard ${argv.join(' ')}: exit code ${ran.code}\n${ran.stderr}`);
  return ran.stdout;
}

/**
 * Mounts an SSH engine and gives it a CA, with the flags of `ssh ca create`.
 * @returns the CA's public key line.
 */
export async function mountCa(at: Home, mount: string, flags: readonly string[]): Promise<string> {
  const body = { stdin: '{"type":"ssh"}' };
  await done(at, ['api', 'secrets', 'POST', `sys/mounts/${mount}`, '--data', '-'], body);
  await done(at, ['ssh', 'ca', 'create', '--mount', mount, ...flags]);
  return done(at, ['ssh', 'ca', 'public-key', '--mount', mount]);
}
