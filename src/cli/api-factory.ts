import { existsSync } from 'node:fs';
import type { AccountsClient } from '../api/accounts.ts';
import { anyCall } from '../api/any-call.ts';
import { authTokenId } from '../api/auth-token-id.ts';
import type { BoxClient } from '../api/box.ts';
import { client } from '../api/client.ts';
import { dryRunSend } from '../api/dry-run.ts';
import type { Endpoint, TransportOptions } from '../api/endpoint.ts';
import { type Send, transport } from '../api/http/client.ts';
import { checkToken, confirmingIdentity } from '../api/identity.ts';
import type { Retry } from '../api/operation.ts';
import { redact, type Secret } from '../api/redaction.ts';
import type { RegistryClient } from '../api/registry.ts';
import type { SchedulerClient } from '../api/scheduler.ts';
import type { SecretsClient } from '../api/secrets.ts';
import { type Settings, settingsOf, type TokenPlan } from '../api/settings.ts';
import type { ProfileSettings } from '../api/sources.ts';
import type { ServiceSettings } from '../config/profile.ts';
import { MissingSettingError, notFound, usage } from '../errors.ts';
import { readText } from '../io/files.ts';
import type { Io } from '../io/io.ts';
import { resolveHomePath } from '../io/resolve-path.ts';
import { parseDuration } from '../wire/duration.ts';
import type { ServiceName } from '../wire/services.ts';
import type { AnyCommand } from './command.ts';
import type { Context, Host, ProfileStore } from './context.ts';
import type { Globals } from './globals.ts';
import { lazy } from './lazy.ts';
import { version } from './version.ts';

/** How many milliseconds a call that has to come to its end has after a signal. */
const graceMs = 3000;

/** Where curl looks for a proxy. Lanyard looks elsewhere first, not at all of these, and never for the loopback. */
const proxyVariables = ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** What the services are wired from. */
interface Parts {
  readonly host: Host;
  readonly globals: Globals;
  readonly command: AnyCommand;
  readonly io: Io;
  readonly profile: Pick<ProfileStore, 'name' | 'read' | 'credentials'>;
  readonly onSuccess: (retry: Retry) => void;
}

