import * as s from '../../core/schema/types.ts';
import { agentResponse, formatResponse, metaFields, readHeaders, readMeta } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { check, node, service } from '../catalog-fields.ts';
import { keyValue } from '../model/kv.ts';
import { presenceFlag, readParameters } from '../read-parameters.ts';
import { isRead, operationsInput } from '../txn/operation.ts';
import { applyTransaction } from '../txn/transaction.ts';

const result = s.named(
  'TransactionResult',
  s.object({
    Results: s.nullable(
      s.list(s.object(s.partial({ KV: keyValue, Node: node, Service: service, Check: check }))),
    ),
    Errors: s.nullable(
      s.list(
        s.object({
          OpIndex: s.integer('Which operation, from 0.'),
          What: s.string('The cause.'),
        }),
      ),
    ),
    // Only if all operations are reads.
    ...s.partial(metaFields),
  }),
);

/** Applies a transaction: 200 with its results, or 409 with its errors (docs/protocol/transactions.md#results). */
export const putTransaction = operations('Transactions')('applyTransaction', 'Apply operations together', {
  description: 'At most 64 operations. All are applied, or none.',
  query: {
    stale: presenceFlag('If all are reads: any server may respond.'),
    consistent: presenceFlag('If all are reads: the leader verifies that it is still the leader.'),
  },
  body: operationsInput,
  bodyError: 'Failed to parse body',
  responses: {
    200: { body: result, headers: 'all' },
    409: { description: 'Nothing was applied.', body: result, headers: 'all' },
  },
  async handle(call) {
    const { permissions, registry, request } = call;
    const Datacenter = registry.datacenter;
    const transaction = ((await call.body()) ?? []).map((each) =>
      each.kind === 'Node' ? { ...each, node: { ...each.node, Datacenter } } : each,
    );
    const parameters = transaction.every(isRead) ? readParameters(request) : undefined;
    const { results, failures, filtered, index } = await applyTransaction(
      registry.state,
      permissions,
      transaction,
    );
    const failed = failures.length > 0;
    const status = failed ? 409 : 200;
    const body = failed ? { Results: null, Errors: failures } : { Results: results, Errors: null };
    if (!parameters) return agentResponse(call, { status, value: body });
    const { KnownLeader = '', LastContact = '' } = readHeaders(call, parameters);
    // The product leaves the consistency empty here.
    const value = { ...body, ...readMeta(parameters, index, filtered), ConsistencyLevel: '' };
    return formatResponse(call, { status, value }, { KnownLeader, LastContact });
  },
});
