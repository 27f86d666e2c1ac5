import type { Json } from '../../../wire/json.ts';
import { decodeBody, FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import type { Permissions, Resource, Right } from '../acl/permissions.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';

const maxRequests = 64;

/** Resources that can be asked about, also intentions, which the registry does not have. */
const resources: readonly Resource[] = [
  ...(['acl', 'agent', 'event', 'intention', 'key', 'keyring', 'mesh'] as const),
  ...(['node', 'operator', 'peering', 'query', 'service', 'session'] as const),
];

interface Request {
  readonly Resource: string;
  readonly Segment: string;
  readonly Access: string;
}

/** Whether the caller may do each of the things in the body (docs/protocol/registry.md#access-control). */
export async function authorize(call: Call): Promise<HttpResponse> {
  const requests = await decodeBody(call.request, 'Failed to decode request body', readRequests);
  if (requests.length > maxRequests)
    throw new HttpError(400, `Refusing to process more than ${maxRequests} authorizations at once`);
  const responses = requests.map(({ Resource: resource, Segment, Access }) => ({
    Resource: resource,
    ...(Segment !== '' && { Segment }),
    Access,
    Allow: isAllowed(call.permissions, { Resource: resource, Segment, Access }),
  }));
  return writeResponse(call, responses);
}

function readRequests(body: Json | undefined): readonly Request[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new FieldError('the body must be an array');
  return body.map((item) => new Fields(item, 'a request').texts('Resource', 'Segment', 'Access'));
}

/** @throws HttpError 400 */
function isAllowed(permissions: Permissions, { Resource: name, Segment, Access }: Request): boolean {
  const resource = resources.find((each) => each === name);
  if (!resource) throw new HttpError(400, `Invalid ACL resource requested: ${JSON.stringify(name)}`);
  const access = Access.toLowerCase();
  if (resource === 'key' && access === 'write-prefix') return permissions.canWritePrefix(Segment);
  const rights: readonly Right[] = resource === 'key' ? ['read', 'list', 'write'] : ['read', 'write'];
  const right = rights.find((each) => each === access);
  if (!right) throw new HttpError(400, `Invalid access level for ${resource} resource: ${Access}`);
  return permissions.allows(`${resource}:${right}`, resourcesWithName.includes(resource) ? Segment : '');
}

const resourcesWithName: readonly Resource[] = [
  ...(['agent', 'event', 'intention', 'key', 'node', 'query', 'service', 'session'] as const),
];
