import type { Context } from '../../../../command/context.ts';
import { LanyardError, usage } from '../../../../errors.ts';
import type { CertificateInfo } from '../../../../ssh/types.ts';
import type { CertificateSource } from '../../../../wire/certificate-source.ts';
import { readSource } from '../certificate-source-file.ts';

/** A certificate in a file, in the ssh-agent, or both. */
export interface FoundCertificate {
  /** Absolute path; undefined: only the agent has it. */
  readonly file: string | undefined;
  readonly isInAgent: boolean;
  /** Its line. */
  readonly text: string;
  readonly certificate: CertificateInfo;
  /** Where it was signed; without a file of its own, only mount and namespace, as they are usual. */
  readonly source: CertificateSource | undefined;
}

/** Where ssh and `ssh config` have certificates, below the home directory. */
const folders = ['.ssh', '.ssh/lanyard'];

/** More than any certificate has. */
const maxBytes = 262_144;

/** `type base64`, which is the same in a file and in an agent. */
const identityOf = (text: string): string => text.trim().split(/\s+/).slice(0, 2).join(' ');

/**
 * The certificates in files: the named ones, and unless `onlyNamed` all in the default folders. What cannot be read
 * in a default folder is a warning.
 *
 * @throws LanyardError usage: a named file cannot be read, or is not a certificate.
 */
export async function certificatesInFiles(
  named: readonly string[],
  ctx: Context,
  { onlyNamed }: { readonly onlyNamed: boolean },
): Promise<readonly FoundCertificate[]> {
  const given = named.map((name) => ctx.files.absolute(name));
  const others = onlyNamed ? [] : (await defaultFiles(ctx)).filter((path) => !given.includes(path));
  const found: FoundCertificate[] = [];
  for (const path of new Set(given)) found.push(await readCertificateFile(path, ctx));
  for (const path of others)
    try {
      found.push(await readCertificateFile(path, ctx));
    } catch (error) {
      warnAbout(ctx)(error);
    }
  return found;
}

async function defaultFiles(ctx: Context): Promise<readonly string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const path = `${ctx.system.home}/${folder}`;
      const names = (await ctx.files.isDirectory(path))
        ? await ctx.files.listDirectory(path).catch(warnAbout(ctx))
        : undefined;
      const certificates = (names ?? []).filter((name) => name.endsWith('-cert.pub')).sort();
      return certificates.map((name) => `${path}/${name}`);
    }),
  );
  const paths = listed.flat();
  const areFiles = await Promise.all(paths.map((path) => ctx.files.isFile(path)));
  return paths.filter((_path, index) => areFiles[index]);
}

const warnAbout =
  (ctx: Pick<Context, 'output'>) =>
  (error: unknown): undefined => {
    if (!(error instanceof LanyardError)) throw error;
    ctx.output.warn(error.message);
  };

async function readCertificateFile(path: string, ctx: Context): Promise<FoundCertificate> {
  const text = await ctx.files.readText(path, 'the certificate', maxBytes);
  const found = await (await ctx.ssh.keys()).inspect(text, path);
  if (found.what !== 'certificate') {
    throw usage(`${path} is a ${found.what}; expected a certificate`);
  }
  const source = await readSource(path, text, ctx);
  return { file: path, isInAgent: false, text, certificate: found.certificate, source };
}

/**
 * The lines of the certificates in the ssh-agent. Without `SSH_AUTH_SOCK` there are none; an agent that fails is a
 * warning.
 */
export async function agentCertificates(ctx: Context): Promise<readonly string[]> {
  if (!ctx.system.env.SSH_AUTH_SOCK) return [];
  try {
    return await (await ctx.ssh.agent()).certificates();
  } catch (error) {
    warnAbout(ctx)(error);
    return [];
  }
}

/** Whether the agent has the certificate of a file. */
export const isInAgent = (text: string, lines: readonly string[]): boolean =>
  lines.includes(identityOf(text));

/** The certificates in files, and those that only the agent has. */
export async function allCertificates(
  named: readonly string[],
  ctx: Context,
): Promise<readonly FoundCertificate[]> {
  const [inFiles, lines] = await Promise.all([
    certificatesInFiles(named, ctx, { onlyNamed: false }),
    agentCertificates(ctx),
  ]);
  const ofFiles = new Set(inFiles.map(({ text }) => identityOf(text)));
  const keys = await ctx.ssh.keys();
  const others: FoundCertificate[] = [];
  let damaged = 0;
  for (const line of new Set(lines)) {
    if (ofFiles.has(line)) continue;
    const found = await keys.inspect(line, 'the ssh-agent').catch((error: unknown) => {
      if (!(error instanceof LanyardError)) throw error;
      damaged += 1;
    });
    if (found?.what !== 'certificate') continue;
    const { certificate } = found;
    others.push({ file: undefined, isInAgent: true, text: line, certificate, source: undefined });
  }
  if (damaged > 0)
    ctx.output.warn(`the ssh-agent has ${damaged} damaged certificate${damaged === 1 ? '' : 's'}`);
  return [...inFiles.map((each) => ({ ...each, isInAgent: isInAgent(each.text, lines) })), ...others];
}
