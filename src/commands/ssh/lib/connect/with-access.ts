import type { Context } from '../../../../command/context.ts';
import type { ClientSettings } from '../../../../ssh/types.ts';
import { connectVariable } from '../../../../wire/ssh-connect.ts';
import { accessWithCertificate } from './ca-login.ts';
import type { Access, Connection } from './connection.ts';
import { accessWithPassword } from './otp-login.ts';
import { applyRevocationList } from './revocation.ts';
import { trustHostCa } from './trust-host-ca.ts';

/** Variables of ssh while it logs in with a certificate of ours. */
export const connecting = { [connectVariable]: '1' };

/** Whether ssh connects directly. Other ssh clients, for jump hosts, need the certificates of `ssh config`. */
const isDirect = ({ value }: ClientSettings): boolean =>
  ['proxycommand', 'proxyjump'].every((name) => (value(name) ?? 'none') === 'none');

/** The parameters of ssh for these settings, before a login method adds its own. */
export const newAccess = (settings: ClientSettings): Access => ({
  options: [],
  env: isDirect(settings) ? { ...connecting } : {},
  endings: [],
});

/**
 * Collects what ssh needs to log in, calls `work`, and removes everything again.
 *
 * @param login `credentials`: a certificate or password, by the role; `none`: only the CA of the host.
 */
export async function withAccess<Result>(
  parts: Omit<Connection, 'access' | 'folder' | 'rejectRevoked'>,
  login: 'credentials' | 'none',
  ctx: Context,
  work: (access: Access) => Promise<Result>,
): Promise<Result> {
  const access = newAccess(parts.settings);
  const folder = await ctx.system.createTemporaryDirectory('lanyard-connect-');
  access.endings.push(folder.remove);
  try {
    const { settings, flags } = parts;
    const rejectRevoked = await applyRevocationList({ access, folder: folder.path, settings, flags }, ctx);
    const connection: Connection = { ...parts, access, folder: folder.path, rejectRevoked };
    const { hostCa } = flags;
    if (hostCa !== undefined) await trustHostCa(hostCa, connection, ctx);
    if (login === 'credentials')
      await (parts.role.mode === 'otp' ? accessWithPassword : accessWithCertificate)(connection, ctx);
    return await work(access);
  } finally {
    for (const end of access.endings.toReversed()) await end();
  }
}
