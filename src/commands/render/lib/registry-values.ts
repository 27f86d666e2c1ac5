import { headersOf, isFiltered, mayOmitObjects } from '../../../api/filtered-results.ts';
import type { ServiceResponse } from '../../../api/http/response.ts';
import type { ServiceInstance } from '../../../api/registry-catalog.ts';
import type { KvEntry } from '../../../api/registry-kv.ts';
import type { Context } from '../../../command/context.ts';
import { isEmptyListError, LanyardError, notFound, usage } from '../../../errors.ts';
import type { Json } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import { worstStatus } from '../../registry/lib/catalog.ts';
import { bytesOf, findEntry, textOf } from '../../registry/lib/kv.ts';
import { instancesSource, keySource, keysSource } from '../../registry/lib/sources.ts';
import { checkedOptions } from './request-options.ts';
import type { OpenValue } from './value.ts';

/** The text of a key: `"app/port" | key`. */
export const keyValue: OpenValue = (request, { api }) => {
  const { name } = request;
  const where = checkedOptions(request, { dc: 'text' });
  const missing = () =>
    notFound(`key "${name}" not found`, { hint: 'Run `lanyard registry kv list` for the existing keys.' });
  return {
    service: 'registry',
    isSecret: false,
    async read(options) {
      const entry = await findEntry(await api.registry(options), name, where);
      if (!entry) throw missing();
      return entryText(entry);
    },
    watch: async (options) => ({
      source: keySource(await api.registry(options), name, where),
      toValue: entryText,
    }),
    missing,
  };
};

/**
 * The keys below a prefix: `"app/" | keys`. Each has `key`, `name` (without the prefix) and `value`. Entries that end in
 * a slash are folders, and left out.
 */
export const keysValue: OpenValue = (request, { api }) => {
  const { name: prefix } = request;
  const where = checkedOptions(request, { dc: 'text' });
  const missing = () => notFound(`no keys with the prefix "${prefix}"`);
  const toValue = (entries: readonly KvEntry[]): Json[] | undefined => {
    const found = entries
      .filter(({ Key }) => !Key.endsWith('/'))
      .map((entry) => ({
        key: entry.Key,
        name: entry.Key.slice(prefix.length).replace(/^\//, ''),
        value: entryText(entry),
      }));
    return found.length === 0 ? undefined : found;
  };
  return {
    service: 'registry',
    isSecret: false,
    async read(options) {
      const registry = await api.registry(options);
      const sent = registry.readKeys({ prefix, ...where });
      const found = toValue(await completeList(sent, `the keys with the prefix "${prefix}"`, api));
      if (!found) throw missing();
      return found;
    },
    watch: async (options) => ({
      source: keysSource(await api.registry(options), prefix, where),
      toValue,
    }),
    missing,
  };
};

/**
 * The instances of a service whose checks all pass, or all of them: `"web" | service`. Sorted by node and ID, with
 * `near` by distance.
 */
export const serviceValue: OpenValue = (request, { api }) => {
  const { name } = request;
  const { all = false, ...given } = checkedOptions(request, {
    tag: 'text',
    dc: 'text',
    near: 'text',
    filter: 'text',
    all: 'flag',
  });
  const which = { name, ...given, passing: all ? undefined : ('' as const) };
  const isSelected = Object.keys(request.options).length > 0;
  const missing = () =>
    notFound(`service "${name}" has no ${all ? '' : 'healthy '}instances${isSelected ? ' that match' : ''}`, {
      hint: `Run \`lanyard registry service get ${name}\` for its instances and their status.`,
    });
  const toValue = (instances: readonly ServiceInstance[]): Json | undefined => {
    if (instances.length === 0) return undefined;
    const values = instances.map(instanceValue);
    return given.near === undefined ? values.sort(byNodeAndId) : values;
  };
  return {
    service: 'registry',
    isSecret: false,
    async read(options) {
      const registry = await api.registry(options);
      const found = toValue(await completeList(registry.readService(which), `service "${name}"`, api));
      if (!found) throw missing();
      return found;
    },
    watch: async (options) => ({
      source: instancesSource(await api.registry(options), which, true),
      toValue,
    }),
    missing,
  };
};

/**
 * The objects of a list, empty if there are none (Consul 404).
 *
 * @throws LanyardError forbidden: the token has no permission to read a part of them, which the service left out.
 */
async function completeList<Item>(
  sent: Promise<ServiceResponse<readonly Item[]>>,
  what: string,
  api: Context['api'],
): Promise<readonly Item[]> {
  const { body, headers } = await sent.catch((error: unknown) => {
    if (!isEmptyListError(error)) throw error;
    return { body: [], headers: headersOf(error) };
  });
  // Without a token, a server does not say that it left out all of them.
  const areOmitted = isFiltered(headers) || (body.length === 0 && (await mayOmitObjects(headers, api)));
  if (!areOmitted) return body;
  throw new LanyardError(
    'forbidden',
    `cannot read ${what}: the service left out results that the token has no permission to read`,
    { service: 'registry', hint: 'Run `lanyard acl can` to check the permissions of the token.' },
  );
}

/** @throws LanyardError usage: not UTF-8 */
function entryText(entry: KvEntry): string {
  const text = textOf(bytesOf(entry));
  if (text === undefined) throw usage(`the value of key "${entry.Key}" is not UTF-8 text`);
  return text;
}

type InstanceValue = { [field: string]: Json } & { readonly id: string; readonly node: string };

/** An instance as templates see it; a field without a value is left out. */
function instanceValue({ Node, Service, Checks }: ServiceInstance): InstanceValue {
  const optional: { [field: string]: Json } = compact({
    port: Service.Port === 0 ? undefined : Service.Port,
    datacenter: typeof Node.Datacenter === 'string' ? Node.Datacenter : undefined,
  });
  return {
    id: Service.ID,
    name: Service.Service,
    address: Service.Address || Node.Address,
    ...optional,
    tags: [...(Service.Tags ?? [])],
    meta: { ...Service.Meta },
    status: worstStatus(Checks ?? []),
    node: Node.Node,
    node_address: Node.Address,
    node_meta: { ...Node.Meta },
  };
}

const byNodeAndId = (one: InstanceValue, other: InstanceValue): number =>
  compareText(one.node, other.node) || compareText(one.id, other.id);

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
