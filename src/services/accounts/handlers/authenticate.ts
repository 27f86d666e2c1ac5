import { HttpError, jsonResponse } from '../../core/http/http-service.ts';
import { passwordMatches } from '../../core/password.ts';
import { methodTarget, requirePermission } from '../auth.ts';
import { readAttributes } from '../body.ts';
import { operations, timeOf } from '../call.ts';
import { InvalidFieldsError, invalidField, notFound, userNotFound } from '../errors.ts';
import { accountByLogin, accounts } from '../model/accounts.ts';
import { authMethods, methodTypeOf, primaryMethodOf } from '../model/auth-methods.ts';
import { writeBatch } from '../model/change-log.ts';
import { authenticateInput, login, loginAttributes } from '../model/logins.ts';
import { globalScope } from '../model/scopes.ts';
import { addToken, newTokenText } from '../model/tokens.ts';
import { ensureUser, userIdOf } from '../model/users.ts';
import { tokenDetails } from '../views.ts';
import { authenticateWithOidc } from './authenticate-oidc.ts';

const invalid = 'Invalid fields provided in request.';

/**
 * In the primary auth method of a scope, the first login creates the user of the account; in others, an account
 * without a user cannot log in.
 * @throws HttpError 400: also for an auth method of type oidc or ldap; 401: unknown account or wrong password; 404:
 * unknown auth method, or no user; 429
 */
export const authenticate = operations('Auth methods')(
  'authenticate',
  'Log in with login name and password',
  {
    isUnauthenticated: true,
    body: authenticateInput,
    returns: login,
    errors: [401, 403, 404],
    async handle(call) {
      const { problems, service } = call;
      const { storage, clock, random, scryptCost } = service;
      const body = await call.body();
      const id = call.params.id ?? '';
      if (!methodTypeOf(id)) throw invalidField('attributes', `unknown subtype in ID: ${id}`);
      const method = authMethods.get(storage, id);
      if (!method) throw notFound();
      if (method.type === 'oidc') return authenticateWithOidc(body, problems);
      if (method.type === 'ldap')
        throw invalidField('id', 'Logins with auth methods of type ldap are not supported.');
      const { command = 'login', type, attributes } = body;
      if (!attributes) {
        const missing = { name: 'attributes', description: 'This is a required field.' };
        throw new InvalidFieldsError([missing], invalid);
      }
      if (command !== 'login') problems.add('command', 'Invalid command for this auth method type.');
      if ((type ?? 'token') !== 'token') problems.add('type', 'The only accepted type is "token".');
      const { login_name, password } = readAttributes(loginAttributes.login, attributes, problems);
      problems.check(invalid);
      requirePermission(call, { ...methodTarget(method), action: 'authenticate' });
      const match = accountByLogin(storage, method.id, login_name);
      const isCorrect = await passwordMatches(password, match?.password, scryptCost);
      // The account may have been changed or deleted meanwhile.
      const account = match && accounts.get(storage, match.id);
      if (!isCorrect || !account || account.password?.hash !== match.password?.hash)
        throw new HttpError(401, 'Unable to authenticate.');
      if (userIdOf(storage, account.id) === undefined && primaryMethodOf(storage, method.scope) !== method.id)
        throw userNotFound();
      const tokenText = newTokenText(random);
      const owner = { account: account.id, scope: method.scope };
      const token = await writeBatch(storage, (batch) => {
        const added = addToken(batch, tokenText, owner, clock());
        ensureUser(batch, owner, { now: timeOf(service), random });
        return added;
      });
      return jsonResponse(200, {
        command: 'login',
        // As in the product, the type of the request.
        type,
        attributes: {
          ...tokenDetails(storage, token),
          scope: { id: method.scope, type: method.scope === globalScope ? 'global' : 'org' },
          token: tokenText,
        },
      });
    },
  },
);
