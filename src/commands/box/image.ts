import type { BoxClient } from '../../api/box.ts';
import type { Answer } from '../../api/transport.ts';
import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import type { LargeFile } from '../../io/large-file.ts';
import { type ChecksumType, checksumTypes } from './fields.ts';
import { type Meter, meter, metered, size } from './meter.ts';
import { nameOf, type ProviderName } from './provider/shared.ts';
import { present, shows, written } from './shared.ts';
import type { Provider } from './views.ts';

export const checksumTypeFlag = flag.choice(
  checksumTypes,
  'of the checksum that is stored with the provider (default: that of the one stored now, else sha256)',
);

/** A file that is to be the image of a provider. */
export interface Wanted {
  readonly at: ProviderName;
  readonly architecture: string | undefined;
  readonly file: LargeFile;
  /** Of the checksum that is to be stored; undefined: as it is now, else sha256. */
  readonly type: ChecksumType | undefined;
}

type Parts = Pick<Context, 'api' | 'io' | 'clock' | 'rehearsal'>;

/** What a rehearsal says of the requests that follow that for an upload address: they depend on its answer. */
export const afterAddress = ({ path }: Pick<LargeFile, 'path'>): readonly string[] => [
  `then send ${path} with PUT to the upload_path of the answer, without a token`,
  'then send an empty PUT to the callback of the answer, where there is one',
  'then update the provider with the checksum of the file, where it has another one',
];

/** The calls about one provider, of one architecture where that is named. */
export function callsOf(box: BoxClient, at: ProviderName, architecture: string | undefined) {
  const { provider: current, ...of } = at;
  if (architecture === undefined)
    return {
      read: () => box.readProvider(at),
      create: (fields: object) => box.createProvider({ ...of, provider: { name: current, ...fields } }),
      update: (fields: object) => box.updateProvider({ ...of, current, provider: fields }),
      prepare: () => box.prepareUpload(at),
      prepareDirect: () => box.prepareDirectUpload(at),
    };
  const exact = { ...at, architecture };
  return {
    read: () => box.readArchitecture(exact),
    create: (fields: object) =>
      box.createArchitecture({ ...of, provider: { name: current, architecture, ...fields } }),
    update: (fields: object) => box.updateArchitecture({ ...of, current, architecture, provider: fields }),
    prepare: () => box.prepareArchitectureUpload(exact),
    prepareDirect: () => box.prepareDirectArchitectureUpload(exact),
  };
}

type Calls = ReturnType<typeof callsOf>;

/** How a file stands to the image that the service has. */
export type Standing = 'same' | 'missing' | 'other';

/**
 * Compares a file with the image of a provider: by the stored checksum, and by the length of what is downloaded. An
 * image without a checksum, or with one of another type than is wanted, counts as another.
 *
 * @throws LanyardError conflict: the image is at a URL; a checksum was announced for an image to come, and is not
 * that of the file.
 */
export async function standing(provider: Provider, wanted: Wanted, ctx: Parts): Promise<Standing> {
  const { file, at, architecture } = wanted;
  const name = nameOf(at, architecture);
  if (provider.original_url)
    throw new LanyardError('conflict', `the image of ${name} is at ${provider.original_url}`, {
      hint: 'A provider has a URL or an uploaded image: delete it first, and create it without a URL.',
    });
  const type = checksumTypes.find((each) => each === provider.checksum_type);
  const there = await hostedImage(provider, ctx);
  if (!provider.checksum || type === undefined) return there ? 'other' : 'missing';
  const own = await checksumOf(file, type, ctx);
  const isSame = own === provider.checksum.toLowerCase();
  if (!there) {
    if (isSame) return 'missing';
    throw new LanyardError('conflict', `${file.path} is not the image that ${name} was created for`, {
      details: [`${type} of the file: ${own}`, `${type} of the provider: ${provider.checksum}`],
      hint: 'If the file is right, change the checksum with "lanyard box provider update --checksum".',
    });
  }
  const isOfType = (wanted.type ?? type) === type;
  return isSame && isOfType && (there.size ?? file.size) === file.size ? 'same' : 'other';
}

