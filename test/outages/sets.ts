import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../src/state/kind.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import type { Ask } from './subjects.ts';

/** An object as a file of a set states it. */
export interface SetObject {
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  /** Kind and name, as a plan shows them. */
  readonly id: string;
  readonly value: string;
}

/** What a cluster has: the values of each object, by kind and name. More than one: it exists more than once. */
export type Found = Map<string, string[]>;

/** The objects of a set on one service. */
export interface SetKinds {
  readonly service: ServiceName;
  /** Where the record of a set is. */
  readonly record: (name: string) => string;
  /**
   * About a hundred objects of several kinds whose names begin with a prefix, all with the same value.
   *
   * @param isStated whether the files have the nth object; others depend on those that are not asked about.
   */
  objects(prefix: string, value: string, isStated: (index: number) => boolean): readonly SetObject[];
  /** What the service has of them, read without the client. */
  find(ask: Ask, prefix: string): Promise<Found>;
}

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

// biome-ignore lint/suspicious/noExplicitAny: responses of three services, read as they are.
type Any = any;

const countTo = (count: number): readonly number[] => Array.from({ length: count }, (_none, index) => index);
const numbered = (prefix: string, index: number): string => `${prefix}-${String(index).padStart(2, '0')}`;
/** Without the mark of the set. */
const unmarked = (text: string): string => text.replace(/ ?\[lanyard:[^\]]*\]$/, '');
const fromBase64 = (text: string | null): string => Buffer.from(text ?? '', 'base64').toString();

/** Collects the values of the objects of a prefix. */
function collect(prefix: string) {
  const found: Found = new Map();
  return {
    found,
    add(kind: string, name: string, value: string, label: string = name): void {
      if (!name.startsWith(prefix)) return;
      const id = `${kind} ${label}`;
      found.set(id, [...(found.get(id) ?? []), value]);
    },
  };
}

/** Reads JSON; `empty`: the service has none. */
async function json(ask: Ask, path: string, empty: Any = []): Promise<Any> {
  const { status, json: read } = await ask(path);
  if (status === 404) return empty;
  if (status !== 200) throw new Error(`GET ${path}: status ${status}`);
  return read ?? empty;
}

/** The objects of a kind: `count` of them, those that `isStated` names. */
const many = (
  count: number,
  isStated: (index: number) => boolean,
  object: (index: number) => SetObject,
): readonly SetObject[] => countTo(count).filter(isStated).map(object);

const registry: SetKinds = {
  service: 'registry',
  record: (name) => `registry:lanyard/sets/${name}`,
  objects(prefix, value, isStated) {
    const text = { Description: value };
    const named = (kind: string, name: string, spec: JsonObject): SetObject => ({
      kind,
      metadata: { name },
      spec,
      id: `${kind} ${name}`,
      value,
    });
    const policies = countTo(10).map((index) => numbered(`${prefix}-shared`, index));
    return [
      ...policies.map((name) =>
        named('registry.policy', name, { ...text, Rules: 'key "a" { policy = "read" }' }),
      ),
      ...many(40, isStated, (index) => named('registry.key', numbered(prefix, index), { value })),
      ...many(15, isStated, (index) =>
        named('registry.policy', numbered(prefix, index), { ...text, Rules: 'key "a" { policy = "read" }' }),
      ),
      ...many(10, isStated, (index) =>
        named('registry.role', numbered(prefix, index), {
          ...text,
          Policies: [{ Name: policies[index] ?? '' }],
        }),
      ),
      ...many(12, isStated, (index) =>
        named('registry.query', numbered(prefix, index), { Service: { Service: value } }),
      ),
      ...many(10, isStated, (index) => {
        const name = numbered(prefix, index);
        const spec = { Protocol: 'http', Meta: { value } };
        const metadata = { name, entryKind: 'service-defaults' };
        return {
          kind: 'registry.config-entry',
          metadata,
          spec,
          id: `registry.config-entry service-defaults/${name}`,
          value,
        };
      }),
      named('registry.auth-method', prefix, {
        ...text,
        Type: 'jwt',
        Config: { JWTValidationPubKeys: [publicKey], ClaimMappings: { team: 'team' } },
      }),
      ...many(10, isStated, (index): SetObject => {
        const name = numbered(prefix, index);
        const spec = { ...text, AuthMethod: prefix, BindType: 'service', BindName: name };
        return {
          kind: 'registry.binding-rule',
          metadata: {},
          spec,
          id: `registry.binding-rule ${prefix} service ${name}`,
          value,
        };
      }),
    ];
  },
  async find(ask, prefix) {
    const { found, add } = collect(prefix);
    for (const { Key, Value } of await json(ask, `/v1/kv/${prefix}?recurse&consistent`))
      add('registry.key', Key, fromBase64(Value));
    const described = { policy: 'policies', role: 'roles', 'auth-method': 'auth-methods' };
    for (const [kind, list] of Object.entries(described))
      for (const { Name, Description } of await json(ask, `/v1/acl/${list}?consistent`))
        add(`registry.${kind}`, Name, unmarked(Description));
    for (const { Name, Service } of await json(ask, '/v1/query?consistent'))
      add('registry.query', Name, Service.Service);
    for (const { Name, Meta } of await json(ask, '/v1/config/service-defaults?consistent'))
      add('registry.config-entry', Name, Meta?.value ?? '', `service-defaults/${Name}`);
    for (const { BindName, Description } of await json(ask, '/v1/acl/binding-rules?consistent'))
      add('registry.binding-rule', BindName, unmarked(Description), `${prefix} service ${BindName}`);
    return found;
  },
};

