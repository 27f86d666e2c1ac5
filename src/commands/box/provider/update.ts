import { command, flag } from '../../../cli/command.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { architectureFlag, boxArg, checkName, providerArg, versionArg } from '../lib/box-names.ts';
import { matchesSent, renameAndConfirm, requireChanges } from '../lib/confirmed-writes.ts';
import { providerFields, providerFlags } from '../lib/fields.ts';
import {
  defaultArchitecture,
  defaultArchitectureFlag,
  providerDisplayName,
  providerReader,
} from '../lib/provider/provider-name.ts';

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
    const name = flags.name === undefined ? undefined : checkName('provider', flags.name);
    const provider = {
      ...compact({ name }),
      ...providerFields(flags),
      ...defaultArchitecture(flags),
    };
    requireChanges(provider);
    const box = await ctx.api.box();
    const of = { ...args.box, version: args.version };
    const after = { ...of, provider: name ?? args.provider };
    const body = await renameAndConfirm(
      after.provider === args.provider ? undefined : `provider ${providerDisplayName(after, architecture)}`,
      () =>
        architecture === undefined
          ? box.updateProvider({ ...of, current: args.provider, provider })
          : box.updateArchitecture({ ...of, current: args.provider, architecture, provider }),
      () => providerReader(box, after, architecture),
      (existing) => matchesSent(existing, provider),
      ctx.output,
    );
    return {
      data: body,
      document: [text('Updated provider ', code(providerDisplayName(after, architecture)), '.')],
    };
  },
});
