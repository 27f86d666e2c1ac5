import { join } from 'node:path';
import type { ServiceName } from '../wire/services.ts';
import { serviceNames } from '../wire/services.ts';
import { type AccountsParts, accountsService } from './accounts/service.ts';
import { newTokenText } from './accounts/state/tokens.ts';
import type { BoxOwners } from './box/begin.ts';
import { type ImageStore, openImages } from './box/images/open.ts';
import { type BoxParts, boxService } from './box/service.ts';
import { newSecret } from './box/state/tokens.ts';
import { type KeyFile, keyFile } from './data-directory.ts';
import { EmbeddedError, messageOf } from './errors.ts';
import { httpHost } from './http/host.ts';
import type { HttpService } from './http/service.ts';
import { drawnInBlocks } from './random.ts';
import type { RoundTrip } from './registry/federation.ts';
import { type RegistryService, registryService } from './registry/service.ts';
import { type SchedulerService, schedulerService } from './scheduler/service.ts';
import { engines as builtIn, defaultMounts, methods } from './secrets/engines.ts';
import type { DefaultMount, EngineTable } from './secrets/mounts.ts';
import { type SecretsService, secretsService } from './secrets/service.ts';
import type { State } from './secrets/state.ts';
import { memoryStore, openStore, type Store } from './store.ts';

/** The ports that the services listen on when none are given. */
const defaultPorts: Readonly<Record<ServiceName, number>> = {
  secrets: 8200,
  registry: 8500,
  box: 8090,
  scheduler: 4646,
  accounts: 9200,
};

export interface EmbeddedOptions {
  /** Directory that the state is kept in; without one it lives as long as the process. */
  readonly data?: string;
  readonly clock: () => Date;
  /** Cryptographically strong bytes; seeded in tests. */
  readonly random: (length: number) => Uint8Array;
  /** This program's version, for the `Server` header and the answers that name one. */
  readonly version: string;
  /** The root token of the secrets service; without one it is made up. */
  readonly rootToken?: string;
  /** Start the secrets service not initialised, if its data is new: `sys/init` and `sys/unseal` follow. */
  readonly uninitialised?: boolean;
  /** The datacenters of the service registry, the primary one first; without any, `dc1`. */
  readonly datacenters?: readonly [string, ...string[]];
  /** Between datacenters, where they are not the usual ones. */
  readonly roundTrips?: readonly RoundTrip[];
  /** Told of faults of the services, one line each; no secret is in them. */
  readonly log?: (line: string) => void;
  /** Shows a line to the person at this machine: codes of two-factor authentication, files that were removed. */
  readonly print?: (line: string) => void;
  /** Of the box registry, where it differs from a user `dev` without a password. */
  readonly box?: BoxOptions;
  /** Of the account service: the administrator's token and password, where they are not made up. */
  readonly accounts?: AccountsOptions;
  /** The engines of the secrets service, for tests; each is mounted at its own name. */
  readonly engines?: EngineTable;
}

/** What may be told to the box registry; without `token` one is made up. */
export type BoxOptions = Partial<Pick<BoxParts, 'owners' | 'token' | 'rateLimit' | 'maintenance'>>;

/** What may be told to the account service; what is not is made up. */
export type AccountsOptions = Partial<Pick<AccountsParts, 'token' | 'password'>>;

/** One user, who has no password: the start-up token is the way in. */
const defaultOwners: BoxOwners = { users: [{ name: 'dev' }] };

export interface Embedded {
  readonly services: Readonly<Record<ServiceName, HttpService>>;
  /** The root token of the secrets service; undefined: it started sealed or not initialised. */
  readonly rootToken: string | undefined;
  /** The token of the first user of the box registry. */
  readonly boxToken: string;
  /** The token of the administrator of the account service. */
  readonly accountsToken: string;
  /** The administrator's password, given or made up; undefined: it is that of the last time. */
  readonly accountsPassword: string | undefined;
  /** The one unseal key, hex; undefined as the root token. */
  readonly unsealKey: string | undefined;
  /**
   * Listens on 127.0.0.1. All services do, or none. So does, on a free port, the origin that images are uploaded to:
   * its address is in every upload path, which does not outlive the process.
   * @param ports where not the default ones; 0 is a free one
   * @returns the address of each, `http://127.0.0.1:PORT`
   * @throws EmbeddedError port
   */
  listen(ports?: Partial<Record<ServiceName, number>>): Promise<Readonly<Record<ServiceName, string>>>;
  /** Ends idle connections, lets running requests finish briefly, and lets go of the data. */
  close(): Promise<void>;
}

/**
 * Builds the five services; they listen when told to.
 * @throws EmbeddedError locked, foreign, data
 */
