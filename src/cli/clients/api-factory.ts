import { confirmingIdentity } from '../../api/confirming-identity.ts';
import { explainingDenials } from '../../api/denials.ts';
import type { Endpoint, TransportOptions } from '../../api/endpoint.ts';
import { warningOfFiltered } from '../../api/filtered-results.ts';
import { transport } from '../../api/http/client.ts';
import type { Send } from '../../api/http/response.ts';
import type { Retry } from '../../api/operation.ts';
import { recognizingService } from '../../api/recognizing-service.ts';
import type { Settings } from '../../api/settings.ts';
import type { SettingOptions } from '../../api/sources.ts';
import type { ClientOptions } from '../../command/api.ts';
import type { AnyCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Host } from '../../command/host.ts';
import type { ProfileStore } from '../../command/profile-store.ts';
import type { Credentials } from '../../config/credentials.ts';
import type { Io } from '../../io/io.ts';
import { resolveHomePath } from '../../io/resolve-path.ts';
import { parseDuration } from '../../wire/duration.ts';
import { getOrCreate } from '../../wire/maps.ts';
import { compact } from '../../wire/objects.ts';
import { shellWord } from '../../wire/printable.ts';
import type { ServiceName } from '../../wire/services.ts';
import { lazy } from '../lazy.ts';
import type { Globals } from '../parse/globals.ts';
import type { DebugLog } from '../run/debug-log.ts';
import { settingsReader } from '../settings/service-settings.ts';
import { sourceOf, tokenReader } from '../settings/token-reader.ts';
import { version } from '../version.ts';
import { abortLater } from './abort-later.ts';
import { clientOf } from './clients.ts';
import { rateLimitNotes } from './rate-limit-notes.ts';
import { SentSecrets } from './sent-secrets.ts';
import { snapshotClients } from './snapshot-clients.ts';

/** The proxy variables of curl. Lanyard has other precedence, ignores some of these, and uses none for loopback. */
const proxyVariables = ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

interface Parts {
  readonly host: Pick<Host, 'clock' | 'cwd' | 'env' | 'home' | 'random' | 'signal'>;
  readonly globals: Pick<Globals, 'address' | 'namespace' | 'skipVerify' | 'timeout' | 'dryRun' | 'curl'>;
  readonly command: Pick<AnyCommand, 'service' | 'writes' | 'readsActive' | 'waitsForRateLimits'>;
  readonly io: Pick<Io, 'note' | 'warn' | 'detail' | 'setRedaction'>;
  readonly profile: Pick<ProfileStore, 'name' | 'read'> & {
    readonly credentials: Pick<Credentials, 'get'> & Partial<Pick<Credentials, 'login'>>;
  };
  readonly onSuccess: (retry: Retry) => void;
  /** The file of `--debug`. */
  readonly debug?: DebugLog | undefined;
  /** Only the settings of `--profile` or `--address` count. */
  readonly isPinned?: boolean;
  /** Settings that a program gave, for the only service that it calls. Its errors name the request. */
  readonly options?: SettingOptions;
  /** Returns the token of each call, instead of the token of the settings. */
  readonly token?: () => Promise<string | undefined>;
  /** How often the token is looked up after a denial: once (default), after each, or never. */
  readonly tokenLookups?: 'once' | 'each' | 'never';
  /** What to do if a call requires a token and none exists; default: how to log in. */
  readonly tokenHint?: string;
  /** The secrets of requests, shared by the APIs of a run. Default: its own. */
  readonly sent?: SentSecrets;
  /** Default: `lanyard/VERSION`. */
  readonly userAgent?: string;
}

/** Options of the usual clients. */
const usual: ClientOptions = {};

