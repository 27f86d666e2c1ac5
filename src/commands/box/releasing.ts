import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import type { Version } from './views.ts';

type Provider = NonNullable<Version['providers']>[number];

/** The names of the providers that have neither a URL nor an uploaded image. */
export async function withoutImage(
  { providers }: Version,
  ctx: Pick<Context, 'api'>,
): Promise<readonly string[]> {
  const lacking: string[] = [];
  for (const provider of providers ?? []) {
    if (!(await hasImage(provider, ctx))) lacking.push(provider.name);
  }
  return lacking;
}

/** Has a provider an image? Where that cannot be told it is left to the service. */
export async function hasImage(
  { original_url, hosted_token, download_url }: Provider,
  ctx: Pick<Context, 'api'>,
): Promise<boolean> {
  if (original_url || hosted_token || !download_url) return true;
  const { address } = await ctx.api.settings('box');
  if (URL.parse(download_url)?.origin !== new URL(address).origin) return true;
  try {
    await (await ctx.api.box()).probeImage({ download_url });
    return true;
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    return error.kind !== 'not_found';
  }
}

/** Says that people may get a version before some of its providers have an image. */
export function warnOfLacking(lacking: readonly string[], io: Pick<Context['io'], 'warn'>): void {
  if (lacking.length > 0) io.warn(`no image is uploaded yet for ${lacking.join(', ')}`);
}

/** @throws LanyardError conflict: a version that was revoked stays so. */
export function refuseRevoked(name: string, { status }: Version): void {
  if (status !== 'revoked') return;
  throw new LanyardError('conflict', `${name} was revoked, and cannot be released again`, {
    service: 'box',
    hint: 'Publish it as another version.',
  });
}
