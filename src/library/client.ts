import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { ownVariable, services } from '../api/services.ts';
import { configDirectory } from '../cli/config-directory.ts';
import { lazy } from '../cli/lazy.ts';
import type { Context } from '../command/context.ts';
import { MissingSettingError, osFailure, usage } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import { checkClientOptions } from './check-options.ts';
import type { ClientOptions, LogMessage } from './types.ts';

/** The settings of `ClientOptions` that have the name and the form of a setting. */
const settingNames = [
  'address',
  'namespace',
  'datacenter',
  'region',
  'caCert',
  'caPem',
  'caPath',
  'clientCert',
  'clientKey',
  'serverName',
  'proxy',
] as const satisfies readonly (keyof ClientOptions)[];

/**
 * The client of a service, with the API factory of the command line: the same settings, retries, redaction and errors.
 *
 * @throws LanyardError usage: an invalid option, or no address.
 */
export async function clientOf(service: ServiceName, options: ClientOptions): Promise<object> {
  checkClientOptions(service, options);
  const { token, timeoutMs, maxRetries, userAgent, signal } = options;
  const host = {
    env: options.env ?? process.env,
    get cwd() {
      return process.cwd();
    },
    get home() {
      return homedir();
    },
    platform: process.platform,
    clock: () => new Date(),
    random: (length: number) => randomBytes(length),
    signal: (signal as AbortSignal | undefined) ?? new AbortController().signal,
  };
  const given = Object.fromEntries(settingNames.map((name) => [name, options[name]]));
  const { createApi } = await import('../cli/clients/api-factory.ts');
  const api = createApi({
    host,
    globals: {
      address: undefined,
      namespace: undefined,
      skipVerify: options.skipVerify ?? false,
      timeout: timeoutMs === undefined ? undefined : `${timeoutMs}ms`,
      dryRun: false,
      curl: false,
    },
    command: { service },
    io: logTo(options.log),
    profile: profileOf(host, options.profile),
    onSuccess: () => undefined,
    options: compact({ ...given, maxRetries: maxRetries === undefined ? undefined : String(maxRetries) }),
    ...compact({ userAgent }),
    tokenHint: hintFor(service, 'token'),
    ...(token === undefined ? {} : { token: tokenOf(service, token) }),
    // A function may return another token for the lookup.
    tokenLookups: typeof token === 'function' ? 'never' : 'each',
  });
  // No address is an error of the settings, not of the first request.
  await api.settings(service).catch((error: unknown) => {
    throw error instanceof MissingSettingError ? error.withHint(hintFor(service, 'address')) : error;
  });
  return api[service]();
}

/** Returns the token of each call. */
function tokenOf(service: ServiceName, token: ClientOptions['token']) {
  if (typeof token !== 'function') return async () => token;
  return async (): Promise<string | undefined> => {
    let value: unknown;
    try {
      value = await token();
    } catch (error) {
      throw osFailure(`get the token for the ${services[service].title} from the option token`, error);
    }
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
    throw usage('invalid option token: expected a function that returns a string');
  };
}

/** Where a setting comes from, as one sentence. */
const hintFor = (service: ServiceName, setting: 'address' | 'token'): string =>
  `Set the option ${setting}, or ${[ownVariable(service, setting), ...(services[service].product[setting] ?? []).slice(-1)].join(' or ')}, or ${setting === 'address' ? 'an address' : 'a token'} in the profile.`;

/** Passes messages on, without the secrets of the calls. */
function logTo(log: ClientOptions['log']) {
  let redact = (text: string): string => text;
  const at = (level: LogMessage['level']) => (text: string) => {
    try {
      log?.({ level, text: redact(text) });
    } catch {
      // An error of the program must not change the result of a call that the service may have applied.
    }
  };
  return {
    note: at('note'),
    warn: at('warning'),
    detail: at('detail'),
    setRedaction: (change: (text: string) => string) => {
      redact = change;
    },
  };
}

type Host = Parameters<typeof configDirectory>[0];

function profileOf(host: Host, name: string | false | undefined) {
  const { env } = host;
  if (name === false) return { name: undefined, read: noProfiles, credentials: { get: noToken } };
  const directory = lazy(async () => configDirectory(host));
  const store = lazy(async () => (await import('../config/profiles.ts')).profiles(await directory()));
  const stored = lazy(async () => {
    const [{ credentials }, { keyringCommand }] = await Promise.all([
      import('../config/credentials.ts'),
      import('./keyring-command.ts'),
    ]);
    return credentials({ directory: await directory(), env: { ...env }, keyring: keyringCommand() });
  });
  const get: Context['profile']['credentials']['get'] = async (...what) => (await stored()).get(...what);
  return {
    name: name ?? (env.LANYARD_PROFILE || undefined),
    read: async () => (await store()).read(),
    credentials: { get },
  };
}

const noProfiles = async () => ({ profiles: {} });
const noToken = async () => undefined;
