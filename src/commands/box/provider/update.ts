import { providerCalls } from '../../../api/box-provider.ts';
import { command, flag } from '../../../command/command.ts';
import { compact } from '../../../wire/objects.ts';
import { architectureFlag, boxArg, checkName, providerArg, versionArg } from '../lib/box-names.ts';
import { requireChanges, updateNamed } from '../lib/confirmed-writes.ts';
import { providerFields, providerFlags } from '../lib/fields.ts';
import {
  defaultArchitecture,
  defaultArchitectureFlag,
  providerDisplayName,
} from '../lib/provider/provider-name.ts';

export default command({
  description: 'Changes the given fields; others are unchanged.',
  examples: ['lanyard box provider update dev/web 1.0.0 libvirt --url https://example.com/web-2.box'],
  service: 'box',
  writes: 'after reads',
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
    const at = { ...args.box, version: args.version, provider: args.provider };
    const after = { ...at, provider: name ?? args.provider };
    return updateNamed(
      {
        noun: 'provider',
        name: providerDisplayName(after, architecture),
        isRenamed: after.provider !== args.provider,
        sent: provider,
        readBefore: providerCalls(box, at, architecture).read,
        readAfter: providerCalls(box, after, architecture).read,
      },
      () => providerCalls(box, at, architecture).update(provider),
      ctx.output,
    );
  },
});
