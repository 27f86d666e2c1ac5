import { lazyClient } from './lazy-client.ts';
import type {
  AccountsClient,
  BoxClient,
  RegistryClient,
  SchedulerClient,
  SecretsClient,
} from './operations.ts';
import type { ClientOptions, EmbeddedServices, Started, StartedServices, StartOptions } from './types.ts';

// The public entry of the package: the only file that passes on what others export (ADR 24).
export { LanyardError } from '../errors.ts';
export { formatJson } from '../wire/json.ts';
export type * from './bodies.ts';
export type * from './operations.ts';
export type * from './types.ts';

/** Creates a client of the secrets service (OpenBao, Vault). Nothing is read or sent before its first call. */
export function secrets(options?: ClientOptions): SecretsClient {
  return lazyClient('secrets', options ?? {});
}

/** Creates a client of the service registry (Consul). Nothing is read or sent before its first call. */
export function registry(options?: ClientOptions): RegistryClient {
  return lazyClient('registry', options ?? {});
}

/** Creates a client of the box registry (Vagrant Cloud). Nothing is read or sent before its first call. */
export function box(options?: ClientOptions): BoxClient {
  return lazyClient('box', options ?? {});
}

/** Creates a client of the scheduler (Nomad). Nothing is read or sent before its first call. */
export function scheduler(options?: ClientOptions): SchedulerClient {
  return lazyClient('scheduler', options ?? {});
}

/** Creates a client of the account service (Boundary). Nothing is read or sent before its first call. */
export function accounts(options?: ClientOptions): AccountsClient {
  return lazyClient('accounts', options ?? {});
}

/**
 * Starts all five embedded services on 127.0.0.1, in memory and on free ports, for tests of programs that use them.
 * Several sets may run in one process.
 */
export function startServices(): Promise<EmbeddedServices>;
/**
 * Starts embedded services on 127.0.0.1.
 *
 * @param options the services to start; if it names none, all five.
 * @throws LanyardError failure: a port is in use, or the data directory is in use, damaged or accessible to others;
 * usage: a data directory with files that Lanyard did not create, or invalid options.
 */
export function startServices<const Options extends StartOptions>(
  options: Options,
): Promise<Started<Options> & StartedServices>;
export async function startServices(options: StartOptions = {}): Promise<unknown> {
  const { start } = await import('./start.ts');
  return start(options);
}
