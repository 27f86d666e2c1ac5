import { createHash } from 'node:crypto';
import { entryOf } from '../config/entries.ts';
import { chainKinds } from '../config/entry.ts';
import type { View } from '../model/tables.ts';

export interface VirtualIps {
  readonly auto: readonly string[];
  readonly manual: readonly string[];
}

/** Kinds of entries for which a service has a virtual IP. */
const addressedKinds = [...chainKinds, 'service-defaults'] as const;

/** The virtual IPs of a service: one if it has config entries (docs/protocol/queries-and-chain.md#discovery-chain). */
export function virtualIpsOf(view: View, service: string): VirtualIps | undefined {
  const hasEntry = addressedKinds.some((kind) => entryOf(view, kind, service) !== undefined);
  return hasEntry ? { auto: [virtualIp(service)], manual: [] } : undefined;
}

/** An address of 240.0.0.0/4, always the same for a name; nothing listens on it. */
function virtualIp(service: string): string {
  const [first = 0, ...rest] = createHash('sha256').update(service).digest().subarray(0, 4);
  return [240 + (first % 15), ...rest].join('.');
}
