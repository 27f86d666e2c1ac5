import { providerCalls } from '../../../api/box-provider.ts';
import { command } from '../../../command/command.ts';
import { architectureFlag, boxArg, boxTag, providerArg, versionArg } from '../lib/box-names.ts';
import { hasImage } from '../lib/release-checks.ts';
import { providerView } from '../lib/views.ts';

export default command({
  examples: ['lanyard box provider get dev/web 1.0.0 virtualbox'],
  service: 'box',
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: { architecture: architectureFlag },
  async run({ args, flags }, ctx) {
    const at = { ...args.box, version: args.version, provider: args.provider };
    const { body } = await providerCalls(await ctx.api.box(), at, flags.architecture).read();
    const isThere = await hasImage(body, ctx);
    return { data: body, document: providerView(`${boxTag(args.box)} ${args.version}`, body, isThere) };
  },
});
