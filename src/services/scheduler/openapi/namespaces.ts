import type { OperationDescription, Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { blockingQuery, commonQuery, prefix } from './parameters.ts';

const tag = 'Namespaces';
const names = s.nullable(s.array(s.text()));

const capabilities = {
  EnabledTaskDrivers: names,
  DisabledTaskDrivers: names,
  EnabledNetworkModes: names,
  DisabledNetworkModes: names,
};

const content = {
  Description: s.text('At most 256 bytes.'),
  Meta: s.nullable(s.map(s.text())),
  Quota: s.text('Must be empty: quotas are not supported.'),
};

/** In a request; a null is an empty string. */
const stringMap = s.nullable(s.map(s.nullable(s.text())));

export const namespaceSchemas: s.Schemas = {
  Namespace: s.object({
    Name: s.text(),
    ...content,
    Capabilities: s.nullable(
      s.object(capabilities, 'Allowed and forbidden drivers and network modes of jobs.'),
    ),
    'RequiredExtraClaims?': s.map(s.text()),
    'OptionalExtraClaims?': s.map(s.text()),
    CreateIndex: s.integer(),
    ModifyIndex: s.integer(),
  }),
  NamespaceInput: s.input({
    'Name!': s.text('Letters, digits and hyphens.', { pattern: '^[a-zA-Z0-9-]{1,128}$' }),
    ...content,
    Meta: stringMap,
    Capabilities: s.nullable(s.input(capabilities)),
    RequiredExtraClaims: stringMap,
    OptionalExtraClaims: stringMap,
  }),
};

const put: OperationDescription = {
  id: 'putNamespace',
  tag,
  summary: 'Create or replace a namespace',
  query: commonQuery,
  body: { schema: s.ref('NamespaceInput') },
  responses: { 200: { headers: 'write' } },
};

export const namespaceOperations: Operations = {
  'GET v1/namespaces': {
    id: 'listNamespaces',
    tag,
    summary: 'List the namespaces in which the caller has any permission',
    query: { prefix, ...blockingQuery },
    responses: { 200: { schema: s.array(s.ref('Namespace')), headers: 'query' } },
    errors: [400],
  },
  'PUT|POST v1/namespace': put,
  'GET v1/namespace/:namespace': {
    id: 'getNamespace',
    tag,
    summary: 'Read a namespace',
    query: blockingQuery,
    responses: { 200: { schema: s.ref('Namespace'), headers: 'query' } },
    errors: [400, 404],
  },
  'PUT|POST v1/namespace/:namespace': {
    ...put,
    id: 'putNamedNamespace',
    description: 'The name in the body must be that of the path.',
  },
  'DELETE v1/namespace/:namespace': {
    id: 'deleteNamespace',
    tag,
    summary: 'Delete an empty namespace',
    query: commonQuery,
    responses: { 200: { headers: 'write' } },
  },
};
