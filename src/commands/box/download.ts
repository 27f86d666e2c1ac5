import type { BoxClient } from '../../api/box.ts';
import { type ProviderName, providerCalls } from '../../api/box-provider.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError, notFound, usage } from '../../errors.ts';
import type { PartialDownload } from '../../io/partial-download.ts';
import type { ChecksumType } from '../../objects/box.ts';
import { code, fields, text } from '../../output/document.ts';
import {
  architectureFlag,
  asServerData,
  type BoxName,
  boxArg,
  boxTag,
  checkName,
  checkVersion,
} from './lib/box-names.ts';
import { checksumTypes } from './lib/fields.ts';
import { formatSize, startProgressBar } from './lib/progress-bar.ts';
import { providerDisplayName } from './lib/provider/provider-name.ts';
import type { Provider, Version } from './lib/views.ts';

export default command({
  description:
    'PROVIDER is optional if the version has only one. FILE is written after the image is verified with the stored checksum. An interrupted download is kept as FILE.*.part; run the command again to resume.',
  examples: ['lanyard box download dev/web', 'lanyard box download dev/web 1.0.0 qemu --out copy.box'],
  service: 'box',
  changes: ['files', 'download count'],
  args: {
    box: boxArg,
    version: arg.optional('VERSION', 'version (default: latest released version)', {
      completes: 'box-version',
    }),
    provider: arg.optional('PROVIDER', 'provider (default: the only one of the version)', {
      completes: 'box-provider',
    }),
  },
  flags: {
    out: flag.file('FILE', 'output file (default NAME-VERSION-PROVIDER.box)'),
    force: flag.boolean('overwrite an existing file'),
    architecture: architectureFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.out === '-')
      throw usage('cannot write an image to standard output: it must be verified first', {
        hint: 'Specify a file with --out.',
      });
    const box = await ctx.api.box();
    const version = await chooseVersion(box, args.box, args.version);
    const provider = chooseProvider(args.box, version, args.provider);
    const number = asServerData(() => checkVersion(version.version));
    const target = { ...args.box, version: number, provider };
    const { body: found } = await providerCalls(box, target, flags.architecture).read();
    const name = providerDisplayName(target, flags.architecture);
    const address = found.download_url ?? found.original_url;
    if (!address)
      throw notFound(`${name} has no image`, {
        hint: `Run \`lanyard box get ${boxTag(target)}\` for the versions. The image may not be uploaded yet.`,
      });
    const out = flags.out ?? `${target.name}-${target.version}-${target.provider}.box`;
    const sum = checksumOf(found);
    const part = await ctx.files.openPartialDownload(
      { path: out, replace: flags.force },
      sum?.type ?? 'sha256',
    );
    const { length, checksum } = await downloadRemaining(part, address, name, ctx);
    if (sum && sum.value !== checksum) {
      await part.discard();
      throw new LanyardError('failure', `checksum mismatch: the image of ${name} is not the published one`, {
        service: 'box',
        details: [`${sum.type} of the download: ${checksum}`, `${sum.type} of the provider: ${sum.value}`],
        hint: `Ask the owner of the box for the correct checksum. ${out} was not written.`,
      });
    }
    if (!sum) ctx.output.warn(`${name} has no checksum: the image could not be verified`);
    await part.moveIntoPlace();
    return {
      data: {
        file: out,
        /** The size of the image. */
        bytes: length,
        /** Hexadecimal. */
        checksum,
        checksum_type: sum?.type ?? 'sha256',
        provider: found,
        at: target,
      },
      document: [
        text('Downloaded the image of ', code(name), ' to ', code(out), ` (${formatSize(length)}).`),
        fields([[sum?.type ?? 'sha256', sum ? `${checksum}, verified` : checksum]]),
      ],
    };
  },
});

/** Downloads the missing part; after a failure, the partial file is kept if the download can be resumed. */
async function downloadRemaining(part: PartialDownload, address: string, name: string, ctx: Context) {
  const existing = await part.resumePoint();
  if (existing) ctx.output.note(`Resuming the download after ${formatSize(existing.length)}.`);
  const transfer = await ctx.api.transfer('box');
  let length = existing?.length ?? 0;
  let total: number | undefined;
  let progress = await startProgressBar(`Downloading ${name}`, total, ctx);
  try {
    await transfer.get(address, {
      has: part.resumePoint,
      begin: async (image) => {
        await part.start(image);
        length = image.from;
        total = image.size;
        progress.stop();
        progress = await startProgressBar(`Downloading ${name}`, total, ctx);
      },
      write: async (chunk) => {
        await part.write(chunk);
        length += chunk.length;
        progress.update(length);
      },
    });
    const fullLength = await part.digest();
    if (total === undefined || total === fullLength.length) return fullLength;
    throw new LanyardError(
      'failure',
      `incomplete image of ${name}: expected ${total} bytes, received ${fullLength.length}`,
    );
  } catch (error) {
    const keptPath = await part.close();
    if (keptPath !== undefined) ctx.output.note(`Kept ${keptPath}; run the same command again to resume.`);
    throw error;
  } finally {
    progress.stop();
  }
}

function checksumOf({
  checksum,
  checksum_type,
}: Provider): { type: ChecksumType; value: string } | undefined {
  const type = checksumTypes.find((each) => each === checksum_type);
  return type !== undefined && checksum ? { type, value: checksum.toLowerCase() } : undefined;
}

async function chooseVersion(box: BoxClient, target: BoxName, given: string | undefined): Promise<Version> {
  if (given !== undefined) return (await box.readVersion({ ...target, version: checkVersion(given) })).body;
  const { body } = await box.readBox(target);
  const current = body.current_version?.version;
  const version = body.versions?.find((each) => each.version === current) ?? body.current_version;
  if (version?.status === 'active') return version;
  throw notFound(`${boxTag(target)} has no released version`, {
    hint: `Specify an unreleased version; run \`lanyard box get ${boxTag(target)}\` for the versions.`,
  });
}

function chooseProvider(
  target: BoxName,
  { version, providers }: Version,
  given: string | undefined,
): ProviderName['provider'] {
  if (given !== undefined) return checkName('provider', given);
  const names = [...new Set((providers ?? []).map(({ name }) => name))];
  const [only] = names;
  if (only === undefined) throw notFound(`${boxTag(target)} ${version} has no provider`);
  if (names.length === 1) return asServerData(() => checkName('provider', only));
  throw usage(`${boxTag(target)} ${version} has several providers: ${names.join(', ')}`, {
    hint: 'Specify one of them after the version.',
  });
}
