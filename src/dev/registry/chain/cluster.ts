import { uuid } from '../../uuid.ts';
import type { Draft, View } from '../state/draft.ts';

const key = 'id';

/** What the names of targets end in: made once, then kept (docs/protocol/queries-and-chain.md#discovery-chain). */
export function trustDomainOf(view: View): string | undefined {
  const id = view.get('cluster', key)?.ID;
  return typeof id === 'string' ? `${id}.consul` : undefined;
}

/** Gives the cluster its ID, if it has none. */
export function nameCluster(draft: Draft): void {
  if (trustDomainOf(draft) === undefined) draft.put('cluster', key, { ID: uuid(draft.random) });
}
