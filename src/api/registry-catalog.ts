import * as v from 'valibot';
import type * as wire from '../wire/responses/registry.ts';
import { checked, noBody, noBodyOr, pairs, plainText, shown, text, texts } from './decode.ts';
import { operationBuilders, type Watched, watchedParameters } from './operation-builders.ts';

const { get, put } = operationBuilders('registry');

const nodeSchema = v.looseObject({
  ...shown<wire.CatalogNode>({ ID: text, Datacenter: text }),
  /** The name of the node. */
  Node: v.string(),
  Address: v.string(),
  Meta: pairs,
});

const serviceSchema = v.looseObject({
  ...shown<wire.CatalogService>({ Address: text, Port: v.optional(v.number()) }),
  /** ID of the instance. */
  ID: v.string(),
  /** The name of the service. */
  Service: v.string(),
  Tags: texts,
  Meta: pairs,
});

const checkSchema = v.looseObject({
  ...shown<wire.HealthCheck>({ Output: text, ServiceID: text }),
  CheckID: v.string(),
  Name: v.string(),
  /** `passing`, `warning` or `critical`. */
  Status: v.string(),
});

const instanceSchema = v.looseObject({
  Node: nodeSchema,
  Service: serviceSchema,
  Checks: v.nullish(v.array(checkSchema)),
});

const memberSchema = v.looseObject({
  ...shown<wire.Member>(),
  /** The name of the node; with its datacenter in the WAN. */
  Name: v.string(),
  Addr: v.string(),
  Port: v.number(),
  Tags: pairs,
  /** 0 to 4: none, alive, leaving, left, failed. */
  Status: v.number(),
});

export type Member = v.InferOutput<typeof memberSchema>;
export type HealthCheck = v.InferOutput<typeof checkSchema>;
export type ServiceInstance = v.InferOutput<typeof instanceSchema>;

interface Maintenance {
  enable: boolean;
  /** Why: the notes of the check. */
  reason?: string;
}

const maintenanceQuery = ['enable', 'reason'] as const;

interface Filtered extends Watched {
  filter?: string;
  near?: string;
}

const filtered = [...watchedParameters, 'filter'] as const;
/** Of writes to the agent, which have no result. */
const done = noBodyOr(plainText);

/** Services and nodes of the registry, and the services of its agent (docs/protocol/registry.md#agent). */
export const catalogOperations = {
  /** Tags by name. */
  listServices: get<Watched & { filter?: string }>('list services', '/v1/catalog/services', {
    query: filtered,
  })(checked(v.record(v.string(), texts))),
  readService: get<Filtered & { name: string; tag?: string; passing?: '' }>(
    'read service',
    '/v1/health/service/{name}',
    { query: [...filtered, 'near', 'tag', 'passing'] },
  )(checked(v.array(instanceSchema))),
  listNodes: get<Filtered>('list nodes', '/v1/catalog/nodes', { query: [...filtered, 'near'] })(
    checked(v.array(nodeSchema)),
  ),
  /** Null: there is no such node. */
  readNode: get<Watched & { name: string }>('read node', '/v1/catalog/node/{name}', {
    query: watchedParameters,
  })(
    checked(
      v.nullable(
        v.looseObject({ Node: nodeSchema, Services: v.nullish(v.record(v.string(), serviceSchema)) }),
      ),
    ),
  ),
  readNodeChecks: get<Watched & { name: string }>('read checks of a node', '/v1/health/node/{name}', {
    query: watchedParameters,
  })(checked(v.array(checkSchema))),
  // For completion.
  listAgentServices: get<object>(
    'list services of the agent',
    '/v1/agent/services',
  )(checked(v.record(v.string(), v.looseObject({ ID: v.string(), Service: v.string() })))),
  listMembers: get<{ wan?: '1'; segment?: string; filter?: string }>('list members', '/v1/agent/members', {
    query: ['wan', 'segment', 'filter'],
  })(checked(v.array(memberSchema))),
  listDatacenters: get<object>('list datacenters', '/v1/catalog/datacenters')(checked(v.array(v.string()))),
  readAgentService: get<{ id: string }>(
    'read service of the agent',
    '/v1/agent/service/{id}',
  )(checked(serviceSchema)),
  listAgentChecks: get<object>(
    'list checks of the agent',
    '/v1/agent/checks',
  )(checked(v.record(v.string(), checkSchema))),
  /** The other fields of the input are the service. */
  registerService: put<object>('register service', '/v1/agent/service/register', {
    fixedQuery: [['replace-existing-checks', 'true']],
  })(done),
  deregisterService: put<{ id: string }>('deregister service', '/v1/agent/service/deregister/{id}', {
    body: undefined,
  })(noBody),
  // Maintenance is a critical check of the node of the agent or of one of its services.
  setNodeMaintenance: put<Maintenance>('set maintenance of the node', '/v1/agent/maintenance', {
    body: undefined,
    query: maintenanceQuery,
  })(noBody),
  setServiceMaintenance: put<Maintenance & { id: string }>(
    'set maintenance of the service',
    '/v1/agent/service/maintenance/{id}',
    { body: undefined, query: maintenanceQuery },
  )(noBody),
} as const;
