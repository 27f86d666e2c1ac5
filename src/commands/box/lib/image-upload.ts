import {
  type ProviderCalls,
  type ProviderName,
  prepareUpload,
  providerCalls,
} from '../../../api/box-provider.ts';
import type { ServiceResponse } from '../../../api/http/response.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { conflict, LanyardError } from '../../../errors.ts';
import type { LargeFile } from '../../../io/large-file.ts';
import type { ChecksumType } from '../../../objects/box.ts';
import { compact } from '../../../wire/objects.ts';
import { matchesSent, writeAndConfirm } from './confirmed-writes.ts';
import { checksumTypes } from './fields.ts';
import { formatSize, type ProgressBar, startProgressBar, withProgress } from './progress-bar.ts';
import { providerDisplayName } from './provider/provider-name.ts';
import type { Provider } from './views.ts';

export const checksumTypeFlag = flag.choice(
  checksumTypes,
  'type of the stored checksum (default: the existing type, else sha256)',
);

export interface DesiredImage {
  readonly at: ProviderName;
  readonly architecture: string | undefined;
  readonly file: LargeFile;
  /** The type of the stored checksum; undefined: the existing type, else sha256. */
  readonly type: ChecksumType | undefined;
}

/** The description in a dry run of the requests after that for an upload URL: they depend on its response. */
export const uploadFollowUps = ({ path }: Pick<LargeFile, 'path'>): readonly string[] => [
  `then send ${path} with PUT to the upload_path of the response, without a token`,
  'then send an empty PUT to the callback of the response, if any',
  'then update the provider with the checksum of the file, if it differs',
];

export type ImageState = 'same' | 'missing' | 'other';

/**
 * Compares a file with the image of a provider, by the stored checksum and the length of the download. An image
 * without a checksum, or with a checksum of another type, counts as `other`.
 *
 * @throws LanyardError conflict: the image is at a URL; the provider has a checksum but no image, and the checksum is
 * not the checksum of the file.
 */
export async function compareImage(
  provider: Provider,
  desired: DesiredImage,
  ctx: Context,
): Promise<ImageState> {
  const { file, at, architecture } = desired;
  const name = providerDisplayName(at, architecture);
  if (provider.original_url)
    throw conflict(`cannot upload an image for ${name}: its image is at ${provider.original_url}`, {
      hint: 'Delete the provider, and create it without --url.',
    });
  const type = checksumTypes.find((each) => each === provider.checksum_type);
  const existing = await hostedImage(provider, ctx);
  if (!provider.checksum || type === undefined) return existing ? 'other' : 'missing';
  const fileChecksum = await checksumOf(file, type, ctx);
  const isSame = fileChecksum === provider.checksum.toLowerCase();
  if (!existing) {
    if (isSame) return 'missing';
    throw conflict(`checksum mismatch: ${file.path} is not the image that ${name} was created for`, {
      details: [`${type} of the file: ${fileChecksum}`, `${type} of the provider: ${provider.checksum}`],
      hint: 'If the file is correct, run `lanyard box provider update --checksum` to change the checksum.',
    });
  }
  const isOfType = (desired.type ?? type) === type;
  return isSame && isOfType && (existing.size ?? file.size) === file.size ? 'same' : 'other';
}

/** The uploaded image of a provider, if any: no field of a provider contains that. */
async function hostedImage({ download_url }: Provider, ctx: Context) {
  return download_url ? (await ctx.api.transfer('box')).probe(download_url) : undefined;
}

async function checksumOf(file: LargeFile, type: ChecksumType, ctx: Context): Promise<string> {
  const { chunks, checksum } = file.pass(type);
  const progress = await startProgressBar(`Reading ${file.path}`, file.size, ctx);
  try {
    for await (const _chunk of withProgress(chunks, progress));
    return checksum();
  } finally {
    progress.stop();
  }
}

/**
 * Uploads a file as the image of a provider, and verifies the result: the image has the length of the file, and the
 * stored checksum belongs to the sent bytes.
 *
 * @returns the provider after the upload.
 * @throws LanyardError failure: the stored image differs from the file; conflict: the file changed during the upload.
 */
export async function uploadImage(before: Provider, desired: DesiredImage, ctx: Context): Promise<Provider> {
  const calls = providerCalls(await ctx.api.box(), desired.at, desired.architecture);
  const type = desired.type ?? checksumTypes.find((each) => each === before.checksum_type) ?? 'sha256';
  // After an interrupted upload, no checksum of the previous image may remain. A dry run shows the upload instead.
  if (!ctx.output.isDryRun && before.checksum && (await hostedImage(before, ctx)))
    await retryIfUnknown(() => calls.update({ checksum: '' }));
  const checksum = await sendImage(calls, desired, type, ctx);
  const after = await confirmUpload(calls, desired, ctx);
  if (hasChecksum(after, type, checksum)) return after;
  if (after.checksum && after.checksum_type === type && after.checksum !== before.checksum)
    throw imageMismatchError(desired, [`${type} sent: ${checksum}`, `${type} stored: ${after.checksum}`]);
  await writeAndConfirm(
    () => calls.update({ checksum, checksum_type: type }),
    calls.read,
    (existing) => hasChecksum(existing, type, checksum),
    ctx.output,
  );
  const stored = (await calls.read()).body;
  if (hasChecksum(stored, type, checksum)) return stored;
  throw imageMismatchError(desired, [
    `${type} sent: ${checksum}`,
    `${type} stored: ${stored.checksum ?? 'none'}`,
  ]);
}

