import { command, flag } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';
import { providerFields, providerFlags } from '../fields.ts';
import { architectureFlag, boxArg, checkedName, providerArg, versionArg } from '../names.ts';
import { present, refuseNothing, renamed, shows } from '../shared.ts';
import { defaultArchitectureFlag, defaultOf, nameOf, reading } from './shared.ts';

export default command({
  description: 'Changes only the given fields.',
  examples: ['lanyard box provider update dev/web 1.0.0 libvirt --url https://example.com/web-2.box'],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: {
    ...providerFlags,
    name: flag.text('NAME', 'new name'),
    architecture: architectureFlag,
    defaultArchitecture: defaultArchitectureFlag,
  },
  async run({ args, flags }, ctx) {
    const { architecture } = flags;
    const name = flags.name === undefined ? undefined : checkedName('provider', flags.name);
    const provider = {
      ...present<{ name: string }>({ name }),
      ...providerFields(flags),
      ...defaultOf(flags),
    };
    refuseNothing(provider);
    const box = await ctx.api.box();
    const of = { ...args.box, version: args.version };
    const after = { ...of, provider: name ?? args.provider };
    const body = await renamed(
      after.provider === args.provider ? undefined : `provider ${nameOf(after, architecture)}`,
      () =>
        architecture === undefined
          ? box.updateProvider({ ...of, current: args.provider, provider })
          : box.updateArchitecture({ ...of, current: args.provider, architecture, provider }),
      () => reading(box, after, architecture),
      (there) => shows(there, provider),
      ctx.io,
    );
    return {
      data: body,
      document: [text('Updated provider ', code(nameOf(after, architecture)), '.')],
    };
  },
});
