import { isObject } from '../../core/http/fields.ts';
import { type EntrySource, globalName } from '../config/entry.ts';
import { ChainError } from './chain.ts';

const routingProtocols: readonly unknown[] = ['http', 'http2', 'grpc'];

export const permitsRouting = (protocol: string | undefined): boolean => routingProtocols.includes(protocol);

/**
 * The protocol of a service: from service-defaults, else proxy-defaults, else `tcp`
 * (docs/protocol/queries-and-chain.md#chain-compilation, step 1).
 */
function protocolOf(service: string, entries: EntrySource): string {
  const defaults = entries.entry('service-defaults', service);
  const config = entries.entry('proxy-defaults', globalName)?.Config;
  const proxyProtocol = isObject(config) && Object.hasOwn(config, 'protocol') ? config.protocol : undefined;
  const protocol = defaults ? defaults.Protocol : proxyProtocol;
  return typeof protocol === 'string' && protocol !== '' ? protocol.toLowerCase() : 'tcp';
}

/** Requires one protocol for all services of a chain. */
export class Protocols {
  readonly #chain: string;
  readonly #entries: EntrySource;
  #common: string | undefined;

  constructor(chain: string, entries: EntrySource) {
    this.#chain = chain;
    this.#entries = entries;
  }

  /** The common protocol of the services so far. */
  get common(): string {
    return this.#common ?? 'tcp';
  }

  /** @throws ChainError protocols-differ */
  addService(service: string): void {
    const protocol = protocolOf(service, this.#entries);
    this.#common ??= protocol;
    if (protocol === this.#common) return;
    throw new ChainError(
      'protocols-differ',
      `discovery chain "${this.#chain}" uses inconsistent protocols; service "${service}" has "${protocol}" which is not "${this.#common}"`,
    );
  }
}
