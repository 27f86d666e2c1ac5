import { operationsIn, type ServiceDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/schema/types.ts';
import { registryRoutes } from '../routes.ts';

const allHeaders = {
  'X-Consul-Default-ACL-Policy': s.oneOf(['allow', 'deny'], 'What callers without a matching rule may do.'),
  'X-Consul-Results-Filtered-By-ACLs': s.oneOf(['true'], 'Present if something was left out.'),
};

/** The service registry, for its OpenAPI document. */
export const registryDescription: ServiceDescription = {
  name: 'registry',
  title: 'Service registry',
  description:
    'Catalog, health, key-value store, sessions, config entries, prepared queries, transactions and access control of the embedded service registry of Lanyard, which speaks the protocol of Consul. Field names of request bodies are not case-sensitive; those of config entries and proxies may also be in snake_case. Errors are plain text. Response headers are also sent with the prefix `X-Registry-`. A path that ends in a slash needs a name, except those of keys.',
  port: 8500,
  tags: {
    Status: 'The cluster.',
    Agent: 'The agent, its services and checks.',
    Catalog: 'Nodes and services.',
    Health: 'Checks, and instances with their checks.',
    'Key-value store': 'Keys and values.',
    Sessions: 'Sessions that hold locks.',
    Transactions: 'Operations on keys and the catalog together.',
    'Prepared queries': 'Queries for services with failover.',
    'Config entries': 'Defaults, routers, splitters and resolvers.',
    'Discovery chain': 'What config entries make of a service.',
    Snapshots: 'The state of a datacenter as an archive.',
    ACL: 'Tokens, policies and roles.',
    'Auth methods': 'Logins, auth methods and binding rules.',
  },
  securitySchemes: {
    consulToken: { type: 'apiKey', in: 'header', name: 'X-Consul-Token' },
    registryToken: { type: 'apiKey', in: 'header', name: 'X-Registry-Token' },
    queryToken: { type: 'apiKey', in: 'query', name: 'token' },
    bearer: { type: 'http', scheme: 'bearer' },
  },
  hasAnonymousCallers: true,
  parameters: {
    id: s.string('ID of the object.'),
    name: s.string('Name of the object.'),
    node: s.string('Name of the node.'),
    service: s.string('Name of the service.'),
    gateway: s.string('Name of the gateway.'),
    state: s.oneOf(['any', 'passing', 'warning', 'critical'], 'State of the checks.'),
    key: s.string('The key. Its slashes may be sent without encoding.'),
    kind: s.string('Kind of the config entry, such as `service-defaults`.'),
    query: s.string('ID of the prepared query; to execute or explain one, also a name.'),
    accessor: s.string('Accessor ID of the token.'),
  },
  headers: {
    all: allHeaders,
    query: {
      'X-Consul-Index': s.integer('The index of the result. Send it as `index` to wait for a later one.'),
      'X-Consul-KnownLeader': s.oneOf(['true'], 'Whether the cluster has a leader.'),
      'X-Consul-LastContact': s.integer('Milliseconds since the last contact with the leader.'),
      'X-Consul-Effective-Consistency': s.oneOf(['leader', 'stale', 'consistent']),
      'X-Consul-Query-Backend': s.string(),
      'X-Cache': s.string('With `cached`: `MISS`.'),
      Age: s.integer('With `cached`: seconds.'),
      ...allHeaders,
    },
    content: {
      'X-Consul-ContentHash': s.string('The `ContentHash` of the body.'),
      ...allHeaders,
    },
    health: { 'X-Consul-Reason': s.string('The health.'), ...allHeaders },
  },
  error: {
    content: { type: 'text/plain', schema: { type: 'string', description: 'The cause, for people.' } },
  },
  // 429, and 503 for writes: over a rate limit.
  commonErrors: { all: [429, 500, 503], authenticated: [403], withBody: [400, 413] },
  operations: operationsIn(registryRoutes()),
};
