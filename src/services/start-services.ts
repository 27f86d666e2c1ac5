import { join } from 'node:path';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import { newTokenText } from './accounts/model/tokens.ts';
import { type AccountsParts, accountsService } from './accounts/service.ts';
import { ImageStore } from './box/images/image-store.ts';
import { newSecret } from './box/model/tokens.ts';
import type { BoxOwners } from './box/seed.ts';
import { type BoxParts, boxService } from './box/service.ts';
import { type ConditionOptions, Conditions } from './conditions.ts';
import { bufferedRandom } from './core/buffered-random.ts';
import { createHttpServer } from './core/http/http-server.ts';
import type { HttpService, ServiceParts } from './core/http/http-service.ts';
import { eraseClearText } from './core/store/erase-clear-text.ts';
import { MemoryLimit } from './core/store/memory-limit.ts';
import { memoryStore, openStore, type Store } from './core/store/store.ts';
import { keyFile } from './data-directory.ts';
import { openSecrets, type SecretsOptions } from './open-secrets.ts';
import { type RateLimits, withRateLimits } from './rate-limits.ts';
import type { RoundTrip } from './registry/federation.ts';
import { type RegistryService, registryService } from './registry/service.ts';
import { type SchedulerService, schedulerService } from './scheduler/service.ts';
import { type AuditLog, type AuditLogOptions, openAuditLog } from './secrets/audit/audit-log.ts';
import { authMethods, engines as builtIn } from './secrets/engines.ts';
import type { EngineTable } from './secrets/model/mounts.ts';
import { defaultMounts } from './secrets/seed.ts';
import { type SecretsService, secretsService } from './secrets/service.ts';

/** Default ports of the services. */
const defaultPorts: Readonly<Record<ServiceName, number>> = {
  secrets: 8200,
  registry: 8500,
  box: 8090,
  scheduler: 4646,
  accounts: 9200,
};

export interface EmbeddedOptions extends SecretsOptions {
  readonly clock: () => Date;
  /** The scrypt cost of new password hashes, lower in tests. */
  readonly scryptCost?: number;
  /** This program's version, for the `Server` header and for responses that include it. */
  readonly version: string;
  /** The audit log of the secrets service. */
  readonly auditLog?: AuditLogOptions;
  /** The datacenters of the service registry, the primary first; default: `dc1`. */
  readonly datacenters?: readonly [string, ...string[]];
  /** Round-trip times between datacenters, where they differ from the default. */
  readonly roundTrips?: readonly RoundTrip[];
  /** Receives faults of the services, one line each; never contains secrets. */
  readonly log?: (line: string) => void;
  /** Prints a line to the user's terminal: two-factor authentication codes, removed files. */
  readonly print?: (line: string) => void;
  /** Default: unlimited. */
  readonly rateLimits?: RateLimits;
  /** Options of the box registry; default: a user `dev` without a password. */
  readonly box?: BoxOptions;
  /** Options of the account service: the administrator's token and password; default: random. */
  readonly accounts?: AccountsOptions;
  /**
   * Start the registry and the scheduler with a management token each, although access control is not bootstrapped:
   * these tokens of the last start, while they are accepted, else new ones.
   */
  readonly managementTokens?: ManagementTokens;
  /** Instead of a data directory, for tests. */
  readonly store?: Store;
  /** The engines of the secrets service, for tests; each is mounted at its own name. */
  readonly engines?: EngineTable;
  /** Conditions of real clusters, for tests. */
  readonly conditions?: ConditionOptions;
}

/** Management tokens of the services that permit access without a token until the bootstrap. */
export type ManagementTokens = { readonly [S in 'registry' | 'scheduler']?: string };

/** Options of the box registry; without `token`, one is generated. */
export type BoxOptions = Partial<Pick<BoxParts, 'owners' | 'token' | 'maintenance'>>;

/** Options of the account service; missing values are generated. */
export type AccountsOptions = Partial<Pick<AccountsParts, 'token' | 'password'>>;

/** One user without a password, who logs in with the startup token. */
const defaultOwners: BoxOwners = { users: [{ name: 'dev' }] };

export interface EmbeddedServices {
  readonly services: Readonly<Record<ServiceName, HttpService>>;
  /** The root token of the secrets service; undefined: it started sealed or uninitialized. */
  readonly rootToken: string | undefined;
  /** The token of the first user of the box registry. */
  readonly boxToken: string;
  /** As requested by `managementTokens`; else empty. */
  readonly managementTokens: ManagementTokens;
  /** The administrator token of the account service. */
  readonly accountsToken: string;
  /** The administrator's password, given or generated; undefined: unchanged since the last start. */
  readonly accountsPassword: string | undefined;
  /** The single unseal key, hex; undefined if `rootToken` is. */
  readonly unsealKey: string | undefined;
  /** Whether the secrets service is initialized; if it is and `rootToken` is undefined, it is sealed. */
  readonly isInitialized: boolean;
  /** The conditions that services are put into. */
  readonly conditions: Conditions;
  /**
   * Listens on 127.0.0.1: either all services start, or none. The upload origin for images gets a free port:
   * its address is in every upload path, which is only valid while the process runs.
   * @param ports overrides of the default ports; 0: a free port
   * @param names the services to start; default: all
   * @returns the address of each started service, `http://127.0.0.1:PORT`
   * @throws EmbeddedError port
   */
  listen(
    ports?: Partial<Record<ServiceName, number>>,
    names?: readonly ServiceName[],
  ): Promise<Readonly<Record<ServiceName, string>>>;
  /** Closes idle connections, gives running requests a short time to finish, and closes the data. */
  close(): Promise<void>;
}

