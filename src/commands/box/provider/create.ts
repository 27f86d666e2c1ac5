import { command } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';
import { providerFields, providerFlags } from '../fields.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from '../names.ts';
import { created, shows } from '../shared.ts';
import { defaultArchitectureFlag, defaultOf, nameOf, reading } from './shared.ts';

export default command({
  description: 'Without --url, upload the image with "box upload".',
  examples: [
    'lanyard box provider create dev/web 1.0.0 virtualbox',
    'lanyard box provider create dev/web 1.0.0 libvirt --url https://example.com/web.box --checksum 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg, provider: providerArg },
  flags: {
    ...providerFlags,
    architecture: architectureFlag,
    defaultArchitecture: defaultArchitectureFlag,
  },
  async run({ args, flags }, ctx) {
    const { architecture } = flags;
    const fields = { ...providerFields(flags), ...defaultOf(flags) };
    const box = await ctx.api.box();
    const of = { ...args.box, version: args.version };
    const at = { ...of, provider: args.provider };
    const provider = { name: args.provider, ...fields };
    const name = nameOf(at, architecture);
    const body = await created(
      {
        name: `provider ${name}`,
        update: `box provider update ${nameOf(at, undefined)}${architectureWords(architecture)}`,
      },
      () =>
        architecture === undefined
          ? box.createProvider({ ...of, provider })
          : box.createArchitecture({ ...of, provider: { ...provider, architecture } }),
      () => reading(box, at, architecture),
      (there) => shows(there, fields),
      ctx.io,
    );
    const next =
      fields.url === undefined ? [' Run ', code('lanyard box upload'), ' to upload its image.'] : [];
    return {
      data: body,
      document: [text('Created provider ', code(name), '.', ...next)],
    };
  },
});

const architectureWords = (architecture: string | undefined): string =>
  architecture === undefined ? '' : ` --architecture ${architecture}`;
