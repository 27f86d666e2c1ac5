import type { Context } from '../../../../cli/context.ts';
import type { ClientSettings, SshClient } from '../../../../ssh/types.ts';
import type { Role } from './connect-role.ts';
import type { SshArguments } from './ssh-arguments.ts';

/** What ssh is started with, as it comes together. */
export interface Access {
  /** Of ssh_config, as `-o` takes them: they go before everything of the user's, and so they hold. */
  readonly options: string[];
  readonly env: Record<string, string>;
  /** The process of ssh, when it has started. */
  pid?: number;
  /** What is to be done when ssh has ended, however it did, last one first. */
  readonly endings: (() => Promise<void>)[];
}

/** What is wanted of a connection. */
export interface Connection {
  readonly client: SshClient;
  readonly settings: ClientSettings;
  readonly mount: string;
  readonly role: Role;
  readonly access: Access;
  /** A folder of mode 0700. */
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

/** What it takes to run a mode, of all that a command may touch. */
export type ConnectContext = Pick<Context, 'api' | 'output' | 'ssh' | 'system' | 'files'>;

/** An option whose value is a path; `%` has a meaning there. */
export const pathOption = (name: string, path: string): string => `${name}="${path.replaceAll('%', '%%')}"`;

/**
 * The user that was chosen, by `USER@` or ssh_config; where nobody chose, ssh says the local one, and the role's
 * default user comes first.
 */
export function loginUser({ host, settings, client, role }: Connection): string {
  const isChosen = host.includes('@') || settings.user !== client.localUser;
  return isChosen ? settings.user : (role.defaultUser ?? settings.user);
}
