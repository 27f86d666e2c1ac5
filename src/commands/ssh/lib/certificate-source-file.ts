import type { Context } from '../../../command/context.ts';
import { insteadOf, LanyardError, MissingSettingError } from '../../../errors.ts';
import {
  type CertificateSource,
  certificateSource,
  formatSource,
  parseSource,
} from '../../../wire/certificate-source.ts';
import { certificateSourcePath } from '../../../wire/key-paths.ts';
import { compact } from '../../../wire/objects.ts';

/** More than the file of any request that a service accepts. */
const maxBytes = 65_536;

type Origin = Pick<CertificateSource, 'profile' | 'address'> & { readonly namespace?: string };

/** The settings of each command: a batch asks for them with each key. */
const origins = new WeakMap<Context, Promise<Origin>>();

/**
 * The source of a certificate that is signed now. Without an address, an existing certificate is still usable.
 *
 * @param signed role and request, which `ssh renew` repeats; absent: they are not recorded.
 */
export async function sourceOf(
  mount: string,
  signed: Pick<CertificateSource, 'role' | 'request'>,
  ctx: Context,
): Promise<CertificateSource> {
  const origin = origins.get(ctx) ?? readOrigin(ctx);
  origins.set(ctx, origin);
  const { namespace, ...from } = await origin;
  return certificateSource({ mount, namespace, ...signed, ...(signed.role === undefined ? {} : from) });
}

const readOrigin = (ctx: Context): Promise<Origin> =>
  ctx.api
    .settings('secrets')
    .then(({ namespace, profile, address }) => compact({ namespace, profile, address }))
    .catch(insteadOf((error) => error instanceof MissingSettingError, {}));

/** The source of the certificate in a file. */
export async function readSource(
  path: string,
  certificate: string,
  ctx: Context,
): Promise<CertificateSource> {
  const file = certificateSourcePath(path);
  // Otherwise a pipe would block.
  const text = (await ctx.files.isFile(file))
    ? await ctx.files.readText(file, 'the source of the certificate', maxBytes).catch(() => '')
    : '';
  return parseSource(text, certificate);
}

/** Writes the file about the source of a certificate, or removes the one of the certificate before. */
export async function writeSource(
  path: string,
  certificate: string,
  source: CertificateSource,
  ctx: Context,
  isOneOfMany: boolean,
): Promise<void> {
  const file = certificateSourcePath(path);
  const content = formatSource(source, certificate);
  try {
    if (content === undefined) await ctx.files.remove(file);
    else if (isOneOfMany) await ctx.files.writeOneOfMany({ path: file, content, replace: true });
    else await ctx.files.write([{ path: file, content, replace: true }]);
  } catch (error) {
    // Without the file, the certificate is signed again when it is checked.
    if (!(error instanceof LanyardError)) throw error;
  }
}
