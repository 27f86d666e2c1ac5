import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { booleanFlag, call } from './parameters.ts';

const flags = { ...s.int64('An unsigned 64-bit integer with a meaning of your own.'), minimum: 0 };
const nullableText = s.nullable(s.text());
const nullableInteger = s.nullable(s.integer());

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

export const kvOperations: Operations = {
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
