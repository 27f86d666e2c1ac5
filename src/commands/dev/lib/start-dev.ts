import { services, serviceVariables } from '../../../api/services.ts';
import type { Context } from '../../../command/context.ts';
import type { Environment } from '../../../command/host.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { type ServiceName, serviceNames } from '../../../wire/services.ts';
import type { AuditLogFlags } from './audit-flags.ts';
import type { DevConditions } from './condition-flags.ts';
import type { RateLimits } from './rate-limits.ts';

export interface RunningServices {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  /** Of the standby of the secrets service; undefined: none was started. */
  readonly standbyAddress: string | undefined;
  /** The initial tokens; a service without a token requires none, or is not set up. */
  readonly tokens: Tokens;
  readonly unsealKey: string | undefined;
  /** The state of the secrets service when it started. */
  readonly sealState: 'unsealed' | 'sealed' | 'not initialized';
  close(): Promise<void>;
}

type Tokens = Partial<Readonly<Record<ServiceName, string>>>;

export const defaultUsers = { box: 'dev', accounts: 'admin' } as const;

export interface StartOptions {
  readonly ports: Partial<Record<ServiceName, number>>;
  readonly dataDirectory?: string;
  /** The tokens of the last run. */
  readonly tokens?: Tokens;
  /** The password of the initial users, who have none without it. */
  readonly password?: string;
  /** Start a new secrets service that is not initialized. */
  readonly uninitialized?: boolean;
  /** The audit log of the secrets service. */
  readonly auditLog?: AuditLogFlags;
  /** Box registry: logins require a two-factor code, which is printed. */
  readonly twoFactor?: boolean;
  /** Default: unlimited. */
  readonly rateLimits?: RateLimits;
  readonly conditions?: DevConditions;
  /** The datacenters of the service registry, the primary first. */
  readonly datacenters?: readonly [string, ...string[]];
  /** The round-trip times between two datacenters that differ from the default. */
  readonly roundTrips?: readonly {
    readonly between: readonly [string, string];
    readonly milliseconds: number;
  }[];
}

export const freePorts: Readonly<Record<ServiceName, number>> = {
  secrets: 0,
  registry: 0,
  box: 0,
  scheduler: 0,
  accounts: 0,
};

/**
 * Starts the five services on loopback.
 *
 * @throws LanyardError failure: a port in use, a data directory that is in use or damaged; usage: a data directory with
 * files that Lanyard did not create.
 */
export async function startServices(options: StartOptions, ctx: Context): Promise<RunningServices> {
  const { startServices: embedded } = await import('../../../services/start-services.ts');
  try {
    const { ports, tokens, password, twoFactor, ...rest } = options;
    const user = compact({ name: defaultUsers.box, password, phone: twoFactor ? '+15550100' : undefined });
    const built = await embedded({
      ...rest,
      ...compact({ rootToken: tokens?.secrets }),
      managementTokens: compact({ registry: tokens?.registry, scheduler: tokens?.scheduler }),
      box: { owners: { users: [user] }, ...compact({ token: tokens?.box }) },
      accounts: compact({ password, token: tokens?.accounts }),
      clock: ctx.system.clock,
      random: ctx.system.random,
      version: ctx.system.version,
      log: ctx.output.warn,
      print: ctx.output.note,
    });
    try {
      const addresses = await built.listen(ports);
      return {
        addresses,
        standbyAddress: built.conditions.standbyAddress,
        tokens: compact({
          secrets: built.rootToken,
          ...built.managementTokens,
          box: built.boxToken,
          accounts: built.accountsToken,
        }),
        unsealKey: built.unsealKey,
        sealState:
          built.rootToken !== undefined ? 'unsealed' : built.isInitialized ? 'sealed' : 'not initialized',
        close: () => built.close(),
      };
    } catch (error) {
      await built.close();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'EmbeddedError') throw error;
    const { reason } = error as Error & { readonly reason?: unknown };
    throw new LanyardError(reason === 'foreign' ? 'usage' : 'failure', error.message);
  }
}

/** The ports of `0` (free ports for all) and `SERVICE=PORT`. @throws LanyardError usage. */
export function readPorts(texts: readonly string[] | undefined): Partial<Record<ServiceName, number>> {
  const ports: Partial<Record<ServiceName, number>> = {};
  for (const text of texts ?? []) {
    if (text === '0') {
      Object.assign(ports, { ...freePorts, ...ports });
      continue;
    }
    const [name, port = ''] = text.split('=');
    const service = serviceNames.find((each) => each === name);
    if (!service || !/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      throw usage(`invalid --port "${text}": expected 0 (free ports for all) or SERVICE=PORT`);
    ports[service] = Number(port);
  }
  return ports;
}

const settingNames: ReadonlySet<string> = new Set([
  ...Object.values(services).flatMap(({ product, verify = [], unsupported = [] }) => [
    ...Object.values(product).flat(),
    ...verify,
    ...unsupported.flatMap(({ names }) => names),
  ]),
  'LANYARD_PROFILE',
  'CONSUL_HTTP_SSL',
]);

/** Whether a variable configures the connection to a service. */
const isSetting = (name: string): boolean =>
  settingNames.has(name) ||
  serviceNames.some((service) => name.startsWith(`LANYARD_${service.toUpperCase()}_`));

/**
 * The variables of a child process for the services: the variables of Lanyard and of other tools. Variables that refer to
 * other services are removed (undefined).
 *
 * @param env the current environment.
 */
export function childEnvironment({ addresses, tokens }: RunningServices, env: Environment): Environment {
  const variables: Record<string, string | undefined> = {};
  for (const name of Object.keys(env)) if (isSetting(name)) variables[name] = undefined;
  for (const service of serviceNames)
    Object.assign(variables, serviceVariables(service, addresses[service], tokens[service]));
  return variables;
}
