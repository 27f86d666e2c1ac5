import type { Json } from '../../../../wire/json.ts';
import { hashPassword, type PasswordHash, passwordMatches } from '../../../core/password.ts';
import { readTokenParams, showTokenParams, tokenParamFields } from '../../auth/token-params.ts';
import { type Backend, Paths, routedBackend, type TokenParams } from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { notFound } from '../../errors.ts';
import { textField } from '../../fields.ts';
import { list, required, text } from '../../help/field.ts';
import type { AuthMethodParts } from '../../model/mounts.ts';

interface User {
  readonly password: PasswordHash;
  readonly terms: TokenParams;
}

const passwordField = { password: required(text('The password.')) };

/**
 * The auth method `userpass`: users with passwords (docs/protocol/secrets.md#logins). Names are lower-cased.
 */
export function userpass({ storage, random }: AuthMethodParts): Backend {
  const user = (name: string): User | undefined =>
    storage.get(`user/${name.toLowerCase()}`) as unknown as User | undefined;
  const putUser = (name: string, value: User) =>
    storage.write([{ key: `user/${name.toLowerCase()}`, value: { ...value } as unknown as Json }]);
  const requireUser = (name: string): User => {
    const existing = user(name);
    if (!existing) throw new SecretsError(400, 'username does not exist');
    return existing;
  };
  const hashNewPassword = (password: string): Promise<PasswordHash> => {
    if (password === '') throw new SecretsError(400, 'missing password');
    return hashPassword(password, random);
  };

  const paths = new Paths()
    .on('users', 'List the users.', {
      list: () => ({ data: { keys: storage.keys('user/').map((key) => key.slice('user/'.length)) } }),
    })
    .on(
      'users/:name',
      'Show, write or delete a user.',
      {
        read(_request, { name = '' }) {
          const existing = user(name);
          if (!existing) throw notFound();
          return { data: showTokenParams(existing.terms) };
        },
        async update({ data }, { name = '' }) {
          const current = user(name);
          const password = textField(data, 'password');
          if (password === undefined && !current) throw new SecretsError(400, 'missing password');
          const terms = readTokenParams(data, current?.terms);
          const hashed = password === undefined ? current?.password : await hashNewPassword(password);
          if (hashed) await putUser(name, { password: hashed, terms });
          return undefined;
        },
        async delete(_request, { name = '' }) {
          await storage.write([{ key: `user/${name.toLowerCase()}` }]);
          return undefined;
        },
      },
      { password: text('The password; required for a new user.'), ...tokenParamFields },
    )
    .on(
      'users/:name/password',
      "Change a user's password.",
      {
        async update({ data }, { name = '' }) {
          requireUser(name);
          const password = await hashNewPassword(textField(data, 'password') ?? '');
          await putUser(name, { ...requireUser(name), password });
          return undefined;
        },
      },
      passwordField,
    )
    .on(
      'users/:name/policies',
      "Change a user's policies.",
      {
        async update({ data }, { name = '' }) {
          const current = requireUser(name);
          await putUser(name, { ...current, terms: readTokenParams(data, current.terms) });
          return undefined;
        },
      },
      { token_policies: required(list('Policies of the tokens.')) },
    )
    .on(
      'login/:name',
      'Log in with a username and password.',
      {
        async update({ data }, { name = '' }) {
          const password = textField(data, 'password');
          if (!password) throw new SecretsError(400, 'missing password');
          const username = name.toLowerCase();
          if (!(await passwordMatches(password, user(username)?.password))) {
            throw new SecretsError(400, 'invalid username or password');
          }
          const { terms } = requireUser(username);
          return {
            login: {
              displayName: username,
              metadata: { username },
              alias: { name: username, metadata: {} },
              token: terms,
            },
          };
        },
      },
      passwordField,
    );
  return routedBackend('userpass', paths, [{ operation: 'update', path: 'login/:name' }]);
}
