import { isDeniedByDefault, isFiltered } from '../../api/filtered-results.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import { LanyardError } from '../../errors.ts';
import type { Services } from '../kind.ts';

type Headers = ServiceResponse<unknown>['headers'];

const saysHeader = (headers: Headers, name: string, value: string): boolean =>
  Object.entries(headers).some(
    ([header, found]) => header.endsWith(`-${name}`) && found?.toLowerCase() === value,
  );

/**
 * The body of a list of the registry that has every object.
 *
 * @param what the objects, for messages: `keys`
 * @throws LanyardError unavailable: the server has no leader, so that the list may be outdated; forbidden: objects that
 * the token cannot read are missing from the list, or there is no token
 */
export async function completeList<Body>(
  services: Services,
  what: string,
  { headers, body }: Pick<ServiceResponse<Body>, 'headers' | 'body'>,
): Promise<Body> {
  if (saysHeader(headers, 'knownleader', 'false'))
    throw new LanyardError('unavailable', `cannot list all ${what}: the server has no cluster leader`, {
      service: 'registry',
      retryable: true,
    });
  // Without a token a server does not report that it omits objects.
  const isAnonymous = async () =>
    isDeniedByDefault(headers) && (await services.settings('registry')).token === undefined;
  if (isFiltered(headers) || (await isAnonymous()))
    throw new LanyardError('forbidden', `cannot list all ${what}: the token cannot read some of them`, {
      service: 'registry',
      hint: 'Use a token that can read all of them.',
    });
  return body;
}
