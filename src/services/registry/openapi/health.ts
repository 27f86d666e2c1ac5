import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { booleanFlag, filter, instanceQuery, near, nodeMeta, read } from './parameters.ts';

const tag = 'Health';
const healthOf = s.array(s.ref('ServiceHealth'));
const checks = s.array(s.ref('Check'));
const healthQuery = { ...instanceQuery, passing: booleanFlag('Only instances whose checks all pass.') };

export const healthOperations: Operations = {
  'GET v1/health/service/:service': read(
    tag,
    'listServiceHealth',
    'List instances of a service with their checks',
    healthOf,
    { query: healthQuery },
  ),
  'GET v1/health/connect/:service': read(
    tag,
    'listMeshHealth',
    'List instances of a service in the mesh with their checks',
    healthOf,
    { query: healthQuery },
  ),
  'GET v1/health/ingress/:service': read(
    tag,
    'listIngressHealth',
    'List ingress gateways of a service; always none',
    s.array(s.anyObject()),
  ),
  'GET v1/health/node/:node': read(tag, 'listNodeChecks', 'List checks of a node', checks, {
    query: { filter },
  }),
  'GET v1/health/checks/:service': read(tag, 'listServiceChecks', 'List checks of a service', checks, {
    query: { filter, near, 'node-meta': nodeMeta },
  }),
  'GET v1/health/state/:state': read(tag, 'listChecksInState', 'List checks in a state', checks, {
    query: { filter, near, 'node-meta': nodeMeta },
  }),
};
