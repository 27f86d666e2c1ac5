import type { OperationDescription, Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { booleanFlag, call, cas, read } from './parameters.ts';

const tag = 'Key-value store';
const sessions = 'Sessions';
const flags = { ...s.int64('An unsigned 64-bit integer with a meaning of your own.'), minimum: 0 };
const nullableText = s.nullable(s.text());
const nullableInteger = s.nullable(s.integer());

const entry = {
  LockIndex: s.integer('How many times it was locked.'),
  Key: s.text(),
  Flags: flags,
  Value: s.nullable(s.text('Base64; null if it is empty.')),
  'Session?': s.text('The session that holds its lock.'),
  CreateIndex: s.integer(),
  ModifyIndex: s.integer(),
};

const meta = {
  Index: s.integer(),
  LastContact: s.integer(),
  KnownLeader: s.boolean(),
  ConsistencyLevel: s.text(),
  NotModified: s.boolean(),
  Backend: s.integer(),
  ResultsFilteredByACLs: s.boolean(),
};
const optional = (fields: s.Schemas): s.Schemas =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`${name}?`, schema]));

export const metaFields = meta;

const verbs = {
  KV: [
    ...['set', 'cas', 'lock', 'unlock', 'get', 'get-or-empty', 'get-tree', 'check-index', 'check-session'],
    ...['check-not-exists', 'delete', 'delete-tree', 'delete-cas'],
  ],
  catalog: ['set', 'cas', 'get', 'delete', 'delete-cas'],
};

export const kvSchemas: s.Schemas = {
  KeyValue: s.object(entry),
  Session: s.object({
    ID: s.text(),
    Name: s.text(),
    Node: s.text(),
    LockDelay: s.integer('Nanoseconds.'),
    Behavior: s.oneOf(['release', 'delete'], 'What happens with its locks.'),
    TTL: s.text('A duration; empty: unlimited.'),
    NodeChecks: s.array(s.text()),
    ServiceChecks: s.nullable(s.array(s.object({ ID: s.text(), Namespace: s.text() }))),
    CreateIndex: s.integer(),
    ModifyIndex: s.integer(),
  }),
  SessionInput: s.input({
    Name: nullableText,
    Node: s.nullable(s.text('Default: the node of the agent.')),
    LockDelay: {
      description: 'A duration, at most 60s, or a number of seconds or nanoseconds. Default: 15s.',
      anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
    },
    Behavior: s.nullable(s.text('`release` (default) or `delete`.')),
    TTL: s.nullable(s.text('A duration from 10s to 24h; default: unlimited.')),
    NodeChecks: s.nullable(s.array(s.text(), 'Checks of the node; default: `serfHealth`.')),
    Checks: s.nullable(s.array(s.text(), 'The earlier name of `NodeChecks`.')),
    ServiceChecks: s.nullable(s.array(s.input({ 'ID!': s.text(), Namespace: nullableText }))),
  }),
  TransactionOperation: s.input(
    {
      KV: s.nullable(
        s.input({
          'Verb!': s.text(`One of ${verbs.KV.join(', ')}.`),
          'Key!': s.text(),
          Value: s.nullable(s.text('Base64.')),
          Flags: s.nullable(flags),
          Index: nullableInteger,
          Session: nullableText,
          Namespace: nullableText,
          Partition: nullableText,
        }),
      ),
      ...catalogOperation('Node', {}),
      ...catalogOperation('Service', { Node: nullableText }),
      ...catalogOperation('Check', {}),
    },
    'Exactly one of the fields.',
  ),
  TransactionResult: s.object({
    Results: s.nullable(
      s.array(
        s.object({
          'KV?': s.ref('KeyValue'),
          'Node?': s.ref('Node'),
          'Service?': s.ref('Service'),
          'Check?': s.ref('Check'),
        }),
      ),
    ),
    Errors: s.nullable(
      s.array(s.object({ OpIndex: s.integer('Which operation, from 0.'), What: s.text('The cause.') })),
    ),
    // Only if all operations are reads.
    ...optional(meta),
  }),
};

