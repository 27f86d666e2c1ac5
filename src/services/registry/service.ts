import { messageOf } from '../core/errors.ts';
import { findHandler, responseOrError } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  type ServiceParts,
  textResponse,
} from '../core/http/http-service.ts';
import { openEncryption, type ValueEncryption } from '../core/store/encryption.ts';
import type { PagedStorage } from '../core/store/storage.ts';
import type { KeyFile } from '../data-directory.ts';
import type { Registry } from './call.ts';
import { registryOfDatacenter } from './call-in-datacenter.ts';
import { closeDatacenter, openDatacenter } from './datacenter.ts';
import { createFederation, type RoundTrip } from './federation.ts';
import { CatalogError } from './model/catalog.ts';
import { checkRequestTenancy } from './read-parameters.ts';
import { forwardToPrimary } from './replication/forward-to-primary.ts';
import { registryRoutes } from './routes.ts';

export interface RegistryParts extends ServiceParts {
  readonly storage: PagedStorage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Called with internal errors of the service, one line each. */
  readonly log: (line: string) => void;
  /** By name; the first is the primary one, whose agent responds. */
  readonly datacenters: readonly [string, ...string[]];
  /** Where they differ from the default. */
  readonly roundTrips: readonly RoundTrip[];
  /**
   * The file of the encryption key of tokens, auth methods and prepared queries; undefined: in memory, unencrypted.
   */
  readonly keyFile: KeyFile | undefined;
  /** The file that permits another ACL bootstrap; undefined: not permitted. */
  readonly resetFile?: string | undefined;
}

/** The HTTP service of the registry, and its shutdown. */
export interface RegistryService extends HttpService {
  /** Ends waiting requests and timers. */
  stop(): void;
}

/**
 * The service registry on a storage: its datacenters, each with its agent's node. Every error is plain text without a
 * trailing newline (docs/protocol/registry.md#requests-and-responses).
 *
 * @throws EmbeddedError data: the stored data belong to a datacenter of another name, or the key does not decrypt
 * them
 */
export async function registryService(parts: RegistryParts): Promise<RegistryService> {
  const { datacenters, roundTrips } = parts;
  const logFault = (error: unknown) => parts.log(`registry: ${messageOf(error)}`);
  const registries = new Map<string, Registry>();
  const federation = createFederation(datacenters, roundTrips, (name) => registries.get(name));
  const stop = () => {
    for (const registry of registries.values()) closeDatacenter(registry);
  };
  try {
    const encryption = await openServiceEncryption(parts);
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
  const routes = registryRoutes();

  async function route(request: HttpRequest): Promise<HttpResponse> {
    const match = findHandler(routes.find(request.path.segments), request, {
      notFound: () => errorResponse(404, 'Invalid URL path: not a recognized HTTP API endpoint'),
      methodNotAllowed: () => errorResponse(405, `method ${request.method} not allowed`),
    });
    if ('errorResponse' in match) return match.errorResponse;
    checkRequestTenancy(request);
    const requested = registryOfDatacenter(federation, request.query.get('dc') || federation.primary);
    const registry = await forwardToPrimary(requested, request);
    await registry.sessionExpiry.expireDue();
    await registry.tokenExpiry.removeExpired();
    const permissions = registry.acl.permissionsOf(request);
    const response = await match.handler({ registry, request, params: match.params, permissions });
    if (registry !== requested) await requested.replicator?.waitUntilCaughtUp();
    return response;
  }

  async function respond(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await route(request);
    } catch (error) {
      throw error instanceof CatalogError ? new HttpError(500, error.message) : error;
    }
  }

  return {
    name: 'registry',
    headerPrefixes: ['X-Registry', 'X-Consul'],
    rawKeyPrefix: ['v1', 'kv'],
    handle: (request) => responseOrError(() => respond(request), errorResponse, logFault),
    errorResponse,
    stop,
  };
}

function openServiceEncryption({ keyFile, random, storage }: RegistryParts): Promise<ValueEncryption> {
  const key = 'key/proof';
  return openEncryption({
    service: 'registry',
    random,
    keyFile,
    keyCheckValue: storage.get(key) as string | undefined,
    saveKeyCheckValue: (value) => storage.write([{ key, value }]),
  });
}

function errorResponse(status: number, message: string): HttpResponse {
  return textResponse(status, message);
}
