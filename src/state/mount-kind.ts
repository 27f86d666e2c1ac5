import { isMissingMount, isMountPathTaken } from '../api/conditions/secrets.ts';
import type { SecretsClient } from '../api/secrets.ts';
import type { Mount } from '../api/secrets-mounts.ts';
import { describeAs, LanyardError, unlessNotFound } from '../errors.ts';
import type { ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { memberOf } from '../wire/objects.ts';
import { asObject, type JsonObject, type Kind, type Live, type Services } from './kind.ts';
import { emptyValue, isSame, normalize } from './normalize.ts';
import { durationText, forgetMounts, pickFields, withoutSlashes } from './secrets-mounts.ts';

/** Secrets engines and auth methods: two tables of mounts with the same operations. */
interface MountTable {
  readonly name: string;
  readonly noun: 'secrets engine' | 'auth method';
  readonly schema: ObjectSchema;
  /** Paths and types that the service mounts itself. */
  readonly builtIn: { readonly paths: readonly string[]; readonly types: readonly string[] };
  readonly operations: (secrets: SecretsClient) => {
    readonly list: SecretsClient['listEngines'];
    readonly read: SecretsClient['readEngine'];
    readonly enable: SecretsClient['enableEngine'];
    readonly tune: SecretsClient['tuneEngine'];
    readonly disable: SecretsClient['disableEngine'];
  };
}

/** The kind of the mounts of a table (docs/protocol/secrets.md#mounts). */
export function mountKind({ name, noun, schema, builtIn, operations }: MountTable): Kind {
  const table = async (services: Services) => operations(await services.secrets());
  return {
    name,
    service: 'secrets',
    description: `A mounted ${noun}. Deleting it deletes its data.`,
    scope: [],
    nameIs: `path of the ${noun}, such as team/kv/`,
    canonicalName: (path) => `${withoutSlashes(path)}/`,
    schema,
    level: 1,
    mark: { type: 'text', field: 'description' },
    guard: 're-read',
    isProtected: true,
    notRestored({ action, before, after }) {
      if (action === 'delete') return { what: 'its data' };
      const isUpgraded = action === 'update' && textsOf(before.options ?? {}).version !== '2';
      return isUpgraded && textsOf(after.options ?? {}).version === '2'
        ? { what: 'version 1 of the engine', isAll: true }
        : undefined;
    },
    isBuiltIn: ({ key }, live) =>
      builtIn.paths.includes(key) || builtIn.types.includes(String(live?.spec.type ?? '')),
    async list(services) {
      const { body } = await (await table(services)).list({});
      return Object.keys(body.data).map((path) => ({ scope: {}, key: `${withoutSlashes(path)}/` }));
    },
    async read(services, { key }) {
      const mounts = await table(services);
      const reading = unlessNotFound(mounts.read({ path: withoutSlashes(key) }), isMissingMount);
      const mount = await reading.then(
        (body) => body?.data,
        async (error: unknown) => {
          if (!(error instanceof LanyardError) || error.kind !== 'forbidden') throw error;
          // The list says the same of each mount, and a token may have only that.
          const listed = await mounts.list({}).catch(() => undefined);
          if (!listed) throw error;
          return listed.body.data[key];
        },
      );
      return mount && liveOf(schema, mount);
    },
    async create(services, { identity: { key }, spec }) {
      const { config, options: given, ...rest } = spec;
      const request = {
        ...rest,
        type: String(spec.type),
        ...(given !== undefined && { options: textsOf(given) }),
        ...(config !== undefined && { config: valuesOf(schema, asObject(config)) }),
        path: withoutSlashes(key),
      };
      forgetMounts(services);
      await (await table(services))
        .enable(request)
        .catch(describeAs(isMountPathTaken, 'conflict', `${noun} ${key} already exists`));
    },
    async update(services, { identity: { key }, spec, live }) {
      const changes = tuningOf(schema, spec, live.spec);
      forgetMounts(services);
      if (Object.keys(changes).length > 0)
        await (await table(services)).tune({ ...changes, path: withoutSlashes(key) });
    },
    async remove(services, { key }) {
      forgetMounts(services);
      await (await table(services)).disable({ path: withoutSlashes(key) });
    },
  };
}

function liveOf(schema: ObjectSchema, mount: Mount): Live {
  return {
    spec: pickFields(mount, schema),
    version: '',
    ...(mount.accessor !== undefined && { uid: mount.accessor }),
  };
}

/** The options that are set, as texts. */
const textsOf = (value: Json): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([name, text]) => (text === null ? [] : [[name, String(text)]])),
  );

const schemaOf = (schema: ObjectSchema, name: string): Schema =>
  memberOf(asProperties(schema.properties.config), name) ?? { type: 'any' };
const asProperties = (schema: Schema | undefined): ObjectSchema['properties'] =>
  schema?.type === 'object' ? schema.properties : {};

/** Settings as they are sent. */
function valuesOf(schema: ObjectSchema, config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, value]): [string, Json][] =>
      value === null
        ? []
        : [[name, schemaOf(schema, name).type === 'duration' ? durationText(value) : value]],
    ),
  );
}

/** What `tune` sends: the settings that differ; one that is missing gets its default. */
function tuningOf(schema: ObjectSchema, spec: JsonObject, live: JsonObject): JsonObject {
  const [wanted, found] = [asObject(spec.config), asObject(live.config)];
  const changed = [...new Set([...Object.keys(found), ...Object.keys(wanted)])].filter((name) => {
    const property = schemaOf(schema, name);
    return (
      !property.isImmutable &&
      !isSame(normalize(property, memberOf(wanted, name)), normalize(property, memberOf(found, name)))
    );
  });
  const config = valuesOf(
    schema,
    Object.fromEntries(
      changed.map((name) => [name, memberOf(wanted, name) ?? emptyValue(schemaOf(schema, name))]),
    ),
  );
  const texts = ['description', 'plugin_version'].flatMap((name): [string, Json][] =>
    String(spec[name] ?? '') === String(live[name] ?? '') ? [] : [[name, String(spec[name] ?? '')]],
  );
  const [before, after] = [textsOf(live.options ?? {}), textsOf(spec.options ?? {})];
  const changedOptions = Object.entries(after).filter(([name, text]) => memberOf(before, name) !== text);
  return {
    ...config,
    ...Object.fromEntries(texts),
    ...(changedOptions.length > 0 && { options: Object.fromEntries(changedOptions) }),
  };
}
