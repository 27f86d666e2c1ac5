import { type Answer, jsonAnswer } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusals.ts';
import { ownerOf } from '../state/owners.ts';
import { ownerView } from '../views.ts';

/** A user or an organisation, with the boxes that the caller may see. */
export function getOwner(call: Call): Answer {
  const owner = ownerOf(call.registry.storage, call.params.username ?? '');
  if (!owner) throw notFound();
  return jsonAnswer(200, ownerView(call, owner));
}
