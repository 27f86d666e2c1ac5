import { arg, command } from '../../command.ts';
import { code, fields, text } from '../../output/document.ts';
import { afterAddress, callsOf, checksumTypeFlag, standing, uploadImage } from './image.ts';
import { size } from './meter.ts';
import { architectureFlag, boxArg, providerArg, versionArg } from './names.ts';
import { nameOf } from './provider/shared.ts';
import type { Provider } from './views.ts';

export default command({
  description:
    'The provider must exist; "box publish" creates it. The checksum is computed during the upload and stored with the provider. An image with the same checksum is not uploaded again.',
  examples: ['lanyard box upload dev/web 1.0.0 virtualbox web.box'],
  service: 'box',
  writes: true,
  readsFirst: true,
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
    const name = nameOf(at, architecture);
    const file = await ctx.files.large(args.file, 'image');
    try {
      const box = await ctx.api.box();
      const { body: before } = await callsOf(box, at, architecture).read();
      const wanted = { at, architecture, file, type };
      const found = await standing(before, wanted, ctx);
      if (found === 'same') {
        return {
          data: before,
          document: [text('The image of ', code(name), ' is already up to date.'), ...sumOf(before)],
        };
      }
      if (found === 'other' && (await box.readVersion(at)).body.status === 'active')
        await ctx.io.confirm(`Replace the image of ${name}? The version is already released.`);
      if (ctx.dryRun && found === 'other') ctx.io.note(`The existing image of ${name} would be replaced.`);
      let after: Provider;
      try {
        after = await uploadImage(before, wanted, ctx);
      } catch (error) {
        if (ctx.rehearsal) return await ctx.rehearsed(error, afterAddress(file));
        throw error;
      }
      return {
        data: after,
        document: [
          text('Uploaded ', code(args.file), ` (${size(file.size)}) as the image of `, code(name), '.'),
          ...sumOf(after),
        ],
      };
    } finally {
      await file.close();
    }
  },
});

const sumOf = ({ checksum, checksum_type }: Provider) => [
  fields([[checksum_type ?? 'checksum', checksum ?? '-']]),
];
