import type { SecretsClient } from '../../api/secrets.ts';
import { authRoleKinds, authRoleTypes } from '../../objects/auth-role-types.ts';
import type { Candidate } from './candidates.ts';
import { described, directoryOf, named, type Source, segmentsBelow, source } from './source.ts';

interface VisibleMount {
  readonly type?: string;
  readonly description?: string;
  readonly options?: { readonly version?: string } | null;
}

type VisibleMounts = Readonly<Record<string, VisibleMount>>;

const keyValueTypes = ['kv', 'generic', 'cubbyhole'];

/** The mounts that the token can see, which does not require permission for `sys/mounts`; paths end with `/`. */
async function visibleMounts(secrets: SecretsClient, table: 'secret' | 'auth'): Promise<VisibleMounts> {
  const { data } = (await secrets.listMounts({ path: 'sys/internal/ui/mounts' })).body;
  return (data as { readonly [name: string]: VisibleMounts | undefined })[table] ?? {};
}

const ofTypes = (mounts: VisibleMounts, types: readonly string[]): VisibleMounts =>
  Object.fromEntries(Object.entries(mounts).filter(([, { type = '' }]) => types.includes(type)));

const withoutSlash = (path: string): string => path.replace(/\/$/, '');

const mountSource = (table: 'secret' | 'auth', types?: readonly string[]): Source =>
  source('secrets', async (secrets) => {
    const mounts = await visibleMounts(secrets, table);
    const visible = Object.entries(types ? ofTypes(mounts, types) : mounts);
    return described(visible, ([path, { type, description }]) => [withoutSlash(path), description || type]);
  });

/** A list below an SSH mount. */
const sshSource = (list: (secrets: SecretsClient, mount: string) => Promise<readonly Candidate[]>): Source =>
  source(
    'secrets',
    (secrets, [mount = '']) => list(secrets, mount),
    ({ flag }) => [withoutSlash(flag('mount') ?? 'ssh')],
  );

const listSshRoles = async (secrets: SecretsClient, mount: string): Promise<readonly Candidate[]> => {
  const { keys, key_info: info } = (await secrets.listRoles({ mount })).body.data;
  return keys.map((value) => ({ value, description: info?.[value]?.key_type }));
};

