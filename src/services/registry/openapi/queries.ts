import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { metaFields } from './kv.ts';
import { cached, near, read } from './parameters.ts';

const dns = s.object({ TTL: s.text() });
const nodeOfQuery = s.ref('NodeOfQuery');

export const querySchemas: s.Schemas = {
  QueryResult: s.object({
    Service: s.text(),
    Nodes: s.nullable(
      s.array(
        s.object({
          Node: nodeOfQuery,
          Service: s.ref('ServiceOfQuery'),
          Checks: s.array(s.ref('Check')),
          DNS: dns,
        }),
      ),
    ),
    DNS: dns,
    Datacenter: s.text('Where the instances were found.'),
    PeerName: s.text(),
    Failovers: s.integer('How many datacenters were tried without success.'),
    ...metaFields,
  }),
};

export const queryOperations: Operations = {
  'GET v1/query/:query/execute': read(
    'Prepared queries',
    'executeQuery',
    'Execute a prepared query',
    s.ref('QueryResult'),
    {
      query: {
        near,
        limit: s.integer('Maximum number of instances.', { minimum: 0 }),
        connect: s.boolean('Only instances in the mesh.', { allowEmptyValue: true }),
        cached,
      },
      errors: [400, 404],
    },
  ),
};