export async function embedded(options: EmbeddedOptions): Promise<Embedded> {
  const { clock, version, log = () => {} } = options;
  const random = drawnInBlocks(options.random);
  const store = options.data === undefined ? memoryStore() : await openStore(options.data);
  try {
    const secrets = secretsService({
      storage: store.below('secrets/'),
      clock,
      random,
      version,
      log,
      engines: options.engines ?? builtIn,
      methods,
      mounts: options.engines ? atOwnNames(options.engines) : defaultMounts,
    });
    const opened = await openSecrets(secrets.state, options);
    const boxToken = options.box?.token ?? newSecret(random);
    const accountsToken = options.accounts?.token ?? newTokenText(random);
    const images = await openImages({
      storage: store.below('box-images/'),
      directory: options.data,
      clock,
      random,
      log,
      ...(options.print && { note: options.print }),
    });
    const services = {
      secrets,
      registry: await registryService({
        storage: store.below('registry/'),
        datacenters: options.datacenters ?? ['dc1'],
        roundTrips: options.roundTrips ?? [],
        clock,
        random,
        version,
        log,
        keyFile: options.data === undefined ? undefined : keyFile(options.data, 'registry'),
        resetFile: options.data === undefined ? undefined : join(options.data, 'acl-bootstrap-reset'),
      }),
      box: await boxService({
        storage: store.below('box/'),
        clock,
        random,
        version,
        log,
        images,
        print: options.print ?? (() => {}),
        owners: defaultOwners,
        ...options.box,
        token: boxToken,
      }),
      scheduler: await schedulerService({
        storage: store.below('scheduler/'),
        clock,
        random,
        version,
        log,
        keyFile: options.data === undefined ? undefined : keyFile(options.data, 'scheduler'),
      }),
      accounts: await accountsService({
        storage: store.below('accounts/'),
        clock,
        random,
        version,
        log,
        password: options.accounts?.password,
        token: accountsToken,
      }),
    };
    await forgetClearText(store, log);
    return {
      services,
      ...opened,
      boxToken,
      accountsToken,
      accountsPassword: services.accounts.password,
      ...hosting(services, images, store, { version, log }),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Set once nothing is left in the file of rows that earlier versions kept in clear. */
const clearTextForgotten = 'store/clear-text-forgotten';

/**
 * The first start of this version with data of an earlier one seals what was kept in clear; the file still has it
 * where it was written over, until it is written anew.
 */
async function forgetClearText(store: Store, log: (line: string) => void): Promise<void> {
  if (store.get(clearTextForgotten) !== undefined) return;
  try {
    await store.compact();
    await store.write([{ key: clearTextForgotten, value: true }]);
  } catch (error) {
    log(`${messageOf(error)}; parts of the file may hold tokens of an earlier version until the next start`);
  }
}

function atOwnNames(engines: EngineTable): DefaultMount[] {
  return Object.keys(engines).map((type) => ({ path: `${type}/`, type }));
}

function hosting(
  services: Readonly<Record<ServiceName, HttpService>> & { readonly secrets: SecretsService } & {
    readonly registry: RegistryService;
    readonly scheduler: SchedulerService;
  },
  images: ImageStore,
  store: Store,
  options: { readonly version: string; readonly log: (line: string) => void },
): Pick<Embedded, 'listen' | 'close'> {
  const hosts = serviceNames.map((name) => ({ name, host: httpHost(services[name], options) }));
  // An image takes as long as it takes; who receives it minds the time.
  const uploads = httpHost(images.uploads, { ...options, patience: { head: 15_000, request: 0 } });
  const closeHosts = () => Promise.all([...hosts.map(({ host }) => host.close()), uploads.close()]);
  return {
    async listen(ports = {}) {
      const started = await Promise.allSettled(
        hosts.map(async ({ name, host }) => {
          const port = await host.listen(ports[name] ?? defaultPorts[name]);
          return [name, `http://127.0.0.1:${port}`] as const;
        }),
      );
      const failed = started.find((each) => each.status === 'rejected');
      if (failed) {
        await closeHosts();
        throw failed.reason;
      }
      images.listensAt(`http://127.0.0.1:${await uploads.listen(0)}`);
      const addresses = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      return Object.fromEntries(addresses) as Record<ServiceName, string>;
    },
    async close() {
      services.registry.stop();
      services.scheduler.stop();
      await closeHosts();
      await images.close();
      services.secrets.state.seal();
      await store.close();
    },
  };
}

/**
 * Brings the secrets service to the state it starts in. With a data directory its root key is kept in a
 * file of its own there, so that the database alone tells nothing, and a restart unseals by itself; data
 * that was initialised through `sys/init` has no such file and starts sealed.
 */
async function openSecrets(
  state: State,
  { data, random, rootToken, uninitialised }: EmbeddedOptions,
): Promise<Pick<Embedded, 'rootToken' | 'unsealKey'>> {
  await state.begin();
  const file = data === undefined ? undefined : keyFile(data, 'secrets');
  const known = await file?.read();
  if (!state.initialised && uninitialised) return { rootToken: undefined, unsealKey: undefined };
  if (state.initialised && !known) return { rootToken: undefined, unsealKey: undefined };
  const key = known ?? random(32);
  if (!state.initialised) {
    if (!known) await file?.create(key);
    await state.initialiseWith(key);
  } else if (!(await unsealed(state, key, data))) throw wrongKey(file);
  const token = rootToken ?? state.core.tokens.newToken();
  await state.core.tokens.createStartUp(token);
  return { rootToken: token, unsealKey: Buffer.from(key).toString('hex') };
}

/** @throws EmbeddedError data: what the key opens is damaged */
async function unsealed(state: State, key: Uint8Array, data: string | undefined): Promise<boolean> {
  try {
    return await state.openWith(key);
  } catch (error) {
    throw new EmbeddedError(
      'data',
      `the data in ${data} is damaged (${messageOf(error)}); restore the directory from a copy`,
      error,
    );
  }
}

function wrongKey(file: KeyFile | undefined): EmbeddedError {
  return new EmbeddedError(
    'data',
    `the key in ${file?.path} does not open the data beside it; restore both from one copy`,
  );
}
