import { command, flag } from '../../../cli/command.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { architectureFlag, boxArg, checkName, providerArg, versionArg } from '../lib/box-names.ts';
import { requireChanges, writeNamed } from '../lib/confirmed-writes.ts';
import { providerFields, providerFlags } from '../lib/fields.ts';
import {
  defaultArchitecture,
  defaultArchitectureFlag,
  providerCalls,
  providerDisplayName,
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
    const at = { ...args.box, version: args.version, provider: args.provider };
    const after = { ...at, provider: name ?? args.provider };
    const body = await writeNamed(
      after.provider === args.provider
        ? undefined
        : { name: `provider ${providerDisplayName(after, architecture)}` },
      () => providerCalls(box, at, architecture).update(provider),
      providerCalls(box, after, architecture).read,
      provider,
      ctx.output,
    );
    return {
      data: body,
      document: [text('Updated provider ', code(providerDisplayName(after, architecture)), '.')],
    };
  },
});
