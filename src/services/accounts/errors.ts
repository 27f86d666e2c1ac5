import { HttpError, type HttpResponse, jsonResponse } from '../core/http/http-service.ts';

/** An invalid field of a request; fields of attributes are named `attributes.login_name`. */
export interface FieldProblem {
  readonly name: string;
  readonly description: string;
}

/** An error with a list of invalid fields (docs/protocol/accounts.md#errors). */
export class InvalidFieldsError extends HttpError {
  readonly fields: readonly FieldProblem[];

  constructor(fields: readonly FieldProblem[], message = 'Error in provided request.') {
    super(400, message);
    this.fields = fields;
  }
}

/** 400 for one field. */
export const invalidField = (name: string, description: string): InvalidFieldsError =>
  new InvalidFieldsError([{ name, description }]);

/**
 * The ID of the path: one of the prefixes, then letters and digits.
 * @param description the product's message for a malformed ID in this call
 * @throws InvalidFieldsError 400: malformed
 */
export function checkId(
  id: string | undefined,
  prefixes: readonly string[],
  description = 'Invalid formatted identifier.',
): string {
  const isValid = prefixes.some(
    (prefix) => id?.startsWith(prefix) && /^[0-9A-Za-z]*$/.test(id.slice(prefix.length)),
  );
  if (id === undefined || !isValid) throw invalidField('id', description);
  return id;
}

/** 400: another resource has the same value of a unique field. */
export const notUnique = (name: string): InvalidFieldsError =>
  new InvalidFieldsError(
    [{ name, description: 'A second resource with the same value: it must be unique.' }],
    'The request would make a second resource with the same value of a field that must be unique.',
  );

/** 401: a required token is missing or invalid. */
export const unauthenticated = (): HttpError => new HttpError(401, 'Unauthenticated, or invalid token.');

/** 403: the caller does not have permission. */
export const forbidden = (): HttpError => new HttpError(403, 'Forbidden.');

export const notFound = (): HttpError => new HttpError(404, 'Resource not found.');

/** 404 of a login: the account has no user, and the auth method is not the primary one of its scope. */
export const userNotFound = (): HttpError => new HttpError(404, 'Unable to find requested resource.');

/** 404: the resource was deleted, or its version differs. */
export const versionMismatch = (id: string, resource: 'Account' | 'Scope' = 'Account'): HttpError =>
  new HttpError(404, `${resource} "${id}" doesn't exist or incorrect version provided.`);

const errorKinds: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  403: 'PermissionDenied',
  404: 'NotFound',
  405: 'Unimplemented',
  429: 'ResourceExhausted',
  500: 'Internal',
};

/** The body of every error: its kind, a message, and the invalid fields. */
export function errorBody(error: HttpError): HttpResponse {
  const { status, message } = error;
  return jsonResponse(status, {
    kind: errorKinds[status] ?? 'InvalidArgument',
    message,
    details: error instanceof InvalidFieldsError ? { request_fields: error.fields } : {},
  });
}
