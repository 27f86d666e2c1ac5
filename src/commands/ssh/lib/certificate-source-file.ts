import type { Context } from '../../../command/context.ts';
import { insteadOf, LanyardError, MissingSettingError } from '../../../errors.ts';
import {
  type CertificateSource,
  certificateSource,
  formatSource,
  parseSource,
} from '../../../wire/certificate-source.ts';
import { certificateSourcePath } from '../../../wire/key-paths.ts';

/** More than the file ever has. */
const maxBytes = 4096;

/** The namespace of each command: a batch asks for it with each key. */
const namespaces = new WeakMap<Context, Promise<string | undefined>>();

/** The source of a certificate that is signed now. Without an address, an existing certificate is still usable. */
export async function sourceOf(mount: string, ctx: Context): Promise<CertificateSource> {
  const namespace = namespaces.get(ctx) ?? readNamespace(ctx);
  namespaces.set(ctx, namespace);
  return certificateSource(mount, await namespace);
}

const readNamespace = (ctx: Context): Promise<string | undefined> =>
  ctx.api
    .settings('secrets')
    .then(({ namespace }) => namespace)
    .catch(insteadOf((error) => error instanceof MissingSettingError, undefined));

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
