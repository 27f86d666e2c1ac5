import { messageOf } from '../../core/errors.ts';
import type { HttpResponse } from '../../core/http/http-service.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { type Call, operations, timeOf } from '../call.ts';
import { InvalidFieldsError, isId, versionMismatch } from '../errors.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { limitedJson } from '../model/fields.ts';
import {
  type Role,
  roleDetailsSchema,
  roleGrantScopes,
  roleGrants,
  rolePrincipals,
  roles,
} from '../model/roles.ts';
import { found, responseOf } from '../resource.ts';
import {
  grantProblem,
  grantScopeProblem,
  grantScopesAfter,
  grantsAfter,
  principalProblem,
  principalsAfter,
  problemMessage,
  type Verb,
} from '../role-members.ts';
import { roleDetails } from '../views.ts';
import { requireRole } from './roles.ts';

const operation = operations('Roles');
const returns = responseOf(roleDetailsSchema);
const errors = [404];

const summaryOf = (verb: Verb, noun: string): string =>
  ({
    add: `Add ${noun} to a role`,
    set: `Replace the ${noun} of a role`,
    remove: `Remove ${noun} from a role`,
  })[verb];

const principalsOperation = (verb: Verb) =>
  operation(`${verb}RolePrincipals`, summaryOf(verb, 'principals'), {
    body: rolePrincipals,
    returns,
    errors,
    async handle(call) {
      const { version, principal_ids: given } = await call.body();
      return changeMembers(call, {
        action: `${verb}-principals`,
        version,
        given: await readMembers(call, 'principal_ids', given, verb, principalProblem),
        change(role, ids) {
          const principals = principalsAfter(call.service.storage, role, ids, verb);
          checkSize('principal_ids', principals);
          return principals && { principals };
        },
      });
    },
  });

const grantsOperation = (verb: Verb) =>
  operation(`${verb}RoleGrants`, summaryOf(verb, 'grants'), {
    body: roleGrants,
    returns,
    errors,
    async handle(call) {
      const { version, grant_strings: given } = await call.body();
      return changeMembers(call, {
        action: `${verb}-grants`,
        version,
        given: await readMembers(call, 'grant_strings', given, verb, grantProblem),
        change(role, texts) {
          const grants = grantsAfter(role, texts, verb);
          checkSize(
            'grant_strings',
            grants?.map(({ raw }) => raw),
          );
          return grants && { grants };
        },
      });
    },
  });

const grantScopesOperation = (verb: Verb) =>
  operation(`${verb}RoleGrantScopes`, summaryOf(verb, 'grant scopes'), {
    body: roleGrantScopes,
    returns,
    errors,
    async handle(call) {
      const { version, grant_scope_ids: given } = await call.body();
      return changeMembers(call, {
        action: `${verb}-grant-scopes`,
        version,
        given: await readMembers(call, 'grant_scope_ids', given, verb, grantScopeProblem),
        change(role, ids) {
          const grantScopes = grantScopesAfter(call.service.storage, role, ids, verb);
          checkSize('grant_scope_ids', grantScopes);
          return grantScopes && { grantScopes };
        },
      });
    },
  });

export const addPrincipals = principalsOperation('add');
export const setPrincipals = principalsOperation('set');
export const removePrincipals = principalsOperation('remove');
export const addGrants = grantsOperation('add');
export const setGrants = grantsOperation('set');
export const removeGrants = grantsOperation('remove');
export const addGrantScopes = grantScopesOperation('add');
export const setGrantScopes = grantScopesOperation('set');
export const removeGrantScopes = grantScopesOperation('remove');

/** The members of a request, each once. @throws InvalidFieldsError 400 */
async function readMembers(
  { params, problems }: Call,
  field: string,
  given: readonly string[],
  verb: Verb,
  problemOf: (member: string, verb: Verb) => string | undefined,
): Promise<readonly string[]> {
  if (!isId(params.id ?? '', ['r_'])) problems.add('id', 'Incorrectly formatted identifier.');
  if (given.length === 0 && verb !== 'set') problems.add(field, 'Must be non-empty.');
  const members = [...new Set(given)];
  for await (const member of yieldingIterator(members)) {
    const problem = problemOf(member, verb);
    if (problem !== undefined) problems.add(field, problem);
  }
  problems.check(problemMessage);
  return members;
}

interface MemberChange {
  readonly action: string;
  readonly version: number;
  readonly given: readonly string[];
  /** What changes of the role; undefined: nothing. @throws InvalidFieldsError */
  change(
    role: Role,
    given: readonly string[],
  ): Partial<Pick<Role, 'principals' | 'grants' | 'grantScopes'>> | undefined;
}

async function changeMembers(
  call: Call,
  { action, version, given, change }: MemberChange,
): Promise<HttpResponse> {
  const { storage } = call.service;
  const { role, access } = requireRole(call, call.params.id ?? '', action);
  if (version !== role.version) throw versionMismatch(role.id, 'Role');
  const changed = change(role, given);
  // As in the product, what changes nothing makes no version.
  if (!changed) return found(roleDetails(access, role));
  const updated = { ...role, ...changed, ...nextVersion(role, timeOf(call.service)) };
  const written = await writeBatch(storage, (batch) => roles.write(batch, updated, role));
  return found(roleDetails(access, written));
}

/** What a role has is limited like a list in a request, so that no request takes long. @throws InvalidFieldsError */
function checkSize(field: string, members: readonly string[] = []): void {
  try {
    limitedJson([...members]);
  } catch (error) {
    throw new InvalidFieldsError([{ name: field, description: messageOf(error) }], problemMessage);
  }
}
