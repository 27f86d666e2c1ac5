import { jsonResponse } from '../../core/http/http-service.ts';
import { operations, timeOf } from '../call.ts';
import { checkName } from '../check-name.ts';
import { forbidden, unprocessable } from '../errors.ts';
import { organizationChange, ownerOf } from '../model/owners.ts';
import { bodies, owner as ownerType } from '../objects.ts';
import { ownerView } from '../views.ts';

const operation = operations('Owners');

/** The caller is the only member, and may change all boxes (docs/protocol/box.md#organizations). */
export const createOrganization = operation('createOrganization', 'Create an organization', {
  requiresToken: true,
  body: bodies.organization,
  returns: ownerType,
  errors: [403, 422],
  async handle(call) {
    const { username, ...others } = (await call.body()).organization;
    const unsupported = Object.entries(others).find(([, value]) => value !== null)?.[0];
    if (unsupported !== undefined) throw forbidden(`organization.${unsupported} is not supported`);
    const name = checkName('organization.username', username);
    const { storage } = call.registry;
    if (ownerOf(storage, name)) throw unprocessable(`A user or organization ${name} already exists`);
    await storage.write([
      organizationChange(storage, { name, members: { [call.caller ?? '']: 'write' } }, timeOf(call)),
    ]);
    return jsonResponse(200, await ownerView(call, { name }));
  },
});
