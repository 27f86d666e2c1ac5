import { providerCalls } from '../../../api/box-provider.ts';
import { command } from '../../../command/command.ts';
import { code, textResult } from '../../../output/document.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from '../lib/box-names.ts';
import { deleteAndConfirm } from '../lib/confirmed-writes.ts';
import { providerDisplayName } from '../lib/provider/provider-name.ts';

export default command({
  description: 'This cannot be undone.',
  examples: ['lanyard box provider delete dev/web 1.0.0 libvirt'],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: { architecture: architectureFlag },
  async run({ args, flags }, ctx) {
    const { architecture } = flags;
    const at = { ...args.box, version: args.version, provider: args.provider };
    const calls = providerCalls(await ctx.api.box(), at, architecture);
    const name = providerDisplayName(at, architecture);
    await ctx.input.confirm(`Delete provider ${name} with its image? This cannot be undone.`);
    const body = await deleteAndConfirm(calls.remove, calls.read);
    return textResult(body, 'Deleted provider ', code(name), '.');
  },
});
