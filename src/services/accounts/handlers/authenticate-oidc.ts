import { HttpError } from '../../core/http/http-service.ts';
import { readAttributes } from '../body.ts';
import { forbidden, PreconditionError, type Problems } from '../errors.ts';
import { type AuthenticateInput, loginAttributes } from '../model/logins.ts';

/**
 * A login with an auth method of type oidc. These are always inactive: the service calls no identity provider.
 * @throws HttpError 400: invalid fields, or the auth method is inactive; 403: the login does not exist
 */
export function authenticateWithOidc(body: AuthenticateInput, problems: Problems): never {
  const { command, type = 'token' } = body;
  if (command === 'start') {
    readAttributes(loginAttributes.start, body.attributes, problems);
    throw new PreconditionError('Cannot start authentication against an inactive OIDC auth method');
  }
  if (command !== 'token') {
    readAttributes({}, body.attributes, problems);
    problems.add('command', 'Invalid command for this auth method type.');
  } else if (!['token', 'cookie'].includes(type))
    problems.add('type', 'The only accepted types are "token" and "cookie".');
  const { token_id } = readAttributes(loginAttributes.token, body.attributes, problems);
  problems.check('Invalid fields provided in request.');
  if (!body.attributes) throw new HttpError(400, 'Nil request attributes.');
  if (token_id === undefined) throw new HttpError(400, 'Empty token ID in request attributes.');
  throw forbidden();
}
