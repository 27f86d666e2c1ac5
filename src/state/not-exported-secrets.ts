import { mapConcurrently } from '../wire/concurrently.ts';
import { isObject } from '../wire/objects.ts';
import type { Caller, Counted, List } from './not-exported-list.ts';

/** Paths below an engine or an auth method that list objects without a kind, and what they are. */
type Contents = Readonly<Record<string, readonly (readonly [path: string, what: string])[]>>;

const authContents: Contents = {
  cert: [['crls', 'cert revocation lists']],
  ldap: [
    ['groups', 'ldap groups'],
    ['users', 'ldap users'],
  ],
  radius: [['users', 'radius users']],
  kerberos: [['groups', 'kerberos groups']],
};

/** Auth methods whose contents are kinds, or that belong to the service. */
const exportedMethods = ['token', 'ns_token', 'approle', 'jwt', 'oidc', 'kubernetes', 'userpass'];

/** Auth methods with a configuration that has no kind. */
const configured = ['radius', 'kerberos'];

const engineContents: Contents = {
  pki: [
    ['roles', 'pki roles'],
    ['issuers', 'pki issuers'],
    ['keys', 'pki keys'],
  ],
  transit: [['keys', 'transit keys']],
  database: [
    ['config', 'database connections'],
    ['roles', 'database roles'],
    ['static-roles', 'database static roles'],
  ],
  totp: [['keys', 'totp keys']],
  rabbitmq: [['roles', 'rabbitmq roles']],
  kubernetes: [['roles', 'kubernetes engine roles']],
  ldap: [
    ['role', 'ldap engine roles'],
    ['static-role', 'ldap engine static roles'],
  ],
};

/** Engines whose contents are kinds, or that belong to the service. */
const exportedEngines = [
  'kv',
  'generic',
  'ssh',
  'system',
  'identity',
  'cubbyhole',
  'ns_system',
  'ns_identity',
  'ns_cubbyhole',
];

const list = (what: string, path: string, isCounted?: List['isCounted']): List => ({
  what,
  method: 'LIST',
  path,
  ...(isCounted && { isCounted }),
});

const systemLists: readonly List[] = [
  list('identity entities', 'identity/entity/id'),
  list('identity groups', 'identity/group/id'),
  list('identity OIDC roles', 'identity/oidc/role'),
  list('identity OIDC keys', 'identity/oidc/key', (name) => name !== 'default'),
  list('MFA enforcements', 'identity/mfa/login-enforcement'),
  list('namespaces', 'sys/namespaces'),
  list('password policies', 'sys/policies/password'),
  list('rate limit quotas', 'sys/quotas/rate-limit'),
];

/** What the lists of a mount table say: paths, with a slash at the end, and types. */
async function mountTable(api: Caller, path: string): Promise<readonly (readonly [string, string])[]> {
  const { body } = await api.call('secrets', { method: 'GET', path, content: undefined });
  const { data } = body as { readonly data?: unknown };
  return Object.entries(isObject(data) ? data : {}).map(([mount, value]) => [
    mount.split('/').map(encodeURIComponent).join('/'),
    String((value as { readonly type?: unknown }).type),
  ]);
}

/** Issuers that no file can state: secrets.ssh-ca is the default, and secrets.ssh-issuer has a name. */
const issuersOf = (mount: string): List =>
  list(
    'ssh issuers without a name',
    `${mount}issuers`,
    (_id, { issuer_name: name, is_default: isDefault }) => !name && isDefault !== true,
  );

/**
 * The lists that show what no kind has: a fixed number for each mount.
 *
 * @throws LanyardError of the two lists of mounts.
 */
export async function secretsLists(api: Caller): Promise<readonly (List | Counted)[]> {
  const [engines = [], methods = []] = await mapConcurrently(['sys/mounts', 'sys/auth'], (path) =>
    mountTable(api, path),
  );
  const below = (prefix: string, mount: string, contents: Contents[string] = []): readonly List[] =>
    contents.map(([path, what]) => list(what, `${prefix}${mount}${path}`));
  const isUnknown = ([, type]: readonly [string, string], contents: Contents, others: readonly string[]) =>
    contents[type] === undefined && !others.includes(type);
  const types = (table: readonly (readonly [string, string])[]): string =>
    [...new Set(table.map(([, type]) => type))].sort().join(', ');
  const otherEngines = engines.filter((mount) => isUnknown(mount, engineContents, exportedEngines));
  const otherMethods = methods.filter((mount) => isUnknown(mount, authContents, exportedMethods));
  return [
    ...methods.flatMap(([mount, type]) => below('auth/', mount, authContents[type])),
    {
      what: 'configurations of auth methods',
      count: methods.filter(([, type]) => configured.includes(type)).length,
    },
    { what: `auth methods of other types (${types(otherMethods)})`, count: otherMethods.length },
    ...engines.flatMap(([mount, type]) => below('', mount, engineContents[type])),
    ...engines.flatMap(([mount, type]) => (type === 'ssh' ? [issuersOf(mount)] : [])),
    { what: `engines of other types (${types(otherEngines)})`, count: otherEngines.length },
    ...systemLists,
  ];
}
