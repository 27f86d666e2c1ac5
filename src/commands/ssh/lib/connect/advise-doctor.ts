import type { Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { shellWord } from '../../../../wire/printable.ts';
import type { connectFlags } from './connection.ts';
import type { SshArguments } from './ssh-arguments.ts';

/**
 * After ssh ended with its own exit code for failures: a note with the command that finds the cause. None after an
 * interruption. A remote command may have ended with the same code, so the note does not say that the login failed.
 */
export async function adviseDoctor(
  host: string,
  role: string,
  flags: Values<typeof connectFlags>,
  { options }: SshArguments,
  { output, system }: Pick<Context, 'output' | 'system'>,
): Promise<void> {
  if (system.signal.aborted) return;
  const given: readonly (readonly [string, string | undefined])[] = [
    ['role', role],
    ['mode', flags.mode],
    ['host-ca', flags.hostCa],
    ['principals', flags.principals?.join(',')],
    ['key', flags.key],
    ['ip', flags.ip],
  ];
  const words = [
    shellWord(host),
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`])),
    ...(flags.agentKey ? ['--agent-key'] : []),
  ];
  const ssh = options.map(([letter, value]) => `-${letter}${value === '' ? '' : ` ${shellWord(value)}`}`);
  const line = [...words, ...(ssh.length === 0 ? [] : ['--', ...ssh])].join(' ');
  output.note(
    await output.repeatFlags(`If the login failed, run \`lanyard ssh doctor ${line}\` to find the cause.`),
  );
}
