import { decodeBody } from '../../core/http/fields.ts';
import type { HttpResponse } from '../../core/http/http-service.ts';
import { formatResponse, readHeaders, readMeta, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { readParameters } from '../read-parameters.ts';
import { isRead, readOperations } from '../txn/operation.ts';
import { applyTransaction } from '../txn/transaction.ts';

/** Applies a transaction: 200 with its results, or 409 with its errors (docs/protocol/transactions.md#results). */
export async function putTransaction(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const operations = await decodeBody(request, 'Failed to parse body', (body) =>
    readOperations(body, registry.datacenter),
  );
  const parameters = operations.every(isRead) ? readParameters(request) : undefined;
  const { results, failures, filtered, index } = await applyTransaction(
    registry.state,
    permissions,
    operations,
  );
  const failed = failures.length > 0;
  const body = failed ? { Results: null, Errors: failures } : { Results: results, Errors: null };
  if (!parameters) return { ...writeResponse(call, body), ...(failed && { status: 409 }) };
  const { KnownLeader = '', LastContact = '' } = readHeaders(call, parameters);
  // The product leaves the consistency empty here.
  const value = { ...body, ...readMeta(parameters, index, filtered), ConsistencyLevel: '' };
  return formatResponse(call, { status: failed ? 409 : 200, value }, { KnownLeader, LastContact });
}
