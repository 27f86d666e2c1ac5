import { formatDuration } from '../../../wire/duration.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { type Grants, policies, reservedIdPrefix, roles, type Token, type TokenInput } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { resolveIdentities, resolveLinks } from './grants.ts';

/** Minimum lifetime of a token in seconds. */
const minTtl = 60;

/**
 * The expiration of a new token.
 *
 * @param now milliseconds of the epoch
 * @throws HttpError 500: TTL and time together, a time that has passed or is too near
 */
export function newExpiration(
  { ExpirationTTL: ttl, ExpirationTime }: TokenInput,
  now: number,
): Pick<Token, 'ExpirationTime'> {
  const expiration = ExpirationTime === undefined ? undefined : Date.parse(ExpirationTime);
  if (ttl < 0) throw new HttpError(500, `Token Expiration TTL '${formatDuration(ttl)}' should be > 0`);
  if (ttl > 0 && expiration !== undefined)
    throw new HttpError(500, 'Token Expiration TTL and Expiration Time cannot both be set');
  const time = ttl > 0 ? now + ttl * 1000 : expiration;
  if (time === undefined) return {};
  if (time < now) throw new HttpError(500, 'ExpirationTime cannot be before CreateTime');
  const seconds = (time - now) / 1000;
  if (seconds < minTtl) {
    throw new HttpError(
      500,
      `ExpirationTime cannot be less than ${formatDuration(minTtl)} in the future (was ${formatDuration(seconds)})`,
    );
  }
  if (time > maxTime) throw new HttpError(500, 'ExpirationTime is too far in the future');
  return { ExpirationTime: new Date(time).toISOString() };
}

/** The last millisecond whose year has four digits. */
const maxTime = Date.parse('9999-12-31T23:59:59.999Z');

/** Rejects an ID that a new token cannot have. @throws HttpError 500 */
export function checkTokenId(field: 'AccessorID' | 'SecretID', id: string): void {
  if (id === '') return;
  if (id.startsWith(reservedIdPrefix)) {
    throw new HttpError(
      500,
      `Invalid Token: ${field} - UUIDs with the prefix "${reservedIdPrefix}" are reserved`,
    );
  }
  if (!uuidPattern.test(id)) throw new HttpError(500, `Invalid Token: ${field} - not a valid UUID`);
}

/** Rejects an update of what cannot change. @throws HttpError 500 */
export function checkTokenUpdate(input: TokenInput, existing: Token): void {
  const id = existing.AccessorID;
  if (input.SecretID !== '' && input.SecretID !== existing.SecretID)
    throw new HttpError(500, "Changing a token's SecretID is not permitted");
  if (input.Local !== existing.Local) throw new HttpError(500, `Cannot toggle local mode of ${id}`);
  if (input.AuthMethod !== undefined && input.AuthMethod !== existing.AuthMethod)
    throw new HttpError(500, `Cannot change AuthMethod of ${id}`);
  const { ExpirationTTL, ExpirationTime } = input;
  const hasOther =
    ExpirationTime !== undefined && Date.parse(ExpirationTime) !== Date.parse(existing.ExpirationTime ?? '');
  if (ExpirationTTL !== 0 || hasOther) throw new HttpError(500, `Cannot change expiration time of ${id}`);
}

/** @throws HttpError 500: a grant that does not exist, or that a local token cannot have */
export function tokenGrants(view: View, input: TokenInput, isLocal: boolean): Grants & Pick<Token, 'Roles'> {
  const Roles = resolveLinks(roles, view, input.Roles);
  const Policies = resolveLinks(policies, view, input.Policies);
  const limited = input.ServiceIdentities?.find(({ Datacenters }) => Datacenters);
  if (isLocal && limited) {
    throw new HttpError(
      500,
      `Service identity ${JSON.stringify(limited.ServiceName)} cannot specify a list of datacenters on a local token`,
    );
  }
  return { Policies, ...resolveIdentities(input, 'token'), ...(Roles.length > 0 && { Roles }) };
}