/** The image that the registry itself has of a provider: no member of a provider says whether there is one. */
async function hostedImage({ download_url }: Provider, ctx: Pick<Context, 'api'>) {
  return download_url ? (await ctx.api.transfer('box')).probe(download_url) : undefined;
}

/** The checksum of a file, in a pass of its own. */
async function checksumOf(file: LargeFile, type: ChecksumType, ctx: Parts): Promise<string> {
  const { chunks, checksum } = file.pass(type);
  const shown = await meter(`Reading ${file.path}`, file.size, ctx);
  try {
    for await (const _chunk of metered(chunks, shown));
    return checksum();
  } finally {
    shown.stop();
  }
}

/** Above it a store takes no image at once; the registry's own way has no such limit (docs/protocol/box.md#uploads). */
const longestDirect = 5 * 1000 ** 3;

/**
 * Uploads a file as the image of a provider, and makes sure that it is there: the service has it in its whole length,
 * and the stored checksum is that of the bytes that were sent.
 *
 * @returns the provider as it is then.
 * @throws LanyardError failure: what the service has is not what was sent; conflict: the file changed meanwhile.
 */
export async function uploadImage(before: Provider, wanted: Wanted, ctx: Parts): Promise<Provider> {
  const calls = callsOf(await ctx.api.box(), wanted.at, wanted.architecture);
  const type = wanted.type ?? checksumTypes.find((each) => each === before.checksum_type) ?? 'sha256';
  // Should this end half-way, no checksum may vouch for an image that it is not of. A rehearsal shows the upload.
  if (!ctx.rehearsal && before.checksum && (await hostedImage(before, ctx)))
    await atLeastOnce(() => calls.update({ checksum: '' }));
  const checksum = await send(calls, wanted, type, ctx);
  const after = await confirmed(calls, wanted, ctx);
  if (isSum(after, type, checksum)) return after;
  if (after.checksum && after.checksum_type === type && after.checksum !== before.checksum)
    throw notWhatWasSent(wanted, [`${type} sent: ${checksum}`, `${type} stored: ${after.checksum}`]);
  await written(
    () => calls.update({ checksum, checksum_type: type }),
    calls.read,
    (there) => isSum(there, type, checksum),
    ctx.io,
  );
  const stored = (await calls.read()).body;
  if (isSum(stored, type, checksum)) return stored;
  throw notWhatWasSent(wanted, [`${type} sent: ${checksum}`, `${type} stored: ${stored.checksum ?? 'none'}`]);
}

const isSum = ({ checksum, checksum_type }: Provider, type: ChecksumType, sum: string): boolean =>
  checksum?.toLowerCase() === sum && checksum_type === type;

/** What an image of a provider is to be; a length where it is uploaded. */
export interface Expected {
  readonly checksum?: string | null | undefined;
  readonly checksum_type?: string | null | undefined;
  readonly url?: string;
  readonly size?: number;
}

/** @throws LanyardError conflict: the image of a provider is another one than is expected. */
export async function refuseOther(
  calls: Calls,
  { at, architecture }: Pick<Wanted, 'at' | 'architecture'>,
  { size: length, ...fields }: Expected,
  ctx: Parts,
): Promise<void> {
  const { body: now } = await calls.read();
  const found = length === undefined ? undefined : await hostedImage(now, ctx);
  const isThere = length === undefined || (found !== undefined && (found.size ?? length) === length);
  if (isThere && shows(now, present(fields))) return;
  const { status } = (await (await ctx.api.box()).readVersion(at)).body;
  throw new LanyardError('conflict', `another image is there now of ${nameOf(at, architecture)}`, {
    service: 'box',
    details: [
      `${now.checksum_type ?? 'checksum'} stored: ${now.checksum || 'none'}`,
      ...(fields.checksum ? [`${fields.checksum_type ?? 'checksum'} expected: ${fields.checksum}`] : []),
      `The version is ${status === 'active' ? 'released' : `not released (${status ?? 'unreleased'})`}.`,
    ],
    hint: 'Somebody else published meanwhile: find out whose image is right, and publish that one again.',
  });
}

