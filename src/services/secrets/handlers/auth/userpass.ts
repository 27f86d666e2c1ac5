import { hashPassword, type PasswordHash, passwordHash, passwordMatches } from '../../../core/password.ts';
import * as s from '../../../core/schema/types.ts';
import { type RowOf, table } from '../../../core/store/table.ts';
import {
  newTokenParams,
  olderTokenFields,
  shownTokenParams,
  tokenParamFields,
} from '../../auth/token-params.ts';
import { type EngineParts, tokenParams } from '../../engine.ts';
import { addressDenied, badRequest, orNotFound } from '../../errors.ts';
import { isBound } from '../../model/bound-cidrs.ts';
import { pageFields, pageOf } from '../../page.ts';
import { resourcesOf } from '../../resource.ts';
import { token } from '../../returns.ts';
import { showTokenParams } from '../../views.ts';

/** The auth method `userpass`: users with passwords (docs/protocol/secrets.md#logins). Names are lower-cased. */

/** The users by lower-case name. */
export const userTable = table('user/', { password: passwordHash, terms: tokenParams });
type User = RowOf<typeof userTable>;

/** The parts of a mount, and the scrypt cost of new password hashes. */
export type UserpassParts = EngineParts & { readonly scryptCost: number | undefined };

/** The settings of the tokens of a user. */
const { num_uses: _uses, period: _period, ...olderFields } = olderTokenFields;
const tokenFields = { ...tokenParamFields, ...olderFields };

const passwordField = { password: s.required(s.string('The password.')) };

const resource = resourcesOf<UserpassParts>();

export const users = resource({
  summary: 'List the users.',
  query: pageFields,
  list: ({ storage }, { input }) => ({ data: { keys: pageOf(userTable.keys(storage), input) } }),
});

export const user = resource({
  summary: 'Show, write or delete a user.',
  fields: {
    password: s.optional(s.string('The password; required for a new user.')),
    ...tokenFields,
  },
  returns: { read: s.named('User', s.object(shownTokenParams)) },
  read: (parts, _request, name) => ({ data: showTokenParams(orNotFound(findUser(parts, name)).terms) }),
  async write(parts, { input }, name) {
    const current = findUser(parts, name);
    const { password } = input;
    if (password === undefined && !current) throw badRequest('missing password');
    const terms = newTokenParams(input, current?.terms);
    const hashed = password === undefined ? current?.password : await hashNewPassword(parts, password);
    if (hashed) await putUser(parts, name, { password: hashed, terms });
  },
  delete: ({ storage }, _request, name) => storage.write([userTable.remove(name.toLowerCase())]),
});

export const password = resource({
  summary: "Change a user's password.",
  fields: passwordField,
  async write(parts, { input }, name) {
    requireUser(parts, name);
    const hashed = await hashNewPassword(parts, input.password);
    await putUser(parts, name, { ...requireUser(parts, name), password: hashed });
  },
});

export const policies = resource({
  summary: "Change a user's policies.",
  fields: {
    token_policies: tokenParamFields.token_policies,
    policies: olderTokenFields.policies,
  },
  async write(parts, { input }, name) {
    const current = requireUser(parts, name);
    await putUser(parts, name, { ...current, terms: newTokenParams(input, current.terms) });
  },
});

export const login = resource({
  summary: 'Log in with a username and password.',
  fields: passwordField,
  returns: { write: token },
  async write(parts, { input: { password: sent }, remoteAddress = '' }, name) {
    if (!sent) throw badRequest('missing password');
    const username = name.toLowerCase();
    if (!(await passwordMatches(sent, findUser(parts, username)?.password, parts.scryptCost))) {
      throw badRequest('invalid username or password');
    }
    const { terms } = requireUser(parts, username);
    if (terms.boundCidrs?.length && !isBound(remoteAddress, terms.boundCidrs)) throw addressDenied();
    return {
      login: {
        displayName: username,
        metadata: { username },
        alias: { name: username, metadata: {} },
        token: terms,
      },
    };
  },
});

function findUser({ storage }: EngineParts, name: string): User | undefined {
  return userTable.get(storage, name.toLowerCase());
}

function requireUser(parts: EngineParts, name: string): User {
  const existing = findUser(parts, name);
  if (!existing) throw badRequest('username does not exist');
  return existing;
}

async function putUser({ storage }: EngineParts, name: string, value: User): Promise<void> {
  await storage.write([userTable.put(name.toLowerCase(), value)]);
}

function hashNewPassword({ random, scryptCost }: UserpassParts, password: string): Promise<PasswordHash> {
  if (password === '') throw badRequest('missing password');
  return hashPassword(password, random, scryptCost);
}
