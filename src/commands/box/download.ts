import type { BoxClient } from '../../api/box.ts';
import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, notFound, usage } from '../../errors.ts';
import type { PartFile } from '../../io/part-file.ts';
import { code, fields, text } from '../../output/document.ts';
import { type ChecksumType, checksumTypes } from './fields.ts';
import { callsOf } from './image.ts';
import { meter, size } from './meter.ts';
import {
  architectureFlag,
  type BoxName,
  boxArg,
  checkedName,
  checkedVersion,
  served,
  tagOf,
} from './names.ts';
import { nameOf, type ProviderName } from './provider/shared.ts';
import type { Provider, Version } from './views.ts';

export default command({
  description:
    'PROVIDER is optional if the version has only one. FILE is written after the image is verified with the stored checksum. An interrupted download is kept as FILE.*.part; run the command again to resume.',
  examples: ['lanyard box download dev/web', 'lanyard box download dev/web 1.0.0 qemu --out copy.box'],
  service: 'box',
  args: {
    box: boxArg,
    version: arg.optional('VERSION', 'version (default: latest released version)'),
    provider: arg.optional('PROVIDER', 'provider (default: the only one of the version)'),
  },
  flags: {
    out: flag.text('FILE', 'output file (default NAME-VERSION-PROVIDER.box)', {
      completes: 'file',
    }),
    force: flag.boolean('overwrite an existing file'),
    architecture: architectureFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.out === '-')
      throw usage('cannot write an image to standard output: it must be verified first', {
        hint: 'Specify a file with --out.',
      });
    const box = await ctx.api.box();
    const version = await versionOf(box, args.box, args.version);
    const provider = providerOf(args.box, version, args.provider);
    const number = served(() => checkedVersion(version.version));
    const at = { ...args.box, version: number, provider };
    const { body: found } = await callsOf(box, at, flags.architecture).read();
    const name = nameOf(at, flags.architecture);
    const address = found.download_url ?? found.original_url;
    if (!address)
      throw notFound(`${name} has no image`, {
        hint: `Run \`lanyard box get ${tagOf(at)}\` for the versions. The image may not be uploaded yet.`,
      });
    const out = flags.out ?? `${at.name}-${at.version}-${at.provider}.box`;
    const sum = sumOf(found);
    const part = await ctx.files.part({ path: out, replace: flags.force }, sum?.type ?? 'sha256');
    const { length, checksum } = await complete(part, address, name, ctx);
    if (sum && sum.value !== checksum) {
      await part.discard();
      throw new LanyardError('failure', `checksum mismatch: the image of ${name} is not the published one`, {
        service: 'box',
        details: [`${sum.type} of the download: ${checksum}`, `${sum.type} of the provider: ${sum.value}`],
        hint: `Ask the owner of the box for the correct checksum. ${out} was not written.`,
      });
    }
    if (!sum) ctx.io.warn(`${name} has no checksum: the image could not be verified`);
    await part.finish();
    return {
      data: { file: out, bytes: length, checksum, checksum_type: sum?.type ?? 'sha256', provider: found, at },
      document: [
        text('Downloaded the image of ', code(name), ' to ', code(out), ` (${size(length)}).`),
        fields([[sum?.type ?? 'sha256', sum ? `${checksum}, verified` : checksum]]),
      ],
    };
  },
});

/** Downloads the missing part; after a failure, the partial file is kept if the download can be resumed. */
async function complete(part: PartFile, address: string, name: string, ctx: Context) {
  const there = await part.has();
  if (there) ctx.io.note(`Resuming the download after ${size(there.length)}.`);
  const transfer = await ctx.api.transfer('box');
  let length = there?.length ?? 0;
  let total: number | undefined;
  let shown = await meter(`Downloading ${name}`, total, ctx);
  try {
    await transfer.get(address, {
      has: part.has,
      begin: async (image) => {
        await part.begin(image);
        length = image.from;
        total = image.size;
        shown.stop();
        shown = await meter(`Downloading ${name}`, total, ctx);
      },
      write: async (chunk) => {
        await part.write(chunk);
        length += chunk.length;
        shown.at(length);
      },
    });
    const whole = await part.complete();
    if (total === undefined || total === whole.length) return whole;
    throw new LanyardError(
      'failure',
      `incomplete image of ${name}: expected ${total} bytes, received ${whole.length}`,
    );
  } catch (error) {
    const kept = await part.close();
    if (kept !== undefined) ctx.io.note(`Kept ${kept}; run the same command again to resume.`);
    throw error;
  } finally {
    shown.stop();
  }
}

function sumOf({ checksum, checksum_type }: Provider): { type: ChecksumType; value: string } | undefined {
  const type = checksumTypes.find((each) => each === checksum_type);
  return type !== undefined && checksum ? { type, value: checksum.toLowerCase() } : undefined;
}

async function versionOf(box: BoxClient, at: BoxName, given: string | undefined): Promise<Version> {
  if (given !== undefined) return (await box.readVersion({ ...at, version: checkedVersion(given) })).body;
  const { body } = await box.readBox(at);
  const current = body.current_version?.version;
  const version = body.versions?.find((each) => each.version === current) ?? body.current_version;
  if (version?.status === 'active') return version;
  throw notFound(`${tagOf(at)} has no released version`, {
    hint: `Specify an unreleased version; run \`lanyard box get ${tagOf(at)}\` for the versions.`,
  });
}

function providerOf(
  at: BoxName,
  { version, providers }: Version,
  given: string | undefined,
): ProviderName['provider'] {
  if (given !== undefined) return checkedName('provider', given);
  const names = [...new Set((providers ?? []).map(({ name }) => name))];
  const [only] = names;
  if (only === undefined) throw notFound(`${tagOf(at)} ${version} has no provider`);
  if (names.length === 1) return served(() => checkedName('provider', only));
  throw usage(`${tagOf(at)} ${version} has several providers: ${names.join(', ')}`, {
    hint: 'Specify one of them after the version.',
  });
}
