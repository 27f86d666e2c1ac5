import { createSign, generateKeyPairSync } from 'node:crypto';
import type { Json } from '../../src/wire/json.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import type { EmbeddedTargets } from './embedded.ts';

/** A request to one service; returns the JSON of the response, or undefined. */
type Ask = (method: string, path: string, body?: unknown, more?: AskOptions) => Promise<Answer>;

interface AskOptions {
  /** Default: the token of the administrator; empty: none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The members of the JSON of a response that later requests need. */
type Answer = Readonly<Record<string, string>> & { readonly data: Readonly<Record<string, string>> };

/** Requests to one service, with its address and the token of the administrator. */
function askOf({ targets }: Pick<EmbeddedTargets, 'targets'>, service: ServiceName): Ask {
  const { address, token = '' } = targets[service];
  return async (method, path, body, more = {}) => {
    const sent = more.token ?? token;
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(path.startsWith('http') ? path : `${address}/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(sent !== '' && { Authorization: `Bearer ${sent}` }),
        ...(body !== undefined && !isText && { 'Content-Type': 'application/json' }),
        ...more.headers,
      },
      ...(body !== undefined && { body: isText ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    try {
      return JSON.parse(text) as Answer;
    } catch {
      return { data: {} } as Answer;
    }
  };
}

/** A key pair for JSON Web Tokens. */
function issuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encode = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign(claims: Readonly<Record<string, Json>>): string {
      const iat = Math.floor(Date.now() / 1000);
      const signed = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ ...claims, iat, exp: iat + 600 })}`;
      const signature = createSign('SHA256')
        .update(signed)
        .sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

/** The operations of the box registry. */
export async function askBox(running: EmbeddedTargets): Promise<void> {
  const ask = askOf(running, 'box');
  const user = { login: 'dev', password: running.values.boxPassword };
  for (const [base, name] of [
    ['api/v1', 'first'],
    ['api/v2', 'second'],
  ] as const) {
    const box = `${base}/box/dev/${name}`;
    const version = `${box}/version/1.0.0`;
    const { token = '' } = await ask('POST', `${base}/authenticate`, { user, token: { description: 'x' } });
    await ask('GET', `${base}/authenticate`, undefined, { token });
    await ask('DELETE', `${base}/authenticate`, undefined, { token });
    await ask('GET', `${base}/user/dev`);
    await ask('POST', `${base}/organizations`, { organization: { username: `team-${name}` } });
    await ask('POST', `${base}/boxes`, { box: { username: 'dev', name, is_private: false } });
    await ask('PUT', box, { box: { description: 'A box', is_private: false } });
    await ask('POST', `${box}/versions`, { version: { version: '1.0.0', description: 'First' } });
    await ask('PUT', version, { version: { description: 'Changed' } });
    for (const architecture of ['amd64', 'arm64'])
      await ask('POST', `${version}/providers`, {
        provider: { name: 'kvm', architecture, default_architecture: architecture === 'amd64' },
      });
    for (const provider of [`${version}/provider/kvm`, `${version}/provider/kvm/arm64`]) {
      const plain = await ask('GET', `${provider}/upload`);
      await ask('PUT', plain.upload_path ?? '', Buffer.from('image'), { token: '' });
      const { upload_path: path = '', callback = '' } = await ask('GET', `${provider}/upload/direct`);
      await ask('PUT', path, Buffer.from('another image'), { token: '' });
      await ask('PUT', callback);
      await ask('GET', provider);
      await ask('PUT', provider, { provider: { name: 'kvm' } });
    }
    await ask('PUT', `${version}/release`);
    await ask('GET', box);
    await ask('GET', version);
    await ask('GET', `${base}/search?q=${name}`);
  }
  await ask('GET', 'dev/second', undefined, { headers: { Accept: 'application/json' } });
  await ask('GET', 'api/v2/vagrant/dev/second');
  await ask('GET', 'dev/boxes/first/versions/1.0.0/providers/kvm.box');
  await ask('GET', 'dev/boxes/second/versions/1.0.0/providers/kvm/arm64/vagrant.box');
  for (const [base, name] of [
    ['api/v1', 'first'],
    ['api/v2', 'second'],
  ] as const) {
    const version = `${base}/box/dev/${name}/version/1.0.0`;
    await ask('PUT', `${version}/revoke`);
    await ask('DELETE', `${version}/provider/kvm/arm64`);
    await ask('DELETE', `${version}/provider/kvm`);
    await ask('DELETE', version);
    await ask('DELETE', `${base}/box/dev/${name}`);
  }
}

/** The operations of the service registry that the recorded requests do not send. */
export async function askRegistry(running: EmbeddedTargets): Promise<void> {
  const ask = askOf(running, 'registry');
  await ask('GET', 'v1/agent/version');
  await ask('GET', 'v1/connect/ca/roots');
  await ask('GET', 'v1/agent/members');
  for (const enable of [true, false]) await ask('PUT', `v1/agent/maintenance?enable=${enable}&reason=x`);
  await ask('PUT', 'v1/agent/service/register', { Name: 'shown', Port: 80 });
  for (const enable of [true, false]) await ask('PUT', `v1/agent/service/maintenance/shown?enable=${enable}`);
  await ask('GET', 'v1/agent/health/service/id/shown');
  await ask('GET', 'v1/agent/health/service/name/shown');
  await ask('GET', 'v1/catalog/connect/shown');
  await ask('GET', 'v1/catalog/node-services/lanyard');
  await ask('GET', 'v1/catalog/gateway-services/shown');
  await ask('GET', 'v1/health/connect/shown');
  await ask('GET', 'v1/health/ingress/shown');
  await ask('PUT', 'v1/agent/service/deregister/shown');
  await ask('PUT', 'v1/kv/a', 'b');
  await ask('GET', 'v1/kv?keys');
  await ask('DELETE', 'v1/kv?recurse');
  const legacy = await ask('PUT', 'v1/acl/create', { Name: 'old', Rules: 'key "a/" { policy = "write" }' });
  const { AccessorID = '' } = await ask('GET', 'v1/acl/token/self', undefined, { token: legacy.ID ?? '' });
  await ask('POST', 'v1/acl/rules/translate', 'key "a/" { policy = "write" }');
  await ask('GET', `v1/acl/rules/translate/${AccessorID}`);
  await ask('GET', 'v1/acl/templated-policies');
  await ask('GET', 'v1/acl/templated-policy/name/builtin%2Fservice');
  await ask('GET', 'v1/acl/templated-policy/name/builtin/service');
  await ask('POST', 'v1/acl/templated-policy/preview/builtin%2Fservice', { Name: 'web' });
  await ask('POST', 'v1/acl/templated-policy/preview/builtin/service', { Name: 'web' });
  await ask('POST', 'v1/internal/acl/authorize', [{ Resource: 'key', Segment: 'a', Access: 'read' }]);
  const { publicKey, sign } = issuer();
  await ask('PUT', 'v1/acl/auth-method', {
    Name: 'ci',
    Type: 'jwt',
    Config: { JWTValidationPubKeys: [publicKey], JWTSupportedAlgs: ['ES256'], ClaimMappings: { sub: 'sub' } },
  });
  await ask('PUT', 'v1/acl/binding-rule', { AuthMethod: 'ci', BindType: 'service', BindName: 'web' });
  const login = { AuthMethod: 'ci', BearerToken: sign({ sub: 'build' }), Meta: { pipeline: '42' } };
  const { SecretID = '' } = await ask('POST', 'v1/acl/login', login, { token: '' });
  await ask('POST', 'v1/acl/logout', undefined, { token: SecretID });
  // Last, because it replaces everything.
  const { address, token = '' } = running.targets.registry;
  const saved = await fetch(`${address}/v1/snapshot`, { headers: { Authorization: `Bearer ${token}` } });
  const headers = { 'Content-Type': 'application/x-gzip' };
  await ask('PUT', 'v1/snapshot', new Uint8Array(await saved.arrayBuffer()), { headers });
}

/** The operations of the scheduler that the recorded requests do not send. */
export async function askScheduler(running: EmbeddedTargets): Promise<void> {
  const ask = askOf(running, 'scheduler');
  await ask('GET', 'v1/agent/members');
  await ask('PUT', 'v1/namespace', { Name: 'first' });
  await ask('POST', 'v1/namespace/first', { Name: 'first', Description: 'changed' });
  const { AccessorID = '' } = await ask('PUT', 'v1/acl/token', { Type: 'management', Name: 'first' });
  await ask('POST', `v1/acl/token/${AccessorID}`, { AccessorID, Type: 'management', Name: 'changed' });
  await ask('PUT', 'v1/acl/policy/first', { Name: 'first', Rules: 'node { policy = "read" }' });
  for (const method of ['PUT', 'POST']) {
    const role = { Name: method, Policies: [{ Name: 'first' }] };
    const { ID = '' } = await ask(method, 'v1/acl/role', role);
    await ask(method, `v1/acl/role/${ID}`, { ...role, ID, Description: 'changed' });
    await ask('GET', 'v1/acl/roles');
    await ask('GET', `v1/acl/role/name/${method}`);
    await ask('GET', `v1/acl/role/${ID}`);
    await ask('DELETE', `v1/acl/role/${ID}`);
  }
}

/** The operations of the account service that the recorded requests do not send. */
export async function askAccounts(running: EmbeddedTargets): Promise<void> {
  const ask = askOf(running, 'accounts');
  await ask('GET', 'health');
  await ask('GET', 'v1/health');
  const created = await ask('POST', 'v1/auth-methods', { scope_id: 'global', type: 'password', name: 'x' });
  await ask('PATCH', `v1/auth-methods/${created.id}`, { version: 1, description: 'changed' });
  const attributes = { login_name: 'eve' };
  const account = await ask('POST', 'v1/accounts', { auth_method_id: created.id, attributes });
  const user = await ask('POST', 'v1/users', { scope_id: 'global', name: 'Eve' });
  await ask('PATCH', `v1/users/${user.id}`, { version: 1, description: 'changed' });
  for (const [index, action] of ['add', 'set', 'remove'].entries())
    await ask('POST', `v1/users/${user.id}:${action}-accounts`, {
      version: index + 2,
      account_ids: [account.id],
    });
  const provider = await ask('POST', 'v1/auth-methods', {
    scope_id: 'global',
    type: 'oidc',
    attributes: { issuer: 'https://idp.example.com', client_id: 'x', client_secret: 'y' },
  });
  await ask('POST', `v1/auth-methods/${provider.id}:change-state`, {
    version: 1,
    attributes: { state: 'inactive' },
  });
  await askRoles(ask, user.id ?? '');
}

async function askRoles(ask: Ask, user: string): Promise<void> {
  const role = await ask('POST', 'v1/roles', { scope_id: 'global', name: 'readers' });
  const path = `v1/roles/${role.id}`;
  await ask('PATCH', path, { version: 1, description: 'changed' });
  const members = {
    principals: { principal_ids: [user] },
    grants: { grant_strings: ['ids=*;type=user;actions=list,read'] },
    'grant-scopes': { grant_scope_ids: ['children'] },
  };
  for (const [kind, given] of Object.entries(members))
    for (const action of ['add', 'set', 'remove']) {
      const { version } = await ask('GET', path);
      await ask('POST', `${path}:${action}-${kind}`, { version, ...given });
    }
  await ask('GET', 'v1/roles?scope_id=global');
  await ask('DELETE', path);
}

/** The operations of the secrets service that the recorded requests do not send. */
export async function askSecrets(running: EmbeddedTargets): Promise<void> {
  const ask = askOf(running, 'secrets');
  const post = (path: string, body: object = {}) => ask('POST', `v1/${path}`, body);
  await ask('GET', 'v1/sys/internal/ui/mounts');
  await post('sys/tools/random', { format: 'hex' });
  await post('sys/tools/random/8');
  await post('sys/tools/hash', { input: 'aGVsbG8=' });
  await post('sys/tools/hash/sha2-512', { input: 'aGVsbG8=' });
  await post('sys/mounts/before', { type: 'kv', options: { version: '2' } });
  const moved = await post('sys/remount', { from: 'before', to: 'after' });
  await ask('GET', `v1/sys/remount/status/${moved.data.migration_id}`);
  await post('sys/policy/old', { policy: 'path "a" { capabilities = ["read"] }' });
  await ask('DELETE', 'v1/sys/policy/old');
  await ask('GET', 'v1/sys/leases/lookup?list=true');
  await post('ssh/roles/otp', { key_type: 'otp', default_user: 'u', cidr_list: '10.0.0.0/8' });
  const first = await post('ssh/creds/otp', { ip: '10.0.0.1' });
  await ask('GET', 'v1/sys/leases/lookup?list=true');
  await post(`sys/leases/revoke/${first.lease_id}`);
  await post('ssh/creds/otp', { ip: '10.0.0.2' });
  await post('sys/leases/revoke-force/ssh/');
  const wrapped = await ask(
    'POST',
    'v1/sys/wrapping/wrap',
    { a: 1 },
    { headers: { 'X-Vault-Wrap-TTL': '60' } },
  );
  const { token: wrapping = '' } = (wrapped.wrap_info ?? {}) as unknown as { token?: string };
  await ask('GET', 'v1/sys/wrapping/lookup', undefined, { token: wrapping });
  await post('sys/namespaces/team');
  const patch = { headers: { 'Content-Type': 'application/merge-patch+json' } };
  await ask('PATCH', 'v1/sys/namespaces/team', { custom_metadata: { a: 'b' } }, patch);
  const snapshot = await post('sys/storage/raft/snapshot');
  await ask('GET', 'v1/sys/storage/raft/snapshot?list=true');
  await ask('GET', `v1/sys/storage/raft/snapshot/${snapshot.data.snapshot_id}`);
  await ask('DELETE', `v1/sys/storage/raft/snapshot/${snapshot.data.snapshot_id}`);
  await ask('GET', 'v1/sys/version-history?list=true');
  for (const path of ['key-status', 'ha-status', 'plugins/catalog', 'plugins/catalog/secret/kv', 'audit'])
    await ask('GET', `v1/sys/${path}`);
  await post('sys/step-down');
  await ask('DELETE', 'v1/sys/audit/missing');
  await post('auth/token/lookup-self');
  await ask('GET', 'v1/auth/token/lookup');
  const tokens = await Promise.all([1, 2].map(() => post('auth/token/create', { policies: ['default'] })));
  const [own, orphan] = tokens.map(({ auth }) => (auth as unknown as { client_token: string }).client_token);
  await ask('POST', 'v1/auth/token/revoke-self', {}, { token: own ?? '' });
  await post('auth/token/revoke-orphan', { token: orphan });
  await post('auth/token/tidy');
  await askAuthMethods(ask);
  await askIdentity(ask);
  await post('secret/data/a/b', { data: { c: 'd' } });
  await ask('GET', 'v1/secret/detailed-metadata?list=true');
  await ask('GET', 'v1/secret/detailed-metadata/a?list=true');
  await ask('DELETE', 'v1/ssh/tidy/dynamic-keys');
}

async function askAuthMethods(ask: Ask): Promise<void> {
  const post = (path: string, body: object = {}) => ask('POST', `v1/${path}`, body);
  for (const type of ['approle', 'jwt']) await post(`sys/auth/${type}`, { type });
  await post('auth/approle/role/ci', { token_policies: 'default' });
  const { data } = await post('auth/approle/role/ci/secret-id');
  await post('auth/approle/role/ci/secret-id-accessor/destroy', {
    secret_id_accessor: data.secret_id_accessor,
  });
  const { publicKey, sign } = issuer();
  await post('auth/jwt/config', { jwt_validation_pubkeys: [publicKey] });
  await ask('GET', 'v1/auth/jwt/config');
  await post('auth/jwt/role/ci', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_subject: 'build',
    token_policies: ['default'],
  });
  await ask('GET', 'v1/auth/jwt/role?list=true');
  await ask('GET', 'v1/auth/jwt/role/ci');
  await post('auth/jwt/login', { role: 'ci', jwt: sign({ sub: 'build' }) });
  await ask('DELETE', 'v1/auth/jwt/role/ci');
}

async function askIdentity(ask: Ask): Promise<void> {
  const post = (path: string, body: object = {}) => ask('POST', `v1/${path}`, body);
  await post('sys/auth/people', { type: 'userpass' });
  const methods = await ask('GET', 'v1/sys/auth');
  const { accessor } = (methods.data as unknown as Record<string, { accessor: string }>)['people/'] ?? {};
  await post('identity/entity/name/carol', { metadata: { a: 'b' } });
  await ask('GET', 'v1/identity/entity/id?list=true');
  const entity = await ask('GET', 'v1/identity/entity/name/carol');
  const alias = { name: 'carol', mount_accessor: accessor, canonical_id: entity.data.id };
  const { data } = await post('identity/entity-alias', alias);
  await ask('GET', 'v1/identity/entity-alias/id?list=true');
  await ask('GET', `v1/identity/entity-alias/id/${data.id}`);
  await post(`identity/entity-alias/id/${data.id}`, { ...alias, custom_metadata: { c: 'd' } });
  await ask('DELETE', `v1/identity/entity-alias/id/${data.id}`);
}

/** The operations that only services before their first use have (`unusedTargets`). */
export async function askUnused(running: EmbeddedTargets): Promise<void> {
  const secrets = askOf(running, 'secrets');
  const { keys = [], root_token: token = '' } = (await secrets('POST', 'v1/sys/init', {
    secret_shares: 1,
    secret_threshold: 1,
  })) as unknown as { keys: string[]; root_token: string };
  await secrets('POST', 'v1/sys/unseal', { key: keys[0] });
  await secrets('POST', 'v1/sys/audit-hash/file', { input: 'a' }, { token });
  await secrets('POST', 'v1/sys/seal', {}, { token });
  await askOf(running, 'scheduler')('POST', 'v1/acl/bootstrap');
  const user = { login: 'dev', password: running.values.boxPassword };
  for (const base of ['api/v1', 'api/v2'])
    await askOf(running, 'box')('POST', `${base}/two-factor/request-code`, {
      user,
      two_factor: { delivery_method: 'sms' },
    });
}
