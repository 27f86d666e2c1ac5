import { command } from '../../../command.ts';
import { architectureFlag, boxArg, providerArg, tagOf, versionArg } from '../names.ts';
import { hasImage } from '../releasing.ts';
import { providerView } from '../views.ts';
import { reading } from './shared.ts';

export default command({
  examples: ['lanyard box provider get dev/web 1.0.0 virtualbox'],
  service: 'box',
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: { architecture: architectureFlag },
  async run({ args, flags }, ctx) {
    const at = { ...args.box, version: args.version, provider: args.provider };
    const { body } = await reading(await ctx.api.box(), at, flags.architecture);
    const isThere = await hasImage(body, ctx);
    return { data: body, document: providerView(`${tagOf(args.box)} ${args.version}`, body, isThere) };
  },
});
