import { isObject } from '../../../wire/objects.ts';
import { type EntrySource, globalName, type ProxyDefaults } from '../config/entry.ts';
import { ChainError } from './chain.ts';

const routingProtocols: readonly unknown[] = ['http', 'http2', 'grpc'];

export const permitsRouting = (protocol: string | undefined): boolean => routingProtocols.includes(protocol);

/**
 * The protocol of a service: from service-defaults, else proxy-defaults, else `tcp`
 * (docs/protocol/queries-and-chain.md#chain-compilation, step 1).
 */
function protocolOf(service: string, entries: EntrySource): string {
  const defaults = entries.entry('service-defaults', service);
  const protocol = defaults ? defaults.Protocol : proxyProtocol(entries.entry('proxy-defaults', globalName));
  return typeof protocol === 'string' && protocol !== '' ? protocol.toLowerCase() : 'tcp';
}

/** `protocol` of the opaque settings; the name is case-insensitive. */
function proxyProtocol({ Config }: Pick<ProxyDefaults, 'Config'> = {}): unknown {
  if (!isObject(Config)) return undefined;
  const names = Object.keys(Config).filter((name) => name.toLowerCase() === 'protocol');
  const name = names.includes('protocol') ? 'protocol' : names[0];
  return name === undefined ? undefined : Config[name];
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
