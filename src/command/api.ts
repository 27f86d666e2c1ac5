import type { AccountsClient } from '../api/accounts.ts';
import type { AnyCall } from '../api/any-call.ts';
import type { BoxClient } from '../api/box.ts';
import type { ServiceResponse } from '../api/http/response.ts';
import type { TokenCheck } from '../api/identity.ts';
import type { Transfer } from '../api/image-transfer.ts';
import type { Probe } from '../api/probe.ts';
import type { RegistryClient } from '../api/registry.ts';
import type { SchedulerClient } from '../api/scheduler.ts';
import type { SecretsClient } from '../api/secrets.ts';
import type { Settings } from '../api/settings.ts';
import type { ServiceName } from '../wire/services.ts';

/** The services; each client is created on first use. */
export interface Api {
  secrets(): Promise<SecretsClient>;
  /** A client with this token instead of the configured one: a token to check, store or revoke. */
  secretsWith(token: string): Promise<SecretsClient>;
  /** A client for calls that must complete: a signal aborts them only after three more seconds. */
  secretsWithGracePeriod(): Promise<SecretsClient>;
  /** The same client, faster for hundreds of calls that may be sent twice: signing, reads. */
  secretsForMany(): Promise<SecretsClient>;
  registry(): Promise<RegistryClient>;
  registryWith(token: string): Promise<RegistryClient>;
  /** A client whose calls only this signal aborts: those that must complete after a signal to the process. */
  registryUntil(end: AbortSignal): Promise<RegistryClient>;
  box(): Promise<BoxClient>;
  accounts(): Promise<AccountsClient>;
  accountsWith(token: string): Promise<AccountsClient>;
  /** The ID in the configured token of the account service; undefined: no token, or a token without an ID. */
  accountsTokenId(): Promise<string | undefined>;
  scheduler(): Promise<SchedulerClient>;
  /** As `registryUntil`. */
  schedulerUntil(end: AbortSignal): Promise<SchedulerClient>;
  /** The same services for a series of writes: after a signal, the running call has ten more seconds. */
  lasting(): Promise<
    Pick<Api, 'secrets' | 'registry' | 'scheduler' | 'box' | 'accounts' | 'settings' | 'transfer'>
  >;
  /** Clients for reads that are repeated anyway: no call is retried, and only this signal aborts them. */
  withoutRetries(end: AbortSignal): Promise<Pick<Api, 'secrets' | 'registry' | 'scheduler'>>;
  /** Upload and download of images. */
  transfer(service: ServiceName): Promise<Transfer>;
  call(service: ServiceName, call: AnyCall): Promise<ServiceResponse<unknown>>;
  /** Checks whether a service accepts a token; a rejected token is a result, not an error. */
  checkToken(service: ServiceName, token: string): Promise<TokenCheck>;
  /** State, product and version of a service, and its token; a problem is a result, not an error. */
  probe(service: ServiceName): Promise<Probe>;
  /** The effective settings of a service, with the source of each. */
  settings(service: ServiceName): Promise<Settings>;
  /** The settings from the environment and the token files of the products alone; undefined: no address. */
  environment(service: ServiceName): Promise<Settings | undefined>;
}
