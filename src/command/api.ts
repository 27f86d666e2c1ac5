import type { AccountsClient } from '../api/accounts.ts';
import type { AnyCall } from '../api/any-call.ts';
import type { BoxClient } from '../api/box.ts';
import type { ServiceResponse } from '../api/http/response.ts';
import type { Transfer } from '../api/images/transfer.ts';
import type { Probe } from '../api/probe.ts';
import type { RegistryClient } from '../api/registry.ts';
import type { SchedulerClient } from '../api/scheduler.ts';
import type { SecretsClient } from '../api/secrets.ts';
import type { Settings } from '../api/settings.ts';
import type { RegistrySnapshots } from '../api/snapshots/registry-snapshots.ts';
import type { Snapshots } from '../api/snapshots/snapshots.ts';
import type { TokenCheck } from '../api/token-check.ts';
import type { ServiceName } from '../wire/services.ts';

/** How a client differs from the usual one. Those with the same object as options are one client. */
export interface ClientOptions {
  /** Instead of the configured token: one to check, store or revoke. */
  readonly token?: string;
  /** Only this signal aborts its calls, not a signal to the process. */
  readonly signal?: AbortSignal;
  /** A signal to the process aborts its calls after these milliseconds: they should complete. */
  readonly graceMs?: number;
  /** 0: no call is retried, for reads that are repeated anyway. */
  readonly retries?: 0;
  /** It is faster for hundreds of calls that may be sent twice: signing, reads. */
  readonly forMany?: true;
}

/** Another profile, or another namespace of the service of the command. Absent: the one of this command line. */
export interface Place {
  readonly profile?: string;
  readonly namespace?: string;
}

/** The services; each client is created on first use. */
export interface Api {
  secrets(options?: ClientOptions): Promise<SecretsClient>;
  registry(options?: ClientOptions): Promise<RegistryClient>;
  box(options?: ClientOptions): Promise<BoxClient>;
  accounts(options?: ClientOptions): Promise<AccountsClient>;
  scheduler(options?: ClientOptions): Promise<SchedulerClient>;
  /** Upload and download of images. */
  transfer(service: ServiceName, options?: Pick<ClientOptions, 'graceMs'>): Promise<Transfer>;
  /** Snapshots of the complete state of a service. */
  snapshots(service: 'secrets'): Promise<Snapshots>;
  /** Snapshots of a datacenter of the registry. */
  registrySnapshots(): Promise<RegistrySnapshots>;
  /** The ID in the configured token of the account service; undefined: no token, or a token without an ID. */
  accountsTokenId(): Promise<string | undefined>;
  call(service: ServiceName, call: AnyCall): Promise<ServiceResponse<unknown>>;
  /** Checks whether a service accepts a token; a rejected token is a result, not an error. */
  checkToken(service: ServiceName, token: string): Promise<TokenCheck>;
  /** State, product and version of a service, and its token; a problem is a result, not an error. */
  probe(service: ServiceName): Promise<Probe>;
  /** The effective settings of a service, with the source of each. */
  settings(service: ServiceName): Promise<Settings>;
  /**
   * The services as seen from another profile or namespace: the other end of a copy. Of a profile only its settings count,
   * as variables of the shell apply to both ends.
   */
  elsewhere(place: Place): Promise<Api>;
  /** The settings from the environment and the token files of the products alone; undefined: no address. */
  environment(service: ServiceName): Promise<Settings | undefined>;
}
