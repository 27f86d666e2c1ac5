import { randomBytes } from 'node:crypto';
import { generatedPasswordCost } from '../../src/services/core/password.ts';
import {
  type EmbeddedOptions,
  type EmbeddedServices,
  startServices,
} from '../../src/services/start-services.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { observe } from './openapi.ts';
import type { Home } from './run.ts';

export interface TestServices {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly rootToken: string;
  readonly embedded: EmbeddedServices;
  close(): Promise<void>;
}

/** Starts the embedded services on free ports and points a home's runs at them. */
export async function services(at: Home, options: Partial<EmbeddedOptions> = {}): Promise<TestServices> {
  const built = await startServices({
    clock: () => new Date(),
    random: (length) => randomBytes(length),
    version: '0.0.0-test',
    scryptCost: generatedPasswordCost,
    ...options,
  });
  const observed = observe(built.services);
  const addresses = await built.listen({ secrets: 0, registry: 0, box: 0, scheduler: 0, accounts: 0 });
  for (const service of serviceNames) at.env[`LANYARD_${service.toUpperCase()}_ADDR`] = addresses[service];
  if (built.rootToken !== undefined) at.env.LANYARD_SECRETS_TOKEN = built.rootToken;
  return {
    addresses,
    rootToken: built.rootToken ?? '',
    embedded: built,
    async close() {
      await built.close();
      observed.verify();
    },
  };
}

/** Gives a home the tokens of its services, of the registry after the bootstrap of its ACL system. */
export async function setTokens(at: Home, { embedded }: TestServices): Promise<void> {
  at.env.LANYARD_BOX_TOKEN = embedded.boxToken;
  at.env.LANYARD_ACCOUNTS_TOKEN = embedded.accountsToken;
  const { stdout } = await at.run(['acl', 'bootstrap', '-o', 'json']);
  at.env.LANYARD_REGISTRY_TOKEN = JSON.parse(stdout).SecretID;
}

/** Bootstraps the access control of the scheduler, whose kinds only a management token can list. */
export async function setSchedulerToken(at: Home): Promise<void> {
  const { stdout } = await at.run(['scheduler', 'acl', 'bootstrap', '-o', 'json']);
  at.env.LANYARD_SCHEDULER_TOKEN = JSON.parse(stdout).SecretID;
}