/** The roles of an auth method, the argument before. */
async function listAuthRoles(secrets: SecretsClient, [given = '']: readonly string[]) {
  const mount = withoutSlash(given.replace(/^auth\//, ''));
  const type = (await visibleMounts(secrets, 'auth'))[`${mount}/`]?.type?.replace(/^ns_/, '');
  const known = authRoleTypes.find((each) => each === type);
  if (known === undefined) return [];
  return named((await secrets.listAuthRoles({ mount, kind: authRoleKinds[known] })).body.data.keys);
}

/** The mount of a path, and the path below it; undefined: the path is not below a mount. */
function splitPath(mounts: VisibleMounts, path: string) {
  const mount = Object.keys(mounts).find((each) => path.startsWith(each));
  return mount === undefined ? undefined : { mount, ...mounts[mount], rest: path.slice(mount.length) };
}

const listKeys = async (secrets: SecretsClient, path: string): Promise<readonly string[]> =>
  (await secrets.list({ path: withoutSlash(path) })).body.data.keys ?? [];

/** Secrets, segment by segment: mounts first. With `--mount` the path is relative to the mount. */
async function listKvPaths(secrets: SecretsClient, [given = '', directory = '']: readonly string[]) {
  const mounts = ofTypes(await visibleMounts(secrets, 'secret'), keyValueTypes);
  const full = given === '' ? directory : `${withoutSlash(given)}/${directory}`;
  const found = splitPath(mounts, full);
  if (found === undefined) return given === '' ? segmentsBelow(Object.keys(mounts), directory) : [];
  const { mount, options, rest } = found;
  const keys = await listKeys(secrets, options?.version === '2' ? `${mount}metadata/${rest}` : full);
  return keys.map((key) => ({ value: `${directory}${key}` }));
}

/** The routes below a mount of an engine or an auth method that does not list them. */
const mountRoutes: Readonly<Record<string, readonly string[]>> = {
  ssh: [
    ...['config/ca', 'config/zeroaddress', 'creds/', 'issue/', 'lookup', 'public_key', 'roles/', 'sign/'],
    'verify',
  ],
  userpass: ['login/', 'users/'],
  approle: ['login', 'role/'],
  jwt: ['config', 'login', 'role/'],
  token: ['accessors/', 'lookup-self', 'roles/'],
};
const routesOfKv2 = ['config', 'data/', 'delete/', 'destroy/', 'metadata/', 'subkeys/', 'undelete/'];
const sysRoutes = [
  ...['auth', 'health', 'init', 'leader', 'leases/lookup/', 'mounts', 'namespaces/', 'policies/acl/'],
  ...['seal-status', 'wrapping/lookup'],
];
const routeOfSshRole = /^(creds|issue|sign)\//;

/** Any path, segment by segment. */
async function listPaths(
  secrets: SecretsClient,
  [directory = '']: readonly string[],
): Promise<readonly Candidate[]> {
  if (directory.startsWith('sys/')) {
    const routes = segmentsBelow(sysRoutes, directory.slice('sys/'.length));
    return routes.length > 0 ? inside('sys/', routes) : below(await listKeys(secrets, directory), directory);
  }
  const parent = directory.startsWith('auth/') ? 'auth/' : '';
  const path = directory.slice(parent.length);
  const mounts = await visibleMounts(secrets, parent === '' ? 'secret' : 'auth');
  const found = splitPath(mounts, path);
  if (found === undefined) {
    const others = parent === '' ? ['auth/', 'sys/'] : [];
    return inside(parent, segmentsBelow([...Object.keys(mounts), ...others], path));
  }
  const { mount, type = '', options, rest } = found;
  const isKv2 = type === 'kv' && options?.version === '2';
  const routes = segmentsBelow(isKv2 ? routesOfKv2 : (mountRoutes[type] ?? []), rest);
  if (routes.length > 0) return inside(`${parent}${mount}`, routes);
  const listed = isKv2
    ? rest.replace(/^[^/]*/, 'metadata')
    : type === 'ssh'
      ? rest.replace(routeOfSshRole, 'roles/')
      : rest;
  return below(await listKeys(secrets, `${parent}${mount}${listed}`), directory);
}

const inside = (parent: string, candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.map(({ value }) => ({ value: `${parent}${value}` }));

const below = (keys: readonly string[], directory: string): readonly Candidate[] =>
  keys.map((key) => ({ value: `${directory}${key}` }));

export const secretsSources = {
  'ssh-role': sshSource(listSshRoles),
  'ssh-mount': mountSource('secret', ['ssh']),
  'ssh-issuer': sshSource(async (secrets, mount) => {
    const { keys, key_info: info } = (await secrets.listIssuers({ mount })).body.data;
    return keys.map((id) => {
      const name = info?.[id]?.issuer_name;
      return name ? { value: name, description: id } : { value: id };
    });
  }),
  'kv-path': source('secrets', listKvPaths, ({ path, flag, value }) => [
    (path === 'run' ? undefined : flag('mount')) ?? '',
    directoryOf(value),
  ]),
  'kv-mount': mountSource('secret', keyValueTypes),
  'secrets-path': source('secrets', listPaths, ({ value }) => [directoryOf(value)]),
  'secrets-mount': mountSource('secret'),
  'secrets-auth': mountSource('auth'),
  'secrets-auth-role': source('secrets', listAuthRoles, ({ operands: [method] }) =>
    method === undefined ? undefined : [method],
  ),
  'secrets-policy': source('secrets', async (secrets) =>
    named((await secrets.listPolicies({})).body.data.keys),
  ),
  'secrets-namespace': source('secrets', async (secrets) =>
    named((await secrets.listNamespaces({})).body.data.keys?.map(withoutSlash)),
  ),
} as const satisfies Readonly<Record<string, Source>>;
