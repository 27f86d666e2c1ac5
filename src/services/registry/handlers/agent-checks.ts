import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { JsonEntries } from '../../core/http/json-body.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { Permissions } from '../acl/permissions.ts';
import { agentCheck, checkInput, validateCheck } from '../agent/check-definition.ts';
import { agentCheckView } from '../agent/views.ts';
import { agentNode } from '../agent-node.ts';
import { agentResponse } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { check, isStatus, type Status, statuses } from '../catalog-fields.ts';
import { checkFields } from '../filter/fields.ts';
import { type AgentCheck, agentCheckOf, agentChecksOf, agentServiceOf } from '../model/agent.ts';
import type { Check } from '../model/catalog.ts';
import { filter } from '../read-parameters.ts';
import { filterVisible, requireOwnerWrite } from '../require-permission.ts';
import { readSelection } from './selection.ts';

const operation = operations('Agent');

/** The checks of the agent, by ID. */
export const listAgentChecks = operation('listAgentChecks', 'List checks of the agent by ID', {
  query: { filter },
  returns: s.map(check),
  async handle(call) {
    const { permissions, registry } = call;
    const select = await readSelection(call.query().filter, checkFields);
    const all = await registry.state.read(agentChecksOf);
    const { items, filtered } = await filterVisible(all, ({ check: { ServiceName } }) =>
      ServiceName === ''
        ? permissions.allows('node:read', agentNode)
        : permissions.allows('service:read', ServiceName),
    );
    const views = await select(await mapInSlices(items, agentCheckView));
    const value = new JsonEntries(await mapInSlices(views, (view) => [view.CheckID, view] as const));
    return agentResponse(call, { value, filtered });
  },
});

/** Registers a check of the agent's node or of one of its services, also in the catalog. */
export const registerAgentCheck = operation('registerAgentCheck', 'Register a check', {
  body: checkInput,
  bodyError: 'Request decode failed',
  rejectsUnknownFields: true,
  errors: [400, 404],
  async handle(call) {
    const { permissions, registry } = call;
    const definition = await call.body();
    const { ID, Name: name, Status, ServiceID } = definition;
    const serviceId = ServiceID || definition.service_id;
    if (name === '') throw new HttpError(400, 'Missing check name');
    if (Status !== '' && !isStatus(Status)) throw new HttpError(400, 'Bad check status');
    validateCheck(definition);
    const { view } = registry.state;
    const service = serviceId === '' ? undefined : agentServiceOf(view, serviceId);
    if (serviceId !== '' && !service) throw new HttpError(404, `ServiceID "${serviceId}" does not exist`);
    const row = agentCheck(definition, { id: ID || name, name, serviceId, zero: '0s' });
    const existing = agentCheckOf(view, row.check.CheckID)?.check;
    requireWrite(permissions, { ServiceName: service?.Service ?? '' });
    if (existing) requireWrite(permissions, existing);
    await registry.agent.putCheck(row);
    return agentResponse(call);
  },
});

export const deregisterAgentCheck = operation('deregisterAgentCheck', 'Deregister a check', {
  errors: [404],
  async handle(call) {
    const { check } = requireWritable(call);
    await call.registry.agent.removeCheck(check.CheckID);
    return agentResponse(call);
  },
});

/** Reports a status, with the `note` of the query as output. */
const reportOperation = (verb: string, status: Status) =>
  operation(`${verb}AgentCheck`, `Report a check as ${status}`, {
    query: { note: s.string('Output of the check.') },
    errors: [404],
    handle: (call) => report(call, status, call.query().note),
  });
export const passAgentCheck = reportOperation('pass', 'passing');
export const warnAgentCheck = reportOperation('warn', 'warning');
export const failAgentCheck = reportOperation('fail', 'critical');

export const updateAgentCheck = operation('updateAgentCheck', 'Report the status of a check', {
  body: s.named(
    'AgentCheckUpdate',
    s.object({ Status: s.required(s.string(undefined, { enum: [...statuses] })), Output: s.string() }),
  ),
  bodyError: 'Request decode failed',
  rejectsUnknownFields: true,
  errors: [404],
  async handle(call) {
    const { Status: status, Output: output } = await call.body();
    if (!isStatus(status)) throw new HttpError(400, `Invalid check status: '${status}'`);
    return report(call, status, output);
  },
});

async function report(call: Call, status: Status, output: string): Promise<HttpResponse> {
  const row = requireWritable(call);
  if (row.ttlMs === null)
    throw new HttpError(500, `CheckID "${row.check.CheckID}" does not have associated TTL`);
  await call.registry.agent.reportCheck(row, status, output);
  return agentResponse(call);
}

/** @throws HttpError 404: not registered at the agent; 403 */
function requireWritable({ params, permissions, registry }: Call): AgentCheck {
  const id = params.id ?? '';
  const row = agentCheckOf(registry.state.view, id);
  if (!row) {
    throw new HttpError(
      404,
      `Unknown check ID "${id}". Ensure that the check ID is passed, not the check name.`,
    );
  }
  requireWrite(permissions, row.check);
  return row;
}

const requireWrite = (permissions: Permissions, { ServiceName }: Pick<Check, 'ServiceName'>): void =>
  requireOwnerWrite(permissions, agentNode, ServiceName || undefined);
