import type { ServiceName } from '../../src/wire/services.ts';

/** Where a service is read without the client: any address of its cluster that responds. */
export type Ask = (
  path: string,
  init?: { readonly method?: string },
) => Promise<{ status: number; json: unknown }>;

/** A command line, and what it reads from standard input. */
export interface Line {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

/** One object that commands write, replace, read and delete. Its state is a text; undefined: it does not exist. */
export interface Subject {
  readonly service: ServiceName;
  /** The kind of object, for the summary. */
  readonly kind: string;
  /** Creates or replaces it. */
  readonly write: (value: string) => Line;
  /** Creates it; a conflict if it exists. */
  readonly create?: (value: string) => Line;
  /** Prints the state. */
  readonly read?: Line;
  /** Deletes it; undefined: it stays. */
  readonly remove?: Line;
  /** The state, read without the client. */
  observe(ask: Ask): Promise<string | undefined>;
}

type Field = (json: unknown) => unknown;

/** Reads the state from a field of a response; a 404 means that the object does not exist. */
const observed =
  (path: string, field: Field) =>
  async (ask: Ask): Promise<string | undefined> => {
    const { status, json } = await ask(path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path}: status ${status}`);
    const value = field(json);
    return value === undefined || value === null || value === '' ? undefined : String(value);
  };

// biome-ignore lint/suspicious/noExplicitAny: responses of five services, read as they are.
type Any = any;

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString();

/** The objects of each service, by a name that no other one has. */
export const subjects: { readonly [Service in ServiceName]?: readonly ((name: string) => Subject)[] } = {
  registry: [
    (name) => ({
      service: 'registry',
      kind: 'key',
      write: (value) => ({ argv: ['registry', 'kv', 'put', name, value] }),
      create: (value) => ({ argv: ['registry', 'kv', 'put', name, value, '--cas', '0'] }),
      read: { argv: ['registry', 'kv', 'get', name] },
      remove: { argv: ['registry', 'kv', 'delete', name, '--yes'] },
      observe: observed(`/v1/kv/${name}?consistent`, (json: Any) => fromBase64(json[0].Value)),
    }),
    (name) => ({
      service: 'registry',
      kind: 'transaction',
      write: (value) => ({
        argv: ['txn', 'apply'],
        stdin: JSON.stringify(
          ['a', 'b'].map((part) => ({
            KV: { Verb: 'set', Key: `${name}/${part}`, Value: Buffer.from(value).toString('base64') },
          })),
        ),
      }),
      read: { argv: ['registry', 'kv', 'get', `${name}/b`] },
      async observe(ask) {
        const { status, json } = await ask(`/v1/kv/${name}/?recurse&consistent`);
        if (status === 404) return undefined;
        const values = (json as Any[]).map(({ Value }) => fromBase64(Value));
        return values.length === 2 && values[0] === values[1] ? values[0] : `torn: ${values.join(', ')}`;
      },
    }),
    (name) => ({
      service: 'registry',
      kind: 'config entry',
      write: (value) => ({
        argv: ['registry', 'config', 'put', '-'],
        stdin: JSON.stringify({ Kind: 'service-defaults', Name: name, Protocol: 'http', Meta: { value } }),
      }),
      read: { argv: ['registry', 'config', 'get', 'service-defaults', name, '--field', 'Meta.value'] },
      remove: { argv: ['registry', 'config', 'delete', 'service-defaults', name, '--yes'] },
      observe: observed(`/v1/config/service-defaults/${name}?consistent`, (json: Any) => json.Meta.value),
    }),
    (name) => ({
      service: 'registry',
      kind: 'query',
      write: (value) => ({ argv: ['query', 'put', name, '--service', value] }),
      create: (value) => ({ argv: ['query', 'create', name, '--service', value] }),
      read: { argv: ['query', 'get', name, '--field', 'Service.Service'] },
      remove: { argv: ['query', 'delete', name, '--yes'] },
      async observe(ask) {
        const { json } = await ask('/v1/query?consistent');
        const found = (json as Any[]).filter((query) => query.Name === name);
        return found.length > 1 ? `${found.length} queries` : found[0]?.Service.Service;
      },
    }),
    (name) => ({
      service: 'registry',
      kind: 'policy',
      write: (value) => ({ argv: ['acl', 'policy', 'put', name, '--description', value] }),
      read: { argv: ['acl', 'policy', 'get', name, '--field', 'Description'] },
      remove: { argv: ['acl', 'policy', 'delete', name, '--yes'] },
      observe: observed(`/v1/acl/policy/name/${name}?consistent`, (json: Any) => json?.Description),
    }),
  ],
  scheduler: [
    (name) => ({
      service: 'scheduler',
      kind: 'variable',
      write: (value) => ({ argv: ['var', 'put', name, `value=${value}`] }),
      create: (value) => ({ argv: ['var', 'put', name, `value=${value}`, '--cas', '0'] }),
      read: { argv: ['var', 'get', name, '--field', 'Items.value'] },
      remove: { argv: ['var', 'delete', name, '--yes'] },
      observe: observed(`/v1/var/${name}`, (json: Any) => json.Items.value),
    }),
    (name) => ({
      service: 'scheduler',
      kind: 'merged variable',
      write: (value) => ({ argv: ['var', 'put', name, `value=${value}`, '--merge', '--retry-merge'] }),
      read: { argv: ['var', 'get', name, '--field', 'Items.value'] },
      remove: { argv: ['var', 'delete', name, '--yes'] },
      observe: observed(`/v1/var/${name}`, (json: Any) => json.Items.value),
    }),
    (name) => ({
      service: 'scheduler',
      kind: 'namespace',
      write: (value) => ({ argv: ['namespace', 'put', name, '--description', value] }),
      read: { argv: ['namespace', 'get', name, '--field', 'Description'] },
      remove: { argv: ['namespace', 'delete', name, '--yes'] },
      observe: observed(`/v1/namespace/${name}`, (json: Any) => json.Description),
    }),
  ],
  secrets: [
    (name) => ({
      service: 'secrets',
      kind: 'secret',
      write: (value) => ({ argv: ['kv', 'put', `secret/${name}`, `value=${value}`] }),
      create: (value) => ({ argv: ['kv', 'put', `secret/${name}`, `value=${value}`, '--cas', '0'] }),
      read: { argv: ['kv', 'get', `secret/${name}`, '--field', 'value'] },
      observe: observed(`/v1/secret/data/${name}`, (json: Any) => json.data.data.value),
    }),
    (name) => ({
      service: 'secrets',
      kind: 'SSH role',
      write: (value) => ({
        argv: [
          ...['ssh', 'role', 'put', name, '--allow-user-certificates'],
          ...['--allowed-users', value, '--default-user', value],
        ],
      }),
      read: { argv: ['ssh', 'role', 'get', name, '--field', 'default_user'] },
      remove: { argv: ['ssh', 'role', 'delete', name, '--yes'] },
      observe: observed(`/v1/ssh/roles/${name}`, (json: Any) => json.data.default_user),
    }),
    (name) => ({
      service: 'secrets',
      kind: 'policy',
      write: (value) => ({
        argv: [
          ...['secrets', 'policy', 'put', name],
          `path "secret/data/${value}" { capabilities = ["read"] }`,
        ],
      }),
      remove: { argv: ['secrets', 'policy', 'delete', name, '--yes'] },
      observe: observed(
        `/v1/sys/policies/acl/${name}`,
        (json: Any) => /secret\/data\/([^"]+)/.exec(json.data.policy)?.[1],
      ),
    }),
    (name) => ({
      service: 'secrets',
      kind: 'mount',
      write: (value) => ({ argv: ['secrets', 'mount', 'tune', name, '--description', value] }),
      create: (value) => ({
        argv: ['secrets', 'mount', 'enable', 'kv', '--path', name, '--description', value],
      }),
      remove: { argv: ['secrets', 'mount', 'disable', name, '--yes'] },
      async observe(ask) {
        const { json } = await ask('/v1/sys/mounts');
        return (json as Any).data[`${name}/`]?.description;
      },
    }),
  ],
};
