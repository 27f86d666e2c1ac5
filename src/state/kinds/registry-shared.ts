import {
  askedDatacenter,
  type InDatacenter,
  requireAgentIn,
  sharedDatacenter,
} from '../../api/registry-datacenter.ts';
import { getOrCreate } from '../../wire/maps.ts';
import type { Services } from '../kind.ts';

type What = Parameters<typeof sharedDatacenter>[2];

/** Of each run, for every kind: it is asked once. */
const found = new WeakMap<Services, Map<What, Promise<InDatacenter>>>();

/**
 * The datacenter of policies, roles, tokens that are not local, and config entries: the primary one, where they are read
 * and written whatever the datacenter of the settings.
 *
 * @throws LanyardError usage: they are not written for the datacenter of the settings.
 */
export async function sharedIn(services: Services, what: What): Promise<InDatacenter> {
  const known = getOrCreate(found, services, () => new Map<What, Promise<InDatacenter>>());
  return getOrCreate(known, what, () => locate(services, what));
}

const locate = async (services: Services, what: What): Promise<InDatacenter> =>
  sharedDatacenter(await services.registry(), await askedDatacenter(undefined, services), what);

/** Where a token is written: a local one only by an agent in its datacenter. @throws LanyardError usage */
export async function tokenIn(services: Services, isLocal: boolean): Promise<InDatacenter> {
  if (!isLocal) return sharedIn(services, 'tokens');
  await requireAgentIn(await services.registry(), await askedDatacenter(undefined, services), 'local tokens');
  return {};
}
