import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { readRequestFields, requireToken } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkName } from '../check-name.ts';
import { forbidden, unprocessable } from '../errors.ts';
import { organizationChange, ownerOf } from '../model/owners.ts';
import { ownerView } from '../views.ts';

/**
 * Creates an organization. The caller is its only member, and may change all of its boxes
 * (docs/protocol/box.md#organizations).
 */
export async function createOrganization(call: Call): Promise<HttpResponse> {
  const fields = await readRequestFields(call, 'organization');
  const unsupported = fields.names.find((each) => each !== 'username' && fields.has(each));
  if (unsupported !== undefined) throw forbidden(`organization.${unsupported} is not supported`);
  const name = checkName('organization.username', fields.required('username'));
  const { storage } = call.registry;
  if (ownerOf(storage, name)) throw unprocessable(`A user or organization ${name} already exists`);
  await storage.write([
    organizationChange(storage, { name, members: { [requireToken(call)]: 'write' } }, timeOf(call)),
  ]);
  return jsonResponse(200, await ownerView(call, { name }));
}