/** Creates the API; the operations of a service are loaded with its first call. */
export function createApi(parts: Parts): Context['api'] {
  const { host, globals, command, io, profile, onSuccess, debug } = parts;
  const readsFirst = command.writes === 'after reads';
  const { settings: readSettings, environment } = settingsReader({
    host,
    globals,
    command,
    profile,
    ...compact({ options: parts.options, isPinned: parts.isPinned }),
  });
  const settings: Context['api']['settings'] = async (service) => {
    const resolved = await readSettings(service);
    debug?.settings(resolved);
    return resolved;
  };
  // Read with the first call that needs it.
  const tokenOf = tokenReader({ host, profile });
  // Warnings of a service may contain secrets of the request.
  const sent = parts.sent ?? new SentSecrets();
  io.setRedaction((text) => sent.redact(text));
  const note = (message: string): void => {
    debug?.message('note', message);
    io.note(message);
  };
  const options: TransportOptions = {
    timeout: 30_000,
    signal: host.signal,
    userAgent: parts.userAgent ?? `lanyard/${version}`,
    random: () => host.random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32,
    note,
    ...(command.waitsForRateLimits && { noteRateLimit: rateLimitNotes(note) }),
    warn: (message) => {
      debug?.message('warning', message);
      io.warn(message);
    },
    detail: io.detail,
    sent: (secrets) => {
      sent.add(secrets);
      debug?.received(secrets);
    },
    ...(debug && { trace: debug }),
    ...((readsFirst || command.readsActive) && { readsActive: true }),
  };
  const optionsFor = ({ timeout }: Settings): TransportOptions => ({
    ...options,
    timeout:
      (globals.timeout === undefined ? (timeout ?? 30) : (parseDuration(globals.timeout) ?? 30)) * 1000,
  });
  // Services whose warnings were shown.
  const warned = new Set<ServiceName>();
  const warnOf = ({ service, unsupported }: Settings): void => {
    if (warned.has(service)) return;
    warned.add(service);
    for (const each of unsupported) io.warn(each);
  };
  // `~/` in a variable is not expanded by the shell.
  const tlsFilesOf = (resolved: Omit<Settings, 'service'>): Partial<Endpoint> =>
    Object.fromEntries(
      (['caCert', 'caPath', 'clientCert', 'clientKey'] as const).flatMap((setting) => {
        const name = resolved[setting];
        return name?.startsWith('~/') ? [[setting, resolveHomePath(host, name)]] : [];
      }),
    );
  const ownerOf =
    ({ service, token: plan }: Settings): NonNullable<Endpoint['tokenOwner']> =>
    async () =>
      plan &&
      (await import('../settings/token-owner.ts')).tokenOwner(service, plan, {
        ...profile,
        read: () => profile.read(),
        clock: host.clock,
      });
  const endpointOf = (resolved: Settings, token?: string): Endpoint => {
    const { service, httpAuth, ...rest } = resolved;
    return {
      service,
      ...rest,
      ...tlsFilesOf(rest),
      ...compact({ tokenHint: rest.tokenHint ?? parts.tokenHint }),
      ...(parts.options && { namesRequests: true }),
      ...(profile.name === undefined ? {} : { program: `lanyard -p ${shellWord(profile.name)}` }),
      ...(resolved.token &&
        token === undefined &&
        parts.token === undefined && { tokenOwner: ownerOf(resolved) }),
      ...(httpAuth && {
        httpAuth: lazy(() => tokenOf(service, httpAuth, 'HTTP authentication')),
        authSource: sourceOf(httpAuth),
      }),
      token: parts.token ?? lazy(async () => token ?? (await tokenOf(service, resolved.token))),
      // A given token is from the store, or from no setting.
      tokenSource: sourceOf(
        token === undefined || resolved.token?.from === 'store' ? resolved.token : undefined,
      ),
    };
  };
  const laterSignals = new Map<number, AbortSignal>();
  const signalWith = (graceMs: number | undefined): AbortSignal => {
    if (graceMs === undefined) return host.signal;
    const later = laterSignals.get(graceMs) ?? abortLater(host.signal, graceMs);
    laterSignals.set(graceMs, later);
    return later;
  };
  const sender = async (
    service: ServiceName,
    { token, signal, graceMs, retries, forMany }: ClientOptions,
  ): Promise<Send> => {
    const resolved = await settings(service);
    const endpoint = { ...endpointOf(resolved, token), ...compact({ maxRetries: retries }) };
    const transportOptions = { ...optionsFor(resolved), signal: signal ?? signalWith(graceMs) };
    const rawSend = transport(endpoint, { ...transportOptions, ...compact({ isForMany: forMany }) });
    const recognizing = recognizingService(rawSend, endpoint, (address) =>
      transport({ ...endpoint, address, addresses: [address], maxRetries: 0 }, transportOptions),
    );
    warnOf(resolved);
    // A given token is checked, stored or revoked: its caller expects that it may not be valid.
    const lookups = token === undefined ? (parts.tokenLookups ?? 'once') : 'never';
    const explaining = lookups === 'never' ? recognizing : explainingDenials(recognizing, endpoint, lookups);
    const confirming = confirmingIdentity(explaining, endpoint, io.note);
    const reportsOmitted = service === 'registry' || service === 'accounts';
    const warning = reportsOmitted ? warningOfFiltered(confirming, endpoint, io.warn) : confirming;
    return withDryRun(reportingSuccess(warning, onSuccess), endpoint);
  };
  const isDryRun = globals.dryRun || globals.curl;
  const curlProxies = {
    otherProxy: proxyVariables.some((name) => host.env[name]),
    noProxy: Boolean(host.env.no_proxy || host.env.NO_PROXY),
  };
  const withDryRun = (send: Send, endpoint: Endpoint): Send =>
    isDryRun
      ? async (operation, input) => {
          const { dryRunSend } = await import('../../api/dry-run.ts');
          const sendDry = dryRunSend(send, endpoint, { writes: readsFirst, ...curlProxies });
          return sendDry(operation, input);
        }
      : send;
  const senders = new Map<ServiceName, Promise<Send>>();
  const usualSender = (service: ServiceName): Promise<Send> =>
    getOrCreate(senders, service, () => sender(service, usual));
  const clients = <Client>(service: ServiceName, create: (send: Promise<Send>) => Promise<Client>) => {
    const created = new WeakMap<ClientOptions, Promise<Client>>();
    return (options = usual): Promise<Client> =>
      getOrCreate(created, options, () =>
        create(options === usual ? usualSender(service) : sender(service, options)),
      );
  };
  const snapshotTarget = async (service: ServiceName) => {
    const resolved = await settings(service);
    warnOf(resolved);
    const stop = isDryRun && (await import('../../api/dry-run.ts')).stopDryRun(curlProxies);
    return { endpoint: endpointOf(resolved), options: { ...optionsFor(resolved), ...(stop && { stop }) } };
  };
  return {
    settings,
    environment,
    elsewhere: async ({ profile: name, namespace }) =>
      createApi(partsOf({ ...parts, sent }, name, namespace)),
    secrets: clients('secrets', clientOf.secrets),
    registry: clients('registry', clientOf.registry),
    box: clients('box', clientOf.box),
    accounts: clients('accounts', clientOf.accounts),
    scheduler: clients('scheduler', clientOf.scheduler),
    accountsTokenId: async () => {
      const token = await tokenOf('accounts', (await settings('accounts')).token);
      const { authTokenId } = await import('../../api/identity.ts');
      return token === undefined ? undefined : authTokenId(token);
    },
    transfer: async (service, { graceMs } = usual) => {
      const [resolved, { transfer }] = await Promise.all([
        settings(service),
        import('../../api/images/transfer.ts'),
      ]);
      warnOf(resolved);
      onSuccess('write');
      return transfer(endpointOf(resolved), { ...optionsFor(resolved), signal: signalWith(graceMs) });
    },
    ...snapshotClients(snapshotTarget, () => onSuccess('once')),
    call: async (service, call) => {
      const { anyCall } = await import('../../api/any-call.ts');
      const operation = anyCall(service, call);
      return (await usualSender(service))(operation, operation.input);
    },
    checkToken: async (service, token) => {
      const [resolved, { checkToken }] = await Promise.all([
        settings(service),
        import('../../api/identity.ts'),
      ]);
      return checkToken(transport(endpointOf(resolved, token), optionsFor(resolved)), service, token);
    },
    probe: async (service) => {
      // One attempt, and each warning once.
      const resolved = await settings(service);
      const endpoint = { ...endpointOf(resolved), maxRetries: 0 };
      const warned = new Set<string>();
      const warn = (message: string): void => {
        if (!warned.has(message)) io.warn(message);
        warned.add(message);
      };
      const { probe } = await import('../../api/probe.ts');
      const through = (reached: Endpoint): Send =>
        withDryRun(transport(reached, { ...optionsFor(resolved), warn }), endpoint);
      return probe(endpoint, {
        sendTo: (address) => through({ ...endpoint, address, addresses: [address] }),
        sendFrom: (address) => through({ ...endpoint, address }),
      });
    },
  };
}

/** The parts of the API of another profile or namespace (`Api.elsewhere`). */
function partsOf(parts: Parts, profileName: string | undefined, namespace: string | undefined): Parts {
  const { globals, profile } = parts;
  const here = { ...parts, globals: { ...globals, namespace: namespace ?? globals.namespace } };
  if (profileName === undefined) return here;
  return {
    ...parts,
    globals: { ...globals, address: undefined, skipVerify: false, namespace },
    profile: { name: profileName, read: () => profile.read(), credentials: profile.credentials },
    isPinned: true,
  };
}

/** Reports each operation that a service accepted. */
const reportingSuccess =
  (send: Send, onSuccess: Parts['onSuccess']): Send =>
  async (operation, input) => {
    const response = await send(operation, input);
    onSuccess(operation.retry);
    return response;
  };
