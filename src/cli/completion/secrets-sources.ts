import type { SecretsClient } from '../../api/secrets.ts';
import type { Candidate } from './candidates.ts';
import {
  directoryOf,
  type ListingApi,
  named,
  noScope,
  type Source,
  segmentsBelow,
  type Typed,
} from './source.ts';

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

const mountSource = (table: 'secret' | 'auth', types?: readonly string[]): Source => ({
  service: 'secrets',
  scope: noScope,
  list: async (api) => {
    const mounts = await visibleMounts(await api.secrets(), table);
    return Object.entries(types ? ofTypes(mounts, types) : mounts).map(([path, { type, description }]) => ({
      value: withoutSlash(path),
      description: description || type,
    }));
  },
});

/** A list below an SSH mount. */
const sshSource = (
  list: (secrets: SecretsClient, mount: string) => Promise<readonly Candidate[]>,
): Source => ({
  service: 'secrets',
  scope: ({ flag }) => [withoutSlash(flag('mount') ?? 'ssh')],
  list: async (api, [mount = '']) => list(await api.secrets(), mount),
});

const listSshRoles = async (secrets: SecretsClient, mount: string): Promise<readonly Candidate[]> => {
  const { keys, key_info: info } = (await secrets.listRoles({ mount })).body.data;
  return keys.map((value) => ({ value, description: info?.[value]?.key_type }));
};

/** The mount of a path, and the path below it; undefined: the path is not below a mount. */
function splitPath(mounts: VisibleMounts, path: string) {
  const mount = Object.keys(mounts).find((each) => path.startsWith(each));
  return mount === undefined ? undefined : { mount, ...mounts[mount], rest: path.slice(mount.length) };
}

const listKeys = async (secrets: SecretsClient, path: string): Promise<readonly string[]> =>
  (await secrets.list({ path: withoutSlash(path) })).body.data.keys ?? [];

/** Secrets, segment by segment: mounts first. With `--mount` the path is relative to the mount. */
async function listKvPaths(api: ListingApi, [given = '', directory = '']: readonly string[]) {
  const secrets = await api.secrets();
  const mounts = ofTypes(await visibleMounts(secrets, 'secret'), keyValueTypes);
  const full = given === '' ? directory : `${withoutSlash(given)}/${directory}`;
  const found = splitPath(mounts, full);
  if (found === undefined) return given === '' ? segmentsBelow(Object.keys(mounts), directory) : [];
  const { mount, options, rest } = found;
  const keys = await listKeys(secrets, options?.version === '2' ? `${mount}metadata/${rest}` : full);
  return keys.map((key) => ({ value: `${directory}${key}` }));
}

/** The routes below the mount of an engine that does not list them. */
const engineRoutes: Readonly<Record<string, readonly string[]>> = {
  ssh: [
    'config/ca',
    'config/zeroaddress',
    'creds/',
    'issue/',
    'lookup',
    'public_key',
    'roles/',
    'sign/',
    'verify',
  ],
};
const routesOfKv2 = ['config', 'data/', 'delete/', 'destroy/', 'metadata/', 'subkeys/', 'undelete/'];
const sshRouteOfRole = /^(creds|issue|sign)\//;

/** Any path, segment by segment. */
async function listPaths(
  api: ListingApi,
  [directory = '']: readonly string[],
): Promise<readonly Candidate[]> {
  const secrets = await api.secrets();
  if (/^(auth|sys)\//.test(directory)) return below(await listKeys(secrets, directory), directory);
  const mounts = await visibleMounts(secrets, 'secret');
  const found = splitPath(mounts, directory);
  if (found === undefined) return segmentsBelow([...Object.keys(mounts), 'auth/', 'sys/'], directory);
  const { mount, type = '', options, rest } = found;
  const routes = type === 'kv' && options?.version === '2' ? routesOfKv2 : (engineRoutes[type] ?? []);
  const listedRoutes = segmentsBelow(routes, rest).map(({ value }) => ({ value: `${mount}${value}` }));
  if (listedRoutes.length > 0) return listedRoutes;
  if (routes === routesOfKv2) {
    const path = rest.slice(rest.indexOf('/') + 1);
    return below(await listKeys(secrets, `${mount}metadata/${path}`), directory);
  }
  const listed = type === 'ssh' ? `${mount}${rest.replace(sshRouteOfRole, 'roles/')}` : directory;
  return below(await listKeys(secrets, listed), directory);
}

const below = (keys: readonly string[], directory: string): readonly Candidate[] =>
  keys.map((key) => ({ value: `${directory}${key}` }));

const directoryScope = ({ value }: Typed): readonly string[] => [directoryOf(value)];

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
  'kv-path': {
    service: 'secrets',
    scope: (typed) => [
      (typed.path === 'run' ? undefined : typed.flag('mount')) ?? '',
      directoryOf(typed.value),
    ],
    list: listKvPaths,
  },
  'kv-mount': mountSource('secret', keyValueTypes),
  'secrets-path': { service: 'secrets', scope: directoryScope, list: listPaths },
  'secrets-mount': mountSource('secret'),
  'secrets-auth': mountSource('auth'),
  'secrets-policy': {
    service: 'secrets',
    scope: noScope,
    list: async (api) => named((await (await api.secrets()).listPolicies({})).body.data.keys),
  },
  'secrets-namespace': {
    service: 'secrets',
    scope: noScope,
    list: async (api) =>
      named((await (await api.secrets()).listNamespaces({})).body.data.keys?.map(withoutSlash)),
  },
} as const satisfies Readonly<Record<string, Source>>;
