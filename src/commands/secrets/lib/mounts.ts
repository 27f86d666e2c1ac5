import { isMissingMount } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import type { Mount } from '../../../api/secrets-mounts.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, usage } from '../../../errors.ts';

/** One of the two mount tables: its commands, its words and its operations. */
export interface MountTable {
  /** The commands: `secrets mount`, `secrets auth`. */
  readonly command: 'mount' | 'auth';
  readonly noun: 'secrets engine' | 'auth method';
  /** Before its paths, where both tables are meant. */
  readonly prefix: '' | 'auth/';
  readonly operations: (secrets: SecretsClient) => MountOperations;
}

type MountOperations = {
  readonly list: SecretsClient['listEngines'];
  readonly read: SecretsClient['readEngine'];
  readonly enable: SecretsClient['enableEngine'];
  readonly readTuning: SecretsClient['readEngineTuning'];
  readonly tune: SecretsClient['tuneEngine'];
  readonly disable: SecretsClient['disableEngine'];
};

export const engines: MountTable = {
  command: 'mount',
  noun: 'secrets engine',
  prefix: '',
  operations: (secrets) => ({
    list: secrets.listEngines,
    read: secrets.readEngine,
    enable: secrets.enableEngine,
    readTuning: secrets.readEngineTuning,
    tune: secrets.tuneEngine,
    disable: secrets.disableEngine,
  }),
};

export const authMethods: MountTable = {
  command: 'auth',
  noun: 'auth method',
  prefix: 'auth/',
  operations: (secrets) => ({
    list: secrets.listAuthMethods,
    read: secrets.readAuthMethod,
    enable: secrets.enableAuthMethod,
    readTuning: secrets.readAuthMethodTuning,
    tune: secrets.tuneAuthMethod,
    disable: secrets.disableAuthMethod,
  }),
};

export const enginePathArg = arg.text('PATH', 'path of the secrets engine', { completes: 'secrets-mount' });
export const authPathArg = arg.text('PATH', 'path of the auth method, below auth/', {
  completes: 'secrets-auth',
});

/** A mount with its path, as a result. */
export type MountRow = { readonly path: string } & Mount;

/** The path of a mount in its table, without slashes at its ends. @throws LanyardError usage: empty */
export function mountPath({ noun, prefix }: MountTable, given: string): string {
  const path = given.replace(/^\/+|\/+$/g, '');
  const own = prefix !== '' && path.startsWith(prefix) ? path.slice(prefix.length) : path;
  if (own === '') throw usage(`invalid path "${given}" of the ${noun}: expected a name such as "team/kv"`);
  return own;
}

/** Reports a missing mount as not found. */
export const describeMissingMount = ({ command, noun }: MountTable, path: string) =>
  describeAs(isMissingMount, 'not_found', `${noun} "${path}/" not found`, {
    hint: `Run \`lanyard secrets ${command} list\` for the existing ${noun}s.`,
  });

/** @throws LanyardError not_found */
export async function findMount(table: MountTable, secrets: SecretsClient, path: string): Promise<MountRow> {
  const { body } = await table.operations(secrets).read({ path }).catch(describeMissingMount(table, path));
  return { path: `${path}/`, ...body.data };
}
