import type { RegistryClient } from '../../../api/registry.ts';
import type { AclToken } from '../../../api/registry-acl.ts';
import { type InDatacenter, requireAgentIn, sharedDatacenter } from '../../../api/registry-datacenter.ts';
import { arg } from '../../../command/command.ts';
import { hintFor, notFound, unlessNotFound, usage } from '../../../errors.ts';
import { describeMissing, isUuid } from './find.ts';

export const tokenArg = arg.text('TOKEN', 'accessor ID or unique prefix, or "anonymous"', {
  completes: 'acl-token',
});

/** Explains the lost response of a write that creates a token. */
export const describeLostToken = hintFor(
  ({ kind }) => kind === 'unknown',
  'Run `lanyard acl token list` to see whether the token was created, and delete it: its secret is lost.',
);

const anonymousId = '00000000-0000-0000-0000-000000000002';
const shortestPrefix = 4;

/**
 * The accessor ID of a token that is given by its ID, a unique prefix of it, or `anonymous`.
 *
 * @throws LanyardError not_found; usage: several tokens begin so
 */
export async function resolveAccessor(
  registry: RegistryClient,
  given: string,
  where: object,
): Promise<string> {
  if (isUuid(given)) return given.toLowerCase();
  if (given === 'anonymous') return anonymousId;
  const ids = ((await registry.listTokens(where)).body ?? []).map(({ AccessorID }) => AccessorID);
  return onlyMatch(given, ids, 'token');
}

/** The only ID that begins so. @throws LanyardError not_found; usage: several do, or too few characters */
export function onlyMatch(given: string, ids: readonly string[], noun: 'token' | 'binding-rule'): string {
  const what = noun.replace('-', ' ');
  const hint = `Run \`lanyard acl ${noun} list\` for the existing ${what}s.`;
  const isPrefix = given.length >= shortestPrefix && /^[\da-f-]+$/i.test(given);
  if (!isPrefix && !ids.includes(given))
    throw usage(
      `invalid ${what} "${given}": expected ${noun === 'token' ? 'an accessor ID' : 'an ID'}, or at least ${shortestPrefix} characters of it`,
      { hint },
    );
  const matches = ids.filter((id) => id.startsWith(given.toLowerCase()));
  const [first] = matches;
  if (first === undefined) throw notFound(`${what} "${given}" not found`, { hint });
  if (matches.length > 1)
    throw usage(`${matches.length} ${what}s begin with "${given}"`, {
      details: matches,
      hint: 'Give more characters of the ID.',
    });
  return first;
}

/** @throws LanyardError not_found */
async function findToken(registry: RegistryClient, given: string, where: object): Promise<AclToken> {
  const id = await resolveAccessor(registry, given, where);
  const reading = registry.readToken({ id, ...where });
  return (await reading.catch(describeMissing('token', given))).body;
}

/**
 * A token that is about to be written, and where it is: a local one in the datacenter that was asked for, any other in
 * the primary one.
 *
 * @throws LanyardError not_found; usage: the agent writes tokens in another datacenter.
 */
export async function findTokenToWrite(
  registry: RegistryClient,
  given: string,
  asked: string | undefined,
): Promise<{ readonly token: AclToken; readonly where: InDatacenter }> {
  if (!asked) return { token: await findToken(registry, given, {}), where: {} };
  const here = { dc: asked };
  const id = await resolveAccessor(registry, given, here);
  const found = await unlessNotFound(
    registry.readToken({ id, ...here }).catch(describeMissing('token', given)),
  );
  if (found?.Local) {
    await requireAgentIn(registry, asked, 'local tokens');
    return { token: found, where: here };
  }
  const where = await sharedDatacenter(registry, asked, 'tokens');
  return { token: await findToken(registry, id, where), where };
}

/** A token for output, without its secret; a secret that the service hid is unchanged. */
export const redacted = <Token extends Pick<AclToken, 'SecretID'>>(token: Token): Token => ({
  ...token,
  SecretID: /^(<.*>|anonymous)$/.test(token.SecretID) ? token.SecretID : '<redacted>',
});
