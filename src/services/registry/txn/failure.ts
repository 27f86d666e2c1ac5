import { HttpError } from '../../core/http/http-service.ts';

/** An operation of a transaction that fails; the message is the product's. */
export class OperationFailure extends HttpError {
  constructor(message: string) {
    super(409, message);
  }
}

/** @param action e.g. `set key "a"` */
export function staleIndexError(action: string): OperationFailure {
  return new OperationFailure(`failed to ${action}, index is stale`);
}
