import { formatDuration } from '../../wire/duration.ts';
import { HttpError } from '../core/http/http-service.ts';
import type { Input } from '../core/schema/types.ts';
import { errorList, problems } from './errors.ts';
import type { Token, tokenInput } from './model/acl.ts';

const maxNameLength = 256;

/** Seconds. */
const minExpirationSeconds = 60;
const maxExpirationSeconds = 24 * 3600;

/** The fields of a token that clients set. */
export type TokenInput = Pick<
  Token,
  'Name' | 'Type' | 'Policies' | 'Global' | 'ExpirationTTL' | 'ExpirationTime'
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

/** The token of a body. @throws HttpError 400 */
export function tokenRequest(body: Input<typeof tokenInput>): TokenRequest {
  const { Name, Type, Global, ExpirationTTL, ExpirationTime } = body;
  const Policies = [...new Set(body.Policies)];
  rejectToken([
    Boolean(body.Roles?.length) && 'roles are not supported',
    Name.length > maxNameLength && 'token name too long',
    Type === 'client' && Policies.length === 0 && 'client token missing policies or roles',
    Type === 'management' &&
      Policies.length > 0 &&
      'management token cannot be associated with policies or roles',
  ]);
  rejectToken([!['client', 'management'].includes(Type) && 'token type must be client or management']);
  return {
    accessor: body.AccessorID,
    secret: body.SecretID,
    input: {
      Name,
      Type,
      Policies,
      Global,
      ...(ExpirationTTL > 0 && { ExpirationTTL }),
      ...(ExpirationTime !== '' && { ExpirationTime }),
    },
  };
}
