import { command, flag } from '../../../../command/command.ts';
import { conflict } from '../../../../errors.ts';
import { text } from '../../../../output/document.ts';
import { mountFlag } from '../../lib/mount.ts';
import { deleteStep, rollBackIssuers } from '../../lib/rotate/issuers.ts';
import { disableStep, rollBackMounts } from '../../lib/rotate/mounts.ts';
import { rotationMounts } from '../../lib/rotate/paths.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { runSteps } from '../../lib/rotate/steps.ts';
import type { Rotation } from '../../lib/rotate/types.ts';
import { fingerprintOf, rotationResult } from '../../lib/rotate/view.ts';

export default command({
  description:
    'Makes the old CA sign again, until it is retired. The new CA is unchanged, certificates that it signed stay valid, and hosts still trust it. --delete also deletes the new CA: its certificates cannot be renewed, and hosts trust it until "ssh trust --remove".',
  examples: ['lanyard ssh ca rotate rollback', 'lanyard ssh ca rotate rollback --delete'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets mount'],
  flags: { delete: flag.boolean('delete the new CA too, and end the rotation'), mount: mountFlag },
  async run({ flags }, ctx) {
    const { mount } = flags;
    const secrets = await ctx.api.secrets();
    const rotation = await readRotation(secrets, mount);
    const { phase } = rotation;
    if (phase === 'none')
      throw conflict(`cannot roll back: no rotation of ${mount}/ is in progress`, { service: 'secrets' });
    const isBack = phase === 'started' || phase === 'starting';
    if (isBack && !flags.delete)
      return rotationResult(rotation, ctx, text(`The old CA of ${mount}/ signs: nothing to roll back.`));
    const keys = await ctx.ssh.keys();
    const removed = rotation.new ? ` ${fingerprintOf(keys, rotation.new)}` : '';
    await ctx.input.confirm(
      flags.delete
        ? `Sign with the old CA of ${mount}/, and delete the new one${removed}? Its certificates stay valid, and hosts trust it until you remove it. This cannot be undone.`
        : `Sign with the old CA ${fingerprintOf(keys, rotation.old)} of ${mount}/ again? Certificates of the new one stay valid.`,
    );
    const back = isBack
      ? []
      : rotation.kind === 'mounts'
        ? await rollBackMounts(secrets, rotation, ctx)
        : rotation.new
          ? await rollBackIssuers(secrets, rotation, rotation.new)
          : [];
    await runSteps([...back, ...(flags.delete ? [deleteNew(rotation)] : [])], ctx);
    const now = await readRotation(secrets, mount);
    const did = isBack ? 'Deleted the new CA' : 'The old CA';
    return rotationResult(
      now,
      ctx,
      text(isBack ? `Deleted the new CA of ${mount}/.` : `${did} of ${mount}/ signs again.`),
    );

    function deleteNew({ kind, new: next }: Rotation) {
      return kind === 'issuers' && next?.issuer
        ? deleteStep(secrets, mount, next.issuer)
        : disableStep(secrets, rotationMounts(mount).new);
    }
  },
});
