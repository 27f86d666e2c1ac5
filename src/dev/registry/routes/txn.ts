import { decode } from '../../http/fields.ts';
import type { Answer } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { readParameters } from '../http/parameters.ts';
import { answer, readHeaders, readMeta, written } from '../http/read.ts';
import { isRead, readOperations } from '../txn/operation.ts';
import { transact } from '../txn/transaction.ts';

/** Applies a transaction: 200 with its results, or 409 with its failures (docs/protocol/transactions.md#results). */
export async function putTransaction(call: Call): Promise<Answer> {
  const { authority, registry, request } = call;
  const operations = await decode(request, 'Failed to parse body', (body) =>
    readOperations(body, registry.datacenter),
  );
  const parameters = operations.every(isRead) ? readParameters(request) : undefined;
  const { results, failures, filtered, index } = await transact(registry.state, authority, operations);
  const failed = failures.length > 0;
  const body = failed ? { Results: null, Errors: failures } : { Results: results, Errors: null };
  if (!parameters) return { ...written(call, body), ...(failed && { status: 409 }) };
  const { KnownLeader = '', LastContact = '' } = readHeaders(call, parameters);
  const value = failed ? body : { ...body, ...readMeta(parameters, index, filtered) };
  return answer(call, { status: failed ? 409 : 200, value }, { KnownLeader, LastContact });
}
