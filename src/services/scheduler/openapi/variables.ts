import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { blockingQuery, namespace, prefix, readQuery } from './parameters.ts';

const tag = 'Variables';
const cas = s.integer('Check-and-set: the current `ModifyIndex`; 0: the variable must not exist.', {
  minimum: 0,
});
const operation = (description: string) => s.boolean(description, { allowEmptyValue: true });
const items = s.map(s.text(), 'Names and values; at most 16 KiB in total.');

const metadata = {
  Namespace: s.text(),
  Path: s.text(),
  CreateIndex: s.integer(),
  CreateTime: s.int64('Nanoseconds of the Unix epoch.'),
  ModifyIndex: s.integer(),
  ModifyTime: s.int64('Nanoseconds of the Unix epoch.'),
  'Lock?': s.ref('VariableLock'),
};

export const variableSchemas: s.Schemas = {
  Variable: s.object({ ...metadata, 'Items?': items }),
  VariableMetadata: s.object(metadata, 'A variable without its items.'),
  VariableLock: s.object(
    {
      ID: s.text('ID of the lock, known to its holder.'),
      TTL: s.text('Time to live, a duration such as `15s`.'),
      LockDelay: s.text('Time in which the variable stays locked after the TTL.'),
    },
    'The lock of a variable. Visible to its holder and to management tokens.',
  ),
  VariableInput: s.input({
    Namespace: s.text('The namespace of the query has precedence.'),
    Path: s.text('Ignored: the path of the request counts.'),
    Items: { ...items, additionalProperties: s.nullable(s.text()) },
    Lock: s.nullable(
      s.input({
        ID: s.text('ID of the lock; default: random. Required to release and renew.'),
        TTL: lockDuration('Time to live, 10s to 24h', '15s'),
        LockDelay: lockDuration('Time in which the variable stays locked after the TTL', '15s'),
      }),
    ),
  }),
};

function lockDuration(description: string, value: string): s.Schema {
  return {
    description: `${description}: a duration, or nanoseconds.`,
    anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }],
    default: value,
  };
}

/** As in Nomad, JSON with the type text/plain. */
const conflict = {
  description:
    'Conflict: the current variable as JSON, without items if the caller may not read them, with zeros if it does not exist or is locked.',
  type: 'text/plain',
  schema: s.text(),
};

export const variableOperations: Operations = {
  'GET v1/vars': {
    id: 'listVariables',
    tag,
    summary: 'List variables, without their items',
    query: {
      namespace: s.text('Namespace; `*` for all.', { default: 'default' }),
      prefix,
      filter: s.text('A filter expression, such as `Path contains "app"`.'),
      per_page: s.integer('Maximum number of variables in a page; 0: unlimited.', { minimum: 0, default: 0 }),
      next_token: s.text('The page token of the last response.'),
      reverse: s.boolean('Reverse the order.', { default: false }),
      ...blockingQuery,
    },
    responses: { 200: { schema: s.array(s.ref('VariableMetadata')), headers: 'page' } },
    errors: [400],
  },
  'GET v1/var/:path': {
    id: 'getVariable',
    tag,
    summary: 'Read a variable',
    query: { namespace, ...blockingQuery },
    responses: { 200: { schema: s.ref('Variable'), headers: 'query' } },
    errors: [400, 404],
  },
  'PUT|POST v1/var/:path': {
    id: 'putVariable',
    tag,
    summary: 'Create or change a variable, or lock it',
    description:
      'A plain write requires `Items`. At most one of the lock operations can be given, and none with `cas`. Acquiring a lock replaces the items; releasing requires the ID of the lock and no items; renewing restarts its time to live.',
    query: {
      namespace,
      cas,
      'lock-acquire': operation('Acquire the lock of the variable.'),
      'lock-release': operation('Release the lock.'),
      'lock-renew': operation('Renew the lock.'),
      ...readQuery,
    },
    body: { schema: s.ref('VariableInput') },
    responses: {
      200: { schema: s.ref('Variable'), headers: 'write' },
      409: { ...conflict, headers: 'write' },
    },
    errors: [404],
  },
  'DELETE v1/var/:path': {
    id: 'deleteVariable',
    tag,
    summary: 'Delete a variable',
    description: 'A missing variable is not an error.',
    query: { namespace, cas, ...readQuery },
    responses: {
      200: { schema: s.object({ Index: s.integer('The index of the write.') }), headers: 'write' },
      409: { ...conflict, headers: 'write' },
    },
    errors: [400],
  },
};
