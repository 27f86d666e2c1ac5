import type { OperationDescription, Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { statuses } from '../model/catalog.ts';
import { booleanFlag, call, filter } from './parameters.ts';
import { duration } from './shapes.ts';

const tag = 'Agent';
const nullableText = s.nullable(s.text());
const _status = s.oneOf([...statuses]);
const meta = s.map(s.text());
const address = s.object({ Address: s.text(), Port: s.integer() });
const health = s.oneOf(['passing', 'warning', 'critical', 'maintenance']);
const service = {
  'Kind?': s.text(),
  ID: s.text(),
  Service: s.text('Name of the service.'),
  Tags: s.array(s.text()),
  Meta: meta,
  Port: s.integer(),
  Address: s.text(),
  'SocketPath?': s.text(),
  'TaggedAddresses?': s.map(address),
  Weights: s.object({ Passing: s.integer(), Warning: s.integer() }),
  EnableTagOverride: s.boolean(),
  'Proxy?': s.ref('ServiceProxy'),
  'Connect?': s.object({ Native: s.boolean() }),
};
const afterwards = { Datacenter: s.text(), 'Locality?': s.anyObject() };

/** A check of a service in `agent/service/register`, and of `agent/check/register`. */
const checkFields = {
  Name: nullableText,
  Notes: nullableText,
  Status: s.nullable(s.text(`One of ${statuses.join(', ')}; default: critical.`)),
  ServiceID: nullableText,
  TTL: duration('Time to live. Required: the agent only runs checks with one'),
  Interval: duration('Not used'),
  Timeout: duration('Shown only'),
  DeregisterCriticalServiceAfter: duration('Deregister the service after it was critical for this time'),
  OutputMaxSize: s.nullable(s.integer('Bytes of the output that are kept.')),
  SuccessBeforePassing: s.nullable(s.integer()),
  FailuresBeforeWarning: s.nullable(s.integer()),
  FailuresBeforeCritical: s.nullable(s.integer()),
};

export const agentSchemas: s.Schemas = {
  AgentService: s.object({ ...service, ...afterwards }),
  AgentServiceWithHash: s.object({
    ...service,
    ContentHash: s.text('Send it as `hash` to wait for a change.'),
    ...afterwards,
  }),
  AgentHealth: s.object({
    AggregatedStatus: health,
    Service: s.nullable(s.ref('AgentService')),
    Checks: s.nullable(s.array(s.ref('Check'))),
  }),
  AgentServiceInput: s.input({
    Kind: nullableText,
    ID: s.nullable(s.text('Default: the name.')),
    'Name!': s.text(),
    Tags: s.nullable(s.array(s.text())),
    Address: nullableText,
    TaggedAddresses: s.nullable(s.map(s.anyObject('Address and Port.'))),
    Meta: s.nullable(meta),
    Port: s.nullable(s.integer()),
    SocketPath: nullableText,
    Check: s.nullable(s.ref('AgentServiceCheckInput')),
    Checks: s.nullable(s.array(s.ref('AgentServiceCheckInput'))),
    Weights: s.nullable(s.input({ Passing: s.integer(), Warning: s.integer() })),
    EnableTagOverride: s.nullable(s.boolean()),
    Locality: s.nullable(s.input({ Region: nullableText, Zone: nullableText })),
    Proxy: s.ref('ServiceProxyInput'),
    Connect: s.nullable(s.input({ Native: s.nullable(s.boolean()) })),
  }),
  AgentServiceCheckInput: s.input({ CheckID: nullableText, ...checkFields }),
  AgentCheckInput: s.input({
    ID: s.nullable(s.text('Default: the name.')),
    ...checkFields,
    'Name!': s.text(),
  }),
};

const asText = { also: { type: 'text/plain', schema: s.text('The health, or what was not found.') } };
function healthOperation(id: string, summary: string, schema: s.Schema): OperationDescription {
  const response = { schema, headers: 'health', ...asText };
  return call(tag, id, summary, undefined, {
    description: 'The status is that of the worst check. Send `Accept: text/plain` for a text.',
    query: { format: s.oneOf(['text'], 'Respond with a text.') },
    responses: {
      200: { description: 'Passing.', ...response },
      404: { description: 'No such service.', ...response },
      429: { description: 'Warning.', ...response },
      503: { description: 'Critical, or in maintenance.', ...response },
    },
  });
}

export const agentOperations: Operations = {
  'GET v1/agent/services': call(
    tag,
    'listAgentServices',
    'List services of the agent by ID',
    s.map(s.ref('AgentService')),
    { query: { filter } },
  ),
  'GET v1/agent/service/*id': call(
    tag,
    'getAgentService',
    'Read a service of the agent',
    s.ref('AgentServiceWithHash'),
    {
      query: {
        hash: s.text('Wait until the `ContentHash` differs from this one.'),
        wait: s.text('The longest time to wait, as a duration with a unit.', { default: '300s' }),
      },
      responses: { 200: { schema: s.ref('AgentServiceWithHash'), headers: 'content' } },
      errors: [400, 404],
    },
  ),
  'PUT v1/agent/service/register': call(tag, 'registerAgentService', 'Register a service', undefined, {
    query: { 'replace-existing-checks': booleanFlag('Remove checks that are not in the body.') },
    body: { schema: s.ref('AgentServiceInput') },
  }),
  'GET v1/agent/health/service/id/*id': healthOperation(
    'getAgentServiceHealthById',
    'Get the health of a service of the agent',
    s.ref('AgentHealth'),
  ),
  'GET v1/agent/health/service/name/*name': healthOperation(
    'getAgentServiceHealthByName',
    'Get the health of the services with a name',
    s.array(s.ref('AgentHealth')),
  ),
  'GET v1/agent/checks': call(
    tag,
    'listAgentChecks',
    'List checks of the agent by ID',
    s.map(s.ref('Check')),
    {
      query: { filter },
    },
  ),
  'PUT v1/agent/check/register': call(tag, 'registerAgentCheck', 'Register a check', undefined, {
    body: { schema: s.ref('AgentCheckInput') },
    errors: [404],
  }),
};
