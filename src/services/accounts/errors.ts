import { HttpError, type HttpRequest, type HttpResponse, jsonResponse } from '../core/http/http-service.ts';
import * as s from '../core/schema/types.ts';

/** An invalid field of a request; fields of attributes are named `attributes.login_name`. */
export interface FieldProblem {
  readonly name: string;
  readonly description: string;
}

export const errorSchema = s.named(
  'Error',
  s.object({
    kind: s.oneOf([
      ...['InvalidArgument', 'FailedPrecondition', 'Unauthenticated', 'PermissionDenied', 'NotFound'],
      ...['Unimplemented', 'ResourceExhausted', 'Internal'],
    ]),
    message: s.string(),
    details: s.optional(
      s.object({
        request_fields: s.list(
          s.object({ name: s.string(), description: s.string() }),
          'The invalid fields.',
        ),
      }),
    ),
  }),
);

/** An error with a list of invalid fields (docs/protocol/accounts.md#errors). */
export class InvalidFieldsError extends HttpError {
  readonly fields: readonly FieldProblem[];

  constructor(fields: readonly FieldProblem[], message = 'Error in provided request.') {
    super(400, message);
    this.fields = fields;
  }
}

/** The invalid fields of a request, which one error reports together: as in the product, each once, by name. */
export class Problems {
  readonly #found = new Map<string, string>();

  add(name: string, description: string): void {
    if (!this.#found.has(name)) this.#found.set(name, description);
  }

  has(name: string): boolean {
    return this.#found.has(name);
  }

  /** @throws InvalidFieldsError: a field is invalid */
  check(message?: string): void {
    if (this.#found.size === 0) return;
    const fields = [...this.#found].map(([name, description]) => ({ name, description }));
    throw new InvalidFieldsError(
      fields.sort((a, b) => (a.name < b.name ? -1 : 1)),
      message,
    );
  }
}

/** 400: the state of the resource does not permit the request. */
export class PreconditionError extends HttpError {
  constructor(message: string) {
    super(400, message);
  }
}

/** 400 for one field. */
export const invalidField = (name: string, description: string): InvalidFieldsError =>
  new InvalidFieldsError([{ name, description }]);

/** 400: attributes that the type does not have, or of another JSON type. */
export const attributesMismatch = (): InvalidFieldsError =>
  invalidField('attributes', 'Attribute fields do not match the expected format.');

/** Whether an ID is one of the prefixes, then letters and digits. */
export const isId = (id: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => id.startsWith(prefix) && /^[0-9A-Za-z]*$/.test(id.slice(prefix.length)));

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
  if (id === undefined || !isId(id, prefixes)) throw invalidField('id', description);
  return id;
}

/** 400: another resource has the same value of a unique field. As in the product, the field is not named. */
export const notUnique = (): InvalidFieldsError =>
  new InvalidFieldsError(
    [],
    'Invalid request.  Request attempted to make second resource with the same field value that must be unique.',
  );

/** 401: a required token is missing or invalid. */
export const unauthenticated = (): HttpError => new HttpError(401, 'Unauthenticated, or invalid token.');

/** 403: the caller does not have permission. */
export const forbidden = (): HttpError => new HttpError(403, 'Forbidden.');

export const notFound = (): HttpError => new HttpError(404, 'Resource not found.');

/** 404 of a login: the account has no user, and the auth method is not the primary one of its scope. */
export const userNotFound = (): HttpError => new HttpError(404, 'Unable to find requested resource.');

/** 404: the resource was deleted, or its version differs. */
export const versionMismatch = (
  id: string,
  resource: 'Account' | 'AuthMethod' | 'Role' | 'Scope' | 'User' = 'Account',
): HttpError => new HttpError(404, `${resource} "${id}" doesn't exist or incorrect version provided.`);

/** Rejects HEAD, as the product does. @throws HttpError 405 */
export function rejectHead({ method }: HttpRequest): void {
  if (method === 'HEAD') throw new HttpError(405, '');
}

const errorKinds: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  403: 'PermissionDenied',
  404: 'NotFound',
  405: 'Unimplemented',
  429: 'ResourceExhausted',
  500: 'Internal',
};

/** The body of an error. As in the product, errors about the path or the method have none: their message is empty. */
export function errorBody(error: HttpError): HttpResponse {
  const { status, message } = error;
  if (message === '') return { status };
  const kind = error instanceof PreconditionError ? 'FailedPrecondition' : errorKinds[status];
  return jsonResponse(status, {
    kind: kind ?? 'InvalidArgument',
    message,
    ...(error instanceof InvalidFieldsError &&
      error.fields.length > 0 && { details: { request_fields: error.fields } }),
  });
}
