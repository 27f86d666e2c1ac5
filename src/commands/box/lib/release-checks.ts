import type { Context } from '../../../command/context.ts';
import { conflict, insteadOf, isFailure, isNotFound } from '../../../errors.ts';
import type { Version } from './views.ts';

type Provider = NonNullable<Version['providers']>[number];

/** The names of the providers without a URL and an uploaded image. */
export async function providersWithoutImage(
  { providers }: Version,
  ctx: Context,
): Promise<readonly string[]> {
  const withoutImages: string[] = [];
  for (const provider of providers ?? [])
    if (!(await hasImage(provider, ctx))) withoutImages.push(provider.name);
  return withoutImages;
}

/** Whether a provider has an image; true if unknown, so that the service decides. */
export async function hasImage(
  { original_url, hosted_token, download_url }: Provider,
  ctx: Context,
): Promise<boolean> {
  if (original_url || hosted_token || !download_url) return true;
  const { address } = await ctx.api.settings('box');
  if (URL.parse(download_url)?.origin !== new URL(address).origin) return true;
  const probing = (await ctx.api.box()).probeImage({ download_url }).then(() => true);
  return probing.catch(insteadOf(isNotFound, false)).catch(insteadOf(isFailure, true));
}

/** Warns of providers without an image in a released version. */
export function warnAboutMissingImages(
  withoutImages: readonly string[],
  output: Pick<Context['output'], 'warn'>,
): void {
  if (withoutImages.length > 0) output.warn(`providers without an image: ${withoutImages.join(', ')}`);
}

/** @throws LanyardError conflict: the version is revoked. */
export function rejectRevoked(name: string, { status }: Version): void {
  if (status !== 'revoked') return;
  throw conflict(`cannot release ${name}: the version is revoked`, {
    service: 'box',
    hint: 'Publish the image as a new version.',
  });
}
