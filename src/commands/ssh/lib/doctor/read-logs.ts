import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import type { ClientLog } from '../../../../ssh/diagnosis/client-log.ts';
import type { ServerLog } from '../../../../ssh/diagnosis/server-log.ts';
import type { ClientSettings } from '../../../../ssh/types.ts';

/** Logs of a server can be large: only their end is about the last login. */
const maxBytes = 256 * 1024 * 1024;
const tailLength = 4 * 1024 * 1024;

/**
 * Reads logs, whose content says which side wrote them.
 *
 * @param paths `-`: standard input.
 * @throws LanyardError usage: a file that cannot be read, or is no log of ssh or sshd.
 */
export async function readLogs(
  paths: readonly string[],
  { settings, hops }: { readonly settings: ClientSettings; readonly hops: number },
  ctx: Context,
): Promise<{ readonly client: ClientLog | undefined; readonly server: ServerLog | undefined }> {
  const diagnosis = await ctx.ssh.diagnosis();
  let client: ClientLog | undefined;
  let server: ServerLog | undefined;
  for (const path of paths) {
    const text =
      path === '-'
        ? (await ctx.input.readStdin()).toString('utf8')
        : await ctx.files.readText(path, 'the log', maxBytes);
    const tail = text.slice(-tailLength);
    if (diagnosis.isClientLog(tail)) {
      client = diagnosis.readClientLog(tail, hops);
      continue;
    }
    const found = diagnosis.readServerLog(tail, settings.user);
    if (found === undefined)
      throw usage(
        `${path === '-' ? 'standard input' : path} is not output of ssh -v or a log of sshd with a login of ${settings.user}`,
        {
          hint: 'Run `ssh -v HOST 2> ssh.log` for the first, `sudo journalctl -u ssh -u sshd > sshd.log` on the host for the second.',
        },
      );
    server = found;
  }
  return { client, server };
}
