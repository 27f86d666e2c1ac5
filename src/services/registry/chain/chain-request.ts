import type { VirtualIps } from './virtual-ips.ts';

/** What replaces the settings of the entries. */
export interface Overrides {
  /** Nanoseconds; 0: default. */
  readonly connectTimeout?: number;
  readonly protocol?: string;
  readonly meshGateway?: string;
}

/** Which chain is compiled. */
export interface ChainRequest {
  readonly service: string;
  readonly namespace: string;
  readonly datacenter: string;
  /** `<cluster uuid>.consul`: the suffix of target names. */
  readonly trustDomain: string;
  readonly overrides?: Overrides;
  /** Absent: the service has none. */
  readonly virtualIps?: VirtualIps;
}