/** Sends the file, and gives the checksum of what was sent. */
async function send(calls: Calls, { file }: Wanted, type: ChecksumType, ctx: Parts): Promise<string> {
  const [box, transfer] = await Promise.all([ctx.api.box(), ctx.api.transfer('box')]);
  let callback: string | undefined;
  let pass = file.pass(type);
  let shown: Meter | undefined;
  const address = async (): Promise<string> => {
    const way = await wayOf(calls, file);
    callback = way.callback;
    return way.upload_path;
  };
  const chunks = (): AsyncIterable<Uint8Array> => {
    pass = file.pass(type);
    return metered(pass.chunks, { at: (bytes) => shown?.at(bytes), stop: () => undefined });
  };
  const confirm = async (): Promise<void> => {
    const url = callback;
    callback = undefined;
    if (url === undefined) return;
    // An image that was there may be as long as this one: only an answer tells that this one took its place.
    await atLeastOnce(() => box.confirmUpload({ callback: url }));
  };
  const isStored = async (): Promise<boolean> => {
    try {
      await confirm();
      const { body } = await calls.read();
      return isSum(body, type, pass.checksum()) && (await hostedImage(body, ctx))?.size === file.size;
    } catch {
      // It is sent again, which does no harm.
      return false;
    }
  };
  shown = await meter(`Uploading ${file.path}`, file.size, ctx);
  ctx.io.detail(`${file.path} has ${size(file.size)}`);
  try {
    await transfer.put({ address, length: file.size, chunks, isStored });
  } finally {
    shown.stop();
  }
  await confirm();
  return pass.checksum();
}

/** Sends a write once more when its answer is lost: one that changes nothing when it is done twice. */
async function atLeastOnce(write: () => Promise<Answer<unknown>>): Promise<void> {
  await write().catch((error: unknown) => {
    if (error instanceof LanyardError && error.kind === 'unknown') return write();
    throw error;
  });
}

async function wayOf(calls: Calls, { size: length }: LargeFile) {
  if (length <= longestDirect) {
    try {
      return (await calls.prepareDirect()).body;
    } catch (error) {
      // A registry that does not know direct uploads.
      if (!(error instanceof LanyardError) || ![404, 405, 501].includes(error.status ?? 0)) throw error;
    }
  }
  const { upload_path } = (await calls.prepare()).body;
  return { upload_path, callback: undefined };
}

/** The provider, when what can be downloaded from it has the length of the file. */
async function confirmed(calls: Calls, wanted: Wanted, ctx: Parts): Promise<Provider> {
  const { body: provider } = await calls.read();
  const there = await hostedImage(provider, ctx);
  if (there && (there.size ?? wanted.file.size) === wanted.file.size) return provider;
  const length = there?.size;
  throw notWhatWasSent(wanted, [
    `Sent were ${wanted.file.size} bytes; downloaded would be ${length === undefined ? 'nothing' : length}.`,
  ]);
}

const notWhatWasSent = ({ at, architecture }: Wanted, details: readonly string[]): LanyardError =>
  new LanyardError(
    'failure',
    `the service does not have the image of ${nameOf(at, architecture)} as it was sent`,
    {
      service: 'box',
      details,
      hint: 'Nothing was released; run the command again to send the image again.',
    },
  );

/** What an answer holds; undefined: what was asked for is not there. */
export async function orNone<Body>(reading: Promise<Answer<Body>>): Promise<Body | undefined> {
  try {
    return (await reading).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
