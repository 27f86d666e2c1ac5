import { HttpError } from '../../core/http/http-service.ts';

/** An operation of a transaction that fails; the message is the product's. */
export class OperationFailure extends HttpError {
  constructor(message: string) {
    super(409, message);
  }
}

/**
 * An operation that fails before any operation is applied: only such failures are reported then
 * (docs/protocol/transactions.md#results).
 */
export class InvalidOperation extends OperationFailure {}

/** @param action e.g. `set key "a"` */
export function staleIndexError(action: string): OperationFailure {
  return new OperationFailure(`failed to ${action}, index is stale`);
}
