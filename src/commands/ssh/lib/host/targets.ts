import type { Context } from '../../../../command/context.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { certificatePath, certificateSourcePath, renewalRetryPath } from '../../../../wire/key-paths.ts';
import { sha256 } from '../../../../wire/sha256.ts';
import { certificateState, type Signing } from '../renewal.ts';
import { maxFileBytes } from './journal.ts';
import { readHostKey } from './keys.ts';
import type { HostClient } from './login.ts';
import type { Enrollment, WrittenFile } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { readUserCas, userCasFile } from './user-cas.ts';

/** A file with the content that it must have. */
export interface TargetFile {
  readonly path: string;
  readonly kind: WrittenFile['kind'];
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** A host certificate, and how it is signed. */
export interface TargetCertificate {
  readonly path: string;
  readonly signing: Signing;
  /** It is missing, does not match, or is due for renewal. */
  readonly isDue: boolean;
}

/** The host certificates of an enrollment, in the order of its keys. */
export function targetCertificates(
  { role, mount, principals = [], keys: paths }: Enrollment,
  client: HostClient,
  keys: Keys,
  ctx: Context,
): Promise<readonly TargetCertificate[]> {
  return Promise.all(
    (role === undefined ? [] : paths).map(async (key) => {
      const path = certificatePath(key);
      const signing: Signing = {
        mount,
        role: role ?? '',
        key: await readHostKey(key, keys, ctx),
        request: { cert_type: 'host', valid_principals: principals.join(',') },
        secrets: client.authenticated,
      };
      return { path, signing, isDue: (await certificateState(path, signing, keys, ctx)).isDue };
    }),
  );
}

/** The files of a certificate: itself, and those about its source and a failed renewal. */
export const certificateFiles = (path: string): readonly string[] => [
  path,
  certificateSourcePath(path),
  renewalRetryPath(path),
];

/** The file for TrustedUserCAKeys, read from the service; undefined: the enrollment has none. */
export async function targetUserCas(
  { userCas }: Enrollment,
  paths: HostPaths,
  client: HostClient,
  ctx: Context,
): Promise<TargetFile | undefined> {
  if (userCas.length === 0) return undefined;
  const bundles = await readUserCas(userCas, client);
  const current = (await ctx.files.exists(paths.userCas))
    ? await ctx.files.readText(paths.userCas, 'the CAs of users')
    : '';
  return { path: paths.userCas, kind: 'keys', content: userCasFile(bundles, current, ctx), mode: 0o644 };
}

/** Whether a file has the content. */
export async function isCurrent(
  { path, content }: TargetFile,
  ctx: Pick<Context, 'files'>,
): Promise<boolean> {
  return (await hashOf(path, ctx)) === sha256(Buffer.from(content));
}

/** The SHA-256 of a file; undefined: it is not a regular file. */
export async function hashOf(path: string, { files }: Pick<Context, 'files'>): Promise<string | undefined> {
  if (!(await files.isFile(path))) return undefined;
  return sha256(await files.readBytes(path, 'the file', maxFileBytes));
}
