import type { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { isGoneToken } from './conditions/accounts.ts';
import { isAccessControlOff } from './conditions/any.ts';
import { isUnidentifiedCaller } from './conditions/registry.ts';
import {
  isExpiredToken,
  isMalformedToken,
  isTakenForUuid,
  isUnknownSchedulerToken,
  isWithoutStoredToken,
} from './conditions/scheduler.ts';
import { isDeniedByPolicy } from './conditions/secrets.ts';
import { services } from './services.ts';
import { accessControlOff, notAccepted, notChecked, type TokenCheck } from './token-check.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const webToken = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/** What the failed lookup of a token says about the token. */
export function rejectedToken(service: ServiceName, token: string, error: LanyardError): TokenCheck {
  const { title } = services[service];
  if (isAccessControlOff(error)) return accessControlOff;
  if (isExpiredToken(error))
    return { ...notAccepted(`the ${title} says that the token has expired`), token: 'expired' };
  if (service === 'accounts' && isGoneToken(error))
    return notAccepted(`the ${title} does not know the token: it has expired or was deleted`);
  if (service === 'registry' && isUnidentifiedCaller(error))
    return notAccepted(`the ${title} does not know the token`, true);
  if (service === 'scheduler' && isUnknownToScheduler(token, error))
    return notAccepted(`the ${title} does not accept the token (${error.status})`, true);
  if (service === 'scheduler' && isTakenForUuid(error) && webToken.test(token))
    return notChecked(`the ${title} cannot look up workload tokens (${error.status})`);
  if (service === 'scheduler' && isMalformedToken(error))
    return notAccepted('the token is neither a UUID nor a JSON web token');
  // A rate limit, a policy, a route that does not exist: none of them is about the token.
  if (service === 'secrets' && isDeniedByPolicy(error))
    return notChecked('the token is known and has no permission to look itself up');
  if (rejections[service].includes(error.status ?? 0))
    return notAccepted(`the ${title} does not accept the token (${error.status})`);
  // The route does not exist, or is not permitted: the token may be valid for every other call.
  if (error.kind === 'not_found' || error.kind === 'forbidden')
    return notChecked(`the ${title} cannot look up the token (${error.status})`);
  return notChecked(error.message, error.kind);
}

/** The statuses that reject a token, with any text; the scheduler's 403 may also come from a gateway in front of it. */
const rejections: { readonly [S in ServiceName]: readonly number[] } = {
  secrets: [401, 403],
  registry: [401, 403],
  box: [401],
  scheduler: [],
  accounts: [401],
};

// A workload has no stored token either; its token is a JSON web token.
const isUnknownToScheduler = (token: string, error: LanyardError): boolean =>
  isUnknownSchedulerToken(error) || (isWithoutStoredToken(error) && uuid.test(token));
