import type { Context } from '../../../../command/context.ts';
import { isFailure, isKind, type LanyardError, notFound, usage } from '../../../../errors.ts';
import { withOwnDirectory } from './enroll.ts';
import { sharesAddress } from './enrollment.ts';
import { type HostClient, hostClient } from './login.ts';
import { type Enrollment, type Manifest, readManifest } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { type Changes, reconcile, type Targets } from './reconcile.ts';
import { targetRevoked } from './revoked.ts';
import { findSshd } from './sshd.ts';
import { type TargetFile, targetCertificates, targetUserCas } from './targets.ts';

export const notEnrolledError = (paths: HostPaths): LanyardError =>
  notFound(`this host is not enrolled: ${paths.manifest} does not exist`, {
    hint: 'Run `lanyard ssh host enroll` first.',
  });

/** @throws LanyardError not found: the host is not enrolled; usage: with another service. */
export async function requireManifest(paths: HostPaths, ctx: Context): Promise<Manifest> {
  const manifest = await readManifest(paths, ctx);
  if (manifest === undefined) throw notEnrolledError(paths);
  await rejectOtherService(manifest.enrollment, ctx);
  return manifest;
}

/** Files of one cluster are not replaced by those of another. @throws LanyardError usage */
export async function rejectOtherService({ addresses, namespace }: Enrollment, ctx: Context): Promise<void> {
  const current = await ctx.api.settings('secrets');
  if (sharesAddress(addresses, current.addresses) && namespace === (current.namespace ?? '')) return;
  const place = (address: string, name: string): string =>
    name === '' ? address : `${address}, namespace ${name}`;
  throw usage(
    `this host is enrolled with ${place(addresses[0] ?? '', namespace)}, and not with ${place(current.address, current.namespace ?? '')}`,
    {
      hint: 'Use --profile, --address and --namespace of the enrollment, or run `lanyard ssh host remove` first.',
    },
  );
}

/**
 * Renews what is due: CAs of users and the revocation list first, so that a certificate that cannot be signed does not
 * keep a revoked key alive. While the service is unavailable, the files stay.
 *
 * @throws LanyardError the first error, after everything that was possible.
 */
export async function renewHost(paths: HostPaths, ctx: Context): Promise<Changes> {
  // Before the directory is created.
  await requireManifest(paths, ctx);
  const sshd = await findSshd(paths.config, ctx);
  return withOwnDirectory(paths, ctx, async () => {
    const { enrollment } = await requireManifest(paths, ctx);
    const keys = await ctx.ssh.keys();
    const client = hostClient(enrollment.login, paths, ctx);
    const errors: LanyardError[] = [];
    const apply = async (targets: Targets): Promise<Changes> => {
      const manifest = await readManifest(paths, ctx);
      return reconcile(targets, { paths, sshd, keys, enrollment, manifest, obsolete: [] }, ctx);
    };
    try {
      const files = await remoteFiles(enrollment, paths, client, errors, ctx);
      const first = await apply({ files, certificates: [] });
      const certificates = await targetCertificates(enrollment, client, keys, ctx);
      const second = await apply({ files: [], certificates });
      const [error] = errors;
      if (error) throw error;
      return {
        written: [...first.written, ...second.written],
        restored: [...first.restored, ...second.restored],
        reloaded: second.reloaded ?? first.reloaded,
      };
    } finally {
      await client.end();
    }
  });
}

/** The files from the service; one that cannot be read is unchanged, and its error is added to `errors`. */
async function remoteFiles(
  enrollment: Enrollment,
  paths: HostPaths,
  client: HostClient,
  errors: LanyardError[],
  ctx: Context,
): Promise<readonly TargetFile[]> {
  const sources = [
    ['CAs of users', targetUserCas],
    ['revocation list', targetRevoked],
  ] as const;
  const files: TargetFile[] = [];
  for (const [what, target] of sources)
    try {
      const file = await target(enrollment, paths, client, ctx);
      if (file) files.push(file);
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (isKind('unreachable', 'unavailable')(error))
        ctx.output.warn(`cannot read the ${what}: ${error.message}; the existing file is unchanged`);
      else errors.push(error);
    }
  return files;
}
