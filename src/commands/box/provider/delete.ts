import { command } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from '../names.ts';
import { deleted } from '../shared.ts';
import { nameOf, reading } from './shared.ts';

export default command({
  description: 'Deletes a provider with its image. This cannot be undone.',
  examples: ['lanyard box provider delete dev/web 1.0.0 libvirt'],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: { architecture: architectureFlag },
  async run({ args, flags }, ctx) {
    const { architecture } = flags;
    const box = await ctx.api.box();
    const at = { ...args.box, version: args.version, provider: args.provider };
    const name = nameOf(at, architecture);
    await ctx.io.confirm(`Delete provider ${name} with its image? This cannot be undone.`);
    const body = await deleted(
      () =>
        architecture === undefined ? box.deleteProvider(at) : box.deleteArchitecture({ ...at, architecture }),
      () => reading(box, at, architecture),
    );
    return { data: body, document: [text('Deleted provider ', code(name), '.')] };
  },
});
