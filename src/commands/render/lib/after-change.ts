import type { Values } from '../../../command/command.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { parseSignal } from '../../run/lib/watch-flags.ts';

/** Flags of what follows when a file was written. */
export const afterChangeFlags = {
  exec: flag.name('COMMAND', 'run with sh if a file was written, such as "systemctl reload nginx"'),
  signal: flag.parsed('SIGNAL', 'send to the process of --pid-file if a file was written', (given, name) =>
    parseSignal(given, name),
  ),
  pidFile: flag.file('FILE', 'file with the process ID for --signal'),
} as const;

type Flags = Values<typeof afterChangeFlags>;

/** @throws LanyardError usage: flags that require each other. */
export function checkAfterChange({ signal, pidFile }: Flags): void {
  if ((signal === undefined) !== (pidFile === undefined))
    throw usage('--signal and --pid-file require each other');
}

/**
 * Runs the command of `--exec`, then sends the signal of `--signal`. The output of the command goes to standard error.
 *
 * @throws LanyardError failure: the command failed, or the process does not exist.
 */
export async function afterChange(
  { exec, signal, pidFile }: Flags,
  { files, output, system }: Pick<Context, 'files' | 'output' | 'system'>,
): Promise<void> {
  if (exec !== undefined) {
    const exitCode = await system.runChild({
      command: 'sh',
      args: ['-c', exec],
      stdout: 'stderr',
      interrupts: true,
    });
    if (exitCode !== 0)
      throw new LanyardError('failure', `the command of --exec failed with exit code ${exitCode}`, {
        hint: 'The files are written, and the command does not run again until one changes. Run it again yourself.',
      });
  }
  if (signal === undefined || pidFile === undefined) return;
  const content = await files.readText(pidFile, 'the process ID', 1024);
  const [, pid] = /^\s*(\d{1,10})\s*$/.exec(content) ?? [];
  // 0 and 1 are the own process group and the first process of the system.
  if (pid === undefined || Number(pid) < 2) throw usage(`${pidFile} does not contain a process ID`);
  if (!(await system.signalProcess(Number(pid), signal)))
    throw new LanyardError('failure', `cannot send ${signal}: process ${pid} of ${pidFile} does not exist`);
  output.detail(`sent ${signal} to process ${pid}`);
}
