import { suggest } from '../wire/suggest.ts';
import type { Kind } from './kind.ts';
import { accountsAccount } from './kinds/accounts-account.ts';
import { accountsAuthMethod } from './kinds/accounts-auth-method.ts';
import { accountsRole } from './kinds/accounts-role.ts';
import { accountsScope } from './kinds/accounts-scope.ts';
import { accountsUser } from './kinds/accounts-user.ts';
import { boxBox } from './kinds/box-box.ts';
import { boxProvider } from './kinds/box-provider.ts';
import { boxRelease } from './kinds/box-release.ts';
import { boxVersion } from './kinds/box-version.ts';
import { registryAuthMethod } from './kinds/registry-auth-method.ts';
import { registryBindingRule } from './kinds/registry-binding-rule.ts';
import { registryConfigEntry } from './kinds/registry-config-entry.ts';
import { registryKey } from './kinds/registry-key.ts';
import { registryPolicy } from './kinds/registry-policy.ts';
import { registryQuery } from './kinds/registry-query.ts';
import { registryRole } from './kinds/registry-role.ts';
import { registryToken } from './kinds/registry-token.ts';
import { schedulerNamespace } from './kinds/scheduler-namespace.ts';
import { schedulerPolicy } from './kinds/scheduler-policy.ts';
import { schedulerRole } from './kinds/scheduler-role.ts';
import { schedulerToken } from './kinds/scheduler-token.ts';
import { schedulerVariable } from './kinds/scheduler-variable.ts';
import { secretsAuthConfig } from './kinds/secrets-auth-config.ts';
import { secretsAuthMethod } from './kinds/secrets-auth-method.ts';
import { secretsAuthRole } from './kinds/secrets-auth-role.ts';
import { secretsKv } from './kinds/secrets-kv.ts';
import { secretsKvConfig } from './kinds/secrets-kv-config.ts';
import { secretsKvMetadata } from './kinds/secrets-kv-metadata.ts';
import { secretsMount } from './kinds/secrets-mount.ts';
import { secretsPolicy } from './kinds/secrets-policy.ts';
import { secretsSshCa } from './kinds/secrets-ssh-ca.ts';
import { secretsSshIssuer } from './kinds/secrets-ssh-issuer.ts';
import { secretsSshRole } from './kinds/secrets-ssh-role.ts';
import { secretsSshZeroAddress } from './kinds/secrets-ssh-zero-address.ts';
import { secretsTokenRole } from './kinds/secrets-token-role.ts';

/** Every kind of object that a set may contain, in the order of the documentation. */
export const kinds: readonly Kind[] = [
  secretsMount,
  secretsAuthMethod,
  secretsAuthConfig,
  secretsAuthRole,
  secretsTokenRole,
  secretsPolicy,
  secretsSshCa,
  secretsSshIssuer,
  secretsSshRole,
  secretsSshZeroAddress,
  secretsKv,
  secretsKvMetadata,
  secretsKvConfig,
  registryPolicy,
  registryRole,
  registryToken,
  registryAuthMethod,
  registryBindingRule,
  registryConfigEntry,
  registryQuery,
  registryKey,
  schedulerNamespace,
  schedulerPolicy,
  schedulerRole,
  schedulerToken,
  schedulerVariable,
  boxBox,
  boxVersion,
  boxProvider,
  boxRelease,
  accountsScope,
  accountsAuthMethod,
  accountsAccount,
  accountsUser,
  accountsRole,
];

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

export const findKind = (name: string): Kind | undefined => byName.get(name);

/** The names of all kinds, in the order of the list. */
export const kindNames: readonly string[] = kinds.map(({ name }) => name);

/** The kinds that a name probably means: those that end with it, or one that is spelled similarly. */
export function suggestKinds(name: string): readonly string[] {
  const ending = kindNames.filter((each) => each.endsWith(`.${name.toLowerCase()}`));
  const similar = suggest(name, kindNames);
  return ending.length > 0 || similar === undefined ? ending : [similar];
}
