import { type Home, home } from './run.ts';
import { services } from './services.ts';

/**
 * The namespaces: the root namespace, that of the active profile, and one for each other way in which the settings ask for
 * it.
 */
export const namespaceNames = ['', 'active', 'flag', 'variable', 'profile'] as const;
export type NamespaceName = (typeof namespaceNames)[number];

/** A secrets service with several namespaces, whose objects have the same names and different contents. */
export interface TwoNamespaces {
  readonly at: Home;
  /** Whether it is an OpenBao, which can do more than the embedded service. */
  readonly isOpenBao: boolean;
  /** IDs and secrets of objects in a namespace. */
  readonly ids: Readonly<Record<NamespaceName, Readonly<Record<string, string>>>>;
  /** Everything in a namespace, as one text. */
  own(namespace: NamespaceName): Promise<string>;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes, read by a test
  readonly json: any;
}
type Headers = Readonly<Record<string, string>>;
type Ask = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Reply>;

/** The word that the objects of a namespace contain. */
const markOf = (namespace: NamespaceName): string => `mark-${namespace || 'root'}`;

/**
 * Fills the namespaces of the embedded secrets service, or of a new OpenBao in development mode, which
 * `TWO_NAMESPACES_ADDR` and `TWO_NAMESPACES_TOKEN` name.
 */
