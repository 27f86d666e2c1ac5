import { HttpError } from '../../core/http/http-service.ts';
import type { Fields } from '../body.ts';
import { attributesMismatch, forbidden, PreconditionError } from '../errors.ts';

/** The attributes of each command. */
const attributeNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['roundtrip_payload']],
  ['token', ['token_id']],
]);

/**
 * A login with an auth method of type oidc. The service calls no identity provider, so these auth methods are always
 * inactive: no login can be started, and no token is issued for one.
 * @throws HttpError 400: invalid fields, or the auth method is inactive; 403: the login does not exist
 */
export function authenticateWithOidc(body: Fields): never {
  const command = body.string('command') ?? '';
  const attributes = body.attributes();
  const names = attributeNames.get(command) ?? [];
  if (!attributes.names.every((name) => names.includes(name))) throw attributesMismatch();
  if (command === 'start') {
    attributes.rawObject('roundtrip_payload');
    throw new PreconditionError('Cannot start authentication against an inactive OIDC auth method');
  }
  if (command !== 'token') body.addProblem('command', 'Invalid command for this auth method type.');
  if (command === 'token' && !['token', 'cookie'].includes(body.string('type') ?? 'token'))
    body.addProblem('type', 'The only accepted types are "token" and "cookie".');
  const tokenId = attributes.string('token_id');
  body.check('Invalid fields provided in request.');
  if (!body.has('attributes')) throw new HttpError(400, 'Nil request attributes.');
  if (tokenId === undefined) throw new HttpError(400, 'Empty token ID in request attributes.');
  throw forbidden();
}