const variableLabel = (namespace: string, path: string): string =>
  namespace === 'default' ? path : `${namespace}:${path}`;

const scheduler: SetKinds = {
  service: 'scheduler',
  record: (name) => `scheduler:default/lanyard/sets/${name}`,
  objects(prefix, value, isStated) {
    const namespace = (name: string): SetObject => ({
      kind: 'scheduler.namespace',
      metadata: { name },
      spec: { Description: value },
      id: `scheduler.namespace ${name}`,
      value,
    });
    const shared = `${prefix}-shared`;
    return [
      namespace(shared),
      ...many(25, isStated, (index) => namespace(numbered(prefix, index))),
      ...['default', shared].flatMap((inside) =>
        many(50, isStated, (index): SetObject => {
          const name = numbered(prefix, index);
          const metadata = { name, namespace: inside };
          const id = `scheduler.variable ${variableLabel(inside, name)}`;
          return { kind: 'scheduler.variable', metadata, spec: { Items: { value } }, id, value };
        }),
      ),
    ];
  },
  async find(ask, prefix) {
    const { found, add } = collect(prefix);
    for (const { Name, Description } of await json(ask, '/v1/namespaces'))
      add('scheduler.namespace', Name, Description);
    for (const { Namespace, Path } of await json(ask, `/v1/vars?prefix=${prefix}&namespace=*`)) {
      const { Items } = await json(ask, `/v1/var/${Path}?namespace=${Namespace}`, {
        Items: { value: 'gone' },
      });
      add('scheduler.variable', Path, Items.value, variableLabel(Namespace, Path));
    }
    return found;
  },
};

const secrets: SetKinds = {
  service: 'secrets',
  record: (name) => `secrets:secret/lanyard/sets/${name}`,
  objects(prefix, value, isStated) {
    const object = (kind: string, metadata: JsonObject, spec: JsonObject, name: string): SetObject => ({
      kind,
      metadata: { ...metadata, allowLiteral: true },
      spec,
      id: `${kind} ${name}`,
      value,
    });
    const shared = `${prefix}-shared`;
    const kv = (name: string): SetObject =>
      object(
        'secrets.mount',
        { name },
        { type: 'kv', description: value, options: { version: '2' } },
        `${name}/`,
      );
    return [
      kv(shared),
      ...many(6, isStated, (index) => kv(numbered(prefix, index))),
      ...many(25, isStated, (index) => {
        const name = numbered(prefix, index);
        const policy = `path "secret/data/${value}" {\n  capabilities = ["read"]\n}\n`;
        return object('secrets.policy', { name }, { policy }, name);
      }),
      ...many(25, isStated, (index) => {
        const name = numbered(prefix, index);
        const spec = {
          key_type: 'ca',
          allow_user_certificates: true,
          default_user: value,
          allowed_users: value,
        };
        return object('secrets.ssh-role', { name, mount: 'ssh' }, spec, `ssh/${name}`);
      }),
      ...['secret', shared].flatMap((mount) =>
        many(30, isStated, (index) => {
          const name = numbered(prefix, index);
          return object('secrets.kv', { name, mount }, { data: { value } }, `${mount}/${name}`);
        }),
      ),
      ...many(6, isStated, (index) => {
        const name = numbered(prefix, index);
        return object('secrets.auth-method', { name }, { type: 'userpass', description: value }, `${name}/`);
      }),
    ];
  },
  async find(ask, prefix) {
    const { found, add } = collect(prefix);
    const described = { 'secrets.mount': 'sys/mounts', 'secrets.auth-method': 'sys/auth' };
    for (const [kind, path] of Object.entries(described)) {
      const { data } = await json(ask, `/v1/${path}`);
      for (const [name, { description }] of Object.entries<Any>(data)) add(kind, name, unmarked(description));
    }
    const keysOf = async (path: string): Promise<readonly string[]> =>
      (await json(ask, `/v1/${path}?list=true`, { data: { keys: [] } })).data.keys.filter((key: string) =>
        key.startsWith(prefix),
      );
    for (const name of await keysOf('sys/policies/acl')) {
      const { data } = await json(ask, `/v1/sys/policies/acl/${name}`);
      add('secrets.policy', name, /secret\/data\/([^"]+)/.exec(data?.policy ?? '')?.[1] ?? 'gone');
    }
    for (const name of await keysOf('ssh/roles')) {
      const { data } = await json(ask, `/v1/ssh/roles/${name}`);
      add('secrets.ssh-role', name, data?.default_user ?? 'gone', `ssh/${name}`);
    }
    for (const mount of ['secret', `${prefix}-shared`])
      for (const name of await keysOf(`${mount}/metadata`)) {
        const { data } = await json(ask, `/v1/${mount}/data/${name}`);
        // A deleted secret has no data.
        if (data?.data) add('secrets.kv', name, data.data.value, `${mount}/${name}`);
      }
    return found;
  },
};

/** The sets of each service. */
export const sets: { readonly [Service in ServiceName]?: SetKinds } = { registry, scheduler, secrets };
