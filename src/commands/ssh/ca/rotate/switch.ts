import { command } from '../../../../command/command.ts';
import { conflict } from '../../../../errors.ts';
import { text } from '../../../../output/document.ts';
import { mountFlag } from '../../lib/mount.ts';
import { switchIssuers } from '../../lib/rotate/issuers.ts';
import { switchMounts } from '../../lib/rotate/mounts.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { runSteps } from '../../lib/rotate/steps.ts';
import type { Rotation } from '../../lib/rotate/types.ts';
import { fingerprintOf, rotationResult } from '../../lib/rotate/view.ts';

export default command({
  description:
    'Records when the last certificate of the old CA expires; paths, policies and profiles are unchanged. Prompts for confirmation: hosts that do not trust the new CA reject its certificates. After an interruption, run the same command again.',
  examples: ['lanyard ssh ca rotate switch'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets mount'],
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const rotation = await readRotation(secrets, mount);
    const { phase } = rotation;
    if (phase === 'switched')
      return rotationResult(rotation, ctx, text(`The new CA of ${mount}/ already signs.`));
    if (phase === 'none' || phase === 'starting' || !rotation.new)
      throw conflict(`cannot switch to a new CA in ${mount}/: no rotation is started (phase ${phase})`, {
        service: 'secrets',
        hint: 'Run `lanyard ssh ca rotate start` to create the new CA.',
      });
    const keys = await ctx.ssh.keys();
    await ctx.input.confirm(
      `Sign with the new CA ${fingerprintOf(keys, rotation.new)} of ${mount}/? Hosts and clients must trust it already. ${effectOf(rotation)}`,
    );
    await runSteps(
      rotation.kind === 'mounts'
        ? await switchMounts(secrets, rotation, ctx)
        : rotation.new
          ? await switchIssuers(secrets, rotation, rotation.new, ctx)
          : [],
      ctx,
    );
    const switched = await readRotation(secrets, mount);
    return rotationResult(switched, ctx, text(`The new CA of ${mount}/ signs now.`));
  },
});

function effectOf({ kind, mount, rolesOfOld }: Rotation): string {
  if (kind === 'mounts')
    return `The mounts are exchanged: for a moment ${mount}/ does not exist, and its one-time passwords are revoked.`;
  return rolesOfOld.length === 0 ? '' : `Roles that are changed: ${rolesOfOld.join(', ')}.`;
}
