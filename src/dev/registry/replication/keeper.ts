import { Fields } from '../../http/fields.ts';
import type { HttpRequest } from '../../http/service.ts';
import type { Registry } from '../http/call.ts';
import { tokenOf } from '../state/acl.ts';

/** Of which tables a secondary datacenter only has a replica: how the paths begin that write to them. */
const ofPrimary = ['acl/bootstrap/', 'acl/create/', 'acl/policy/', 'acl/role/', 'config/'];

/**
 * Who does a request: the primary datacenter, when it writes to what the others have replicas of; tokens too, unless
 * they are local to the datacenter that is asked.
 *
 * @throws HttpRefusal 403: the token to destroy is not known
 */
export async function keeperOf(asked: Registry, request: HttpRequest): Promise<Registry> {
  const { federation } = asked;
  const primary = federation.registryOf(federation.primary) ?? asked;
  if (asked === primary || request.method === 'GET' || request.method === 'HEAD') return asked;
  const [, ...segments] = request.path.segments;
  const path = `${segments.join('/')}/`;
  if (ofPrimary.some((start) => path.startsWith(start))) return primary;
  if (path === 'acl/logout/') return asked.acl.tokenOf(request).Local ? asked : primary;
  if (!path.startsWith('acl/token/')) return asked;
  const [, , accessor] = segments;
  const local =
    accessor === undefined ? await makesLocalToken(request) : tokenOf(asked.state.view, accessor)?.Local;
  return local ? asked : primary;
}

/** What cannot be read is refused wherever it is. */
async function makesLocalToken(request: HttpRequest): Promise<boolean> {
  try {
    return new Fields((await request.json()) ?? {}).boolean('Local');
  } catch {
    return false;
  }
}
