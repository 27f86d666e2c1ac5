import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { statuses } from '../model/catalog.ts';
import { cached, call, filter, instanceQuery, near, nodeMeta, read } from './parameters.ts';
import { duration } from './shapes.ts';

const tag = 'Catalog';
const meta = s.nullable(s.map(s.text()));
const tags = s.array(s.text());
const indexes = { CreateIndex: s.integer(), ModifyIndex: s.integer() };
const locality = s.object({ 'Region?': s.text(), 'Zone?': s.text() });
const weights = s.object({ Passing: s.integer(), Warning: s.integer() });
const connect = s.object({ 'Native?': s.boolean('Whether it supports the mesh itself.') });
const addresses = s.map(
  s.object({ 'Address?': s.text(), 'Port?': s.integer(), 'address?': s.text(), 'port?': s.integer() }),
  'Addresses by network, such as `lan` and `wan`.',
);

const node = {
  ID: s.text('UUID; empty if none was given.'),
  Node: s.text('Name of the node.'),
  Address: s.text(),
  Datacenter: s.text(),
  TaggedAddresses: meta,
  Meta: meta,
  'Locality?': locality,
  ...indexes,
};

const service = {
  'Kind?': s.text(),
  ID: s.text(),
  Service: s.text('Name of the service.'),
  Tags: s.nullable(tags),
  Address: s.text(),
  'TaggedAddresses?': addresses,
  Meta: meta,
  Port: s.integer(),
  'SocketPath?': s.text(),
  'Locality?': locality,
  Weights: weights,
  EnableTagOverride: s.boolean(),
  Proxy: s.ref('ServiceProxy'),
  Connect: connect,
};

const check = {
  Node: s.text(),
  CheckID: s.text(),
  Name: s.text(),
  Status: s.text(`Usually one of ${statuses.join(', ')}.`),
  Notes: s.text(),
  Output: s.text(),
  ServiceID: s.text('Empty: a check of the node.'),
  ServiceName: s.text(),
  ServiceTags: s.nullable(tags),
  Type: s.text(),
  'Interval?': s.text(),
  'Timeout?': s.text(),
  ExposedPort: s.integer(),
  Definition: s.anyObject('Fields of the check that are set.'),
  ...indexes,
};

const nullableText = s.nullable(s.text());
const localityInput = s.nullable(s.input({ Region: nullableText, Zone: nullableText }));
const tenancy = { Namespace: nullableText, Partition: nullableText, PeerName: nullableText };
const expected = s.nullable(s.integer('In a transaction: the index of a check-and-set.'));

