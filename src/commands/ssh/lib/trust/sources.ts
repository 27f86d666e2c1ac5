import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import { readCaBundle, readTrustedIssuer } from '../ca/bundle.ts';

/** Where `ssh trust` gets public keys of CAs from. */
export interface CaSource {
  readonly mount: string;
  /** Names or IDs of issuers; undefined: all CAs of the mount. */
  readonly issuer: readonly string[] | undefined;
  /** File with a public key on each line, or `-`; undefined: the service. */
  readonly bundle: string | undefined;
}

/** Public keys of CAs, one line each, the default one first. */
export interface CaKeys {
  readonly lines: readonly string[];
  /** What could not be read, as in `CaBundle`. */
  readonly missing: readonly string[];
}

/**
 * Reads the public keys of the CAs to trust.
 *
 * @throws LanyardError usage: a line of the bundle is not a public key; not found: no CA.
 */
export async function readCaKeys({ mount, issuer, bundle }: CaSource, ctx: Context): Promise<CaKeys> {
  if (bundle !== undefined) {
    if (issuer) throw usage('--bundle and --issuer exclude each other');
    return { lines: await readBundleFile(bundle, ctx), missing: [] };
  }
  const secrets = await ctx.api.secrets();
  if (issuer) {
    const cas = await Promise.all(issuer.map((each) => readTrustedIssuer(secrets, mount, each)));
    return { lines: distinct(cas.map(({ publicKey }) => publicKey)), missing: [] };
  }
  const { cas, missing } = await readCaBundle(secrets, mount);
  return { lines: distinct(cas.map(({ publicKey }) => publicKey)), missing };
}

/** The keys of a file of TrustedUserCAKeys: one on each line; blank lines and comments are ignored. */
async function readBundleFile(file: string, ctx: Context): Promise<readonly string[]> {
  const content =
    file === '-'
      ? (await ctx.input.readStdin()).toString('utf8')
      : await ctx.files.readText(file, 'the bundle of CA keys');
  const source = file === '-' ? 'standard input' : file;
  const keys = await ctx.ssh.keys();
  const lines = content.split(/\r?\n/).flatMap((text, index) => {
    if (text.trim() === '' || text.trimStart().startsWith('#')) return [];
    return [keys.readPublicKey(text, `${source}, line ${index + 1}`).line];
  });
  if (lines.length === 0)
    throw usage(`${source} contains no key`, {
      hint: 'Run `lanyard ssh trust --users FILE` where the service can be reached to write a bundle.',
    });
  return distinct(lines);
}

const blobOf = (line: string): string => line.split(' ').slice(0, 2).join(' ');

const distinct = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, index) => lines.findIndex((other) => blobOf(other) === blobOf(line)) === index);
