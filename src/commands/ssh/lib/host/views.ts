import type { Context } from '../../../../command/context.ts';
import { type Block, code, raw, text } from '../../../../output/document.ts';
import type { Enrolled } from './enroll.ts';
import type { HostPaths } from './paths.ts';
import type { Changes } from './reconcile.ts';
import { cronLine, hasSystemd, renewCommand } from './units.ts';

/** What was written and reloaded. */
export function changesView({ written, restored, reloaded }: Changes): Block[] {
  if (written.length + restored.length === 0 && reloaded === null) return [text('This host is up to date.')];
  return [
    ...written.map((path) => text('Wrote ', code(path), '.')),
    ...restored.map((path) => text('No longer needed and removed: ', code(path), '.')),
    ...(reloaded === null ? [] : [text('Reloaded sshd (', code(reloaded), ').')]),
  ];
}

/** What is left to do after an enrollment. */
export async function nextSteps(
  { enrollment, written, reloaded }: Enrolled,
  paths: HostPaths,
  ctx: Context,
): Promise<{ readonly cron: string | null; readonly blocks: Block[] }> {
  const { unitDirectory, reload } = enrollment;
  if (written.length === 0) return { cron: null, blocks: [] };
  const blocks =
    reloaded !== null
      ? []
      : [
          text(
            reload === false
              ? 'Reload sshd to use the files.'
              : 'No running sshd with this configuration was found to reload.',
          ),
        ];
  if (unitDirectory === false || (await hasSystemd(ctx))) return { cron: null, blocks };
  if (unitDirectory !== undefined) {
    const start = `systemctl enable --now ${unitDirectory}/${paths.unit}.timer`;
    return {
      cron: null,
      blocks: [...blocks, text('systemd does not run here. Start the timer with ', code(start), '.')],
    };
  }
  const cron = cronLine(await renewCommand(paths, ctx), ctx.system.random(1)[0] ?? 0);
  const file = code('/etc/cron.d/lanyard-ssh-host');
  return {
    cron,
    blocks: [...blocks, text('systemd does not run here. Add this line to ', file, ':'), raw(`${cron}\n`)],
  };
}
