import type { SchedulerClient } from '../../../api/scheduler.ts';
import { type FlagTable, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { flagsOf } from '../../../command/object-flags.ts';
import { insteadOf, isFailure, unlessNotFound, usage } from '../../../errors.ts';
import { schedulerToken } from '../../../objects/scheduler-acl.ts';
import type { ObjectSchema } from '../../../objects/schema.ts';
import type { Json } from '../../../wire/json.ts';
import type { Fields } from './fields.ts';
import { isUuid } from './tokens.ts';

const { Name, Policies, Roles } = schedulerToken.properties;
/** The fields of a token that can be changed. */
const changeable: ObjectSchema = { type: 'object', properties: { Name, Policies, Roles } };

const policies = { completes: 'scheduler-policy' } as const;
const roles = { completes: 'scheduler-role' } as const;

/** The flags of an existing token: they replace its policies and roles, or add and remove some. */
export const changeFlags = {
  ...(flagsOf(changeable) as FlagTable),
  policy: flag.list('NAME', 'policies, replacing all existing ones; repeatable', policies),
  addPolicy: flag.list('NAME', 'policy to add; repeatable', policies),
  removePolicy: flag.list('NAME', 'policy to remove; repeatable', policies),
  role: flag.list('NAME|ID', 'roles, replacing all existing ones; repeatable', roles),
  addRole: flag.list('NAME|ID', 'role to add; repeatable', roles),
  removeRole: flag.list('NAME|ID', 'role to remove; repeatable', roles),
};

/** Names to replace, to add and to remove; undefined: none of these flags is given. */
interface Given {
  readonly replaced: readonly string[] | undefined;
  readonly added: readonly string[] | undefined;
  readonly removed: readonly string[] | undefined;
}

/** The values of the flags. */
interface Values {
  readonly policy: readonly string[] | undefined;
  readonly addPolicy: readonly string[] | undefined;
  readonly removePolicy: readonly string[] | undefined;
  readonly role: readonly string[] | undefined;
  readonly addRole: readonly string[] | undefined;
  readonly removeRole: readonly string[] | undefined;
}

/** The policies and roles of a token after the change; only the fields that a flag names. */
export function changedGrants(before: Fields, flags: Values): Fields {
  const policyNames = changedNames((before.Policies ?? []) as readonly string[], {
    replaced: flags.policy,
    added: flags.addPolicy,
    removed: flags.removePolicy,
  });
  const links = changedLinks((before.Roles ?? []) as unknown as readonly Link[], {
    replaced: flags.role,
    added: flags.addRole,
    removed: flags.removeRole,
  });
  return {
    ...(policyNames && { Policies: [...policyNames] }),
    ...(links && { Roles: links as unknown as Json }),
  };
}

const isGiven = ({ replaced, added, removed }: Given): boolean =>
  replaced !== undefined || added !== undefined || removed !== undefined;

function changedNames(existing: readonly string[], given: Given): readonly string[] | undefined {
  if (!isGiven(given)) return undefined;
  const { replaced = existing, added = [], removed = [] } = given;
  return [...new Set([...replaced, ...added])].filter((name) => !removed.includes(name));
}

/** A role of a token: by both in responses, by one of them in requests. */
interface Link {
  readonly ID?: string;
  readonly Name?: string;
}

const isLinked = ({ ID, Name: name }: Link, given: string): boolean => given === ID || given === name;

function changedLinks(existing: readonly Link[], given: Given): readonly Link[] | undefined {
  if (!isGiven(given)) return undefined;
  const { replaced, added = [], removed = [] } = given;
  const kept = replaced ? existing.filter((link) => replaced.some((name) => isLinked(link, name))) : existing;
  const next = [...new Set([...(replaced ?? []), ...added])]
    .filter((name) => !kept.some((link) => isLinked(link, name)))
    .map(linkOf);
  return [...kept, ...next].filter((link) => !removed.some((name) => isLinked(link, name)));
}

/** A role in a request, by its name or ID. */
const linkOf = (given: string): Link => (isUuid(given) ? { ID: given } : { Name: given });

/**
 * Rejects a token that the scheduler would reject: a client token without policies and roles, a management token with
 * some.
 *
 * @throws LanyardError usage
 */
export function checkGrants({ Type, Policies: names, Roles: links }: Fields): void {
  const hasGrants = [names, links].some((list) => Array.isArray(list) && list.length > 0);
  if (Type === 'management' && hasGrants)
    throw usage('a management token cannot have policies or roles: it has all permissions');
  if (Type !== 'management' && !hasGrants)
    throw usage('a client token needs a policy or role', {
      hint: 'Pass --policy or --role, or for all permissions create a token with --type management.',
    });
}

/** Warns of policies that do not exist: the scheduler accepts them, and they grant nothing. */
export async function warnOfMissingPolicies(
  scheduler: SchedulerClient,
  names: readonly string[],
  { output }: Pick<Context, 'output'>,
): Promise<void> {
  const isMissing = async (name: string): Promise<boolean> =>
    (await unlessNotFound(scheduler.readPolicy({ name })).catch(insteadOf(isFailure, true))) === undefined;
  for (const name of names)
    if (await isMissing(name))
      output.warn(`policy "${name}" does not exist: it grants nothing until it is created`);
}
