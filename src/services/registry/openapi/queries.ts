import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { metaFields } from './kv.ts';
import { cached, call, near, read } from './parameters.ts';

const tag = 'Prepared queries';
const nullableText = s.nullable(s.text());
const texts = s.nullable(s.array(s.text()));
const meta = s.nullable(s.map(s.text()));
const indexes = { CreateIndex: s.integer(), ModifyIndex: s.integer() };
const template = s.object({ Type: s.text(), Regexp: s.text(), RemoveEmptyTags: s.boolean() });
const dns = s.object({ TTL: s.text() });

const serviceQuery = {
  Service: s.text('Name of the service.'),
  Namespace: s.text(),
  Failover: s.object({
    NearestN: s.integer('How many of the nearest datacenters to try.'),
    Datacenters: texts,
    Targets: s.nullable(s.array(s.object({ Peer: s.text(), Datacenter: s.text() }))),
  }),
  IgnoreCheckIDs: texts,
  OnlyPassing: s.boolean(),
  Near: s.text(),
  Tags: texts,
  NodeMeta: meta,
  ServiceMeta: meta,
  Connect: s.boolean('Only instances in the mesh.'),
};

const query = {
  ID: s.text(),
  Name: s.text(),
  Session: s.text('The session with which the query ends.'),
  Token: s.text('The token of executions; `<hidden>` from callers who may not see it.'),
  'Template?': template,
  DNS: dns,
  RaftIndex: s.object(indexes),
  ...indexes,
};

const nodeOfQuery = s.ref('NodeOfQuery');

export const querySchemas: s.Schemas = {
  Query: s.object({ ...query, Service: s.object(serviceQuery) }),
  QueryInput: s.input({
    ID: nullableText,
    Name: s.nullable(s.text('Required unless a session is given or it is the catch-all template.')),
    Session: nullableText,
    Token: nullableText,
    Template: s.nullable(
      s.input({
        Type: s.nullable(s.text('`name_prefix_match`.')),
        Regexp: nullableText,
        RemoveEmptyTags: s.nullable(s.boolean()),
      }),
    ),
    'Service!': s.input({
      'Service!': s.text('Name of the service.'),
      Namespace: nullableText,
      SamenessGroup: nullableText,
      Peer: nullableText,
      Failover: s.nullable(
        s.input({
          NearestN: s.nullable(s.integer()),
          Datacenters: texts,
          Targets: s.nullable(s.array(s.input({ Peer: nullableText, Datacenter: nullableText }))),
        }),
      ),
      IgnoreCheckIDs: texts,
      OnlyPassing: s.nullable(s.boolean()),
      Near: nullableText,
      Tags: s.nullable(s.array(s.text(), 'Tags that instances must have; `!tag`: must not have.')),
      NodeMeta: meta,
      ServiceMeta: meta,
      Connect: s.nullable(s.boolean()),
    }),
    DNS: s.nullable(s.input({ TTL: nullableText })),
  }),
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
  QueryExplanation: s.object({
    Query: s.object({ ...query, Service: s.object({ ...serviceQuery, 'Meta?': meta }) }),
    ...metaFields,
  }),
};

const body = { schema: s.ref('QueryInput') };

export const queryOperations: Operations = {
  'POST v1/query': call(tag, 'createQuery', 'Create a prepared query', s.object({ ID: s.text() }), { body }),
  'GET v1/query': read(tag, 'listQueries', 'List prepared queries', s.array(s.ref('Query'))),
  'PUT v1/query/:query': call(tag, 'updateQuery', 'Replace a prepared query', undefined, {
    body,
    errors: [404],
  }),
  'GET v1/query/:query': read(tag, 'getQuery', 'Read a prepared query', s.array(s.ref('Query')), {
    errors: [400, 404],
  }),
  'DELETE v1/query/:query': call(tag, 'deleteQuery', 'Delete a prepared query', undefined, {
    errors: [400, 404],
  }),
  'GET v1/query/:query/execute': read(tag, 'executeQuery', 'Execute a prepared query', s.ref('QueryResult'), {
    query: {
      near,
      limit: s.integer('Maximum number of instances.', { minimum: 0 }),
      connect: s.boolean('Only instances in the mesh.', { allowEmptyValue: true }),
      cached,
    },
    errors: [400, 404],
  }),
  'GET v1/query/:query/explain': read(
    tag,
    'explainQuery',
    'Show the query that a name would execute',
    s.ref('QueryExplanation'),
    { errors: [400, 404] },
  ),
};
