import type { Json } from '../../../wire/json.ts';
import { hashPassword, type PasswordHash, passwordMatches } from '../../password.ts';
import { type Backend, Paths, routedBackend, type TokenTerms } from '../backend.ts';
import { Refusal } from '../engine.ts';
import { textField } from '../fields.ts';
import { list, required, text } from '../help/field.ts';
import type { MethodParts } from '../mounts.ts';
import { nothing } from '../refusals.ts';
import { readTerms, showTerms, termFields } from './terms.ts';

interface User {
  readonly password: PasswordHash;
  readonly terms: TokenTerms;
}

const passwordField = { password: required(text('The password.')) };

/**
 * The auth method `userpass`: users with passwords (docs/protocol/secrets.md#logins). Names are lower-cased.
 */
export function userpass({ storage, random }: MethodParts): Backend {
  const user = (name: string): User | undefined =>
    storage.get(`user/${name.toLowerCase()}`) as unknown as User | undefined;
  const put = (name: string, value: User) =>
    storage.write([{ key: `user/${name.toLowerCase()}`, value: { ...value } as unknown as Json }]);
  const known = (name: string): User => {
    const found = user(name);
    if (!found) throw new Refusal(400, 'username does not exist');
    return found;
  };
  const hash = (password: string): Promise<PasswordHash> => {
    if (password === '') throw new Refusal(400, 'missing password');
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
          const found = user(name);
          if (!found) throw nothing();
          return { data: showTerms(found.terms) };
        },
        async update({ data }, { name = '' }) {
          const before = user(name);
          const password = textField(data, 'password');
          if (password === undefined && !before) throw new Refusal(400, 'missing password');
          const terms = readTerms(data, before?.terms);
          const hashed = password === undefined ? before?.password : await hash(password);
          if (hashed) await put(name, { password: hashed, terms });
          return undefined;
        },
        async delete(_request, { name = '' }) {
          await storage.write([{ key: `user/${name.toLowerCase()}` }]);
          return undefined;
        },
      },
      { password: text('The password; required for a new user.'), ...termFields },
    )
    .on(
      'users/:name/password',
      "Change a user's password.",
      {
        async update({ data }, { name = '' }) {
          known(name);
          const password = await hash(textField(data, 'password') ?? '');
          await put(name, { ...known(name), password });
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
          const before = known(name);
          await put(name, { ...before, terms: readTerms(data, before.terms) });
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
          if (!password) throw new Refusal(400, 'missing password');
          const username = name.toLowerCase();
          if (!(await passwordMatches(password, user(username)?.password))) {
            throw new Refusal(400, 'invalid username or password');
          }
          const { terms } = known(username);
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
