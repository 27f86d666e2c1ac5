import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import type { SshClient } from '../../../../ssh/client.ts';
import type { ClientSettings } from '../../../../ssh/types.ts';
import { mountFlag } from '../mount.ts';
import { recordFlag } from '../record.ts';
import { listFlag } from '../revoked/location.ts';
import type { Mode, Role } from './connect-role.ts';
import type { SshArguments } from './ssh-arguments.ts';

export const connectFlags = {
  role: flag.text('ROLE', 'role (default: from settings)', { completes: 'ssh-role' }),
  mode: flag.choice<Mode>(['ca', 'otp'], 'login method (default: key type of the role)'),
  hostCa: flag.text('PATH', 'mount of the CA that host keys must be signed by (default: known_hosts)', {
    completes: 'ssh-mount',
  }),
  principals: flag.list('A,B', 'principals (default: from settings, else the user)'),
  ttl: flag.duration('validity period (default 2m)'),
  extension: flag.map('K[=V]', 'additional extension; repeatable'),
  key: flag.file('FILE', 'sign this key instead of an in-memory key'),
  agentKey: flag.boolean('sign the first key of the ssh-agent instead'),
  revoked: listFlag,
  ip: flag.text('IP', 'address for the one-time password (default: of the host)'),
  record: recordFlag,
  mount: mountFlag,
} as const;

/** The parameters of ssh, as the login mode collects them. */
export interface Access {
  /** Options of ssh_config, as `-o` takes them: they precede the user's options, and so take effect. */
  readonly options: string[];
  readonly env: Record<string, string>;
  /** The process ID of ssh, when it has started. */
  pid?: number;
  /** The line of the certificate that ssh gets; undefined: none. */
  certificate?: string;
  /** Cleanups to run when ssh has exited, in reverse order. */
  readonly endings: (() => Promise<void>)[];
}

export interface Connection {
  readonly client: SshClient;
  readonly settings: ClientSettings;
  readonly mount: string;
  readonly role: Role;
  readonly access: Access;
  /** A directory of mode 0700. */
  readonly folder: string;
  /** As the user wrote it. */
  readonly host: string;
  readonly arguments: SshArguments;
  readonly flags: Values<typeof connectFlags>;
  /** @throws LanyardError forbidden: the revocation list has the certificate, its key or its CA. */
  readonly rejectRevoked: (certificate: string) => Promise<void>;
}

/** An option with a path as its value; `%` is escaped. */
export const pathOption = (name: string, path: string): string => `${name}="${path.replaceAll('%', '%%')}"`;

/**
 * The user of `USER@` or ssh_config. Without either, ssh reports the local user, and the default user of the role
 * takes precedence.
 */
export function loginUser({
  host,
  settings,
  client,
  role,
}: Pick<Connection, 'host' | 'settings' | 'client' | 'role'>): string {
  const isChosen = host.includes('@') || settings.user !== client.localUser;
  return isChosen ? settings.user : (role.defaultUser ?? settings.user);
}

/** The socket of the user's agent that ssh would use. */
export function configuredAgent(
  { settings }: Pick<Connection, 'settings'>,
  { system: { env, home } }: Pick<Context, 'system'>,
): string | undefined {
  const named = settings.value('identityagent') ?? 'SSH_AUTH_SOCK';
  if (named === 'none') return undefined;
  if (named === 'SSH_AUTH_SOCK') return env.SSH_AUTH_SOCK || undefined;
  if (named.startsWith('$')) return env[named.replace(/^\$\{?|\}$/g, '')] || undefined;
  return named.replace(/^~(?=\/)/, home);
}
