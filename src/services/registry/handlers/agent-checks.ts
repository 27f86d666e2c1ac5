import { decodeBody, FieldError } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { JsonEntries } from '../../core/http/json-body.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { Permissions } from '../acl/permissions.ts';
import { agentCheck, isStatus, readCheckDefinition, validateCheck } from '../agent/check-definition.ts';
import { agentCheckView } from '../agent/views.ts';
import { agentNode } from '../agent-node.ts';
import { agentResponse } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { checkFields } from '../filter/fields.ts';
import { type AgentCheck, agentCheckOf, agentChecksOf, agentServiceOf } from '../model/agent.ts';
import { type Check, type Status, statuses } from '../model/catalog.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';
import { readSelection } from './selection.ts';

const operation = operations('Agent');

/** The checks of the agent, by ID. */
export async function listAgentChecks(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const select = await readSelection(request, checkFields);
  const all = await registry.state.read(agentChecksOf);
  const { items, filtered } = await filterVisible(all, ({ check }) =>
    check.ServiceName === ''
      ? permissions.allows('node:read', agentNode)
      : permissions.allows('service:read', check.ServiceName),
  );
  const views = await select(await mapInSlices(items, agentCheckView));
  return agentResponse(call, {
    value: new JsonEntries(await mapInSlices(views, (view) => [view.CheckID, view] as const)),
    filtered,
  });
}

/** Registers a check of the agent's node or of one of its services, also in the catalog. */
export async function registerAgentCheck(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const definition = await decodeBody(request, 'Request decode failed', (body) => {
    if (body === undefined) throw new FieldError('EOF');
    return readCheckDefinition(body);
  });
  const { id, name, serviceId, status } = definition;
  if (name === '') throw new HttpError(400, 'Missing check name');
  if (status !== undefined && !isStatus(status)) throw new HttpError(400, 'Bad check status');
  validateCheck(definition);
  const { view } = registry.state;
  const service = serviceId === '' ? undefined : agentServiceOf(view, serviceId);
  if (serviceId !== '' && !service) throw new HttpError(404, `ServiceID "${serviceId}" does not exist`);
  const row = agentCheck(definition, { id: id || name, name, serviceId, zero: '0s' });
  const existing = agentCheckOf(view, row.check.CheckID)?.check;
  requireWrite(permissions, { ServiceName: service?.Service ?? '' });
  if (existing) requireWrite(permissions, existing);
  await registry.agent.putCheck(row);
  return agentResponse(call);
}

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
    s.object({ Status: s.required(s.string(`One of ${statuses.join(', ')}.`)), Output: s.string() }),
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

function requireWrite(permissions: Permissions, { ServiceName }: Pick<Check, 'ServiceName'>): void {
  if (ServiceName === '') requirePermission(permissions, 'node:write', agentNode);
  else requirePermission(permissions, 'service:write', ServiceName);
}
