import * as s from '../core/schema/types.ts';
import { shownIndexes } from '../core/state/state-table.ts';
import { type CheckDefinition, definitionInput, typeOfDefinition } from './check-definition-fields.ts';
import { text } from './config/rules.ts';
import { connect, proxy, proxyInput, readConnect } from './proxy-fields.ts';
import { ignored, tenancyFields } from './read-parameters.ts';

/** Text by name, as specified by clients. */
const meta = s.map(s.string());
export type Meta = s.Stored<typeof meta>;

export const statuses = ['passing', 'warning', 'critical'] as const;
export type Status = (typeof statuses)[number];
export const isStatus = (text: string): text is Status => statuses.some((each) => each === text);

/** Where a node or a service runs. */
const locality = s.optional(s.object(s.each(['Region', 'Zone'], text)));
const tags = s.list(s.string());
const weights = s.object(s.each(['Passing', 'Warning'], s.integer()));
const address = s.object({ Address: s.string(), Port: s.integer() });
const byNetwork = 'Addresses by network, such as `lan` and `wan`.';
export const addresses = s.map(address, byNetwork);
/** The same in a request. */
export const addressesInput = s.nonEmpty(addresses);
/** The same in a row: earlier versions did not check it. */
const storedAddresses = s.map(
  s.json(undefined, {
    type: 'object',
    properties: { Address: { type: 'string' }, Port: { type: 'integer' } },
  }),
  byNetwork,
);

/**
 * An object that was checked when it was read from a request. In a row it may be any object: data of earlier versions,
 * which checked less, must still open.
 */
const anyObject = s.anyObject();

/** The stored fields of a node. */
export const nodeFields = {
  ID: s.string('UUID; empty if none was given.'),
  Node: s.string('Name of the node.'),
  Address: s.string(),
  Datacenter: s.string(),
  TaggedAddresses: s.nullable(meta),
  Meta: s.nullable(meta),
  Locality: locality,
};

/** The stored fields of an instance of a service, without its node. */
export const serviceFields = {
  Kind: text,
  ID: s.string(),
  Service: s.string('Name of the service.'),
  Tags: tags,
  Address: s.string(),
  TaggedAddresses: s.optional(storedAddresses),
  Meta: s.nullable(meta),
  Port: s.integer(),
  SocketPath: text,
  Locality: locality,
  Weights: weights,
  EnableTagOverride: s.boolean(),
  Proxy: anyObject as s.Type<s.Stored<typeof proxy>>,
  Connect: anyObject as s.Type<s.Stored<typeof connect>>,
};

/** The stored fields of a check. */
export const checkFields = {
  Node: s.string(),
  CheckID: s.string(),
  Name: s.string(),
  /** The product does not check it. */
  Status: s.string(`Usually one of ${statuses.join(', ')}.`),
  Notes: s.string(),
  Output: s.string(),
  ServiceID: s.string('Empty: a check of the node.'),
  ServiceName: s.string(),
  ServiceTags: tags,
  Type: s.string(),
  Interval: s.string(),
  Timeout: s.string(),
  ExposedPort: s.integer(),
  Definition: anyObject as s.Type<CheckDefinition>,
};

/** The fields of a check that nothing was stated about. */
export const blankCheck = {
  Notes: '',
  Output: '',
  ServiceID: '',
  ServiceName: '',
  ServiceTags: [],
  Type: '',
  Interval: '',
  Timeout: '',
  ExposedPort: 0,
  Definition: {},
};

export const node = s.named('Node', s.object({ ...nodeFields, ...shownIndexes }));
const shownService = {
  ...serviceFields,
  /** Null in a transaction, if there are none. */
  Tags: s.nullable(tags),
  Proxy: proxy,
  Connect: connect,
};
export const service = s.named(
  'Service',
  s.object({ ...shownService, PeerName: s.string(), ...shownIndexes }, 'A service of a node.'),
);
export const check = s.named(
  'Check',
  s.object({
    ...checkFields,
    /** Null in a transaction and in the health of the agent, if there are none. */
    ServiceTags: s.nullable(tags),
    Definition: s.anyObject('Fields of the check that are set.'),
    ...s.each(['Interval', 'Timeout'], s.optional(s.string())),
    ...shownIndexes,
  }),
);
/** An instance of a service in the result of a query. */
export const foundInstance = {
  Node: s.named(
    'NodeOfQuery',
    s.object({ ...node.fields, NodeMeta: nodeFields.Meta }, 'A node, with its metadata also as `NodeMeta`.'),
  ),
  Service: s.named('ServiceOfQuery', s.object({ ...shownService, ...shownIndexes })),
  Checks: s.list(check),
};
/** An instance of a service with its node, as a flat object. */
export const serviceInstance = s.named(
  'ServiceInstance',
  s.object(
    {
      ID: s.string('ID of the node.'),
      ...s.each(['Node', 'Address', 'Datacenter'], s.string()),
      TaggedAddresses: nodeFields.TaggedAddresses,
      NodeMeta: nodeFields.Meta,
      ...s.each(['ServiceKind', 'ServiceID', 'ServiceName'], s.string()),
      ServiceTags: tags,
      ServiceAddress: s.string(),
      ServiceTaggedAddresses: serviceFields.TaggedAddresses,
      ServiceWeights: weights,
      ServiceMeta: meta,
      ServicePort: s.integer(),
      ServiceSocketPath: s.string(),
      ServiceEnableTagOverride: s.boolean(),
      ServiceProxy: proxy,
      ServiceConnect: connect,
      ServiceLocality: s.nullable(s.object(locality.fields)),
      ...shownIndexes,
    },
    'An instance of a service with its node.',
  ),
);

const expectedIndex = {
  ModifyIndex: s.requestOnly(s.int64('In a transaction: the index of a check-and-set.')),
};

/** The ID of a node, and of a service or check, in a request. */
export const nodeIdInput = s.string('UUID.');
export const idInput = s.string('Default: the name.');

export const nodeInput = s.named(
  'Node',
  s.object({ ...node.fields, ID: nodeIdInput, ...expectedIndex, ...tenancyFields }),
);

export const serviceInput = s.named(
  'Service',
  s.object({
    ...serviceFields,
    ID: idInput,
    Proxy: proxyInput,
    TaggedAddresses: addressesInput,
    Connect: s.converted(connect, readConnect),
    ...tenancyFields,
    ...shownIndexes,
    ...expectedIndex,
    ...s.each(['ContentHash', 'Datacenter'], ignored),
  }),
);

/** The service of a request; its ID defaults to its name. */
export function serviceOfInput({ ModifyIndex: _index, ...fields }: s.Input<typeof serviceInput>) {
  const { ID, Service, Weights } = fields;
  return {
    ...fields,
    ID: ID || Service,
    Weights: { Passing: Weights.Passing || 1, Warning: Weights.Warning || 1 },
  };
}

export const checkInput = s.named(
  'Check',
  s.object({
    ...checkFields,
    CheckID: idInput,
    Status: s.string(`Usually one of ${statuses.join(', ')}; default: critical.`),
    Definition: definitionInput,
    ...tenancyFields,
    ...shownIndexes,
    ...expectedIndex,
  }),
);

/** The check of a request; its ID defaults to its name, its status to critical. */
export function checkOfInput({ ModifyIndex: _index, ...fields }: s.Input<typeof checkInput>) {
  const { CheckID, Name, Status, Type, Definition } = fields;
  return {
    ...fields,
    CheckID: CheckID || Name,
    Status: Status || 'critical',
    Type: Type || typeOfDefinition(Definition),
  };
}
