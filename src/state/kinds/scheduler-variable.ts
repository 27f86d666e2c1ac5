import type { Variable } from '../../api/scheduler.ts';
import { LanyardError, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import { hasNoOwnItems } from '../../wire/lock-marker.ts';
import { isObject } from '../../wire/objects.ts';
import { newPageTokens, nextPageToken } from '../../wire/pages.ts';
import type { Identity, JsonObject, Kind, Live, Services } from '../kind.ts';
import { requireCompleteLists } from './scheduler-lists.ts';

const address = ({ scope, key }: Identity) => ({ path: key, namespace: scope.namespace ?? 'default' });

/** The index repeats in another cluster; the time, in nanoseconds, does not. */
const liveOf = ({ Items, ModifyIndex = 0, CreateIndex = 0, CreateTime = 0 }: Variable): Live => ({
  spec: { Items: { ...(Items ?? {}) } },
  version: String(ModifyIndex),
  uid: `${CreateIndex}-${CreateTime}`,
});

const itemsOf = (spec: JsonObject): Record<string, string> => ({ ...(spec.Items as Record<string, string>) });

async function write(services: Services, identity: Identity, spec: JsonObject, cas: string): Promise<void> {
  const scheduler = await services.scheduler();
  await scheduler.writeVariable({ ...address(identity), Items: itemsOf(spec), cas });
}

/** A variable of the scheduler (docs/protocol/scheduler.md#variables). */
export const schedulerVariable: Kind = {
  name: 'scheduler.variable',
  service: 'scheduler',
  description: 'A variable of the scheduler: items that jobs read.',
  scope: [{ name: 'namespace', default: 'default', description: 'Namespace of the scheduler.' }],
  nameIs: 'path of the variable, such as app/db',
  schema: field.object(
    { Items: field.map(field.secret(), { description: 'Items by name; the values are secrets.' }) },
    { required: ['Items'] },
  ),
  level: 4,
  guard: 'version',
  holdsSecrets: true,
  references: ({ scope }) => [
    { kind: 'scheduler.namespace', identity: { scope: {}, key: scope.namespace ?? 'default' } },
  ],
  // Locks leave them; a write without items is rejected.
  omitted: (spec) => (isObject(spec.Items) && hasNoOwnItems(itemsOf(spec)) ? 'without items' : undefined),
  label: ({ scope, key }) => (scope.namespace === 'default' ? key : `${scope.namespace}:${key}`),
  async list(services) {
    await requireCompleteLists(services, 'list variables');
    const scheduler = await services.scheduler();
    const found: Identity[] = [];
    const isNew = newPageTokens();
    let next: string | undefined;
    do {
      const response = await scheduler.listVariables({ namespace: '*', per_page: 1000, next_token: next });
      for (const { Namespace: namespace = 'default', Path } of response.body ?? [])
        found.push({ scope: { namespace }, key: Path });
      next = nextPageToken(response.headers);
      if (next !== undefined && !isNew(next))
        throw new LanyardError('failure', 'cannot list variables: the same page was returned twice', {
          service: 'scheduler',
        });
    } while (next !== undefined);
    return found;
  },
  async read(services, identity) {
    const scheduler = await services.scheduler();
    const variable = await unlessNotFound(scheduler.readVariable(address(identity)));
    return variable && liveOf(variable);
  },
  create: (services, { identity, spec }) => write(services, identity, spec, '0'),
  update: (services, { identity, spec, live }) => write(services, identity, spec, live.version),
  async remove(services, identity, live) {
    const scheduler = await services.scheduler();
    await scheduler.deleteVariable({ ...address(identity), cas: live.version });
  },
};
