import { command, flag, passWarnings } from '../../../command.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';

export default command({
  description:
    'Brings the CA key pair back from a loaded snapshot. A CA that is there now is replaced by it.',
  examples: ['lanyard ssh ca recover --snapshot 2b5f3a1e'],
  service: 'secrets',
  writes: true,
  args: {},
  flags: {
    snapshot: flag.required('ID', 'the loaded snapshot'),
    mount: mountFlag,
  },
  async run({ flags }, ctx) {
    const mount = mountOf(flags);
    await ctx.io.confirm(`Replace the CA key pair of ${mount}/ by that of snapshot ${flags.snapshot}?`);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.recoverCa({ mount, snapshot: flags.snapshot });
    passWarnings(ctx.io, body);
    return {
      data: body ?? null,
      document: [text(`The CA of ${mount}/ is that of snapshot ${flags.snapshot} again.`)],
    };
  },
});
