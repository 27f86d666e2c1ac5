import { messageOf } from '../core/errors.ts';
import { cleanedTarget } from '../core/http/cleaned-target.ts';
import { defineService } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  type ServiceParts,
  textResponse,
} from '../core/http/http-service.ts';
import { openEncryption } from '../core/store/encryption.ts';
import type { KeyFile } from '../data-directory.ts';
import type { Context, Registry } from './call.ts';
import { datacenterOf, registryOfDatacenter } from './call-in-datacenter.ts';
import { closeDatacenter, openDatacenter } from './datacenter.ts';
import { createFederation, type RoundTrip } from './federation.ts';
import { readBody } from './read-body.ts';
import { checkRequestTenancy, queryRules } from './read-parameters.ts';
import { forwardToPrimary } from './replication/forward-to-primary.ts';
import { ignoresToken, registryRoutes, slashRoutes } from './routes.ts';
import { ensureStartUpToken } from './start-up-token.ts';

export interface RegistryParts extends ServiceParts {
  /** Names of the datacenters; the first is the primary one, whose agent receives the requests. */
  readonly datacenters: readonly [string, ...string[]];
  /** Round-trip times between datacenters, where they differ from the default. */
  readonly roundTrips: readonly RoundTrip[];
  /** The file with the encryption key of tokens, auth methods and prepared queries; undefined: in memory, not encrypted. */
  readonly keyFile: KeyFile | undefined;
  /** The file that allows bootstrapping access control again; undefined: not possible. */
  readonly resetFile?: string | undefined;
}

/** Letters, marks, numbers, punctuation, symbols and spaces, but no line breaks and other spaces. */
const isPrintable = (text: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text);

/** The key of a text that only the right key decrypts. */
const keyCheckKey = 'key/proof';

export interface RegistryService extends HttpService {
  /** Ensures that a management token exists before the bootstrap (start-up-token.ts). */
  ensureStartUpToken(previous?: string): Promise<string>;
  /** Ends blocking queries and stops the timers. */
  stop(): void;
}

/**
 * The service registry on a storage: its datacenters, each with its agent's node. Every error is plain text without a
 * trailing newline (docs/protocol/registry.md#requests-and-responses).
 *
 * @throws EmbeddedError data: the stored data belongs to a datacenter of another name, or the key does not decrypt it
 */
export async function registryService(parts: RegistryParts): Promise<RegistryService> {
  const { datacenters, roundTrips, storage } = parts;
  const logFault = (error: unknown) => parts.log(`registry: ${messageOf(error)}`);
  const registries = new Map<string, Registry>();
  const federation = createFederation(datacenters, roundTrips, (name) => registries.get(name));
  const stop = () => {
    for (const registry of registries.values()) closeDatacenter(registry);
  };
  try {
    const encryption = await openEncryption({
      ...parts,
      service: 'registry',
      keyCheckValue: storage.get(keyCheckKey) as string | undefined,
      saveKeyCheckValue: (value) => storage.write([{ key: keyCheckKey, value }]),
    });
    for (const name of datacenters) {
      registries.set(
        name,
        await openDatacenter(name, federation, { ...parts, encryption, onError: logFault }),
      );
    }
  } catch (error) {
    stop();
    throw error;
  }
  const primaryRegistry = registryOfDatacenter(federation, federation.primary);
  const routes = registryRoutes();
  const withSlash = slashRoutes();
  const findRoute = (segments: readonly string[], { path }: HttpRequest) =>
    (path.hasTrailingSlash ? withSlash : routes).find(segments);
  const http = defineService<Context & { readonly requested: Registry }>({
    name: 'registry',
    headerPrefixes: ['X-Registry', 'X-Consul'],
    rawKeyPrefixes: [
      'v1/kv',
      'v1/acl/policy/name',
      'v1/acl/templated-policy/name',
      'v1/acl/templated-policy/preview',
    ],
    redirectTarget: cleanedTarget,
    routes: { find: findRoute },
    before({ method, path }) {
      // Before the lookup of the route, without a message (Consul).
      if (!path.segments.every(isPrintable)) throw new HttpError(400, '');
      if (method === 'HEAD') throw new HttpError(405, 'method HEAD not allowed');
    },
    async authenticate(request, handler) {
      checkRequestTenancy(request);
      const requested = registryOfDatacenter(federation, datacenterOf(request) ?? federation.primary);
      const registry = forwardToPrimary(requested, request);
      const { agent, sessionExpiry, tokenExpiry } = registry;
      if (agent.isDue) await agent.removeExpired();
      if (sessionExpiry.isDue) await sessionExpiry.removeExpired();
      if (tokenExpiry.isDue) await tokenExpiry.removeExpired();
      const permissions = ignoresToken(handler)
        ? registry.acl.anonymousPermissions
        : registry.acl.permissionsOf(request);
      return { requested, registry, permissions };
    },
    after({ registry, requested }) {
      for (const { agent } of registries.values()) agent.scheduleSync();
      return registry === requested ? undefined : requested.replicator?.waitUntilCaughtUp();
    },
    readBody,
    queryRules,
    errorBody: ({ status, message }) => textResponse(status, message),
    messages: { notFound: 'Invalid URL path: not a recognized HTTP API endpoint' },
    storage,
    log: parts.log,
  });
  /** Adds the header that every response has, also an error. */
  function withDefaultPolicy(response: HttpResponse): HttpResponse {
    if (response.serviceHeaders?.['Default-ACL-Policy'] !== undefined) return response;
    const policy = primaryRegistry.acl.defaultPolicy;
    return { ...response, serviceHeaders: { 'Default-ACL-Policy': policy, ...response.serviceHeaders } };
  }

  /** OPTIONS lists the methods of a path, without a token. */
  function respondToOptions(request: HttpRequest): HttpResponse | undefined {
    const match = request.method === 'OPTIONS' && findRoute(request.path.segments, request);
    if (!match) return undefined;
    const Allow = ['OPTIONS', ...match.handlers.keys()].join(',');
    return { status: 200, headers: { 'Content-Type': 'application/json', Allow }, body: '' };
  }

  return {
    ...http,
    errorResponse: (error) => withDefaultPolicy(http.errorResponse(error)),
    handle: async (request) => respondToOptions(request) ?? withDefaultPolicy(await http.handle(request)),
    ensureStartUpToken: (previous) => ensureStartUpToken(primaryRegistry, previous),
    stop,
  };
}
