import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { ownerOf } from '../model/owners.ts';
import { ownerView } from '../views.ts';

/** A user or an organization, with the boxes visible to the caller. */
export async function getOwner(call: Call): Promise<HttpResponse> {
  const owner = ownerOf(call.registry.storage, call.params.username ?? '');
  if (!owner) throw notFound();
  return jsonResponse(200, await ownerView(call, owner));
}