function catalogOperation(kind: string, more: s.Schemas): s.Schemas {
  const verb = s.text(`One of ${verbs.catalog.join(', ')}.`);
  return {
    [kind]: s.nullable(s.input({ 'Verb!': verb, ...more, [kind]: s.nullable(s.ref(`${kind}Input`)) })),
  };
}

const written = s.boolean('Whether it was done; false: a condition did not hold.');
const value = s.text('The value, any bytes.', { format: 'binary' });
const anyBytes = { type: 'application/octet-stream', schema: value };
const lock = s.text('ID of a session.');

const getKey: OperationDescription = {
  ...read(tag, 'getKey', 'Read a key, or list keys', s.anyValue(), { errors: [400] }),
  description:
    'One entry in an array; all entries with the prefix (`recurse`); their names (`keys`); or the value (`raw`).',
  responses: {
    200: {
      schema: { anyOf: [s.array(s.ref('KeyValue')), s.array(s.text())] },
      also: { type: 'text/plain', schema: value },
      headers: 'query',
    },
    404: { description: 'There is no such key.', headers: 'query' },
  },
};
const keyQuery = {
  raw: booleanFlag('Respond with the value.'),
  recurse: booleanFlag('All entries with this prefix.'),
  keys: booleanFlag('Only the names of the keys with this prefix.'),
  separator: s.text('With `keys`: the names up to this text after the prefix.'),
};
const get: OperationDescription = { ...getKey, query: { ...keyQuery, ...getKey.query } };

const put: OperationDescription = call(tag, 'putKey', 'Write a key', written, {
  description: 'At most one of `cas`, `acquire` and `release`. A value has at most 512 KiB.',
  query: {
    flags,
    cas,
    acquire: { ...lock, description: 'Lock the key with this session.' },
    release: { ...lock, description: 'Release the lock of this session.' },
  },
  body: { ...anyBytes, isOptional: true },
});
const remove: OperationDescription = call(tag, 'deleteKey', 'Delete a key', written, {
  query: { recurse: booleanFlag('Delete all keys with this prefix.'), cas },
});
const session = s.array(s.ref('Session'));
const all = 'with the empty key: of all keys';

export const kvOperations: Operations = {
  'GET v1/kv/:key': get,
  'PUT v1/kv/:key': put,
  'DELETE v1/kv/:key': remove,
  'GET v1/kv': { ...get, id: 'getAllKeys', summary: `Read or list keys, ${all}` },
  'PUT v1/kv': { ...put, id: 'putEmptyKey', summary: 'Write the empty key; always an error', responses: {} },
  'DELETE v1/kv': { ...remove, id: 'deleteAllKeys', summary: `Delete keys, ${all}` },
  'PUT v1/session/create': call(sessions, 'createSession', 'Create a session', s.object({ ID: s.text() }), {
    body: { schema: s.ref('SessionInput'), isOptional: true },
  }),
  'PUT v1/session/destroy/:id': call(sessions, 'destroySession', 'End a session', written),
  'PUT v1/session/renew/:id': call(sessions, 'renewSession', 'Restart the TTL of a session', session, {
    errors: [404],
  }),
  'GET v1/session/info/:id': read(
    sessions,
    'getSession',
    'Read a session; an empty array if missing',
    session,
  ),
  'GET v1/session/node/:node': read(sessions, 'listNodeSessions', 'List sessions of a node', session),
  'GET v1/session/list': read(sessions, 'listSessions', 'List sessions', session),
  'PUT v1/txn': {
    ...call('Transactions', 'applyTransaction', 'Apply operations together', s.ref('TransactionResult'), {
      description: 'At most 64 operations. All are applied, or none.',
      query: {
        stale: booleanFlag('If all are reads: any server may respond.'),
        consistent: booleanFlag('If all are reads: the leader verifies that it is still the leader.'),
      },
      body: { schema: s.array(s.ref('TransactionOperation')) },
    }),
    responses: {
      200: { schema: s.ref('TransactionResult'), headers: 'all' },
      409: { description: 'Nothing was applied.', schema: s.ref('TransactionResult'), headers: 'all' },
    },
  },
};
