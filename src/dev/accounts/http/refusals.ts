import { type Answer, HttpRefusal, jsonAnswer } from '../../http/service.ts';

/** A field of a request that is not as it must be; members of attributes are named `attributes.login_name`. */
export interface FieldProblem {
  readonly name: string;
  readonly description: string;
}

/** A refusal that names fields (docs/protocol/accounts.md#errors). */
export class FieldRefusal extends HttpRefusal {
  readonly fields: readonly FieldProblem[];

  constructor(fields: readonly FieldProblem[], message = 'Error in provided request.') {
    super(400, message);
    this.fields = fields;
  }
}

/** 400 for one field. */
export const badField = (name: string, description: string): FieldRefusal =>
  new FieldRefusal([{ name, description }]);

/**
 * The ID of the path, which begins with one of the prefixes and has letters and digits after it.
 * @throws FieldRefusal 400: it has another form; `description` is the words of the product for that in this call
 */
export function checkId(
  id: string | undefined,
  prefixes: readonly string[],
  description = 'Invalid formatted identifier.',
): string {
  const isOne = prefixes.some(
    (prefix) => id?.startsWith(prefix) && /^[0-9A-Za-z]*$/.test(id.slice(prefix.length)),
  );
  if (id === undefined || !isOne) throw badField('id', description);
  return id;
}

/** 400: another resource has the value of a field of which there may be one only. */
export const notUnique = (name: string): FieldRefusal =>
  new FieldRefusal(
    [{ name, description: 'A second resource with the same value: it must be unique.' }],
    'The request would make a second resource with the same value of a field that must be unique.',
  );

/** 401: no token, or one that is not good, where one is needed. */
export const unauthenticated = (): HttpRefusal => new HttpRefusal(401, 'Unauthenticated, or invalid token.');

/** 403: the caller is known and may not. */
export const forbidden = (): HttpRefusal => new HttpRefusal(403, 'Forbidden.');

export const notFound = (): HttpRefusal => new HttpRefusal(404, 'Resource not found.');

/** 404 of a login: no user has the account, and the auth method is not the primary one of its scope. */
export const noUser = (): HttpRefusal => new HttpRefusal(404, 'Unable to find requested resource.');

/** 404: the resource is gone, or is not as the caller knows it. */
export const staleVersion = (id: string, what: 'Account' | 'Scope' = 'Account'): HttpRefusal =>
  new HttpRefusal(404, `${what} "${id}" doesn't exist or incorrect version provided.`);

const kinds: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  403: 'PermissionDenied',
  404: 'NotFound',
  405: 'Unimplemented',
  429: 'ResourceExhausted',
  500: 'Internal',
};

/** The body of every refusal: its kind, a message, and the fields that it is about. */
export function refuse(status: number, message: string, fields: readonly FieldProblem[] = []): Answer {
  return jsonAnswer(status, {
    kind: kinds[status] ?? 'InvalidArgument',
    message,
    details: fields.length === 0 ? {} : { request_fields: fields },
  });
}
