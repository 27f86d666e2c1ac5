import type { Endpoint } from '../endpoint.ts';

/** How long access may be denied after an election. */
const denialGraceMs = 10_000;

/** The servers of one cluster. The one that responded last is used first, for the rest of the process. */
export class Servers {
  readonly #endpoint: Endpoint;
  readonly #addresses: readonly string[];
  readonly #noted = new Set<string>();
  #index: number;
  #current: Endpoint | undefined;
  #electionMs = Number.NEGATIVE_INFINITY;

  /** @param endpoint if its list does not contain its address, that is the only server. */
  constructor(endpoint: Endpoint) {
    const { address, addresses = [] } = endpoint;
    this.#endpoint = endpoint;
    this.#addresses = addresses.includes(address) ? addresses : [address];
    this.#index = this.#addresses.indexOf(address);
  }

  /** A server said that no server of the cluster serves requests. */
  addElection(): void {
    this.#electionMs = performance.now();
  }

  /** Whether one said so in the last seconds. */
  hadElection(): boolean {
    return performance.now() - this.#electionMs < denialGraceMs;
  }

  /** How many addresses the settings have. */
  get count(): number {
    return this.#addresses.length;
  }

  /** The endpoint with the address of the current server. */
  current(): Endpoint {
    this.#current ??= { ...this.#endpoint, address: this.#addresses[this.#index] ?? this.#endpoint.address };
    return this.#current;
  }

  /**
   * The server to try after one has failed: the current server, if another request has already moved on from the failed
   * one; otherwise the next in the list, which becomes the current server.
   *
   * @param failed address of the server that failed.
   * @param tried addresses that are not tried again.
   * @returns undefined: all servers have been tried.
   */
  next(failed: string, tried: ReadonlySet<string>): Endpoint | undefined {
    const current = this.current();
    if (current.address !== failed && !tried.has(current.address)) return current;
    const start = this.#addresses.indexOf(failed) + 1;
    const others = [...this.#addresses.slice(start), ...this.#addresses];
    return this.#choose((address) => address === others.find((each) => !tried.has(each)));
  }

  /** Whether a note about the servers has not been written yet. */
  isNew(note: string): boolean {
    const { size } = this.#noted;
    return this.#noted.add(note).size > size;
  }

  /** Makes the server with this origin the current one; undefined: none has it. */
  choose(origin: string): Endpoint | undefined {
    return this.#choose((address) => origin !== 'null' && URL.parse(address)?.origin === origin);
  }

  #choose(matches: (address: string) => boolean): Endpoint | undefined {
    const found = this.#addresses.findIndex(matches);
    if (found < 0) return undefined;
    this.#index = found;
    this.#current = undefined;
    return this.current();
  }
}
