import { HttpError, type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { passwordMatches } from '../../core/password.ts';
import { checkNames } from '../attributes.ts';
import { readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { InvalidFieldsError, invalidField, notFound, userNotFound } from '../errors.ts';
import { accountByLogin, accountOf } from '../model/accounts.ts';
import { methodOf, methodTypeOf, primaryMethodOf } from '../model/auth-methods.ts';
import { ChangeBatch } from '../model/change-log.ts';
import { globalScope } from '../model/scopes.ts';
import { addToken, newTokenText } from '../model/tokens.ts';
import { ensureUser, userIdOf } from '../model/users.ts';
import { tokenFields } from '../views.ts';
import { authenticateWithOidc } from './authenticate-oidc.ts';

const invalid = 'Invalid fields provided in request.';

/**
 * Logs in with login name and password, and returns a new token; it is not shown again.
 * In the primary auth method of a scope, the first login creates the user of the account; in others, an account
 * without a user cannot log in.
 * @throws HttpError 400: also for an auth method of type oidc or ldap; 401: unknown account or wrong password; 404:
 * unknown auth method, or no user; 429
 */
export async function authenticate(call: Call): Promise<HttpResponse> {
  const { storage, clock, random, scryptCost } = call.service;
  const body = await readBody(call.request);
  const id = call.params.id ?? '';
  if (!methodTypeOf(id)) throw invalidField('attributes', `unknown subtype in ID: ${id}`);
  const method = methodOf(storage, id);
  if (!method) throw notFound();
  if (method.type === 'oidc') return authenticateWithOidc(body);
  if (method.type === 'ldap')
    throw invalidField('id', 'Logins with auth methods of type ldap are not supported.');
  if (!body.has('attributes'))
    throw new InvalidFieldsError([{ name: 'attributes', description: 'This is a required field.' }], invalid);
  if ((body.string('command') ?? 'login') !== 'login')
    body.addProblem('command', 'Invalid command for this auth method type.');
  const type = body.string('type');
  if ((type ?? 'token') !== 'token') body.addProblem('type', 'The only accepted type is "token".');
  const attributes = body.attributes();
  checkNames('password', attributes);
  const login = attributes.required('login_name');
  const password = attributes.required('password');
  body.check(invalid);
  const match = accountByLogin(storage, method.id, login);
  const isCorrect = await passwordMatches(password, match?.password, scryptCost);
  // The account may have been changed or deleted meanwhile.
  const account = match && accountOf(storage, match.id);
  if (!isCorrect || !account || account.password?.hash !== match.password?.hash)
    throw new HttpError(401, 'Unable to authenticate.');
  if (userIdOf(storage, account.id) === undefined && primaryMethodOf(storage, method.scope) !== method.id)
    throw userNotFound();
  const tokenText = newTokenText(random);
  const batch = new ChangeBatch(storage);
  const owner = { account: account.id, scope: method.scope };
  const token = addToken(batch, tokenText, owner, clock());
  ensureUser(batch, owner, { now: timeOf(call.service), random });
  await batch.write();
  return jsonResponse(200, {
    command: 'login',
    // As in the product, the type of the request.
    ...(type && { type }),
    attributes: {
      ...tokenFields(storage, token),
      scope: { id: method.scope, type: method.scope === globalScope ? 'global' : 'org' },
      token: tokenText,
    },
  });
}
