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
    'Without VERSION it is the latest that is released; PROVIDER may be left out where the version has one. The image is verified with the stored checksum and only then gets its name. One that breaks off stands beside, as FILE.*.part, and the same command goes on with it.',
  examples: ['lanyard box download acme/web', 'lanyard box download acme/web 1.0.0 libvirt --out web.box'],
  service: 'box',
  args: {
    box: boxArg,
    version: arg.optional('VERSION', 'the version (default: the latest that is released)'),
    provider: arg.optional('PROVIDER', 'the provider (default: the only one)'),
  },
  flags: {
    out: flag.text('FILE', 'where the image goes (default: NAME-VERSION-PROVIDER.box)', {
      completes: 'file',
    }),
    force: flag.boolean('replace a file that is there'),
    architecture: architectureFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.out === '-')
      throw usage('an image is not written to standard output', {
        hint: 'It is verified before anyone gets it: name a file with --out.',
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
        hint: 'Whoever owns it may not have uploaded it yet; "lanyard box get" shows the versions.',
      });
    const out = flags.out ?? `${at.name}-${at.version}-${at.provider}.box`;
    const sum = sumOf(found);
    const part = await ctx.files.part({ path: out, replace: flags.force }, sum?.type ?? 'sha256');
    const { length, checksum } = await complete(part, address, name, ctx);
    if (sum && sum.value !== checksum) {
      await part.discard();
      throw new LanyardError('failure', `the image of ${name} is not the one that was published`, {
        service: 'box',
        details: [`${sum.type} of what came: ${checksum}`, `${sum.type} of the provider: ${sum.value}`],
        hint: `${out} was not written. Ask the owner of the box which one is right.`,
      });
    }
    if (!sum) ctx.io.warn(`${name} has no checksum: whether the image is as published cannot be told`);
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

/** Gets what is missing; a part that is left after a failure is kept where it can be gone on with. */
async function complete(part: PartFile, address: string, name: string, ctx: Context) {
  const there = await part.has();
  if (there) ctx.io.note(`Going on after the ${size(there.length)} that are here already.`);
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
    throw new LanyardError('failure', `the image of ${name} has ${total} bytes, and ${whole.length} came`);
  } catch (error) {
    const kept = await part.close();
    if (kept !== undefined) ctx.io.note(`${kept} is kept; the same command goes on from there.`);
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
  throw notFound(`no version of ${tagOf(at)} is released`, {
    hint: 'Name one that is not: "lanyard box get" shows them.',
  });
}

function providerOf(
  at: BoxName,
  { version, providers }: Version,
  given: string | undefined,
): ProviderName['provider'] {
  if (given !== undefined) return checkedName('the provider', given);
  const names = [...new Set((providers ?? []).map(({ name }) => name))];
  const [only] = names;
  if (only === undefined) throw notFound(`${tagOf(at)} ${version} has no provider`);
  if (names.length === 1) return served(() => checkedName('the provider', only));
  throw usage(`${tagOf(at)} ${version} has several providers: ${names.join(', ')}`, {
    hint: 'Name one of them after the version.',
  });
}
