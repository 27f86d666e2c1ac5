import { isUnknownEntryKind } from '../../api/conditions/registry.ts';
import type { ConfigEntry } from '../../api/registry-config.ts';
import { conflict, insteadOf, type LanyardError, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Json } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import type { Identity, JsonObject, Kind, Live, Reference, Services, Write } from '../kind.ts';
import { isSame, withWireNames } from '../normalize.ts';
import { configFields } from './registry-config-fields.ts';
import { completeList } from './registry-lists.ts';
import { sharedIn } from './registry-shared.ts';

/** The kinds of Consul 1.21 and their levels; each may need entries of lower levels. */
const levels: Readonly<Record<string, number>> = {
  'proxy-defaults': 1,
  'service-defaults': 1,
  mesh: 1,
  'jwt-provider': 1,
  'inline-certificate': 1,
  'file-system-certificate': 1,
  'sameness-group': 1,
  'service-resolver': 2,
  'api-gateway': 2,
  'service-splitter': 3,
  'service-router': 4,
  'ingress-gateway': 4,
  'terminating-gateway': 4,
  'http-route': 4,
  'tcp-route': 4,
  'bound-api-gateway': 4,
  'exported-services': 5,
  'service-intentions': 5,
};

const schema = field.object(configFields, { foldsNames: true, isOpen: true });

/** The registry compares names without case. */
const foldName = (name: string): string => name.toLowerCase();

const named = ({ scope, key }: Identity) => ({ kind: scope.entryKind ?? '', name: key });

const changed = ({ scope, key }: Identity): LanyardError =>
  conflict(`${scope.entryKind} "${key}" was changed`, { service: 'registry' });

function liveOf(entry: ConfigEntry): Live {
  const { Kind: _kind, Name, CreateIndex, ModifyIndex, Hash: _hash, Status: _status, ...fields } = entry;
  const spec = fields as JsonObject;
  return {
    spec: Array.isArray(spec.Sources) ? { ...spec, Sources: spec.Sources.map(withoutComputed) } : spec,
    version: String(ModifyIndex),
    uid: String(CreateIndex),
    ...(Name !== undefined && { name: Name }),
  };
}

/** A source of an intention without what the registry computes. */
function withoutComputed(source: Json): Json {
  if (!isObject(source)) return source;
  const {
    Precedence: _,
    LegacyID: _id,
    LegacyCreateTime: _create,
    LegacyUpdateTime: _update,
    ...fields
  } = source;
  return fields;
}

/**
 * The index that a guarded write or deletion expects.
 *
 * The service does not check the index of a write that equals the stored entry, so it is compared here too. Controllers
 * write the status of gateways and routes, which changes the index only.
 *
 * @throws LanyardError conflict: it is not the entry of `live`.
 */
async function expectedIndex(
  services: Services,
  identity: Identity,
  live: Live | undefined,
): Promise<number> {
  const where = await sharedIn(services, 'config entries');
  const stored = await unlessNotFound(
    (await services.registry()).readEntry({ ...named(identity), ...where }),
  );
  const index = Number(stored?.ModifyIndex ?? 0);
  if (index === Number(live?.version ?? 0)) return index;
  const found = stored?.Status === undefined ? undefined : liveOf(stored);
  if (!live || found?.uid !== live.uid || !isSame(found?.spec, live.spec)) throw changed(identity);
  return index;
}

/** A controller may write between the read and the write: then the index is read again. */
const attempts = 5;

/** @param apply with the index; returns whether the service accepted it. @throws LanyardError conflict */
async function withIndex(
  services: Services,
  { identity, live }: Pick<Write, 'identity' | 'live'>,
  apply: (cas: number) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++)
    if (await apply(await expectedIndex(services, identity, live))) return;
  throw changed(identity);
}

async function write(services: Services, { identity, name, spec, live }: Write): Promise<void> {
  const { kind: Kind } = named(identity);
  const Name = live?.name ?? name ?? identity.key;
  const entry = { ...withWireNames(schema, spec), Kind, ...(Kind !== 'mesh' && { Name }) };
  await withIndex(services, { identity, live }, async (cas) => {
    const { body } = await (await services.registry()).writeEntry({
      ...entry,
      cas,
      ...(await sharedIn(services, 'config entries')),
    });
    return body;
  });
}

