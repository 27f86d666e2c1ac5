import { providerCalls } from '../../../api/box-provider.ts';
import { command } from '../../../command/command.ts';
import { code, textResult } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from '../lib/box-names.ts';
import { writeNamed } from '../lib/confirmed-writes.ts';
import { providerFields, providerFlags } from '../lib/fields.ts';
import {
  defaultArchitecture,
  defaultArchitectureFlag,
  providerDisplayName,
} from '../lib/provider/provider-name.ts';

export default command({
  description: 'Without --url, use "box upload".',
  examples: [
    'lanyard box provider create dev/web 1.0.0 virtualbox',
    'lanyard box provider create dev/web 1.0.0 libvirt --url https://example.com/web.box',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: { ...providerFlags, architecture: architectureFlag, defaultArchitecture: defaultArchitectureFlag },
  async run({ args, flags }, ctx) {
    const { architecture } = flags;
    const fields = { ...providerFields(flags), ...defaultArchitecture(flags) };
    const at = { ...args.box, version: args.version, provider: args.provider };
    const calls = providerCalls(await ctx.api.box(), at, architecture);
    const name = providerDisplayName(at, architecture);
    const body = await writeNamed(
      {
        name: `provider ${name}`,
        update: `box provider update ${providerDisplayName(at, undefined)}${architecture === undefined ? '' : ` --architecture ${architecture}`}`,
      },
      () => calls.create(compact({ ...fields, architecture })),
      calls.read,
      fields,
      ctx.output,
    );
    const next =
      fields.url === undefined ? [' Run ', code('lanyard box upload'), ' to upload its image.'] : [];
    return textResult(body, 'Created provider ', code(name), '.', ...next);
  },
});
