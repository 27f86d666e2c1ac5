import { HttpError, type HttpResponse, textResponse } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { agentHealth, agentHealthView, aggregateHealth, healthCode } from '../agent/views.ts';
import { agentResponse } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { agentChecksOfService, agentServiceOf, agentServicesOf } from '../model/agent.ts';
import { requirePermission } from '../require-permission.ts';

interface HealthResult {
  readonly status: number;
  readonly reason: string;
  readonly value: object;
}

const healthOperation = (
  id: string,
  summary: string,
  body: s.Type,
  find: (call: Call) => HealthResult | Promise<HealthResult>,
) => {
  const content = {
    type: 'text/plain',
    schema: { type: 'string', description: 'The health, or what was not found.' },
  };
  const response = { body, content, headers: 'health' };
  return operations('Agent')(id, summary, {
    description: 'The worst check decides the status. Send `Accept: text/plain` for a text.',
    query: { format: s.string('Respond with a text.', { enum: ['text'] }) },
    responses: {
      200: { description: 'Passing.', ...response },
      404: { description: 'No such service.', ...response },
      429: { description: 'Warning.', ...response },
      503: { description: 'Critical, or in maintenance.', ...response },
    },
    async handle(call): Promise<HttpResponse> {
      const { status, reason, value } = await find(call);
      const response = agentResponse(call, { status, value });
      const serviceHeaders = { ...response.serviceHeaders, Reason: headerText(reason) };
      const wantsText =
        call.request.headers.accept?.startsWith('text/plain') || call.query().format === 'text';
      if (!wantsText) return { ...response, serviceHeaders };
      const headers = { 'Content-Type': 'text/plain' };
      return { ...textResponse(status, reason, { serviceHeaders }), headers };
    },
  });
};

/** A name may contain characters that a header cannot. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

export const agentHealthById = healthOperation(
  'getAgentServiceHealthById',
  'Get the health of a service of the agent',
  agentHealth,
  ({ params, permissions, registry }) => {
    const id = params.id ?? '';
    if (id === '') throw new HttpError(500, 'Missing serviceID');
    const { view } = registry.state;
    const service = agentServiceOf(view, id);
    if (!service) {
      const value = { AggregatedStatus: 'critical', Service: null, Checks: null };
      return { status: 404, reason: `ServiceId ${id} not found`, value };
    }
    requirePermission(permissions, 'service:read', service.Service);
    const value = agentHealthView(service, agentChecksOfService(view, id, true), registry.datacenter);
    return { status: healthCode(value.AggregatedStatus), reason: value.AggregatedStatus, value };
  },
);

/** The worst service with the name decides the status. */
export const agentHealthByName = healthOperation(
  'getAgentServiceHealthByName',
  'Get the health of the services with a name',
  s.list(agentHealth),
  async ({ params, permissions, registry }) => {
    const name = params.name ?? '';
    if (name === '') throw new HttpError(500, 'Missing service Name');
    requirePermission(permissions, 'service:read', name);
    const { view } = registry.state;
    let status = 404;
    let reason = `ServiceName ${name} Not Found`;
    const services = await registry.state.read(agentServicesOf);
    const named = await filterInSlices(services, ({ Service }) => Service === name);
    const value = await mapInSlices(named, (service) => {
      const checks = agentChecksOfService(view, service.ID, true);
      const health = aggregateHealth(checks);
      if (status === 404 || status < healthCode(health)) [status, reason] = [healthCode(health), health];
      return agentHealthView(service, checks, registry.datacenter);
    });
    return { status, reason, value };
  },
);
