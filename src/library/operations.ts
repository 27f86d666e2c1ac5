import type { AccountsClient as AccountOperations } from '../api/accounts.ts';
import type { BoxClient as BoxOperations } from '../api/box.ts';
import type { RegistryClient as RegistryOperations } from '../api/registry.ts';
import type { SchedulerClient as SchedulerOperations } from '../api/scheduler.ts';
import type { SecretsClient as SecretsOperations } from '../api/secrets.ts';
import type { RegistryInputs } from './inputs.ts';
import type { MethodName } from './method-names.ts';

/** The operations of a service as methods. An operation without required fields can be called without an argument. */
type Methods<Operations> = {
  readonly [Name in keyof Operations as MethodName<Name>]: Operations[Name] extends (
    input: infer Input,
  ) => infer Response
    ? object extends Input
      ? (input?: Input) => Response
      : (input: Input) => Response
    : never;
};

/** The operations with the given inputs. */
type WithInputs<Operations, Inputs> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (input: never) => infer Response
    ? Name extends keyof Inputs
      ? (input: Inputs[Name]) => Response
      : Operations[Name]
    : never;
};

/** A client of the secrets service (the API of OpenBao and Vault). */
export type SecretsClient = Methods<SecretsOperations>;

/** A client of the service registry (the API of Consul). */
export type RegistryClient = Methods<WithInputs<RegistryOperations, RegistryInputs>>;

/** A client of the box registry (the API of Vagrant Cloud). */
export type BoxClient = Methods<BoxOperations>;

/** A client of the scheduler (the variables and namespaces of Nomad). */
export type SchedulerClient = Methods<SchedulerOperations>;

/** A client of the account service (the API of Boundary). */
export type AccountsClient = Methods<AccountOperations>;
