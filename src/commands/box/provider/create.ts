import { command } from '../../../cli/command.ts';
import { code, text } from '../../../output/document.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from '../lib/box-names.ts';
import { createAndConfirm, matchesSent } from '../lib/confirmed-writes.ts';
import { providerFields, providerFlags } from '../lib/fields.ts';
import {
  defaultArchitecture,
  defaultArchitectureFlag,
  providerDisplayName,
  providerReader,
} from '../lib/provider/provider-name.ts';

export default command({
  description: 'Without --url, upload the image with "box upload".',
  examples: [
    'lanyard box provider create dev/web 1.0.0 virtualbox',
    'lanyard box provider create dev/web 1.0.0 libvirt --url https://example.com/web.box --checksum 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: { ...providerFlags, architecture: architectureFlag, defaultArchitecture: defaultArchitectureFlag },
  async run({ args, flags }, ctx) {
    const { architecture } = flags;
    const fields = { ...providerFields(flags), ...defaultArchitecture(flags) };
    const box = await ctx.api.box();
    const of = { ...args.box, version: args.version };
    const at = { ...of, provider: args.provider };
    const provider = { name: args.provider, ...fields };
    const name = providerDisplayName(at, architecture);
    const body = await createAndConfirm(
      {
        name: `provider ${name}`,
        update: `box provider update ${providerDisplayName(at, undefined)}${architectureWords(architecture)}`,
      },
      () =>
        architecture === undefined
          ? box.createProvider({ ...of, provider })
          : box.createArchitecture({ ...of, provider: { ...provider, architecture } }),
      () => providerReader(box, at, architecture),
      (existing) => matchesSent(existing, fields),
      ctx.output,
    );
    const next =
      fields.url === undefined ? [' Run ', code('lanyard box upload'), ' to upload its image.'] : [];
    return { data: body, document: [text('Created provider ', code(name), '.', ...next)] };
  },
});

const architectureWords = (architecture: string | undefined): string =>
  architecture === undefined ? '' : ` --architecture ${architecture}`;