/** Wires the services; it is loaded with the first call, and each service's operations with the first to it. */
export function createApi(parts: Parts): Context['api'] {
  const { host, globals, command, io, profile, onSuccess } = parts;
  const exists = (path: string): boolean => existsSync(resolveHomePath(host, path));
  // Settings depend on flags, environment and profiles.
  const settings = async (service: ServiceName): Promise<Settings> => {
    const flags: Partial<Globals> = command.service === service || command.service === 'any' ? globals : {};
    return settingsOf(service, {
      flags: {
        ...(flags.address === undefined ? {} : { address: flags.address }),
        ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
        skipVerify: flags.skipVerify ?? false,
      },
      env: host.env,
      exists,
      ...(await profileSources(profile, service)),
    });
  };
  // A token is read when the first call needs it: from a variable, a file or the credential store.
  const tokenOf = async (
    service: ServiceName,
    plan: TokenPlan | undefined,
    what = 'token',
  ): Promise<string | undefined> => {
    if (!plan) return undefined;
    if (plan.from === 'variable') {
      const value = host.env[plan.name];
      if (!value) throw usage(`cannot read the ${what}: the environment variable ${plan.name} is not set`);
      const reference = /^(env|file):\/\//.exec(value)?.[0];
      if (reference !== undefined)
        throw usage(`invalid ${plan.name}: expected a ${what}, not a reference (${reference})`, {
          hint: `To use a reference, run \`lanyard profile put NAME ${service}.token=${reference}...\`.`,
        });
      return value;
    }
    if (plan.from === 'file') {
      return (await readText(resolveHomePath(host, plan.path), `the ${what} file`)).trim();
    }
    return profile.credentials.get(plan.profile, service);
  };
  // Warnings of a service may repeat what was sent.
  const sent = new Set<Secret>();
  io.setRedaction((text) => redact(text, [...sent]));
  const options: TransportOptions = {
    timeout: 30_000,
    signal: host.signal,
    userAgent: `lanyard/${version}`,
    random: () => host.random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32,
    note: io.note,
    warn: io.warn,
    detail: io.detail,
    sent: (secrets) => {
      for (const secret of secrets) sent.add(secret);
    },
  };
  // What a service's settings, and a flag before them, say of how it is called.
  const optionsFor = ({ timeout }: Settings): TransportOptions => ({
    ...options,
    timeout:
      (globals.timeout === undefined ? (timeout ?? 30) : (parseDuration(globals.timeout) ?? 30)) * 1000,
  });
  // Warns once per service.
  const warned = new Set<ServiceName>();
  const warnOf = ({ service, unsupported }: Settings): void => {
    if (warned.has(service)) return;
    warned.add(service);
    for (const each of unsupported) io.warn(each);
  };
  // A variable may have `~/` that no shell has seen.
  const tlsFilesOf = (resolved: Omit<Settings, 'service'>): Partial<Endpoint> =>
    Object.fromEntries(
      (['caCert', 'caPath', 'clientCert', 'clientKey'] as const).flatMap((setting) => {
        const name = resolved[setting];
        return name?.startsWith('~/') ? [[setting, resolveHomePath(host, name)]] : [];
      }),
    );
  // An endpoint depends on settings and token.
  const endpointOf = (resolved: Settings, token?: string): Endpoint => {
    const { service, httpAuth, ...rest } = resolved;
    return {
      service,
      ...rest,
      ...tlsFilesOf(rest),
      ...(httpAuth
        ? {
            httpAuth: lazy(() => tokenOf(service, httpAuth, 'HTTP authentication')),
            authSource: sourceOf(httpAuth),
          }
        : {}),
      token: lazy(async () => token ?? (await tokenOf(service, resolved.token))),
      // A token that is handed over is the one of the store, or of nowhere else.
      tokenSource: sourceOf(
        token === undefined || resolved.token?.from === 'store' ? resolved.token : undefined,
      ),
    };
  };
  // A sender depends on an endpoint; with --dry-run or --curl it rehearses.
  const sender = async (
    service: ServiceName,
    { token, signal = host.signal }: { token?: string; signal?: AbortSignal } = {},
  ): Promise<Send> => {
    const resolved = await settings(service);
    const endpoint = endpointOf(resolved, token);
    const rawSend = transport(endpoint, { ...optionsFor(resolved), signal });
    warnOf(resolved);
    return withDryRun(reportingSuccess(confirmingIdentity(rawSend, endpoint, io.note), onSuccess), endpoint);
  };
  const withDryRun = (send: Send, endpoint: Endpoint): Send =>
    globals.dryRun || globals.curl
      ? dryRunSend(send, endpoint, {
          writes: command.readsFirst === true,
          otherProxy: proxyVariables.some((name) => host.env[name]),
          noProxy: Boolean(host.env.no_proxy || host.env.NO_PROXY),
        })
      : send;
  const senders = new Map<ServiceName, Promise<Send>>();
  const sendTo = (service: ServiceName): Promise<Send> => {
    const known = senders.get(service) ?? sender(service);
    senders.set(service, known);
    return known;
  };
  const secretsThrough = async (rawSend: Promise<Send>): Promise<SecretsClient> => {
    const [send, { secretsOperations }] = await Promise.all([rawSend, import('../api/secrets.ts')]);
    return client(secretsOperations, send);
  };
  const registryThrough = async (rawSend: Promise<Send>): Promise<RegistryClient> => {
    const [send, { registryOperations }] = await Promise.all([rawSend, import('../api/registry.ts')]);
    return client(registryOperations, send);
  };
  const schedulerThrough = async (rawSend: Promise<Send>): Promise<SchedulerClient> => {
    const [send, { schedulerOperations }] = await Promise.all([rawSend, import('../api/scheduler.ts')]);
    return client(schedulerOperations, send);
  };
  const boxThrough = async (rawSend: Promise<Send>): Promise<BoxClient> => {
    const [send, { boxOperations }] = await Promise.all([rawSend, import('../api/box.ts')]);
    return client(boxOperations, send);
  };
  const accountsThrough = async (rawSend: Promise<Send>): Promise<AccountsClient> => {
    const [send, { accountsOperations }] = await Promise.all([rawSend, import('../api/accounts.ts')]);
    return client(accountsOperations, send);
  };
  return {
    settings,
    environment: async (service) => {
      try {
        return settingsOf(service, { flags: {}, env: host.env, exists });
      } catch (error) {
        if (error instanceof MissingSettingError) return undefined;
        throw error;
      }
    },
    secrets: lazy(() => secretsThrough(sendTo('secrets'))),
    secretsWith: (token) => secretsThrough(sender('secrets', { token })),
    secretsWithGracePeriod: lazy(() =>
      secretsThrough(sender('secrets', { signal: abortLater(host.signal, graceMs) })),
    ),
    registry: lazy(() => registryThrough(sendTo('registry'))),
    registryWith: (token) => registryThrough(sender('registry', { token })),
    box: lazy(() => boxThrough(sendTo('box'))),
    accounts: lazy(() => accountsThrough(sendTo('accounts'))),
    accountsWith: (token) => accountsThrough(sender('accounts', { token })),
    accountsTokenId: async () => {
      const token = await tokenOf('accounts', (await settings('accounts')).token);
      return token === undefined ? undefined : authTokenId(token);
    },
    scheduler: lazy(() => schedulerThrough(sendTo('scheduler'))),
    transfer: async (service) => {
      const [resolved, { transfer }] = await Promise.all([
        settings(service),
        import('../api/image-transfer.ts'),
      ]);
      warnOf(resolved);
      onSuccess('write');
      return transfer(endpointOf(resolved), optionsFor(resolved));
    },
    call: async (service, call) => {
      const operation = anyCall(service, call);
      return (await sendTo(service))(operation, operation.input);
    },
    checkToken: async (service, token) => {
      const resolved = await settings(service);
      return checkToken(transport(endpointOf(resolved, token), optionsFor(resolved)), service, token);
    },
    probe: async (service) => {
      // A missing service is detected with one attempt, and reported once.
      const resolved = await settings(service);
      const endpoint = { ...endpointOf(resolved), maxRetries: 0 };
      const warned = new Set<string>();
      const warn = (message: string): void => {
        if (!warned.has(message)) io.warn(message);
        warned.add(message);
      };
      const { probe } = await import('../api/probe.ts');
      const through = (reached: Endpoint): Send =>
        withDryRun(transport(reached, { ...optionsFor(resolved), warn }), endpoint);
      return probe(endpoint, {
        sendTo: (address) => through({ ...endpoint, address, addresses: [address] }),
        sendFrom: (address) => through({ ...endpoint, address }),
      });
    },
  };
}

