import type { Operator } from '../../../wire/filter/expression.ts';

/** The type of a field, which decides what can be selected below it and which operators it has. */
export type Field =
  | { readonly kind: 'text' | 'number' | 'flag' | 'texts' }
  | { readonly kind: 'object'; readonly fields: FieldsByName }
  /** A list of objects: its fields are those of any item. */
  | { readonly kind: 'list'; readonly fields: FieldsByName }
  /** Values by any name. */
  | { readonly kind: 'map'; readonly values: Field };

export type FieldsByName = { readonly [name: string]: Field };

export const operatorsOf: { readonly [Kind in Field['kind']]: readonly Operator[] } = {
  text: ['Equal', 'Not Equal', 'In', 'Not In', 'Matches', 'Not Matches'],
  number: ['Equal', 'Not Equal'],
  flag: ['Equal', 'Not Equal'],
  texts: ['In', 'Not In', 'Is Empty', 'Is Not Empty'],
  map: ['Is Empty', 'Is Not Empty', 'In', 'Not In'],
  list: ['Is Empty', 'Is Not Empty'],
  object: [],
};

export const text: Field = { kind: 'text' };
const number: Field = { kind: 'number' };
const flag: Field = { kind: 'flag' };
export const texts: Field = { kind: 'texts' };
export const map = (values: Field): Field => ({ kind: 'map', values });
export const object = (fields: FieldsByName): Field => ({ kind: 'object', fields });
const list = (fields: FieldsByName): Field => ({ kind: 'list', fields });
const textMap = map(text);

/** Fields of one type. */
function all<Name extends string>(field: Field, ...names: readonly Name[]): FieldsByName {
  return Object.fromEntries(names.map((name) => [name, field]));
}

const meshGateway = object({ Mode: text });
const envoyExtensions = list({ ...all(text, 'ConsulVersion', 'EnvoyVersion', 'Name'), Required: flag });
const expose = object({
  Checks: flag,
  Paths: list({
    ...all(text, 'Path', 'Protocol'),
    ...all(number, 'ListenerPort', 'LocalPathPort'),
    ParsedFromCheck: flag,
  }),
});
const transparentProxy = object({ DialedDirectly: flag, OutboundListenerPort: number });

const upstreams = list({
  ...all(text, 'Datacenter', 'DestinationName', 'DestinationNamespace', 'DestinationPartition'),
  ...all(text, 'DestinationPeer', 'DestinationType', 'LocalBindAddress', 'LocalBindSocketMode'),
  LocalBindSocketPath: text,
  LocalBindPort: number,
  MeshGateway: meshGateway,
});

const proxy = object({
  ...all(text, 'DestinationServiceID', 'DestinationServiceName', 'LocalServiceAddress', 'Mode'),
  AccessLogs: object({
    ...all(flag, 'DisableListenerLogs', 'Enabled'),
    ...all(text, 'JSONFormat', 'Path', 'TextFormat', 'Type'),
  }),
  EnvoyExtensions: envoyExtensions,
  Expose: expose,
  LocalServicePort: number,
  LocalServiceSocketPath: text,
  MeshGateway: meshGateway,
  TransparentProxy: transparentProxy,
  Upstreams: upstreams,
});

const weights = object(all(number, 'Passing', 'Warning'));
const serviceAddresses = map(object({ Address: text, Port: number }));
const connect = object({ Native: flag });

/** A node, as in `catalog/nodes`. */
export const nodeFields: FieldsByName = {
  ...all(text, 'ID', 'Node', 'Address', 'Datacenter', 'Partition', 'PeerName'),
  ...all(textMap, 'Meta', 'TaggedAddresses'),
};

/** A service with its node, as in `catalog/service`. */
export const serviceNodeFields: FieldsByName = {
  ...all(text, 'ID', 'Node', 'Address', 'Datacenter', 'PeerName', 'ServiceAddress', 'ServiceID'),
  ...all(text, 'ServiceKind', 'ServiceName', 'ServiceSocketPath'),
  ...all(textMap, 'NodeMeta', 'ServiceMeta', 'TaggedAddresses'),
  ServiceConnect: connect,
  ServiceEnableTagOverride: flag,
  ServicePort: number,
  ServiceProxy: proxy,
  ServiceTaggedAddresses: serviceAddresses,
  ServiceTags: texts,
  ServiceWeights: weights,
};

/** A service of a node, as in `catalog/node` and `agent/services`. */
export const nodeServiceFields: FieldsByName = {
  ...all(text, 'ID', 'Service', 'Address', 'Kind', 'PeerName', 'SocketPath'),
  Connect: connect,
  EnableTagOverride: flag,
  Meta: textMap,
  Port: number,
  Proxy: proxy,
  TaggedAddresses: serviceAddresses,
  Tags: texts,
  Weights: weights,
};

/** A check, as in `health/node`, `health/checks`, `health/state` and `agent/checks`. */
export const checkFields: FieldsByName = {
  ...all(text, 'CheckID', 'Interval', 'Name', 'Node', 'Notes', 'Output', 'PeerName', 'ServiceID'),
  ...all(text, 'ServiceName', 'Status', 'Timeout', 'Type'),
  ExposedPort: number,
  ServiceTags: texts,
};

/** A server, as in `agent/members`. */
export const memberFields: FieldsByName = {
  Name: text,
  Tags: textMap,
  ...all(number, 'Port', 'Status', 'ProtocolMin', 'ProtocolMax', 'ProtocolCur'),
  ...all(number, 'DelegateMin', 'DelegateMax', 'DelegateCur'),
};

/** An instance with its node and checks, as in `health/service`. */
export const instanceFields: FieldsByName = {
  Node: object(nodeFields),
  Service: object(nodeServiceFields),
  Checks: list(checkFields),
};

const upstream: FieldsByName = {
  ...all(text, 'BalanceOutboundConnections', 'EnvoyClusterJSON', 'EnvoyListenerJSON', 'Name', 'Peer'),
  Protocol: text,
  ConnectTimeoutMs: number,
  Limits: object(all(number, 'MaxConcurrentRequests', 'MaxConnections', 'MaxPendingRequests')),
  MeshGateway: meshGateway,
  PassiveHealthCheck: object({
    ...all(number, 'BaseEjectionTime', 'EnforcingConsecutive5xx', 'Interval', 'MaxEjectionPercent'),
    MaxFailures: number,
  }),
};

const rateLimits = all(number, 'RequestsMaxBurst', 'RequestsPerSecond');

/** A config entry of the kind service-defaults, the only kind whose list can be filtered. */
export const serviceDefaultsFields: FieldsByName = {
  ...all(
    text,
    'BalanceInboundConnections',
    'ExternalSNI',
    'Kind',
    'Mode',
    'MutualTLSMode',
    'Name',
    'Protocol',
  ),
  ...all(number, 'Hash', 'LocalConnectTimeoutMs', 'LocalRequestTimeoutMs', 'MaxInboundConnections'),
  Destination: object({ Addresses: texts, Port: number }),
  EnvoyExtensions: envoyExtensions,
  Expose: expose,
  MeshGateway: meshGateway,
  Meta: textMap,
  RateLimits: object({
    InstanceLevel: object({
      ...rateLimits,
      Routes: list({ ...rateLimits, ...all(text, 'PathExact', 'PathPrefix', 'PathRegex') }),
    }),
  }),
  TransparentProxy: transparentProxy,
  UpstreamConfig: object({ Defaults: object(upstream), Overrides: list(upstream) }),
};
