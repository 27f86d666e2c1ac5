import { providerCalls } from '../../api/box-provider.ts';
import { arg, command } from '../../command/command.ts';
import { code, fields, text } from '../../output/document.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from './lib/box-names.ts';
import { checksumTypeFlag, compareImage, uploadFollowUps, uploadImage } from './lib/image-upload.ts';
import { formatSize } from './lib/progress-bar.ts';
import { providerDisplayName } from './lib/provider/provider-name.ts';
import type { Provider } from './lib/views.ts';

export default command({
  description:
    'The provider must exist; "box publish" creates it. The checksum is computed during the upload and stored with the provider. An image with the same checksum is not uploaded again.',
  examples: ['lanyard box upload dev/web 1.0.0 virtualbox web.box'],
  service: 'box',
  writes: 'after reads',
  args: {
    box: boxArg,
    version: versionArg,
    provider: providerArg,
    file: arg.text('FILE', 'image file', { completes: 'file' }),
  },
  flags: { checksumType: checksumTypeFlag, architecture: architectureFlag },
  async run({ args, flags }, ctx) {
    const { architecture, checksumType: type } = flags;
    const at = { ...args.box, version: args.version, provider: args.provider };
    const name = providerDisplayName(at, architecture);
    const file = await ctx.files.openLarge(args.file, 'image');
    try {
      const box = await ctx.api.box();
      const { body: before } = await providerCalls(box, at, architecture).read();
      const desired = { at, architecture, file, type };
      const found = await compareImage(before, desired, ctx);
      if (found === 'same') {
        return {
          data: before,
          document: [text('The image of ', code(name), ' is already up to date.'), ...checksumOf(before)],
        };
      }
      if (found === 'other' && (await box.readVersion(at)).body.status === 'active')
        await ctx.input.confirm(`Replace the image of ${name}? The version is already released.`);
      if (ctx.output.dryRunFlag && found === 'other')
        ctx.output.note(`The existing image of ${name} would be replaced.`);
      let after: Provider;
      try {
        after = await uploadImage(before, desired, ctx);
      } catch (error) {
        if (ctx.output.isDryRun) return await ctx.output.dryRunResult(error, uploadFollowUps(file));
        throw error;
      }
      return {
        data: after,
        document: [
          text('Uploaded ', code(args.file), ` (${formatSize(file.size)}) as the image of `, code(name), '.'),
          ...checksumOf(after),
        ],
      };
    } finally {
      await file.close();
    }
  },
});

const checksumOf = ({ checksum, checksum_type }: Provider) => [
  fields([[checksum_type ?? 'checksum', checksum ?? '-']]),
];
