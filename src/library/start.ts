import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { serviceVariables } from '../api/services.ts';
import { lazy } from '../cli/lazy.ts';
import { version } from '../cli/version.ts';
import { LanyardError } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import { checkStartOptions } from './check-options.ts';
import { lazyClient } from './lazy-client.ts';
import type { ClientOptions, Running, StartedServices, StartOptions } from './types.ts';

/**
 * Starts the services that the options name, or all.
 *
 * @throws LanyardError failure, usage: see `startServices`.
 */
export async function start(options: StartOptions): Promise<Partial<Running> & StartedServices> {
  checkStartOptions(options);
  const named = serviceNames.filter((name) => options[name] !== undefined);
  const names = named.length === 0 ? serviceNames : named;
  const built = await embedded(options);
  const stop = lazy(() => built.close());
  const ports = Object.fromEntries(names.map((name) => [name, options.ports?.[name] ?? 0]));
  const addresses = await built.listen(ports, names).catch(async (error: unknown) => {
    await stop();
    throw described(error);
  });
  const tokens: Readonly<Partial<Record<ServiceName, string | undefined>>> = {
    secrets: built.rootToken,
    box: built.boxToken,
    accounts: built.accountsToken,
  };
  const running = names.map((name) => {
    const [address, token] = [addresses[name], tokens[name]];
    const client = (more: ClientOptions = {}) =>
      lazyClient(name, { env: {}, profile: false, address, token, ...more });
    const extra =
      name === 'secrets'
        ? { unsealKey: built.unsealKey, standbyAddress: built.conditions.standbyAddress }
        : name === 'accounts'
          ? { password: built.accountsPassword }
          : {};
    return [name, { address, token, ...extra, client }] as const;
  });
  const variables = names.map((name) => serviceVariables(name, addresses[name], tokens[name]));
  return {
    ...(Object.fromEntries(running) as Partial<Running>),
    env: Object.assign({}, ...variables) as Readonly<Record<string, string>>,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The options of a service; `true`: the defaults. */
const optionsOf = <Options extends object>(given: true | Options | undefined): Partial<Options> =>
  given === undefined || given === true ? {} : given;

async function embedded(options: StartOptions) {
  const { startServices } = await import('../services/start-services.ts');
  const { log = () => undefined } = options;
  const secrets = optionsOf(options.secrets);
  const { datacenters } = optionsOf(options.registry);
  const box = optionsOf(options.box);
  const { token, password } = optionsOf(options.accounts);
  return startServices({
    clock: options.clock ?? (() => new Date()),
    random: (length) => randomBytes(length),
    version,
    log,
    print: log,
    box: compact({
      token: box.token,
      owners: box.users && { users: box.users },
    }),
    accounts: compact({ token, password }),
    rateLimits: rateLimitsOf(options),
    ...compact({
      dataDirectory: options.data === undefined ? undefined : resolve(options.data),
      rootToken: secrets.token,
      uninitialized: secrets.uninitialized,
      datacenters,
      conditions: secrets.standbyLagMs === undefined ? undefined : { standby: { ms: secrets.standbyLagMs } },
    }),
  }).catch((error: unknown) => {
    throw described(error);
  });
}

const rateLimitsOf = (options: StartOptions) =>
  Object.fromEntries(
    serviceNames.flatMap((name) => {
      const { rateLimit } = optionsOf<{ readonly rateLimit?: number | 'boundary' | undefined }>(
        options[name],
      );
      return rateLimit === undefined ? [] : [[name, rateLimit]];
    }),
  );

/** The error of the embedded services as a LanyardError; any other one is unchanged. */
function described(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'EmbeddedError') return error;
  const { reason } = error as Error & { readonly reason?: unknown };
  return new LanyardError(reason === 'foreign' ? 'usage' : 'failure', error.message);
}