/** The texts of a field with this name, at any depth. */
const textsNamed = (field: string, value: Json | undefined): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => textsNamed(field, item));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === field && typeof member === 'string' ? [member] : textsNamed(field, member),
  );
};

const entry = (entryKind: string, key: string): Reference => ({
  kind: 'registry.config-entry',
  identity: { scope: { entryKind }, key: foldName(key) },
});

/** The entries that decide about the services that an entry of a discovery chain names. */
function references({ scope: { entryKind = '' }, key }: Identity, stated: JsonObject): Reference[] {
  const spec = withWireNames(schema, stated);
  const defaultsOf = (names: readonly string[]): Reference[] => [
    entry('proxy-defaults', 'global'),
    ...names.map((name) => entry('service-defaults', name)),
  ];
  const resolversOf = (names: readonly string[]): Reference[] =>
    names.map((name) => entry('service-resolver', name));
  const others = (names: readonly string[]): string[] => names.filter((name) => foldName(name) !== key);
  switch (entryKind) {
    case 'service-resolver': {
      // Only of a redirect: services may be the failover of each other.
      const redirected = textsNamed('Service', spec.Redirect);
      return [...defaultsOf([key, ...redirected]), ...resolversOf(others(redirected))];
    }
    case 'service-splitter': {
      const split = [key, ...textsNamed('Service', spec.Splits)];
      const splitters = others(split).map((name) => entry('service-splitter', name));
      return [...defaultsOf(split), ...resolversOf(split), ...splitters];
    }
    case 'service-router': {
      const routed = [key, ...(Array.isArray(spec.Routes) ? textsNamed('Service', spec.Routes) : [])];
      const splitters = routed.map((name) => entry('service-splitter', name));
      return [...defaultsOf(routed), ...resolversOf(routed), ...splitters];
    }
    case 'service-intentions':
      return defaultsOf([key]);
    default:
      return [];
  }
}

/** A config entry of the registry (docs/protocol/registry.md#config-entries). */
export const registryConfigEntry: Kind = {
  name: 'registry.config-entry',
  service: 'registry',
  description: 'A config entry of the service registry, such as the resolver of a service.',
  scope: [{ name: 'entryKind', description: 'Kind of the entry, such as `service-resolver`.' }],
  nameIs: 'name of the entry, in any case: a service, `global` for proxy-defaults, `mesh` for mesh',
  canonicalName: foldName,
  schema,
  level: ({ scope }) => levels[scope.entryKind ?? ''] ?? 1,
  mark: { type: 'map', field: 'Meta' },
  guard: 'version',
  references,
  // The controller of API gateways makes them.
  isBuiltIn: ({ scope }) => scope.entryKind === 'bound-api-gateway',
  async list(services) {
    const registry = await services.registry();
    const where = await sharedIn(services, 'config entries');
    const lists = await Promise.all(
      Object.keys(levels).map((kind) =>
        registry
          .listEntries({ kind, consistent: '', ...where })
          .then((entries) => completeList(services, `entries of the kind ${kind}`, entries))
          .catch(insteadOf(isUnknownEntryKind, [])),
      ),
    );
    return lists.flat().map(({ Kind, Name = Kind }) => ({ scope: { entryKind: Kind }, key: foldName(Name) }));
  },
  async read(services, identity) {
    const where = await sharedIn(services, 'config entries');
    const found = await unlessNotFound(
      (await services.registry()).readEntry({ ...named(identity), ...where }),
    );
    return found && liveOf(found);
  },
  create: write,
  update: write,
  remove: (services, identity, live) =>
    withIndex(services, { identity, live }, async (cas) => {
      const where = await sharedIn(services, 'config entries');
      const { body } = await (await services.registry()).deleteEntry({ ...named(identity), cas, ...where });
      return body !== false;
    }),
};
