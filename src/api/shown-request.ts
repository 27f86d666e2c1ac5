import { LanyardError } from '../errors.ts';
import { type Operation, target } from './operation.ts';
import { redact, type Secret } from './redaction.ts';
import { ServiceError } from './service-error.ts';

/** A request, as messages show it. */
interface ShownRequest {
  readonly method: string;
  /** Without its query; of the secrets service without `/v1/`, as its policies have it. */
  readonly path: string;
}

/** The request of an operation without its secrets. */
export function shownRequest(
  operation: Operation<never, unknown>,
  input: object,
  secrets: readonly Secret[],
): ShownRequest {
  const { method, path } = target(operation as Operation<object, unknown>, input);
  const [route = ''] = path.split('?', 1);
  // The escapes of a URL that a service handed out may be invalid.
  const shown = operation.handedOut === undefined ? decodeURIComponent(route) : route;
  const decoded = redact(shown, secrets);
  if (operation.service !== 'secrets') return { method, path: decoded };
  // Policies have the path of a list with a slash at its end.
  const end = (method === 'LIST' || method === 'SCAN') && !decoded.endsWith('/') ? '/' : '';
  return { method, path: `${decoded.replace(/^\/v1\//, '')}${end}` };
}

/**
 * The same error with the request in its message, if it was sent: a program that fails shows no command line. A URL that
 * the service handed out may be a secret, and is not shown.
 */
export function withRequest(
  error: LanyardError,
  operation: Operation<never, unknown>,
  input: object,
  secrets: readonly Secret[],
): LanyardError {
  if (operation.handedOut !== undefined || (error.status === undefined && error.kind !== 'unknown'))
    return error;
  const { method, path } = shownRequest(operation, input, secrets);
  const message = `${error.message}: ${method} ${path}`;
  const facts = { ...error, cause: error.cause };
  return error instanceof ServiceError
    ? new ServiceError(error.kind, message, facts, error)
    : new LanyardError(error.kind, message, facts);
}
