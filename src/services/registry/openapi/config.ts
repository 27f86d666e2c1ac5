import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { cached, call, cas, filter, read } from './parameters.ts';
import { chainParts, entryComponents } from './shapes.ts';

const tag = 'Config entries';
const addresses = s.nullable(s.array(s.text()));

const chainNode = (type: string, fields: s.Schemas): s.Schema =>
  s.object({ Type: s.text(undefined, { const: type }), Name: s.text(), ...fields });

export const configSchemas: s.Schemas = {
  ...entryComponents,
  Chain: s.object({
    ServiceName: s.text(),
    Namespace: s.text(),
    Datacenter: s.text('The datacenter for which it was compiled.'),
    'CustomizationHash?': s.text('Present if an override changed something.'),
    'Default?': s.boolean('Without routes, splits and resolvers of its own.'),
    Protocol: s.text(),
    'ServiceMeta?': s.map(s.text()),
    'EnvoyExtensions?': s.array(s.ref('EnvoyExtension')),
    StartNode: s.text(),
    Nodes: s.map(s.ref('ChainNode'), 'By `<type>:<name>`.'),
    Targets: s.map(s.ref('ChainTarget')),
    AutoVirtualIPs: addresses,
    ManualVirtualIPs: addresses,
  }),
  EnvoyExtension: chainParts.extension,
  ChainNode: { oneOf: [s.ref('RouterNode'), s.ref('SplitterNode'), s.ref('ResolverNode')] },
  RouterNode: chainNode('router', {
    Routes: s.array(s.object({ Definition: chainParts.route, NextNode: s.text() })),
  }),
  SplitterNode: chainNode('splitter', {
    Splits: s.array(
      s.object({ Definition: chainParts.split, 'Weight?': s.number('Percent.'), NextNode: s.text() }),
    ),
    'LoadBalancer?': chainParts.loadBalancer,
  }),
  ResolverNode: chainNode('resolver', {
    Resolver: s.object({
      'Default?': s.boolean(),
      ConnectTimeout: s.text('A duration.'),
      'RequestTimeout?': s.integer('Nanoseconds.'),
      Target: s.text(),
      'Failover?': s.object({
        Targets: s.array(s.text()),
        'Policy?': s.object({ 'Mode?': s.text(), 'Regions?': s.array(s.text()) }),
      }),
    }),
    'LoadBalancer?': chainParts.loadBalancer,
  }),
  ChainTarget: s.object({
    ID: s.text('`[subset.]service.namespace.datacenter`.'),
    Service: s.text(),
    'ServiceSubset?': s.text(),
    Namespace: s.text(),
    'Datacenter?': s.text(),
    'Peer?': s.text(),
    MeshGateway: s.object({ 'Mode?': s.text() }),
    Subset: chainParts.subset,
    TransparentProxy: s.object({ 'DialedDirectly?': s.boolean() }),
    ConnectTimeout: s.text('A duration.'),
    'External?': s.boolean('Outside of the mesh.'),
    'SNI?': s.text(),
    'Name?': s.text(),
    'PrioritizeByLocality?': s.object({ 'Mode?': s.text() }),
  }),
};

const chain = read(
  'Discovery chain',
  'getDiscoveryChain',
  'Compile the discovery chain of a service',
  s.anyValue(),
  {
    query: {
      'compile-dc': s.text('The datacenter for which to compile; default: that of the request.'),
      cached,
    },
    responses: { 200: { schema: s.object({ Chain: s.ref('Chain') }), headers: 'query' } },
  },
);

/** Without a kind or a name: always an error. */
const rejected = (id: string, missing: string): Operations[string] =>
  call(tag, id, `Requires ${missing}; always an error`, undefined, { responses: {}, errors: [404] });

export const configOperations: Operations = {
  'PUT v1/config': call(
    tag,
    'putConfigEntry',
    'Create or replace a config entry',
    s.boolean('Whether it was written; false: the check-and-set failed.'),
    { query: { cas }, body: { schema: s.ref('ConfigEntryInput') } },
  ),
  'GET|DELETE v1/config': rejected('rejectConfigWithoutKind', 'a kind'),
  'GET v1/config/:kind': read(
    tag,
    'listConfigEntries',
    'List config entries of a kind',
    s.array(s.ref('ConfigEntry')),
    { query: { filter } },
  ),
  'DELETE v1/config/:kind': rejected('rejectConfigWithoutName', 'a name'),
  'GET v1/config/:kind/:name': read(tag, 'getConfigEntry', 'Read a config entry', s.ref('ConfigEntry'), {
    errors: [400, 404],
  }),
  'DELETE v1/config/:kind/:name': call(
    tag,
    'deleteConfigEntry',
    'Delete a config entry',
    { anyOf: [s.object({}), s.boolean('With `cas`: whether it was deleted.')] },
    { query: { cas } },
  ),
  'GET v1/discovery-chain/:service': chain,
  'POST v1/discovery-chain/:service': {
    ...chain,
    id: 'getDiscoveryChainWithOverrides',
    summary: 'Compile the discovery chain of a service with overrides',
    body: { schema: s.nullable(s.ref('ChainOverrides')) },
  },
};
