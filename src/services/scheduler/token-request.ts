import { formatDuration } from '../../wire/duration.ts';
import { HttpError } from '../core/http/http-service.ts';
import type { Input } from '../core/schema/types.ts';
import { errorList, problems } from './errors.ts';
import { roleByName, roles, type Token, type tokenInput } from './model/acl.ts';
import type { View } from './model/tables.ts';

const maxNameLength = 256;

/** Seconds. */
const minExpirationSeconds = 60;
const maxExpirationSeconds = 24 * 3600;

/** The fields of a token that clients set. */
export type TokenInput = Pick<
  Token,
  'Name' | 'Type' | 'Policies' | 'Roles' | 'Global' | 'ExpirationTTL' | 'ExpirationTime'
>;

/** A token in a request; IDs are empty if missing. */
export interface TokenRequest {
  readonly accessor: string;
  readonly secret: string;
  readonly input: TokenInput;
}

/** Rejects a token that has problems. @throws HttpError 400 */
export function rejectToken(found: readonly (string | false)[]): void {
  const messages = problems(found);
  if (messages.length > 0) throw new HttpError(400, `token 0 invalid: ${errorList(messages)}`);
}

/** A new token, with the time at which it expires. @throws HttpError 400: too soon or too late */
export function expiring(input: TokenInput, now: number): TokenInput {
  const { ExpirationTTL: ttl, ExpirationTime: time } = input;
  if (ttl === undefined && time === undefined) return input;
  const expiresAt = time === undefined ? now + (ttl ?? 0) * 1000 : Date.parse(time);
  const seconds = (expiresAt - now) / 1000;
  const was = `in the future (was ${formatDuration(seconds)})`;
  rejectToken([
    seconds < 0 && 'expiration time cannot be before create time',
    seconds > maxExpirationSeconds &&
      `expiration time cannot be more than ${formatDuration(maxExpirationSeconds)} ${was}`,
    seconds < minExpirationSeconds &&
      `expiration time cannot be less than ${formatDuration(minExpirationSeconds)} ${was}`,
  ]);
  return { ...input, ExpirationTime: new Date(expiresAt).toISOString() };
}

/** The token of a body; its roles are resolved. @throws HttpError 400 */
export function tokenRequest(view: View, body: Input<typeof tokenInput>): TokenRequest {
  const { Name, Type, Global, ExpirationTTL, ExpirationTime } = body;
  const Policies = [...new Set(body.Policies)];
  const links = body.Roles ?? [];
  rejectToken([
    Name.length > maxNameLength && 'token name too long',
    Type === 'client' && Policies.length + links.length === 0 && 'client token missing policies or roles',
    Type === 'management' &&
      Policies.length + links.length > 0 &&
      'management token cannot be associated with policies or roles',
  ]);
  rejectToken([!['client', 'management'].includes(Type) && 'token type must be client or management']);
  const Roles = roleIds(view, links);
  return {
    accessor: body.AccessorID,
    secret: body.SecretID,
    input: {
      Name,
      Type,
      Policies,
      ...(Roles.length > 0 && { Roles }),
      Global,
      ...(ExpirationTTL > 0 && { ExpirationTTL }),
      ...(ExpirationTime !== '' && { ExpirationTime }),
    },
  };
}

/** The IDs of roles that are given by ID or name. @throws HttpError 400: a role does not exist */
function roleIds(view: View, links: readonly { readonly ID: string; readonly Name: string }[]): string[] {
  const ids = links.map(({ ID, Name }) => {
    const found = ID === '' ? roleByName(view, Name) : roles.get(view, ID);
    if (!found) throw new HttpError(400, `cannot find role ${ID || Name}`);
    return found.ID;
  });
  return [...new Set(ids)];
}
