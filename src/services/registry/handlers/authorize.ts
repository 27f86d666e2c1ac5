import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Permissions, Resource, Right } from '../acl/permissions.ts';
import { writeResponse } from '../blocking-query.ts';
import { operations } from '../call.ts';

const operation = operations('ACL');

const maxRequests = 64;

/** Resources that can be asked about, also intentions, which the registry does not have. */
const resources: readonly Resource[] = [
  ...(['acl', 'agent', 'event', 'intention', 'key', 'keyring', 'mesh'] as const),
  ...(['node', 'operator', 'peering', 'query', 'service', 'session'] as const),
];

const request = s.named(
  'AuthorizationRequest',
  s.object({
    Resource: s.required(s.string('Such as `key` or `service`.')),
    Segment: s.string('Name, for resources with names.'),
    Access: s.required(s.string('`read`, `list`, `write` or `write-prefix`.')),
  }),
);
type Request = s.Input<typeof request>;

const authorization = s.named(
  'Authorization',
  s.object({
    Resource: s.string(),
    Segment: s.omitEmpty(s.string()),
    Access: s.string(),
    Allow: s.boolean(),
  }),
);

/** Whether the caller may do each of the things in the body (docs/protocol/registry.md#access-control). */
export const authorize = operation('authorize', 'Report what the caller may do', {
  body: s.nullable(s.list(request)),
  bodyError: 'Failed to decode request body',
  returns: s.list(authorization),
  async handle(call) {
    const requests = (await call.body()) ?? [];
    if (requests.length > maxRequests)
      throw new HttpError(400, `Refusing to process more than ${maxRequests} authorizations at once`);
    return writeResponse(
      call,
      requests.map((each) => ({ ...each, Allow: isAllowed(call.permissions, each) })),
    );
  },
});

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