/** Where a token comes from, for those who send the call by other means. */
function sourceOf(plan: TokenPlan | undefined): NonNullable<Endpoint['tokenSource']> {
  if (!plan) return { words: 'a token' };
  if (plan.from === 'variable') return { variable: plan.name };
  return {
    words:
      plan.from === 'file'
        ? `the token in the file ${plan.path}`
        : `the token stored in the profile ${plan.profile}`,
  };
}

/** Reports each successful operation with its retry class. */
const reportingSuccess =
  (send: Send, onSuccess: Parts['onSuccess']): Send =>
  async (operation, input) => {
    const answer = await send(operation, input);
    onSuccess(operation.retry);
    return answer;
  };

/** Aborts some milliseconds after another signal does. */
function abortLater(signal: AbortSignal, delay: number): AbortSignal {
  const controller = new AbortController();
  const start = (): void => {
    setTimeout(() => controller.abort(signal.reason), delay).unref();
  };
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return controller.signal;
}

async function profileSources({ name: named, read }: Parts['profile'], service: ServiceName) {
  const configuration = await read();
  const name = named ?? configuration.active;
  if (name === undefined) return {};
  const profile = Object.hasOwn(configuration.profiles, name) ? configuration.profiles[name] : undefined;
  if (!profile && named !== undefined)
    throw notFound(`profile "${named}" not found`, {
      hint: 'Run `lanyard profile list` to see all profiles.',
    });
  const source = { name, settings: settingsFrom(profile?.[service] ?? {}) };
  return named === undefined ? { active: source } : { named: source };
}

const settingsFrom = ({ skipVerify, ...rest }: ServiceSettings): ProfileSettings =>
  skipVerify === undefined ? rest : { ...rest, skipVerify: String(skipVerify) };
