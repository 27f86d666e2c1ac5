import type { RegistryClient } from '../../../api/registry.ts';
import type { ServiceInstance } from '../../../api/registry-catalog.ts';
import type { KvEntry } from '../../../api/registry-kv.ts';
import type { readParameters } from '../../../command/consistency-flags.ts';
import { isEmptyListError } from '../../../errors.ts';
import { blockingSource } from '../../../watch/blocking-source.ts';
import type { Source } from '../../../watch/watch.ts';
import { checkKey } from './kv.ts';

type Parameters = Partial<ReturnType<typeof readParameters>>;

const consistently = (parameters: Parameters) => ({
  ...parameters,
  stale: undefined,
  consistent: '' as const,
});

/** Watches a key. @throws LanyardError usage: an empty key. */
export function keySource(registry: RegistryClient, key: string, parameters: Parameters): Source<KvEntry> {
  checkKey(key);
  return blockingSource({
    read: (blocking) => registry.readKey({ key, ...parameters, ...blocking }),
    readConsistently: () => registry.readKey({ key, ...consistently(parameters) }),
    value: (body) => body.find(({ Key }) => Key === key),
    isAbsent: isEmptyListError,
  });
}

/** Watches the keys with a prefix. */
export const keysSource = (
  registry: RegistryClient,
  prefix: string,
  parameters: Parameters,
): Source<readonly KvEntry[]> =>
  blockingSource({
    read: (blocking) => registry.readKeys({ prefix, ...parameters, ...blocking }),
    readConsistently: () => registry.readKeys({ prefix, ...consistently(parameters) }),
    value: (body): readonly KvEntry[] | undefined => (body.length === 0 ? undefined : body),
    isAbsent: isEmptyListError,
  });

interface WhichInstances extends Parameters {
  readonly name: string;
  readonly passing?: '' | undefined;
  readonly tag?: string | undefined;
  readonly filter?: string | undefined;
  readonly near?: string | undefined;
}

/**
 * Watches the instances of a service.
 *
 * @param isSelected whether there may be instances that are not selected: an empty list is not an absent service.
 */
export const instancesSource = (
  registry: RegistryClient,
  which: WhichInstances,
  isSelected: boolean,
): Source<readonly ServiceInstance[]> =>
  blockingSource({
    read: (blocking) => registry.readService({ ...which, ...blocking }),
    readConsistently: () => registry.readService({ ...which, ...consistently(which) }),
    value: (body): readonly ServiceInstance[] | undefined =>
      body.length === 0 && !isSelected ? undefined : body,
    isAbsent: () => false,
  });
