import { randomBytes } from 'node:crypto';
import { version } from '../../src/cli/version.ts';
import { generatedPasswordCost } from '../../src/services/core/password.ts';
import { startServices } from '../../src/services/start-services.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import type { Target } from './run.ts';

/** The embedded services in this process, with access control on. */
export interface EmbeddedTargets {
  readonly targets: Readonly<Record<ServiceName, Target>>;
  /** Values for the run. */
  readonly values: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the embedded services on free ports, with two datacenters, and bootstraps registry and scheduler. */
export async function embeddedTargets(): Promise<EmbeddedTargets> {
  const boxPassword = randomBytes(12).toString('hex');
  const built = await startServices({
    clock: () => new Date(),
    random: (length) => randomBytes(length),
    version,
    scryptCost: generatedPasswordCost,
    datacenters: ['dc1', 'dc2'],
    box: { owners: { users: [{ name: 'dev', password: boxPassword }] } },
  });
  const addresses = await built.listen({ secrets: 0, registry: 0, box: 0, scheduler: 0, accounts: 0 });
  const tokens: Readonly<Record<ServiceName, string>> = {
    secrets: built.rootToken ?? '',
    registry: await bootstrap(addresses.registry),
    box: built.boxToken,
    scheduler: await bootstrap(addresses.scheduler),
    accounts: built.accountsToken,
  };
  const target = (service: ServiceName): [ServiceName, Target] => [
    service,
    { address: addresses[service], token: tokens[service], product: 'lanyard' },
  ];
  return {
    targets: Object.fromEntries(serviceNames.map(target)) as Record<ServiceName, Target>,
    values: { owner: 'dev', boxPassword },
    close: () => built.close(),
  };
}

async function bootstrap(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/acl/bootstrap`, { method: 'PUT' });
  const { SecretID } = (await response.json()) as { SecretID: string };
  return SecretID;
}
