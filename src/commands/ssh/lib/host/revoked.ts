import type { Context } from '../../../../command/context.ts';
import type { Check } from './checks.ts';
import type { HostClient } from './login.ts';
import type { Enrollment, Manifest } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import type { TargetFile } from './targets.ts';

/** The file for RevokedKeys, read from its location; undefined: the enrollment has none. */
export async function targetRevoked(
  { revoked }: Enrollment,
  paths: HostPaths,
  _client: HostClient,
  ctx: Context,
): Promise<TargetFile | undefined> {
  if (revoked === undefined) return undefined;
  const content = await ctx.files.readBytes(revoked, 'the revocation list', 1 << 26);
  return { path: paths.revoked, kind: 'revoked', content, mode: 0o644 };
}

/** The checks of the revocation list. */
export async function checkRevoked(
  { manifest, paths }: { readonly manifest: Manifest; readonly paths: HostPaths },
  ctx: Context,
): Promise<readonly Check[]> {
  if (manifest.enrollment.revoked === undefined) return [];
  const isFile = await ctx.files.isFile(paths.revoked);
  return [{ name: paths.revoked, state: isFile ? 'ok' : 'problem', message: isFile ? 'exists' : 'missing' }];
}
