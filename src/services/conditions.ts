import { getOrCreate } from '../wire/maps.ts';
import type { ServiceName } from '../wire/services.ts';
import { createHttpServer, type HttpServer } from './core/http/http-server.ts';
import type { HttpService } from './core/http/http-service.ts';
import { Interruption } from './core/http/interruption.ts';
import { type Lag, Replica } from './core/store/replica.ts';
import type { SecretsParts, SecretsService } from './secrets/service.ts';
import { type SecretsStandby, secretsStandby } from './secrets/standby.ts';

/** The statuses of a service that serves no requests, with the text of the product: no leader, a restart. */
const interruptionMessages = {
  secrets: {
    500: 'local node not active but active cluster node not found',
    503: 'no active Vault instance found',
  },
  registry: { 403: 'Permission denied', 500: 'No cluster leader', 503: 'Service Unavailable' },
  box: { 503: 'the service is in maintenance' },
  scheduler: { 403: 'Permission denied', 500: 'No cluster leader', 503: 'Service Unavailable' },
  accounts: { 500: 'Internal server error.', 503: 'Service Unavailable' },
} as const satisfies Readonly<Record<ServiceName, Readonly<Record<number, string>>>>;

/** A time in which a service responds to each request with one status. */
export interface InterruptionTime {
  /** A status of `interruptionMessages`. */
  readonly status: number;
  /** Milliseconds. */
  readonly ms?: number | undefined;
  /** Number of requests. */
  readonly requests?: number | undefined;
}

/** Conditions of real clusters that the services are put into. */
export interface ConditionOptions {
  /** A standby of the secrets service, at an address of its own, whose reads are behind. */
  readonly standby?: Lag;
  /** What services respond after their start. */
  readonly afterStart?: Readonly<Partial<Record<ServiceName, InterruptionTime>>>;
}

/** The conditions of the running services. */
export class Conditions {
  readonly #options: ConditionOptions;
  readonly #clock: () => Date;
  readonly #interruptions = new Map<HttpService['name'], Interruption>();
  #replica: Replica | undefined;
  #standby: SecretsStandby | undefined;
  #host: HttpServer | undefined;
  #leaderAddress = '';
  #standbyAddress: string | undefined;

  constructor(options: ConditionOptions, clock: () => Date) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The address of the standby; undefined: none was started. */
  get standbyAddress(): string | undefined {
    return this.#standbyAddress;
  }

  /** The next read of the standby sees all changes until now. */
  catchUp(): void {
    this.#standby?.catchUp();
  }

  /** A service stops serving requests: it has no leader, or restores its state. */
  interrupt(service: ServiceName, time: InterruptionTime): void {
    const messages: Readonly<Record<number, string>> = interruptionMessages[service];
    this.#interruption(service).start({ message: messages[time.status] ?? '', ...time });
  }

  /** Ends an interruption. */
  resume(service: ServiceName): void {
    this.#interruption(service).stop();
  }

  /** The parts of the secrets service, whose writes the standby receives. */
  secretsParts(parts: SecretsParts): SecretsParts {
    const { standby } = this.#options;
    if (!standby) return parts;
    this.#replica = new Replica(parts.storage, standby, parts.clock);
    return { ...parts, storage: this.#replica.source, cluster: this.#role(false) };
  }

  /** @param unsealKey undefined: the service is sealed, and a standby could not read its state. */
  openStandby(active: SecretsService, parts: SecretsParts, unsealKey: string | undefined): void {
    if (!this.#replica || unsealKey === undefined) return;
    this.#replica.catchUp();
    this.#standby = secretsStandby(
      this.wrap<HttpService>(active),
      this.#replica,
      Buffer.from(unsealKey, 'hex'),
      {
        ...parts,
        cluster: this.#role(true),
      },
    );
  }

  /** The service with its interruptions. */
  wrap<Service extends HttpService>(service: Service): Service {
    return this.#interruption(service.name).wrap(service);
  }

  /** The services listen at these addresses. */
  async begin(
    addresses: Readonly<Partial<Record<ServiceName, string>>>,
    options: { readonly version: string; readonly log: (line: string) => void },
  ): Promise<void> {
    for (const [service, time] of Object.entries(this.#options.afterStart ?? {}))
      this.interrupt(service as ServiceName, time);
    if (!this.#standby || addresses.secrets === undefined) return;
    this.#leaderAddress = addresses.secrets;
    this.#host = createHttpServer(this.#standby, options);
    this.#standbyAddress = `http://127.0.0.1:${await this.#host.listen(0)}`;
  }

  async close(): Promise<void> {
    await this.#host?.close();
    await this.#standby?.stop();
  }

  #role(isStandby: boolean) {
    return { isStandby, leaderAddress: () => this.#leaderAddress };
  }

  #interruption(service: HttpService['name']): Interruption {
    return getOrCreate(this.#interruptions, service, () => new Interruption(this.#clock));
  }
}