export async function twoNamespaces(): Promise<TwoNamespaces> {
  const at = home();
  const { TWO_NAMESPACES_ADDR, TWO_NAMESPACES_TOKEN } = process.env;
  const isOpenBao = TWO_NAMESPACES_ADDR !== undefined;
  const running = isOpenBao ? undefined : await services(at);
  const address = TWO_NAMESPACES_ADDR ?? running?.addresses.secrets ?? '';
  const token = TWO_NAMESPACES_TOKEN ?? running?.rootToken ?? '';
  Object.assign(at.env, { LANYARD_SECRETS_ADDR: address, LANYARD_SECRETS_TOKEN: token });
  const within =
    (namespace: NamespaceName): Ask =>
    async (method, path, body, headers = {}) => {
      const response = await fetch(`${address}/v1/${path}`, {
        method,
        headers: { 'X-Vault-Token': token, ...(namespace && { 'X-Vault-Namespace': namespace }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text };
    };
  const ids = {} as Record<NamespaceName, Record<string, string>>;
  for (const name of namespaceNames) {
    if (name !== '') await sure(within(''))('POST', `sys/namespaces/${name}`, {});
    ids[name] = await fill(within(name), name, isOpenBao);
  }
  for (const name of [...namespaceNames, 'nowhere'].filter((each) => each !== ''))
    await at.run([...['profile', 'put', name, `secrets.address=${address}`, `secrets.namespace=${name}`]]);
  await at.run(['profile', 'use', 'active']);
  return {
    at,
    isOpenBao,
    ids,
    own: (name) => contents(within(name), name),
    async close() {
      await running?.close();
      at.remove();
    },
  };
}

/** Requests that have to succeed. OpenBao upgrades a new key-value mount for a moment. */
const sure =
  (ask: Ask) =>
  async (...[method, path, body, headers]: Parameters<Ask>) => {
    for (let tries = 0; ; tries++) {
      const { status, json } = await ask(method, path, body, headers);
      if (status < 300) return json;
      if (!JSON.stringify(json).includes('pgrading') || tries === 1000)
        throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    }
  };

/** Creates the objects of a namespace. @returns its IDs and secrets */
async function fill(ask: Ask, namespace: NamespaceName, isOpenBao: boolean) {
  const mark = markOf(namespace);
  const must = sure(ask);
  if (namespace !== '')
    for (const name of ['below', 'ended']) await must('POST', `sys/namespaces/${name}`, {});
  const { data: existing } = await must('GET', 'sys/mounts');
  for (const path of ['kv', 'old', 'ssh', 'ssh-new', 'ssh-gone', 'tuned', 'moved', 'gone'])
    if (existing[`${path}/`] === undefined)
      await must('POST', `sys/mounts/${path}`, {
        description: mark,
        ...(path.startsWith('ssh')
          ? { type: 'ssh' }
          : { type: 'kv', options: { version: path === 'kv' ? '2' : '1' } }),
      });
  for (const path of ['users', 'tuned', 'moved', 'gone'])
    await must('POST', `sys/auth/${path}`, { type: 'userpass', description: mark });
  await must('POST', 'auth/users/users/bob', { password: 'correct horse', policies: mark });
  await must('POST', 'sys/auth/apps', { type: 'approle' });
  for (const name of ['app', 'gone', mark])
    await must('POST', `auth/apps/role/${name}`, { token_policies: mark, role_id: `${name}-${mark}` });
  const secretId = await must('POST', 'auth/apps/role/app/secret-id', {});
  for (const name of ['p', 'gone'])
    await must('POST', `sys/policies/acl/${name}`, {
      policy: `path "kv/data/${mark}" { capabilities = ["read"] }`,
    });

  for (const name of ['app', 'moving', 'edited', 'patched', 'merged', 'gone', 'back', 'destroyed', 'erased'])
    for (const version of ['1', '2'])
      await must('POST', `kv/data/${name}`, { data: { MARK: mark, version } });
  await must('POST', `kv/data/dir/${mark}`, { data: { MARK: mark } });
  await must('POST', 'kv/delete/back', { versions: [1] });
  await must('POST', 'kv/metadata/app', { custom_metadata: { mark } });
  await must('POST', 'old/gone', { MARK: mark });

  const generated = { generate_signing_key: true, key_type: 'ed25519' };
  for (const mount of ['ssh', 'ssh-gone'])
    if ((await ask('GET', `${mount}/config/ca`)).status !== 200)
      await must('POST', `${mount}/config/ca`, generated);
  const ca = (await must('GET', 'ssh/config/ca')).data.public_key;
  for (const name of ['deploy', 'changed', 'gone'])
    await must('POST', `ssh/roles/${name}`, {
      ...{ key_type: 'ca', allow_user_certificates: true, allowed_users: '*', default_user: mark },
      ...{ allow_user_key_ids: true },
    });
  for (const name of ['otp', `otp-${mark}`])
    await must('POST', `ssh/roles/${name}`, {
      ...{ key_type: 'otp', default_user: mark, cidr_list: '10.0.0.0/8' },
    });
  await must('POST', 'ssh/config/zeroaddress', { roles: `otp-${mark}` });
  const password = () => must('POST', 'ssh/creds/otp', { ip: '10.1.2.3' });
  await must('POST', `ssh/creds/otp-${mark}`, { ip: '10.1.2.3' });
  const [kept, revoked, used] = [await password(), await password(), await password()];
  const issuers: Record<string, string> = {};
  for (const name of isOpenBao ? ['used', 'gone'] : []) {
    const { data } = await must('POST', `ssh/issuers/import/${name}`, generated);
    issuers[`issuer-${name}`] = data.public_key.trim().split(' ')[1];
  }
  const properties = { policies: ['p', 'default'], display_name: mark, ttl: '1h', meta: { mark } };
  const newToken = async () => (await must('POST', 'auth/token/create', properties)).auth;
  const [own, renewed, ended, leaving, self] = [
    ...[await newToken(), await newToken()],
    ...[await newToken(), await newToken(), await newToken()],
  ];
  const wrapped = await must('POST', 'sys/wrapping/wrap', { MARK: mark }, { 'X-Vault-Wrap-TTL': '10m' });
  return {
    ...{ namespace, mark, ca: ca.trim().split(' ')[1], ...issuers },
    ...{
      lease: kept.lease_id,
      leaseName: kept.lease_id.split('/').at(-1),
      revokedLease: revoked.lease_id,
      otp: used.data.key,
    },
    ...{ token: own.client_token, accessor: own.accessor, renewed: renewed.accessor },
    ...{ endedToken: ended.client_token, leavingToken: leaving.client_token, selfToken: self.client_token },
    wrapping: wrapped.wrap_info.token,
    secretIdAccessor: secretId.data.secret_id_accessor,
  };
}

/** Fields that differ in every response. */
const changing = ['request_id', 'ttl', 'lease_duration'];

async function contents(ask: Ask, namespace: NamespaceName): Promise<string> {
  const read = async (path: string): Promise<Reply['json']> => (await ask('GET', path)).json;
  const names = async (path: string): Promise<string[]> => (await read(`${path}?list=true`)).data?.keys ?? [];
  const below = async (list: string, path = ''): Promise<string[]> =>
    (
      await Promise.all(
        (
          await names(`${list}/${path}`)
        ).map((name) => (name.endsWith('/') ? below(list, path + name) : [path + name])),
      )
    ).flat();
  const [accessors, leases] = await Promise.all([names('auth/token/accessors'), below('sys/leases/lookup')]);
  const property = async (accessor: string) => {
    const { data } = (await ask('POST', 'auth/token/lookup-accessor', { accessor })).json;
    // The root namespace lists the tokens of the others too.
    return (data?.namespace_path ?? '') === (namespace && `${namespace}/`) ? data : undefined;
  };
  const paths = [
    ...['sys/mounts', 'sys/auth', 'sys/namespaces?list=true', 'kv/config', 'kv/detailed-metadata?list=true'],
    ...['kv/detailed-metadata/dir?list=true', 'old/gone', 'old/new', 'ssh/config/zeroaddress'],
    ...['ssh/config/ca', 'ssh-new/config/ca', 'ssh-gone/config/ca', 'ssh/issuers?list=true'],
    ...[
      'ssh/config/issuers',
      'ssh/roles?list=true',
      'ssh/roles/changed',
      'auth/apps/role?list=true',
      'auth/apps/role/app',
      'auth/apps/role/app/secret-id?list=true',
      'sys/policies/acl?list=true',
      'sys/policies/acl/p',
    ],
  ];
  const all = [
    await Promise.all(paths.map(async (path) => [path, await read(path)])),
    (await Promise.all(accessors.sort().map(property))).filter((each) => each !== undefined),
    leases.sort(),
  ];
  return JSON.stringify(all, (key, value) => (changing.includes(key) ? undefined : sorted(value)), 1);
}

/** OpenBao writes fields, and names of namespaces, in any order. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.toSorted()
    : typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