/**
 * Creates the five services; call `listen` to start them.
 * @throws EmbeddedError locked, foreign, data
 */
export async function startServices(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const { clock, scryptCost, version, log = () => {} } = options;
  const random = bufferedRandom(options.random);
  const memory = MemoryLimit.ofProcess((line) => log(`memory: ${line}`));
  const { dataDirectory } = options;
  const store =
    options.store ??
    (dataDirectory === undefined ? memoryStore(memory) : await openStore(dataDirectory, memory));
  const keyFileOf = (service: ServiceName) =>
    dataDirectory === undefined ? undefined : keyFile(dataDirectory, service);
  let auditLog: AuditLog | undefined;
  const partsOf = (name: string): ServiceParts => {
    return { storage: store.withPrefix(`${name}/`), clock, random, scryptCost, version, log };
  };
  try {
    auditLog = options.auditLog && (await openAuditLog(options.auditLog));
    const conditions = new Conditions(options.conditions ?? {}, clock);
    const secretsParts = conditions.secretsParts({
      ...partsOf('secrets'),
      auditDevices: auditLog ? [auditLog.device] : [],
      engines: options.engines ?? builtIn,
      methods: authMethods(scryptCost),
      mounts: options.engines
        ? Object.keys(options.engines).map((type) => ({ path: `${type}/`, type }))
        : defaultMounts,
    });
    const secrets = secretsService(secretsParts);
    const rootCredentials = await openSecrets(secrets.state, options);
    conditions.openStandby(secrets, secretsParts, rootCredentials.unsealKey);
    const boxToken = options.box?.token ?? newSecret(random);
    const accountsToken = options.accounts?.token ?? newTokenText(random);
    const images = await ImageStore.open({
      ...partsOf('box-images'),
      directory: options.dataDirectory,
      ...(options.print && { onNotice: options.print }),
    });
    const unlimited = {
      secrets,
      registry: await registryService({
        ...partsOf('registry'),
        datacenters: options.datacenters ?? ['dc1'],
        roundTrips: options.roundTrips ?? [],
        keyFile: keyFileOf('registry'),
        resetFile:
          options.dataDirectory === undefined
            ? undefined
            : join(options.dataDirectory, 'acl-bootstrap-reset'),
      }),
      box: await boxService({
        ...partsOf('box'),
        images,
        print: options.print ?? (() => {}),
        owners: defaultOwners,
        ...options.box,
        token: boxToken,
      }),
      scheduler: await schedulerService({
        ...partsOf('scheduler'),
        keyFile: keyFileOf('scheduler'),
        resetFile:
          options.dataDirectory === undefined
            ? undefined
            : join(options.dataDirectory, 'scheduler-acl-bootstrap-reset'),
      }),
      accounts: await accountsService({
        ...partsOf('accounts'),
        password: options.accounts?.password,
        token: accountsToken,
      }),
    };
    const { managementTokens: given } = options;
    const managementTokens = given && {
      registry: await unlimited.registry.ensureStartUpToken(given.registry),
      scheduler: await unlimited.scheduler.ensureStartUpToken(given.scheduler),
    };
    const services = withRateLimits(unlimited, options.rateLimits, clock);
    await eraseClearText(store, log);
    return {
      services,
      ...rootCredentials,
      isInitialized: secrets.state.initialized,
      boxToken,
      managementTokens: managementTokens ?? {},
      accountsToken,
      accountsPassword: services.accounts.password,
      conditions,
      ...hostServices(services, images, { store, auditLog, conditions }, { version, log }),
    };
  } catch (error) {
    await auditLog?.file.close();
    await store.close();
    throw error;
  }
}

function hostServices(
  services: Readonly<Record<ServiceName, HttpService>> & {
    readonly secrets: SecretsService;
    readonly registry: RegistryService;
    readonly scheduler: SchedulerService;
  },
  images: ImageStore,
  {
    store,
    auditLog,
    conditions,
  }: { readonly store: Store; readonly auditLog: AuditLog | undefined; readonly conditions: Conditions },
  options: { readonly version: string; readonly log: (line: string) => void },
): Pick<EmbeddedServices, 'listen' | 'close'> {
  const hosts = serviceNames.map((name) => ({
    name,
    host: createHttpServer(conditions.wrap(services[name]), options),
  }));
  // An image upload has no overall time limit; its receiver checks that it does not stall.
  const uploads = createHttpServer(images.uploads, {
    ...options,
    timeouts: { headMs: 15_000, requestMs: 0 },
  });
  const closeHosts = () => Promise.all([...hosts.map(({ host }) => host.close()), uploads.close()]);
  return {
    async listen(ports = {}, names = serviceNames) {
      const started = await Promise.allSettled(
        hosts
          .filter(({ name }) => names.includes(name))
          .map(async ({ name, host }) => {
            const port = await host.listen(ports[name] ?? defaultPorts[name]);
            return [name, `http://127.0.0.1:${port}`] as const;
          }),
      );
      const failed = started.find((each) => each.status === 'rejected');
      if (failed) {
        await closeHosts();
        throw failed.reason;
      }
      if (names.includes('box')) images.setUploadOrigin(`http://127.0.0.1:${await uploads.listen(0)}`);
      const addresses = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const byName = Object.fromEntries(addresses) as Record<ServiceName, string>;
      await conditions.begin(byName, options);
      return byName;
    },
    async close() {
      services.registry.stop();
      services.scheduler.stop();
      await closeHosts();
      await conditions.close();
      await images.close();
      services.secrets.state.seal();
      await auditLog?.file.close();
      await store.close();
    },
  };
}
