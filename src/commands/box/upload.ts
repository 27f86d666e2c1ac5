import { arg, command } from '../../command.ts';
import { code, fields, text } from '../../output/document.ts';
import { afterAddress, callsOf, checksumTypeFlag, standing, uploadImage } from './image.ts';
import { size } from './meter.ts';
import { architectureFlag, boxArg, providerArg, tagOf, versionArg } from './names.ts';
import { nameOf } from './provider/shared.ts';
import type { Provider } from './views.ts';

export default command({
  description:
    'The provider has to be there; "lanyard box publish" creates it. The checksum is computed while the file is sent, and stored with the provider. An image that is there already, with the same checksum, is not sent again.',
  examples: ['lanyard box upload acme/web 1.0.0 virtualbox web.box'],
  service: 'box',
  writes: true,
  readsFirst: true,
  args: {
    box: boxArg,
    version: versionArg,
    provider: providerArg,
    file: arg.text('FILE', 'the image', { completes: 'file' }),
  },
  flags: { checksumType: checksumTypeFlag, architecture: architectureFlag },
  async run({ args, flags }, ctx) {
    const { architecture, checksumType: type } = flags;
    const at = { ...args.box, version: args.version, provider: args.provider };
    const name = nameOf(at, architecture);
    const file = await ctx.files.large(args.file, 'the image');
    try {
      const box = await ctx.api.box();
      const { body: before } = await callsOf(box, at, architecture).read();
      const wanted = { at, architecture, file, type };
      const found = await standing(before, wanted, ctx);
      if (found === 'same') {
        return {
          data: before,
          document: [text(code(name), ' has this image already; nothing was sent.'), ...sumOf(before)],
        };
      }
      if (found === 'other' && (await box.readVersion(at)).body.status === 'active')
        await ctx.io.confirm(`${tagOf(at)} ${at.version} is released: replace the image that people get?`);
      if (ctx.dryRun && found === 'other') ctx.io.note(`The image that ${name} has would be replaced.`);
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
