import type { Context } from '../../../../command/context.ts';
import { LanyardError } from '../../../../errors.ts';
import { shellWord } from '../../../../wire/printable.ts';
import type { Enrollment } from './manifest.ts';
import { defaultConfig, type HostPaths } from './paths.ts';
import type { SshdSettings } from './sshd.ts';
import { hasSystemd } from './units.ts';

/** The names of the service of sshd: on Debian, and on other distributions. */
const services = ['ssh.service', 'sshd.service'];

/**
 * The command that makes the running sshd read its files again, and keeps open sessions.
 *
 * @returns undefined: sshd does not run, or must not be reloaded.
 */
export async function reloadCommand(
  paths: HostPaths,
  { reload }: Pick<Enrollment, 'reload'>,
  settings: SshdSettings,
  ctx: Context,
): Promise<readonly string[] | undefined> {
  if (reload === false) return undefined;
  if (reload !== undefined) return ['sh', '-c', reload];
  if (paths.config === defaultConfig && (await hasSystemd(ctx)))
    for (const service of services) {
      const args = ['is-active', '--quiet', service];
      const ran = await ctx.system.readOutput({ command: 'systemctl', args });
      if (ran?.code === 0) return ['systemctl', 'reload', service];
    }
  const pid = await readPid(settings.value('pidfile'), ctx);
  return pid === undefined ? undefined : ['kill', '-HUP', pid];
}

/** The process of a PID file, if it is sshd: the file may be outdated. */
async function readPid(file: string | undefined, { files }: Context): Promise<string | undefined> {
  if (file === undefined || !(await files.isFile(file))) return undefined;
  const pid = (await files.readText(file, 'the process ID of sshd')).trim();
  if (!/^[1-9]\d*$/.test(pid)) return undefined;
  const name = `/proc/${pid}/comm`;
  if (!(await files.isDirectory('/proc/self'))) return pid;
  return (await files.isFile(name)) && /^sshd/.test(await files.readText(name, 'the name of the program'))
    ? pid
    : undefined;
}

/** Runs a command whose output is not the result. @throws LanyardError unknown: it failed; `done` was done before. */
export async function runStep(words: readonly string[], done: string, ctx: Context): Promise<void> {
  const [command = '', ...args] = words;
  ctx.output.detail(`running ${words.map(shellWord).join(' ')}`);
  const code = await ctx.system.runChild({ command, args, stdout: 'stderr' });
  if (code === 0) return;
  throw new LanyardError(
    'unknown',
    `${done}, but "${words.map(shellWord).join(' ')}" failed (exit code ${code})`,
    {
      hint: 'Fix the cause, and run the same command again to continue.',
    },
  );
}
