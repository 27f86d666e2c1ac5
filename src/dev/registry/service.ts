import type { KeyFile } from '../data-directory.ts';
import { messageOf } from '../errors.ts';
import {
  type Answer,
  HttpRefusal,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
  textAnswer,
} from '../http/service.ts';
import { answerOrRefuse, handlerOf } from '../http/table.ts';
import type { PagedStorage } from '../storage.ts';
import { openVault, type Vault } from '../vault.ts';
import { closeDatacenter, openDatacenter } from './datacenter.ts';
import { federate, type RoundTrip } from './federation.ts';
import type { Registry } from './http/call.ts';
import { registryIn } from './http/datacenter.ts';
import { checkCommon } from './http/parameters.ts';
import { keeperOf } from './replication/keeper.ts';
import { registryRoutes } from './routes/table.ts';
import { CatalogError } from './state/catalog.ts';

export interface RegistryParts extends ServiceParts {
  readonly storage: PagedStorage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Told of faults of the service, one line each. */
  readonly log: (line: string) => void;
  /** By name; the first is the primary one, and its agent answers. */
  readonly datacenters: readonly [string, ...string[]];
  /** Where they are not the usual ones. */
  readonly roundTrips: readonly RoundTrip[];
  /** Where the key of tokens, auth methods and prepared queries is; undefined: in memory, as they are. */
  readonly keyFile: KeyFile | undefined;
  /** The file that lets access control be bootstrapped again; undefined: nothing does. */
  readonly resetFile?: string | undefined;
}

/** The service registry on HTTP, and what ends it. */
export interface RegistryService extends HttpService {
  /** Lets go of those who wait, and of the timers. */
  stop(): void;
}

/**
 * The service registry on a storage: its datacenters, with the agent's own node in each. Every error is plain text
 * without a trailing newline (docs/protocol/registry.md#requests-and-responses).
 *
 * @throws EmbeddedError data: what is kept is of a datacenter of another name, or the key does not open it
 */
export async function registryService(parts: RegistryParts): Promise<RegistryService> {
  const { datacenters, roundTrips } = parts;
  const fault = (error: unknown) => parts.log(`registry: ${messageOf(error)}`);
  const registries = new Map<string, Registry>();
  const federation = federate(datacenters, roundTrips, (name) => registries.get(name));
  const stop = () => {
    for (const registry of registries.values()) closeDatacenter(registry);
  };
  try {
    const vault = await vaultIn(parts);
    for (const name of datacenters) {
      registries.set(name, await openDatacenter(name, federation, { ...parts, vault, failed: fault }));
    }
  } catch (error) {
    stop();
    throw error;
  }
  const routes = registryRoutes();

  async function route(request: HttpRequest): Promise<Answer> {
    const found = handlerOf(routes.find(request.path.segments), request, {
      noPath: () => refuse(404, 'Invalid URL path: not a recognized HTTP API endpoint'),
      noMethod: () => refuse(405, `method ${request.method} not allowed`),
    });
    if ('refusal' in found) return found.refusal;
    checkCommon(request);
    const asked = registryIn(federation, request.query.get('dc') || federation.primary);
    const registry = await keeperOf(asked, request);
    await registry.times.sweep();
    await registry.expiry.sweep();
    const authority = registry.acl.authorityOf(request);
    const answer = await found.handler({ registry, request, params: found.params, authority });
    if (registry !== asked) await asked.replicator?.caughtUp();
    return answer;
  }

  async function answer(request: HttpRequest): Promise<Answer> {
    try {
      return await route(request);
    } catch (error) {
      throw error instanceof CatalogError ? new HttpRefusal(500, error.message) : error;
    }
  }

  return {
    name: 'registry',
    prefixes: ['X-Registry', 'X-Consul'],
    keysBelow: ['v1', 'kv'],
    handle: (request) => answerOrRefuse(() => answer(request), refuse, fault),
    refuse,
    stop,
  };
}

function vaultIn({ keyFile, random, storage }: RegistryParts): Promise<Vault> {
  const key = 'key/proof';
  return openVault({
    service: 'registry',
    random,
    file: keyFile,
    proof: storage.get(key) as string | undefined,
    keepProof: (value) => storage.write([{ key, value }]),
  });
}

function refuse(status: number, message: string): Answer {
  return textAnswer(status, message);
}
