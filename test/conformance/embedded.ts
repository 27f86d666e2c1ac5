import { randomBytes } from 'node:crypto';
import { version } from '../../src/cli/version.ts';
import { generatedPasswordCost } from '../../src/services/core/password.ts';
import {
  type EmbeddedOptions,
  type EmbeddedServices,
  startServices,
} from '../../src/services/start-services.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { observe } from '../support/openapi.ts';
import type { Target } from './run.ts';

/** The embedded services in this process, with access control on. */
export interface EmbeddedTargets {
  readonly targets: Readonly<Record<ServiceName, Target>>;
  /** Values for the run. */
  readonly values: Readonly<Record<string, string>>;
  /** The operations of the OpenAPI documents that succeeded so far. */
  readonly succeeded: ReadonlySet<string>;
  readonly embedded: EmbeddedServices;
  close(): Promise<void>;
}

/** Starts the embedded services on free ports, with two datacenters, and bootstraps registry and scheduler. */
export async function embeddedTargets(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedTargets> {
  return started({ datacenters: ['dc1', 'dc2'], ...options }, async (addresses) => ({
    registry: await bootstrap(addresses.registry),
    scheduler: await bootstrap(addresses.scheduler),
  }));
}

/**
 * Starts the embedded services as they are before the first use: nothing is initialized or bootstrapped, and the user
 * of the box registry has a second factor.
 *
 * @param auditLog the path of the audit log
 */
export const unusedTargets = (
  auditLog: string,
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedTargets> =>
  started({ uninitialized: true, auditLog: { path: auditLog }, ...options }, async () => ({}), '+15550100');

type Addresses = Readonly<Record<ServiceName, string>>;
type Tokens = Readonly<Partial<Record<ServiceName, string>>>;

async function started(
  options: Partial<EmbeddedOptions>,
  bootstrapped: (addresses: Addresses) => Promise<Tokens>,
  phone?: string,
): Promise<EmbeddedTargets> {
  const boxPassword = randomBytes(12).toString('hex');
  const user = { name: 'dev', password: boxPassword, ...(phone !== undefined && { phone }) };
  const built = await startServices({
    clock: () => new Date(),
    random: (length) => randomBytes(length),
    version,
    scryptCost: generatedPasswordCost,
    box: { owners: { users: [user] } },
    ...options,
  });
  const observed = observe(built.services);
  const addresses = await built.listen({ secrets: 0, registry: 0, box: 0, scheduler: 0, accounts: 0 });
  const tokens: Tokens = {
    secrets: built.rootToken ?? '',
    box: built.boxToken,
    accounts: built.accountsToken,
    ...(await bootstrapped(addresses)),
  };
  const target = (service: ServiceName): [ServiceName, Target] => [
    service,
    { address: addresses[service], token: tokens[service] ?? '', product: 'lanyard' },
  ];
  return {
    targets: Object.fromEntries(serviceNames.map(target)) as Record<ServiceName, Target>,
    values: { owner: 'dev', boxPassword },
    succeeded: observed.succeeded,
    embedded: built,
    async close() {
      await built.close();
      observed.verify();
    },
  };
}

async function bootstrap(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/acl/bootstrap`, { method: 'PUT' });
  const { SecretID } = (await response.json()) as { SecretID: string };
  return SecretID;
}
