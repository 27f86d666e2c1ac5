import { type Answer, HttpRefusal, jsonAnswer } from '../../http/service.ts';
import { passwordMatches } from '../../password.ts';
import type { Call } from '../http/call.ts';
import { bodyOf } from '../http/fields.ts';
import { badField, notFound, noUser } from '../http/refusals.ts';
import { accountByLogin, accountOf, hasUser, userChange } from '../state/accounts.ts';
import { methodOf, methodTypeOf, primaryMethodOf } from '../state/auth-methods.ts';
import { newToken, newTokenText } from '../state/tokens.ts';
import { shownToken } from './auth-tokens.ts';

/**
 * Logs an account in: its login name and password become a token, which is shown this once.
 * In the primary auth method of a scope the first login gives the account its user; elsewhere an account without one
 * cannot log in.
 * @throws HttpRefusal 400; 401: no such account, or not its password; 404: no such auth method, or no user; 429
 */
export async function authenticate(call: Call): Promise<Answer> {
  const { storage, clock, random } = call.service;
  const body = await bodyOf(call.request);
  const id = call.params.id ?? '';
  if (!methodTypeOf(id)) throw badField('attributes', `unknown subtype in ID: ${id}`);
  const method = methodOf(storage, id);
  if (!method) throw notFound();
  if (method.type !== 'password')
    throw badField('id', `An auth method of type ${method.type} logs in elsewhere; nothing here calls it.`);
  if ((body.text('command') ?? 'login') !== 'login')
    body.problem('command', 'Invalid command for this auth method type.');
  if ((body.text('type') ?? 'token') !== 'token') body.problem('type', 'This field must be "token".');
  const attributes = body.inner('attributes');
  const login = attributes.required('login_name');
  const password = attributes.required('password');
  body.check();
  const known = accountByLogin(storage, method.id, login);
  const right = await passwordMatches(password, known?.password);
  // The password may have been another one, and the account gone, since it was looked at.
  const account = known && accountOf(storage, known.id);
  if (!right || !account || account.password?.hash !== known.password?.hash)
    throw new HttpRefusal(401, 'Unable to authenticate.');
  if (!hasUser(storage, account.id) && primaryMethodOf(storage, method.scope) !== method.id) throw noUser();
  const text = newTokenText(random);
  const { token, changes } = newToken(storage, text, account.id, clock());
  await storage.write([...changes, userChange(account.id)]);
  return jsonAnswer(200, {
    command: 'login',
    type: 'token',
    attributes: { ...shownToken(storage, token), token: text },
  });
}
