import type { Context } from '../../../../cli/context.ts';
import type { ClientSettings, SshClient } from '../../../../ssh/types.ts';
import type { Role } from './connect-role.ts';
import type { SshArguments } from './ssh-arguments.ts';

/** The parameters of ssh, as the login mode collects them. */
export interface Access {
  /** Options of ssh_config, as `-o` takes them: they precede those of the user, and so take effect. */
  readonly options: string[];
  readonly env: Record<string, string>;
  /** The process ID of ssh, when it has started. */
  pid?: number;
  /** Cleanups to run when ssh has exited, in reverse order. */
  readonly endings: (() => Promise<void>)[];
}

/** The requested connection. */
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
  /** The arguments of ssh after the host. */
  readonly arguments: SshArguments;
  readonly flags: {
    readonly principals: readonly string[] | undefined;
    readonly ttl: string | undefined;
    readonly extension: Readonly<Record<string, string>> | undefined;
    readonly key: string | undefined;
    readonly agentKey: boolean;
    readonly ip: string | undefined;
  };
}

/** The parts of the context that a login mode needs. */
export type ConnectContext = Pick<Context, 'api' | 'output' | 'ssh' | 'system' | 'files'>;

/** An option with a path as its value; `%` is escaped. */
export const pathOption = (name: string, path: string): string => `${name}="${path.replaceAll('%', '%%')}"`;

/**
 * The user of `USER@` or ssh_config. Without either, ssh reports the local user, and the default user of the role
 * takes precedence.
 */
export function loginUser({ host, settings, client, role }: Connection): string {
  const isChosen = host.includes('@') || settings.user !== client.localUser;
  return isChosen ? settings.user : (role.defaultUser ?? settings.user);
}
