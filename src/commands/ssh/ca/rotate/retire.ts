import { command, flag } from '../../../../command/command.ts';
import { conflict } from '../../../../errors.ts';
import { rawLine, text } from '../../../../output/document.ts';
import { formatTimestamp } from '../../../../output/humanize.ts';
import { mountFlag } from '../../lib/mount.ts';
import { deleteStep } from '../../lib/rotate/issuers.ts';
import { disableStep } from '../../lib/rotate/mounts.ts';
import { rotationMounts } from '../../lib/rotate/paths.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { runSteps } from '../../lib/rotate/steps.ts';
import { removeCommands } from '../../lib/rotate/trust-commands.ts';
import { fingerprintOf, hoursText, rotationResult, secondsLeft } from '../../lib/rotate/view.ts';

export default command({
  description:
    'The time is computed from the roles at the switch; before it, the exit code is 6. Prompts for confirmation, and prints the commands that remove the old CA from hosts and clients.',
  examples: ['lanyard ssh ca rotate retire'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets mount'],
  flags: {
    force: flag.boolean('do not wait: certificates of the old CA that are still valid can be rejected'),
    mount: mountFlag,
  },
  async run({ flags }, ctx) {
    const { mount } = flags;
    const secrets = await ctx.api.secrets();
    const rotation = await readRotation(secrets, mount);
    const { phase, old, oldValidUntil } = rotation;
    if (phase !== 'switched' || oldValidUntil === undefined)
      throw conflict(`cannot retire the old CA of ${mount}/: phase ${phase}`, {
        service: 'secrets',
        hint: 'Run `lanyard ssh ca rotate status` to see what is next.',
      });
    const left = secondsLeft(rotation, ctx.system.clock()) ?? 0;
    if (left > 0 && !flags.force)
      throw conflict(
        `cannot retire the old CA of ${mount}/: its certificates are valid until ${formatTimestamp(oldValidUntil)} (${hoursText(left)} left)`,
        {
          service: 'secrets',
          hint: 'Wait until then; in an emergency, use --force and expect rejected logins.',
        },
      );
    const keys = await ctx.ssh.keys();
    const fingerprint = fingerprintOf(keys, old);
    await ctx.input.confirm(
      `Delete the old CA ${fingerprint} of ${mount}/ with its private key? ${left > 0 ? `Its certificates are valid for another ${hoursText(left)}. ` : ''}This cannot be undone.`,
    );
    const removals = await removeCommands(secrets, rotation, fingerprint);
    await runSteps(
      [old.issuer ? deleteStep(secrets, mount, old.issuer) : disableStep(secrets, rotationMounts(mount).old)],
      ctx,
    );
    const { data, document } = await rotationResult(
      await readRotation(secrets, mount),
      ctx,
      text(`Deleted the old CA ${fingerprint} of ${mount}/. On hosts and clients, run:`),
      ...removals.map(rawLine),
    );
    return { data: { ...data, removed: fingerprint, commands: removals }, document };
  },
});
