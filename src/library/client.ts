import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { configDirectory } from '../cli/config-directory.ts';
import type { Context } from '../cli/context.ts';
import { lazy } from '../cli/lazy.ts';
import { usage } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import { hasSetting, type ServiceName } from '../wire/services.ts';
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
  checkOptions(service, options);
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
    random: (length: number) => randomBytes(length),
    signal: (signal as AbortSignal | undefined) ?? new AbortController().signal,
  };
  const given = Object.fromEntries(settingNames.map((name) => [name, options[name]]));
  const { createApi } = await import('../cli/api-factory.ts');
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
    ...(token === undefined ? {} : { token: async () => (typeof token === 'function' ? token() : token) }),
  });
  // No address is an error of the settings, not of the first request.
  await api.settings(service);
  return api[service]();
}

/** @throws LanyardError usage. */
function checkOptions(service: ServiceName, options: ClientOptions): void {
  for (const name of ['namespace', 'datacenter', 'region'] as const)
    if (options[name] !== undefined && !hasSetting(service, name))
      throw usage(`invalid option ${name}: the ${service} service has no ${name}`);
  const { timeoutMs, token } = options;
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs > 0))
    throw usage('invalid option timeoutMs: expected a positive integer');
  if (token !== undefined && typeof token !== 'string' && typeof token !== 'function')
    throw usage('invalid option token: expected a string or a function');
}

/** Passes messages on, without the secrets of the calls. */
function logTo(log: ClientOptions['log']) {
  let redact = (text: string): string => text;
  const at = (level: LogMessage['level']) => (text: string) => log?.({ level, text: redact(text) });
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
