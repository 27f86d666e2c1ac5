import { createHash } from 'node:crypto';
import { formatJson } from '../../../wire/json.ts';
import { readWaitParameters } from '../../core/blocking-query.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { JsonEntries } from '../../core/http/json-body.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { writerOf } from '../../core/schema/write.ts';
import { maintenanceCheck, maintenanceCheckId } from '../agent/check-definition.ts';
import { agentServiceInput, serviceDefinitionOf } from '../agent/service-definition.ts';
import { agentService, agentServiceView } from '../agent/views.ts';
import { agentNode } from '../agent-node.ts';
import { agentResponse, withJitter } from '../blocking-query.ts';
import { type Call, operations, type Registry } from '../call.ts';
import { nodeServiceFields } from '../filter/fields.ts';
import { goBoolean } from '../go-boolean.ts';
import { type AgentService, agentCheckOf, agentServiceOf, agentServicesOf } from '../model/agent.ts';
import { proxyDestination } from '../model/catalog.ts';
import { booleanFlag, filter } from '../read-parameters.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';
import { readSelection } from './selection.ts';

const operation = operations('Agent');
const writeService = writerOf(agentService);

/** The services of the agent, by ID. */
export const listAgentServices = operation('listAgentServices', 'List services of the agent by ID', {
  query: { filter },
  returns: s.map(agentService),
  async handle(call) {
    const { permissions, registry } = call;
    const select = await readSelection(call.query().filter, nodeServiceFields);
    const all = await registry.state.read(agentServicesOf);
    const { items, filtered } = await filterVisible(all, ({ Service }) =>
      permissions.allows('service:read', Service),
    );
    const views = await select(
      await mapInSlices(items, (service) => agentServiceView(service, registry.datacenter)),
    );
    const value = new JsonEntries(await mapInSlices(views, (view) => [view.ID, view] as const));
    return agentResponse(call, { value, filtered });
  },
});

/**
 * One service with a hash of its content. With `hash` in the query, the response waits until the content differs
 * (docs/protocol/registry.md#agent).
 */
export const readAgentService = operation('getAgentService', 'Read a service of the agent', {
  query: {
    hash: s.string('Wait until the `ContentHash` differs from this one.'),
    wait: s.string('The longest time to wait, as a duration with a unit.', { default: '300s' }),
  },
  returns: s.named(
    'AgentServiceWithHash',
    s.object({
      ...agentService.fields,
      ContentHash: s.string('Send it as `hash` to wait for a change.'),
    }),
  ),
  responseHeaders: 'content',
  errors: [400, 404],
  async handle(call) {
    const { registry, request } = call;
    const { hash } = call.query();
    const { waitMs } = readWaitParameters(request, { default: 300, max: 600 });
    const deadline = performance.now() + withJitter(registry.random, waitMs);
    for (let isWaiting = hash !== ''; ; ) {
      const view = viewOf(call);
      const ContentHash = contentHash(view);
      if (!isWaiting || ContentHash !== hash) {
        const response = agentResponse(call, { value: { ...view, ContentHash } });
        return { ...response, serviceHeaders: { ...response.serviceHeaders, ContentHash } };
      }
      const timeoutMs = deadline - performance.now();
      isWaiting = await registry.state.waitForChange(['agent-services'], timeoutMs, request.signal);
    }
  },
});

/** Depends on the values only, not on the order of the fields of the row. */
const contentHash = (view: ReturnType<typeof viewOf>): string =>
  createHash('sha256')
    .update(formatJson(writeService(view)))
    .digest('hex')
    .slice(0, 16);

function viewOf({ params, permissions, registry }: Call) {
  const id = params.id ?? '';
  const service = agentServiceOf(registry.state.view, id);
  if (!service) throw new HttpError(404, `unknown service ID: ${id}`);
  requirePermission(permissions, 'service:read', service.Service);
  return agentServiceView(service, registry.datacenter);
}

/** Any other value than true counts as false. */
const replaceFlag = s.converted(
  booleanFlag('Remove checks that are not in the body.'),
  (value) => value === '' || value === 'true',
);

/** Registers a service with its checks, also in the catalog. */
export const registerAgentService = operation('registerAgentService', 'Register a service', {
  query: { 'replace-existing-checks': replaceFlag },
  body: agentServiceInput,
  bodyError: 'Request decode failed',
  rejectsUnknownFields: true,
  async handle(call) {
    const { permissions, registry } = call;
    const { service, checks } = serviceDefinitionOf(await call.body());
    const existing = agentServiceOf(registry.state.view, service.ID);
    // A proxy is returned for its destination, so it needs permission there too.
    for (const name of [service.Service, existing?.Service, proxyDestination(service)])
      if (name !== undefined) requirePermission(permissions, 'service:write', name);
    await registry.agent.putService(service, checks, call.query()['replace-existing-checks']);
    return agentResponse(call);
  },
});

export const deregisterAgentService = operation(
  'deregisterAgentService',
  'Deregister a service with its checks',
  {
    errors: [404],
    async handle(call) {
      const { ID } = requireWritable(call, call.params.id ?? '');
      await call.registry.agent.removeService(ID);
      return agentResponse(call);
    },
  },
);

const maintenanceQuery = {
  enable: s.required(
    s.converted(s.boolean('Enable or disable maintenance.'), (value) => {
      const isEnabled = goBoolean(String(value));
      if (isEnabled === undefined) throw new HttpError(400, `Invalid value for enable: "${value}"`);
      return isEnabled;
    }),
    'Missing value for enable',
  ),
  reason: s.string('Notes of the check that is added.'),
};

/** Enables or disables maintenance of a service: a critical check. */
export const maintainAgentService = operation('setServiceMaintenance', 'Set the maintenance of a service', {
  query: maintenanceQuery,
  errors: [400, 404],
  async handle(call) {
    const { params, registry } = call;
    if (!params.id) throw new HttpError(400, 'Missing service ID');
    const { enable, reason } = call.query();
    const { ID } = requireWritable(call, params.id);
    await setMaintenance(registry, ID, enable, reason);
    return agentResponse(call);
  },
});

/** Enables or disables maintenance of the agent's node, with all its services. */
export const maintainAgent = operation('setNodeMaintenance', 'Set the maintenance of the node', {
  query: maintenanceQuery,
  async handle(call) {
    const { permissions, registry } = call;
    const { enable, reason } = call.query();
    requirePermission(permissions, 'node:write', agentNode);
    await setMaintenance(registry, '', enable, reason);
    return agentResponse(call);
  },
});

async function setMaintenance(
  { agent, state }: Registry,
  serviceId: string,
  isEnabled: boolean,
  reason: string,
): Promise<void> {
  const id = maintenanceCheckId(serviceId);
  const isRegistered = agentCheckOf(state.view, id) !== undefined;
  if (isEnabled === isRegistered) return;
  if (isEnabled) await agent.putCheck(maintenanceCheck(serviceId, reason));
  else await agent.removeCheck(id);
}

/** @throws HttpError 404: not registered at the agent; 403 */
function requireWritable({ permissions, registry }: Call, id: string): AgentService {
  const service = agentServiceOf(registry.state.view, id);
  if (!service) {
    throw new HttpError(
      404,
      `Unknown service ID "${id}". Ensure that the service ID is passed, not the service name.`,
    );
  }
  requirePermission(permissions, 'service:write', service.Service);
  return service;
}
