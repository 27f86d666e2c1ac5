import type { Context } from '../../../../command/context.ts';
import { LanyardError, usage } from '../../../../errors.ts';

/** A program that is sshd, with its configuration. */
export interface Sshd {
  /** An absolute path: sshd requires it. */
  readonly program: string;
  readonly config: string;
}

/** Where sshd is, if PATH does not have it. */
const systemDirectories = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** @throws LanyardError usage: sshd is not installed, or the configuration does not exist. */
export async function findSshd(config: string, { files, system }: Context): Promise<Sshd> {
  if (!(await files.isFile(config))) {
    const cause = (await files.exists(config)) ? 'not a regular file' : 'no such file';
    throw usage(`cannot read the configuration of sshd from ${config}: ${cause}`, {
      hint: 'Install the OpenSSH server, or name its configuration with --sshd-config.',
    });
  }
  const directories = [...(system.env.PATH ?? '').split(':'), ...systemDirectories];
  for (const directory of directories.filter((each) => each.startsWith('/')))
    if (await files.isFile(`${directory}/sshd`)) return { program: `${directory}/sshd`, config };
  throw usage('cannot run sshd: command not found', { hint: 'Install the OpenSSH server.' });
}

/** The effective settings of sshd (`sshd -T`). */
export interface SshdSettings {
  /** The values of a setting, by its name in lower case; paths as sshd has them. */
  values(name: string): readonly string[];
  /** The only value; undefined: not set, or `none`. */
  value(name: string): string | undefined;
}

/** The error of a configuration that sshd rejects. */
const invalidConfigError = (details: readonly string[]): LanyardError =>
  new LanyardError('failure', 'sshd rejects its configuration', { details });

/**
 * Checks the configuration and reads the effective settings.
 *
 * @throws LanyardError failure: sshd rejects the configuration, with its messages.
 */
export async function readSshdSettings({ program, config }: Sshd, ctx: Context): Promise<SshdSettings> {
  const read = () => ctx.system.readOutput({ command: program, args: ['-T', '-f', config] });
  let ran = await read();
  const [, missing] = /Missing privilege separation directory: (\/\S+)/.exec(ran?.stderr ?? '') ?? [];
  if (missing !== undefined && !ctx.output.isDryRun) {
    // The service of sshd creates it when it starts.
    await ctx.files.createDirectory(missing);
    ran = await read();
  }
  if (ran?.code !== 0) throw invalidConfigError((ran?.stderr ?? '').trim().split('\n').slice(0, 8));
  const lines = ran.stdout.split('\n').map((line) => /^(\S+) (.*)$/.exec(line) ?? []);
  const values = (name: string): readonly string[] =>
    lines.flatMap(([, found, value = '']) => (found === name ? [value] : []));
  return {
    values,
    value: (name) => values(name).find((value) => value !== '' && value !== 'none'),
  };
}

/** Whether an error says that sshd has no host key. */
export const isWithoutHostKeys = (error: unknown): boolean =>
  error instanceof LanyardError && error.details.some((line) => /no hostkeys available/i.test(line));
