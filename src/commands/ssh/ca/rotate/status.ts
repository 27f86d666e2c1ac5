import { command } from '../../../../command/command.ts';
import { mountFlag } from '../../lib/mount.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { rotationResult } from '../../lib/rotate/view.ts';

export default command({
  description:
    'Phases are none, started (the old CA signs) and switched (the new CA signs); starting and switching are incomplete steps. The phase is derived from the service, also after an interruption or a step by hand.',
  examples: ['lanyard ssh ca rotate status', 'lanyard ssh ca rotate status --mount ssh-hosts -o json'],
  service: 'secrets',
  readsActive: true,
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    return rotationResult(await readRotation(await ctx.api.secrets(), mount), ctx);
  },
});