export const catalogSchemas: s.Schemas = {
  Node: s.object(node),
  Service: s.object({ ...service, PeerName: s.text(), ...indexes }, 'A service of a node.'),
  ServiceOfQuery: s.object({ ...service, ...indexes }),
  Check: s.object(check),
  NodeOfQuery: s.object({ ...node, NodeMeta: meta }, 'A node, with its metadata also as `NodeMeta`.'),
  ServiceInstance: s.object(
    {
      ID: s.text('ID of the node.'),
      Node: s.text(),
      Address: s.text(),
      Datacenter: s.text(),
      TaggedAddresses: meta,
      NodeMeta: meta,
      ServiceKind: s.text(),
      ServiceID: s.text(),
      ServiceName: s.text(),
      ServiceTags: tags,
      ServiceAddress: s.text(),
      'ServiceTaggedAddresses?': addresses,
      ServiceWeights: weights,
      ServiceMeta: s.map(s.text()),
      ServicePort: s.integer(),
      ServiceSocketPath: s.text(),
      ServiceEnableTagOverride: s.boolean(),
      ServiceProxy: s.ref('ServiceProxy'),
      ServiceConnect: connect,
      ServiceLocality: s.nullable(locality),
      ...indexes,
    },
    'An instance of a service with its node.',
  ),
  ServiceHealth: s.object({
    Node: s.ref('Node'),
    Service: s.ref('Service'),
    Checks: s.array(s.ref('Check')),
  }),
  NodeInput: s.input({
    ID: s.nullable(s.text('UUID.')),
    Node: s.nullable(s.text('Name of the node.')),
    Address: nullableText,
    Datacenter: nullableText,
    TaggedAddresses: meta,
    Meta: meta,
    Locality: localityInput,
    ...tenancy,
    CreateIndex: s.nullable(s.integer()),
    ModifyIndex: expected,
  }),
  ServiceInput: s.input({
    Kind: nullableText,
    ID: s.nullable(s.text('Default: the name.')),
    Service: s.nullable(s.text('Name of the service.')),
    Tags: s.nullable(tags),
    Meta: meta,
    Port: s.nullable(s.integer()),
    Address: nullableText,
    SocketPath: nullableText,
    TaggedAddresses: s.nullable(addresses),
    Weights: s.nullable(s.input({ Passing: s.integer(), Warning: s.integer() })),
    EnableTagOverride: s.nullable(s.boolean()),
    Locality: localityInput,
    Proxy: s.ref('ServiceProxyInput'),
    Connect: s.nullable(s.input({ Native: s.nullable(s.boolean()) })),
    ...tenancy,
    CreateIndex: s.nullable(s.integer()),
    ModifyIndex: expected,
  }),
  CheckInput: s.input({
    Node: nullableText,
    CheckID: s.nullable(s.text('Default: the name.')),
    Name: nullableText,
    Status: s.nullable(s.text(`Usually one of ${statuses.join(', ')}.`, { default: 'critical' })),
    Notes: nullableText,
    Output: nullableText,
    ServiceID: s.nullable(s.text('Empty: a check of the node.')),
    ServiceName: nullableText,
    ServiceTags: s.nullable(tags),
    Type: nullableText,
    Interval: nullableText,
    Timeout: nullableText,
    ExposedPort: s.nullable(s.integer()),
    Definition: s.ref('CheckDefinition'),
    ...tenancy,
    CreateIndex: s.nullable(s.integer()),
    ModifyIndex: expected,
  }),
  CheckDefinition: s.nullable(
    s.input({
      ...durations(['Interval', 'Timeout', 'DeregisterCriticalServiceAfter', 'TTL']),
      ...each(nullableText, ['HTTP', 'TLSServerName', 'Method', 'Body', 'TCP', 'UDP', 'H2PING', 'OSService']),
      ...each(nullableText, [
        'DockerContainerID',
        'Shell',
        'GRPC',
        'AliasNode',
        'AliasService',
        'SessionName',
      ]),
      ...each(s.nullable(s.boolean()), ['TLSSkipVerify', 'DisableRedirects', 'TCPUseTLS', 'H2PingUseTLS']),
      GRPCUseTLS: s.nullable(s.boolean()),
      OutputMaxSize: s.nullable(s.integer()),
      Header: s.nullable(s.anyObject()),
      ScriptArgs: s.nullable(s.array(s.text())),
    }),
  ),
  Registration: s.input({
    Datacenter: s.nullable(s.text('Default: that of the agent.')),
    ID: s.nullable(s.text('UUID of the node.')),
    'Node!': s.text('Name of the node.'),
    Address: s.nullable(s.text('Of the node. Required unless `SkipNodeUpdate` is set.')),
    TaggedAddresses: meta,
    NodeMeta: meta,
    Locality: localityInput,
    Service: s.nullable(s.ref('ServiceInput')),
    Check: s.nullable(s.ref('CheckInput')),
    Checks: s.nullable(s.array(s.nullable(s.ref('CheckInput')))),
    SkipNodeUpdate: s.nullable(s.boolean('Do not change the node if it exists.')),
    ...tenancy,
  }),
  Deregistration: s.input({
    Datacenter: nullableText,
    'Node!': s.text('The node, unless a service or check is given.'),
    ServiceID: nullableText,
    CheckID: nullableText,
    Address: s.nullable(s.text('Ignored.')),
    ...tenancy,
  }),
};

function each(schema: s.Schema, names: readonly string[]): s.Schemas {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

function durations(names: readonly string[]): s.Schemas {
  return Object.fromEntries(names.map((name) => [name, duration(name)]));
}

const instances = s.array(s.ref('ServiceInstance'));
const isTrue = s.boolean(undefined, { const: true });

export const catalogOperations: Operations = {
  'PUT v1/catalog/register': call(tag, 'registerNode', 'Register a node, a service or checks', isTrue, {
    body: { schema: s.ref('Registration') },
  }),
  'PUT v1/catalog/deregister': call(
    tag,
    'deregisterNode',
    'Deregister a node, a service or a check',
    isTrue,
    {
      body: { schema: s.ref('Deregistration') },
    },
  ),
  'GET v1/catalog/datacenters': call(tag, 'listDatacenters', 'List datacenters', s.array(s.text()), {
    isUnauthenticated: true,
    query: { cached },
  }),
  'GET v1/catalog/nodes': read(tag, 'listNodes', 'List nodes', s.array(s.ref('Node')), {
    query: { filter, near, 'node-meta': nodeMeta },
  }),
  'GET v1/catalog/services': read(tag, 'listServices', 'List services with their tags', s.map(tags), {
    query: { filter, 'node-meta': nodeMeta, cached },
  }),
  'GET v1/catalog/service/:service': read(
    tag,
    'listServiceInstances',
    'List instances of a service',
    instances,
    {
      query: instanceQuery,
    },
  ),
  'GET v1/catalog/connect/:service': read(
    tag,
    'listMeshInstances',
    'List instances of a service in the mesh',
    instances,
    { query: instanceQuery },
  ),
  'GET v1/catalog/node/:node': read(
    tag,
    'getNode',
    'Read a node with its services',
    s.nullable(s.object({ Node: s.ref('Node'), Services: s.map(s.ref('Service')) })),
    { query: { filter } },
  ),
  'GET v1/catalog/node-services/:node': read(
    tag,
    'listNodeServices',
    'List services of a node',
    s.object({ Node: s.nullable(s.ref('Node')), Services: s.nullable(s.array(s.ref('Service'))) }),
    { query: { filter } },
  ),
  'GET v1/catalog/gateway-services/:gateway': read(
    tag,
    'listGatewayServices',
    'List services of a gateway; always none',
    s.array(s.anyObject()),
  ),
};
