import { mayOmitObjects, saysHeader } from '../../api/filtered-results.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import { LanyardError } from '../../errors.ts';
import type { Identity, Services } from '../kind.ts';

/**
 * The objects of a list of the registry that has every object.
 *
 * @param what the objects, for messages: `keys`
 * @throws LanyardError unavailable: the server has no leader, so that the list may be outdated; forbidden: objects that
 * the token cannot read are missing from the list, or there is no token
 */
export async function completeList<Item>(
  services: Services,
  what: string,
  { headers, body }: Pick<ServiceResponse<readonly Item[] | null>, 'headers' | 'body'>,
): Promise<readonly Item[]> {
  if (saysHeader(headers, 'knownleader', 'false'))
    throw new LanyardError('unavailable', `cannot list all ${what}: the server has no cluster leader`, {
      service: 'registry',
      retryable: true,
    });
  if (await mayOmitObjects(headers, services))
    throw new LanyardError('forbidden', `cannot list all ${what}: the token cannot read some of them`, {
      service: 'registry',
      hint: 'Use a token that can read all of them.',
    });
  return body ?? [];
}

/** The identities of objects whose names the registry compares without case. */
export const namesOf = (objects: readonly { readonly Name: string }[]): readonly Identity[] =>
  objects.map(({ Name }) => ({ scope: {}, key: Name.toLowerCase() }));
