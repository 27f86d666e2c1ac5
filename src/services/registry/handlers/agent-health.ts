import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  textResponse,
} from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import { agentHealthView, aggregateHealth, healthCode } from '../agent/views.ts';
import { agentResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { agentChecksOfService, agentServiceOf, agentServicesOf } from '../model/agent.ts';
import { requirePermission } from '../require-permission.ts';

/** The health of a service of the agent, by its ID: 200 passing, 429 warning, 503 critical, 404 not found. */
export function agentHealthById(call: Call): HttpResponse {
  const { params, permissions, registry } = call;
  const id = params.id ?? '';
  if (id === '') throw new HttpError(500, 'Missing serviceID');
  const { view } = registry.state;
  const service = agentServiceOf(view, id);
  if (!service) {
    const value = { AggregatedStatus: 'critical', Service: null, Checks: null };
    return healthResponse(call, 404, `ServiceId ${id} not found`, value);
  }
  requirePermission(permissions, 'service:read', service.Service);
  const checks = agentChecksOfService(view, id, true);
  const health = aggregateHealth(checks);
  const value = agentHealthView(service, checks, registry.datacenter);
  return healthResponse(call, healthCode(health), health, value);
}

/** The health of all services of the agent with a name; the worst one decides the status. */
export async function agentHealthByName(call: Call): Promise<HttpResponse> {
  const { params, permissions, registry } = call;
  const name = params.name ?? '';
  if (name === '') throw new HttpError(500, 'Missing service Name');
  requirePermission(permissions, 'service:read', name);
  const { view } = registry.state;
  let code = 404;
  let reason = `ServiceName ${name} Not Found`;
  const services = await registry.state.read(agentServicesOf);
  const named = await filterInSlices(services, ({ Service }) => Service === name);
  const values = await mapInSlices(named, (service) => {
    const checks = agentChecksOfService(view, service.ID, true);
    const health = aggregateHealth(checks);
    if (code === 404 || code < healthCode(health)) [code, reason] = [healthCode(health), health];
    return agentHealthView(service, checks, registry.datacenter);
  });
  return healthResponse(call, code, reason, values);
}

function healthResponse(call: Call, status: number, reason: string, value: object): HttpResponse {
  const response = agentResponse(call, { status, value });
  const serviceHeaders = { ...response.serviceHeaders, Reason: headerText(reason) };
  if (!wantsText(call.request)) return { ...response, serviceHeaders };
  return { ...textResponse(status, reason, { serviceHeaders }), headers: { 'Content-Type': 'text/plain' } };
}

/** A name may contain characters that a header cannot. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

function wantsText({ headers, query }: HttpRequest): boolean {
  return headers.accept?.startsWith('text/plain') === true || query.get('format') === 'text';
}
