import { isMissingSchedulerToken, missingAclLinkOf } from '../../../api/conditions/scheduler.ts';
import type { SchedulerClient } from '../../../api/scheduler.ts';
import type { SchedulerToken, SchedulerTokenMetadata } from '../../../api/scheduler-acl.ts';
import { arg } from '../../../command/command.ts';
import { schedulerPageSize, schedulerPages } from '../../../command/scheduler-lists.ts';
import { describeAs, hintFor, LanyardError, notFound, usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';

export const tokenArg = arg.text('TOKEN', 'accessor ID or unique prefix of it, or unique name', {
  completes: 'scheduler-token',
});

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;
export const isUuid = (text: string): boolean => uuid.test(text);

const shortestPrefix = 4;
const listHint = 'Run `lanyard scheduler acl token list` for the existing tokens.';

/** All tokens without their secrets, in the order of their creation. */
export async function readTokens(scheduler: SchedulerClient): Promise<readonly SchedulerTokenMetadata[]> {
  const tokens: SchedulerTokenMetadata[] = [];
  const read = (next_token: string | undefined) =>
    scheduler.listTokens({ per_page: schedulerPageSize, ...compact({ next_token }) });
  for await (const { items } of schedulerPages(read)) tokens.push(...items);
  return tokens.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

const sortKey = ({ CreateTime = '', AccessorID }: SchedulerTokenMetadata): string =>
  `${CreateTime} ${AccessorID}`;

/**
 * The accessor ID of a token that is given by its ID, a unique prefix of it, or a unique name.
 *
 * @throws LanyardError not_found; usage: several tokens match.
 */
async function resolveAccessor(scheduler: SchedulerClient, given: string): Promise<string> {
  if (isUuid(given)) return given.toLowerCase();
  if (given === '') throw usage('invalid token "": expected an accessor ID or a name', { hint: listHint });
  const isPrefix = given.length >= shortestPrefix && /^[\da-f-]+$/i.test(given);
  const matches = (await readTokens(scheduler)).filter(
    ({ AccessorID, Name }) => Name === given || (isPrefix && AccessorID.startsWith(given.toLowerCase())),
  );
  const [first] = matches;
  if (first === undefined) throw notFound(`token "${given}" not found`, { hint: listHint });
  if (matches.length === 1) return first.AccessorID;
  throw usage(`${matches.length} tokens match "${given}"`, {
    details: matches.map(({ AccessorID, Name }) => (Name ? `${AccessorID} (${Name})` : AccessorID)),
    hint: 'Give the accessor ID.',
  });
}

/** Reports a missing token as not found, whatever its status. */
export const describeMissingToken = (given: string) =>
  describeAs(isMissingSchedulerToken, 'not_found', `token "${given}" not found`, { hint: listHint });

/** @throws LanyardError not_found; usage: several tokens match. */
export async function findToken(scheduler: SchedulerClient, given: string): Promise<SchedulerToken> {
  const accessor = await resolveAccessor(scheduler, given);
  return (await scheduler.readToken({ accessor }).catch(describeMissingToken(given))).body;
}

/** Reports a role or policy that the written object refers to and that does not exist. */
export function describeMissingLink(error: unknown): never {
  const link = missingAclLinkOf(error);
  if (!link || !(error instanceof LanyardError)) throw error;
  const nouns = link.kind === 'role' ? 'roles' : 'policies';
  throw notFound(`${link.kind} "${link.name}" not found; nothing was written`, {
    ...error,
    hint: `Run \`lanyard scheduler acl ${link.kind} list\` for the existing ${nouns}.`,
  });
}

/** Explains the lost response of a write that creates a token. */
export const describeLostToken = hintFor(
  ({ kind }) => kind === 'unknown',
  'Run `lanyard scheduler acl token list` to see whether the token was created, and delete it: its secret was not shown.',
);

/** A token for output, without its secret. */
export const redacted = <Token extends { readonly SecretID?: string | undefined }>(token: Token): Token =>
  token.SecretID ? { ...token, SecretID: '<redacted>' } : token;
