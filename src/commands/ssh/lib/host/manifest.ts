import type { Context } from '../../../../command/context.ts';
import { hintFor, isFailure, usage } from '../../../../errors.ts';
import { isObject } from '../../../../wire/objects.ts';
import type { HostPaths } from './paths.ts';

/** How renewals log in. `token`: with the token of the settings, or of a file. */
export const loginMethods = ['token', 'approle', 'cert', 'kubernetes'] as const;

export interface HostLogin {
  readonly method: (typeof loginMethods)[number];
  /** Mount below auth/. */
  readonly path?: string;
  readonly roleId?: string;
  /** cert, kubernetes: the role of the auth method. */
  readonly role?: string;
  /** token: the file that has it. */
  readonly tokenFile?: string;
}

/** What a host was enrolled with. It has no secrets. */
export interface Enrollment {
  /** Addresses of the secrets service, and its namespace: renewals do not go to another one. */
  readonly addresses: readonly string[];
  readonly namespace: string;
  /** Absent: no host certificate. */
  readonly role?: string;
  readonly mount: string;
  readonly principals?: readonly string[];
  /** Private key files of sshd. */
  readonly keys: readonly string[];
  /** Mounts whose user certificates sshd accepts. */
  readonly userCas: readonly string[];
  /** The location of the revocation list. */
  readonly revoked?: string;
  readonly login: HostLogin;
  /** A shell command; false: sshd is not reloaded; absent: systemd, or SIGHUP. */
  readonly reload?: string | false;
  /** The directory of the systemd units; false: no timer is wanted; absent: cron. */
  readonly unitDirectory?: string | false;
}

/** A file that enroll wrote. */
export interface WrittenFile {
  readonly path: string;
  readonly kind: 'certificate' | 'configuration' | 'block' | 'keys' | 'revoked' | 'unit';
  /** SHA-256 of its content, in hex. */
  readonly hash: string;
  /** The content before, in Base64; absent: the file did not exist. */
  readonly before?: string;
  /** Its permission bits before. */
  readonly mode?: number;
}

export interface Manifest {
  readonly version: 1;
  readonly enrollment: Enrollment;
  readonly files: readonly WrittenFile[];
}

const maxBytes = 64 * 1024 * 1024;

/** What enroll recorded; undefined: the host is not enrolled. @throws LanyardError usage: unreadable or damaged. */
export async function readManifest(
  paths: HostPaths,
  { files }: Pick<Context, 'files'>,
): Promise<Manifest | undefined> {
  if (!(await files.isDirectory(paths.own))) return undefined;
  // Otherwise a directory that cannot be read looks empty.
  await files.listDirectory(paths.own).catch(hintFor(isFailure, 'Run the command as root.'));
  if (!(await files.exists(paths.manifest))) return undefined;
  const text = await files.readText(paths.manifest, 'the record of the enrollment', maxBytes);
  const manifest = parse(text);
  if (
    isObject(manifest) &&
    manifest.version === 1 &&
    isObject(manifest.enrollment) &&
    Array.isArray(manifest.files)
  )
    return manifest as unknown as Manifest;
  throw usage(`invalid ${paths.manifest}: not written by "lanyard ssh host enroll"`, {
    hint: 'Restore the file from a backup, or remove it and enroll the host again.',
  });
}

/** The contents of files before a change. */
export interface Journal {
  readonly files: readonly Omit<WrittenFile, 'hash' | 'kind'>[];
}

/** The journal of an unfinished change; undefined: none. */
export async function readJournal(
  paths: HostPaths,
  { files }: Pick<Context, 'files'>,
): Promise<Journal | undefined> {
  if (!(await files.exists(paths.journal))) return undefined;
  const journal = parse(await files.readText(paths.journal, 'the record of a change', maxBytes));
  return isObject(journal) && Array.isArray(journal.files) ? (journal as unknown as Journal) : { files: [] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const manifestFile = (paths: HostPaths, manifest: Manifest) =>
  ({
    path: paths.manifest,
    content: `${JSON.stringify(manifest, null, 2)}\n`,
    mode: 0o644,
    replace: true,
  }) as const;
