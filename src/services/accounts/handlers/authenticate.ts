import { HttpError, type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { passwordMatches } from '../../core/password.ts';
import { readBody } from '../body.ts';
import type { Call } from '../call.ts';
import { invalidField, notFound, userNotFound } from '../errors.ts';
import { accountByLogin, accountOf, hasUser, userChange } from '../model/accounts.ts';
import { methodOf, methodTypeOf, primaryMethodOf } from '../model/auth-methods.ts';
import { newToken, newTokenText } from '../model/tokens.ts';
import { tokenView } from './auth-tokens.ts';

/**
 * Logs in with login name and password, and returns a new token; it is not shown again.
 * In the primary auth method of a scope, the first login creates the user of the account; in others, an account
 * without a user cannot log in.
 * @throws HttpError 400; 401: unknown account or wrong password; 404: unknown auth method, or no user; 429
 */
export async function authenticate(call: Call): Promise<HttpResponse> {
  const { storage, clock, random, scryptCost } = call.service;
  const body = await readBody(call.request);
  const id = call.params.id ?? '';
  if (!methodTypeOf(id)) throw invalidField('attributes', `unknown subtype in ID: ${id}`);
  const method = methodOf(storage, id);
  if (!method) throw notFound();
  if (method.type !== 'password')
    throw invalidField(
      'id',
      `An auth method of type ${method.type} logs in elsewhere; nothing here calls it.`,
    );
  if ((body.string('command') ?? 'login') !== 'login')
    body.addProblem('command', 'Invalid command for this auth method type.');
  if ((body.string('type') ?? 'token') !== 'token') body.addProblem('type', 'This field must be "token".');
  const attributes = body.nested('attributes');
  const login = attributes.required('login_name');
  const password = attributes.required('password');
  body.check();
  const match = accountByLogin(storage, method.id, login);
  const isCorrect = await passwordMatches(password, match?.password, scryptCost);
  // The account may have been changed or deleted meanwhile.
  const account = match && accountOf(storage, match.id);
  if (!isCorrect || !account || account.password?.hash !== match.password?.hash)
    throw new HttpError(401, 'Unable to authenticate.');
  if (!hasUser(storage, account.id) && primaryMethodOf(storage, method.scope) !== method.id)
    throw userNotFound();
  const tokenText = newTokenText(random);
  const { token, changes } = newToken(storage, tokenText, account.id, clock());
  await storage.write([...changes, userChange(account.id)]);
  return jsonResponse(200, {
    command: 'login',
    type: 'token',
    attributes: { ...tokenView(storage, token), token: tokenText },
  });
}
