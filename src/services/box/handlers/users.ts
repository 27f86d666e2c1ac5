import { jsonResponse } from '../../core/http/http-service.ts';
import { operations } from '../call.ts';
import { notFound } from '../errors.ts';
import { ownerOf } from '../model/owners.ts';
import { owner as ownerType } from '../objects.ts';
import { ownerView } from '../views.ts';

const operation = operations('Owners');

export const getOwner = operation('getOwner', 'Get a user or an organization with its boxes', {
  returns: ownerType,
  errors: [404],
  async handle(call) {
    const owner = ownerOf(call.registry.storage, call.params.username ?? '');
    if (!owner) throw notFound();
    return jsonResponse(200, await ownerView(call, owner));
  },
});
