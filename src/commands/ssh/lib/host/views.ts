import type { Context } from '../../../../command/context.ts';
import { type Block, code, text } from '../../../../output/document.ts';
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
  { noTimer }: { readonly noTimer: boolean },
  paths: HostPaths,
  ctx: Context,
): Promise<{ readonly cron: string | null; readonly blocks: Block[] }> {
  const blocks: Block[] = [];
  if (written.length > 0 && reloaded === null)
    blocks.push(
      text(
        enrollment.reload === false
          ? 'Reload sshd to use the files.'
          : 'No running sshd with this configuration was found to reload.',
      ),
    );
  const { unitDirectory } = enrollment;
  if (unitDirectory !== undefined && written.length > 0 && !(await hasSystemd(ctx))) {
    const name = `${unitDirectory}/${paths.unit}.timer`;
    blocks.push(
      text('systemd does not run here. Start the timer with ', code(`systemctl enable --now ${name}`), '.'),
    );
  }
  if (unitDirectory !== undefined || noTimer) return { cron: null, blocks };
  const cron = cronLine(await renewCommand(paths, ctx), ctx.system.random(1)[0] ?? 0);
  blocks.push(
    text('systemd does not run here. Add this line to ', code('/etc/cron.d/lanyard-ssh-host'), ':'),
  );
  blocks.push({ kind: 'raw', text: `${cron}\n` });
  return { cron, blocks };
}
