import { operationsIn, type ServiceDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/schema/types.ts';
import { schedulerRoutes } from '../routes.ts';

const queryHeaders = {
  'X-Nomad-Index': s.integer('The index of the result. Send it as `index` to wait for a later one.'),
  'X-Nomad-KnownLeader': s.oneOf(['true'], 'Whether the cluster has a leader.'),
  'X-Nomad-LastContact': s.integer('Milliseconds since the last contact with the leader.'),
};

/** The scheduler, for its OpenAPI document. */
export const schedulerDescription: ServiceDescription = {
  name: 'scheduler',
  title: 'Scheduler',
  description:
    'Namespaces, variables, locks and access control of the embedded scheduler of Lanyard, which speaks the protocol of Nomad. Field names of request bodies are not case-sensitive, and unknown fields are ignored. Errors are plain text. Response headers are also sent with the prefix `X-Scheduler-`. A path with empty, `.` or `..` segments is redirected (307).',
  port: 4646,
  tags: {
    Agent: 'The server.',
    Namespaces: 'Namespaces of variables.',
    Variables: 'Variables and their locks.',
    ACL: 'Tokens, policies and roles. Access control is off until it is bootstrapped.',
  },
  securitySchemes: {
    nomadToken: { type: 'apiKey', in: 'header', name: 'X-Nomad-Token' },
    schedulerToken: { type: 'apiKey', in: 'header', name: 'X-Scheduler-Token' },
    bearer: { type: 'http', scheme: 'bearer' },
  },
  hasAnonymousCallers: true,
  parameters: {
    namespace: s.string('Name of the namespace.'),
    path: s.string('Path of the variable. Its slashes may be sent without encoding.'),
    id: s.string('Accessor ID of the token, or ID of the role.'),
    name: s.string('Name of the policy or role.'),
  },
  headers: {
    query: queryHeaders,
    page: {
      ...queryHeaders,
      'X-Nomad-NextToken': s.string('The `next_token` of the next page. Missing on the last page.'),
    },
    write: { 'X-Nomad-Index': s.integer('The index of the write.') },
  },
  error: {
    content: { type: 'text/plain', schema: { type: 'string', description: 'The cause, for people.' } },
  },
  // 500: another region than `global`.
  commonErrors: { all: [429, 500], authenticated: [403], withBody: [400, 413] },
  operations: operationsIn(schedulerRoutes()),
};
