import { jsonResponse } from '../../core/http/http-service.ts';
import { operation } from '../call.ts';
import { notFound } from '../errors.ts';
import { ownerOf } from '../model/owners.ts';
import { owner as ownerType } from '../objects.ts';
import { ownerView } from '../views.ts';

/** A user or an organization, with the boxes visible to the caller. */
export const getOwner = operation({
  id: 'getOwner',
  tag: 'Owners',
  summary: 'Get a user or an organization with its boxes',
  returns: ownerType,
  errors: [404],
  async handle(call) {
    const owner = ownerOf(call.registry.storage, call.params.username ?? '');
    if (!owner) throw notFound();
    return jsonResponse(200, await ownerView(call, owner));
  },
});
