import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';

interface FileFlags {
  readonly certOut: string | undefined;
  readonly keyOut: string | undefined;
  readonly force: boolean;
}

/** The files of a certificate that an engine issues, checked before it is requested. */
interface CertificateFiles {
  /** What a dry run would write. */
  readonly plan: readonly string[];
  /**
   * Writes all files or none.
   *
   * @returns their paths.
   * @throws LanyardError failure: the data has no certificate, or no private key.
   */
  write(data: object): Promise<readonly string[]>;
}

/**
 * The files of `--cert-out` and `--key-out`.
 *
 * @throws LanyardError usage: a file exists or cannot be written.
 */
export async function certificateFiles(
  { certOut, keyOut, force }: FileFlags,
  { files }: Pick<Context, 'files'>,
): Promise<CertificateFiles> {
  const wanted = [
    ...(keyOut === undefined ? [] : [{ path: keyOut, replace: force, contentOf: privateKeyIn }]),
    ...(certOut === undefined ? [] : [{ path: certOut, replace: force, contentOf: chainIn }]),
  ];
  await files.checkWritable(wanted);
  return {
    plan: wanted.map(({ path }) => `${path} would be written.`),
    write: async (data) => {
      if (wanted.length === 0) return [];
      await files.write(
        wanted.map(({ path, replace, contentOf }) => ({ path, replace, content: contentOf(data) })),
      );
      return wanted.map(({ path }) => path);
    },
  };
}

const privateKeyIn = (data: object): string => lines([textOf(data, 'private_key')]);

/** The certificate, followed by its intermediates, as servers read it. */
function chainIn(data: object): string {
  const { ca_chain: chain } = data as { readonly ca_chain?: unknown };
  const others = Array.isArray(chain) ? chain.filter((each) => typeof each === 'string') : [];
  return lines([textOf(data, 'certificate'), ...others]);
}

function textOf(data: object, name: string): string {
  const value = (data as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new LanyardError('failure', `cannot write the files: the response has no ${name}`, {
    service: 'secrets',
    hint: 'Use --cert-out and --key-out with an engine of type pki, and `-o json --out FILE` with others.',
  });
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text.trimEnd()}\n`).join('');
