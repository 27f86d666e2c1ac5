import { command } from '../../../../command/command.ts';
import { mountFlag } from '../../lib/mount.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { rotationResult } from '../../lib/rotate/view.ts';

export default command({
  description:
    'Shows the phase, both CAs with their fingerprints, how long certificates of the old one are valid, and the next command. The phase is derived from the service, and is right after an interruption or a step that was done by hand.',
  examples: ['lanyard ssh ca rotate status', 'lanyard ssh ca rotate status --mount ssh-hosts -o json'],
  service: 'secrets',
  readsActive: true,
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    return rotationResult(await readRotation(await ctx.api.secrets(), mount), ctx);
  },
});
