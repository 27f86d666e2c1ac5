import {
  isAclNameTaken,
  isBuiltInAclObject,
  isMissingAclObject,
  isMissingTemplateName,
  missingLinkOf,
} from '../../../api/conditions/registry.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { AclPolicy, AclRole } from '../../../api/registry-acl.ts';
import { askedDatacenter, sharedDatacenter } from '../../../api/registry-datacenter.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { describeAs, LanyardError, notFound, unlessNotFound, usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';

export const dcFlag = flag.datacenter('datacenter');

type DcFlag = { readonly dc: string | undefined };

/** The datacenter of a request; absent: from the settings. */
export const whereFrom = ({ dc }: DcFlag) => compact({ dc });

/** Where a policy or role is read before it is written. @throws LanyardError usage, as `sharedDatacenter` */
export const whereShared = async (what: 'policies' | 'roles', flags: DcFlag, ctx: Pick<Context, 'api'>) =>
  sharedDatacenter(await ctx.api.registry(), await askedDatacenter(flags.dc, ctx.api), what);

/** Compares by name, in code units. */
export const byName = (one: { readonly Name: string }, other: { readonly Name: string }): number =>
  one.Name < other.Name ? -1 : Number(one.Name > other.Name);

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;
export const isUuid = (text: string): boolean => uuid.test(text);

/** What commands call an object of access control, and the command that lists them. */
const nouns = {
  policy: 'policies',
  role: 'roles',
  token: 'tokens',
  'auth-method': 'auth methods',
  'binding-rule': 'binding rules',
  'templated-policy': 'templated policies',
} as const;
export type Noun = keyof typeof nouns;

/** Reports a missing object as not found, whatever its status. */
export const describeMissing = (noun: Noun, name: string) =>
  describeAs(isMissingAclObject, 'not_found', `${noun.replace('-', ' ')} "${name}" not found`, {
    hint: listHint(noun),
  });

const listHint = (noun: Noun): string => `Run \`lanyard acl ${noun} list\` for the existing ${nouns[noun]}.`;

/** Reports a name that another object has as a conflict. */
export const describeTakenName = (noun: Noun, name: string) =>
  describeAs(
    isAclNameTaken,
    'conflict',
    `cannot write ${noun} "${name}": a ${noun} with this name already exists`,
    { hint: listHint(noun) },
  );

/** Reports an object that the service protects: a built-in one, or the token that is used. */
export const describeProtected = (noun: Noun, name: string) =>
  describeAs(
    isBuiltInAclObject,
    'failure',
    `cannot delete ${noun} "${name}": not permitted (500)`,
    noun === 'token' ? { hint: 'Use another token, or `lanyard acl logout` for the token of a login.' } : {},
  );

/** Reports a policy, role or template that the written object refers to and that does not exist. */
export function describeMissingLink(error: unknown): never {
  if (isMissingTemplateName(error))
    throw error.withHint(
      'Give the name that the template requires: --templated-policy builtin/service:NAME.',
    );
  const link = missingLinkOf(error);
  if (!link || !(error instanceof LanyardError)) throw error;
  throw notFound(`${link.kind} "${link.name}" not found; nothing was written`, {
    ...error,
    hint: `Run \`lanyard acl ${link.kind.replace(' ', '-')} list\` for the existing ones.`,
  });
}

/** @throws LanyardError not_found */
export async function findPolicy(registry: RegistryClient, name: string, where: object): Promise<AclPolicy> {
  if (name === '') throw usage('invalid policy "": expected a name or an ID');
  const reading = isUuid(name)
    ? registry.readPolicy({ id: name, ...where })
    : registry.readPolicyByName({ name, ...where });
  return (await reading.catch(describeMissing('policy', name))).body;
}

/** @throws LanyardError not_found */
export async function findRole(registry: RegistryClient, name: string, where: object): Promise<AclRole> {
  if (name === '') throw usage('invalid role "": expected a name or an ID');
  const reading = isUuid(name)
    ? registry.readRole({ id: name, ...where })
    : registry.readRoleByName({ name, ...where });
  return (await reading.catch(describeMissing('role', name))).body;
}

/**
 * The existing object that a `put` names, or undefined if it is to be created.
 *
 * @throws LanyardError not_found: an ID that does not exist; usage: an invalid name
 */
export async function findToPut<Item>(
  noun: 'policy' | 'role',
  name: string,
  find: () => Promise<Item>,
): Promise<Item | undefined> {
  if (isUuid(name)) return find();
  checkName(noun, name);
  return unlessNotFound(find().then((body) => ({ body })));
}

/** @throws LanyardError usage */
export function checkName(noun: Noun, name: string): void {
  const slash = noun === 'policy' ? /^[\w-]+(\/[\w-]*)?$/ : /^[\w-]+$/;
  const max = noun === 'role' ? 256 : 128;
  if (slash.test(name) && name.length <= max) return;
  const signs = noun === 'policy' ? 'letters, digits, "-", "_" and one "/"' : 'letters, digits, "-" and "_"';
  throw usage(`invalid ${noun.replace('-', ' ')} name "${name}": expected 1 to ${max} ${signs}`, {
    hint: 'Nothing was sent.',
  });
}