const hasChecksum = ({ checksum, checksum_type }: Provider, type: ChecksumType, sum: string): boolean =>
  checksum?.toLowerCase() === sum && checksum_type === type;

/** The expected image of a provider; `size` in bytes if it is uploaded. */
export interface ExpectedProvider {
  readonly checksum?: string | null | undefined;
  readonly checksum_type?: string | null | undefined;
  readonly url?: string;
  readonly size?: number;
}

/** @throws LanyardError conflict: the image of a provider is not the expected one. */
export async function rejectOtherProvider(
  calls: ProviderCalls,
  { at, architecture }: Pick<DesiredImage, 'at' | 'architecture'>,
  { size: length, ...fields }: ExpectedProvider,
  ctx: Context,
): Promise<void> {
  const { body: now } = await calls.read();
  const found = length === undefined ? undefined : await hostedImage(now, ctx);
  const isThere = length === undefined || (found !== undefined && (found.size ?? length) === length);
  if (isThere && matchesSent(now, compact(fields))) return;
  const { status } = (await (await ctx.api.box()).readVersion(at)).body;
  throw conflict(`the image of ${providerDisplayName(at, architecture)} was replaced by another request`, {
    service: 'box',
    details: [
      `${now.checksum_type ?? 'checksum'} stored: ${now.checksum || 'none'}`,
      ...(fields.checksum ? [`${fields.checksum_type ?? 'checksum'} expected: ${fields.checksum}`] : []),
      `status of the version: ${status === 'active' ? 'released' : (status ?? 'unreleased')}`,
    ],
    hint: 'Check which image is correct, and publish that one again.',
  });
}

/** Sends the file. @returns the checksum of the sent bytes. */
async function sendImage(
  calls: ProviderCalls,
  { file }: DesiredImage,
  type: ChecksumType,
  ctx: Context,
): Promise<string> {
  const [box, transfer] = await Promise.all([ctx.api.box(), ctx.api.transfer('box')]);
  let callback: string | undefined;
  let pass = file.pass(type);
  let progress: ProgressBar | undefined;
  const address = async (): Promise<string> => {
    const upload = await prepareUpload(calls, file.size);
    callback = upload.callback;
    return upload.upload_path;
  };
  const chunks = (): AsyncIterable<Uint8Array> => {
    pass = file.pass(type);
    return withProgress(pass.chunks, { update: (bytes) => progress?.update(bytes), stop: () => undefined });
  };
  const confirm = async (): Promise<void> => {
    const url = callback;
    callback = undefined;
    if (url === undefined) return;
    // The previous image may have the same length: only a response confirms that it was replaced.
    await retryIfUnknown(() => box.confirmUpload({ callback: url }));
  };
  const isStored = async (): Promise<boolean> => {
    try {
      await confirm();
      const { body } = await calls.read();
      return hasChecksum(body, type, pass.checksum()) && (await hostedImage(body, ctx))?.size === file.size;
    } catch {
      // The file is sent again, which is safe.
      return false;
    }
  };
  progress = await startProgressBar(`Uploading ${file.path}`, file.size, ctx);
  ctx.output.detail(`Size of ${file.path}: ${formatSize(file.size)}`);
  try {
    await transfer.put({ address, length: file.size, chunks, isStored });
  } finally {
    progress.stop();
  }
  await confirm();
  return pass.checksum();
}

/** Sends an idempotent write, and repeats it once if its response is lost. */
async function retryIfUnknown(write: () => Promise<ServiceResponse<unknown>>): Promise<void> {
  await write().catch((error: unknown) => {
    if (error instanceof LanyardError && error.kind === 'unknown') return write();
    throw error;
  });
}

/** The provider, if its download has the length of the file. */
async function confirmUpload(calls: ProviderCalls, desired: DesiredImage, ctx: Context): Promise<Provider> {
  const { body: provider } = await calls.read();
  const existing = await hostedImage(provider, ctx);
  if (existing && (existing.size ?? desired.file.size) === desired.file.size) return provider;
  const length = existing?.size;
  throw imageMismatchError(desired, [
    `bytes sent: ${desired.file.size}; bytes stored: ${length === undefined ? 'none' : length}`,
  ]);
}

const imageMismatchError = ({ at, architecture }: DesiredImage, details: readonly string[]): LanyardError =>
  new LanyardError(
    'failure',
    `the stored image of ${providerDisplayName(at, architecture)} differs from the file`,
    {
      service: 'box',
      details,
      hint: 'Run the command again to upload the image again. Nothing was released.',
    },
  );
