import { HttpError, type HttpResponse, jsonResponse } from '../core/http/http-service.ts';

/** A problem of a field; attributes are named `attributes.login_name`. */
export interface FieldProblem {
  readonly name: string;
  readonly description: string;
}

/** An error that names fields (docs/protocol/accounts.md#errors). */
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
 *
 * @throws InvalidFieldsError 400: malformed; `description` is the product's message in this call
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

/** 400: the value of a unique field is in use. */
export const notUnique = (name: string): InvalidFieldsError =>
  new InvalidFieldsError(
    [{ name, description: 'A second resource with the same value: it must be unique.' }],
    'The request would make a second resource with the same value of a field that must be unique.',
  );

/** 401: a valid token is required. */
export const unauthenticated = (): HttpError => new HttpError(401, 'Unauthenticated, or invalid token.');

/** 403: the caller is not permitted. */
export const forbidden = (): HttpError => new HttpError(403, 'Forbidden.');

export const notFound = (): HttpError => new HttpError(404, 'Resource not found.');

/** 404 of a login: the account has no user, and the auth method is not the primary one of its scope. */
export const userNotFound = (): HttpError => new HttpError(404, 'Unable to find requested resource.');

/** 404: the resource was deleted, or has another version. */
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

/** The body of every error: its kind, a message, and the fields. */
export function errorResponse(
  status: number,
  message: string,
  fields: readonly FieldProblem[] = [],
): HttpResponse {
  return jsonResponse(status, {
    kind: errorKinds[status] ?? 'InvalidArgument',
    message,
    details: fields.length === 0 ? {} : { request_fields: fields },
  });
}
