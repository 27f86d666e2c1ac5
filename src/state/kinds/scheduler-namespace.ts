import { isNamespaceInUse } from '../../api/conditions/scheduler.ts';
import type { Namespace } from '../../api/scheduler.ts';
import { conflict, describeAs, unlessNotFound } from '../../errors.ts';
import { field, fieldOf } from '../../objects/schema.ts';
import type { JsonObject, Kind, Live, Services } from '../kind.ts';
import { normalize } from '../normalize.ts';
import { requireCompleteLists } from './scheduler-lists.ts';

const serverFields = ['Name', 'CreateIndex', 'ModifyIndex', 'Hash'];

/** The service returns fields that are not set as null. */
const liveOf = (namespace: Namespace): Live => ({
  spec: Object.fromEntries(
    Object.entries(namespace as JsonObject).filter(
      ([name, value]) => !serverFields.includes(name) && value !== null,
    ),
  ),
  version: String(namespace.ModifyIndex ?? 0),
  uid: String(namespace.CreateIndex ?? 0),
});

const names = (description: string) => field.set(field.string(), { description });

/** Of the Enterprise edition: which of several things the jobs of a namespace may use. */
const selection = (things: string) =>
  field.object(
    {
      Default: field.string({ description: `Default of the ${things}.` }),
      Allowed: names(`The only allowed ${things}.`),
      Denied: names(`Denied ${things}.`),
    },
    { foldsNames: true, description: `The ${things} of jobs (Nomad Enterprise).` },
  );

const claims = (which: string) =>
  field.map(field.string(), { description: `${which} claims of the identities of jobs.` });

const fieldSchema = field.object(
  {
    Description: field.string({ maxLength: 256 }),
    Meta: field.map(field.string(), { description: 'Metadata by name.' }),
    Quota: field.string({ description: 'Name of the quota (Nomad Enterprise).' }),
    Capabilities: field.object(
      {
        EnabledTaskDrivers: names('The only allowed task drivers.'),
        DisabledTaskDrivers: names('Denied task drivers.'),
        EnabledNetworkModes: names('The only allowed network modes.'),
        DisabledNetworkModes: names('Denied network modes.'),
      },
      { foldsNames: true, description: 'What jobs may use.' },
    ),
    NodePoolConfiguration: selection('node pools'),
    VaultConfiguration: selection('clusters of the secrets service'),
    ConsulConfiguration: selection('clusters of the service registry'),
    RequiredExtraClaims: claims('Required additional'),
    OptionalExtraClaims: claims('Optional additional'),
  },
  { foldsNames: true },
);

/** The service replaces every field. It rejects objects of the Enterprise edition even if they are empty. */
async function write(services: Services, name: string, spec: JsonObject): Promise<void> {
  const fields = Object.entries(spec).filter(([property, value]) => {
    const schema = fieldOf(fieldSchema, property);
    return schema === undefined || normalize(schema, value) !== undefined;
  });
  const scheduler = await services.scheduler();
  await scheduler.writeNamespace({ ...Object.fromEntries(fields), Name: name, namespace: name });
}

async function read(services: Services, name: string): Promise<Live | undefined> {
  const scheduler = await services.scheduler();
  const namespace = await unlessNotFound(scheduler.readNamespace({ namespace: name }));
  return namespace && liveOf(namespace);
}

/** A namespace of the scheduler (docs/protocol/scheduler.md#namespaces). */
export const schedulerNamespace: Kind = {
  name: 'scheduler.namespace',
  service: 'scheduler',
  description: 'A namespace of the scheduler.',
  scope: [],
  nameIs: 'name of the namespace',
  schema: fieldSchema,
  level: 1,
  mark: { type: 'map', field: 'Meta' },
  guard: 're-read',
  isProtected: true,
  isBuiltIn: ({ key }) => key === 'default',
  async list(services) {
    await requireCompleteLists(services, 'list namespaces');
    const { body } = await (await services.scheduler()).listNamespaces({});
    return (body ?? []).map(({ Name }) => ({ scope: {}, key: Name }));
  },
  read: (services, { key }) => read(services, key),
  async create(services, { identity: { key }, spec }) {
    if (await read(services, key)) throw conflict(`cannot create namespace "${key}": already exists`);
    await write(services, key, spec);
  },
  update: (services, { identity: { key }, spec }) => write(services, key, spec),
  async remove(services, { key }) {
    const scheduler = await services.scheduler();
    await scheduler
      .deleteNamespace({ namespace: key })
      .catch(describeAs(isNamespaceInUse, 'conflict', `cannot delete namespace "${key}": not empty`));
  },
};
