import { messageOf } from '../core/errors.ts';
import { HttpError } from '../core/http/http-service.ts';

/** An error response: status and the strings of `errors`. 404 without strings means "not found". */
export class SecretsError extends HttpError {
  readonly errors: readonly string[];

  constructor(status: number, ...errors: readonly string[]) {
    super(status, errors.join('; ') || `status ${status}`);
    this.errors = errors;
  }
}

/** The text of an error of the service itself, as opposed to engines. */
export const formatError = (text: string): string => `1 error occurred:\n\t* ${text}\n\n`;

export const badRequest = (text: string): SecretsError => new SecretsError(400, text);
/** Not found: no error text. */
export const notFound = (): SecretsError => new SecretsError(404);
export const isNotFound = (error: unknown): boolean =>
  error instanceof SecretsError && error.status === 404 && error.errors.length === 0;
/** The value. @throws SecretsError 404: undefined */
export function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound();
  return value;
}
/** The value. @throws SecretsError 400: missing or empty */
export function orBadRequest<Value>(value: Value | undefined | '', text: string): Value {
  if (value === undefined || value === '') throw badRequest(text);
  return value;
}
/** The result of an action. @throws SecretsError 400: the prefix, then the error */
export function withErrorPrefix<Result>(prefix: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw badRequest(`${prefix}: ${messageOf(error)}`);
  }
}
/** An empty list with a request to wrap it. */
export const unwrappableList = (): SecretsError => new SecretsError(404, 'unsupported path');

export const unsupportedPath = (): SecretsError => new SecretsError(404, formatError('unsupported path'));
export const unsupportedOperation = (): SecretsError =>
  new SecretsError(405, formatError('unsupported operation'));
export const unavailableInNamespace = (): SecretsError => badRequest('operation unavailable in namespaces');
export const missingToken = (): SecretsError => new SecretsError(403, 'permission denied');
export const invalidToken = (): SecretsError => new SecretsError(403, 'permission denied', 'invalid token');
/** A token or a login is bound to other addresses. */
export const addressDenied = (): SecretsError => new SecretsError(403, 'permission denied');
export const permissionDenied = (): SecretsError => new SecretsError(403, formatError('permission denied'));
export const routeNotFound = (path: string): SecretsError =>
  new SecretsError(404, `no handler for route "${path}". route entry not found.`);
export const serviceSealed = (): SecretsError => new SecretsError(503, 'secrets service is sealed');
export const notInitialized = (): SecretsError => new SecretsError(501, 'secrets service is not initialized');
