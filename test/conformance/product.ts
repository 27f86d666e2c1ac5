import type { ServiceName } from '../../src/wire/services.ts';
import { parsedJson } from '../support/parsed-json.ts';

/** A product and its version, as in the names of recordings. */
export interface Product {
  readonly product: string;
  readonly version: string;
}

/**
 * Finds out which product answers at an address, from its responses: the `Server` header of Lanyard, members and
 * headers that only one product has.
 *
 * @param token one that may read the agent's version, where the service has agents
 * @returns `unknown` for what the responses do not say
 * @throws Error nothing answers there
 */
export async function productAt(
  service: ServiceName,
  address: string,
  token: string | undefined,
): Promise<Product> {
  const get = async (path: string) => {
    const response = await fetch(`${address}${path}`, { headers: headersFor(service, token) });
    const text = await response.text();
    return { headers: response.headers, body: parsedJson(text) };
  };
  const first = await get(probes[service]);
  const [, version] = /^Lanyard\/(\S+)/.exec(first.headers.get('server') ?? '') ?? [];
  if (version !== undefined) return { product: 'lanyard', version };
  return identified(service, first.body, get);
}

type Get = (path: string) => Promise<{ readonly body: unknown }>;

async function identified(service: ServiceName, body: unknown, get: Get): Promise<Product> {
  const named = (product: string, version: unknown): Product => ({
    product,
    version: typeof version === 'string' ? version.replace(/^v/, '') : 'unknown',
  });
  if (service === 'secrets') {
    const seal = (await get('/v1/sys/seal-status')).body;
    return named(
      memberOf(seal, 'commit_date') === undefined ? 'vault' : 'openbao',
      memberOf(body, 'version'),
    );
  }
  if (service === 'registry') return named('consul', memberOf(body, 'Config', 'Version'));
  if (service === 'scheduler') return named('nomad', memberOf(body, 'config', 'Version', 'Version'));
  return named(service === 'accounts' ? 'boundary' : 'vagrant', undefined);
}

const probes: Readonly<Record<ServiceName, string>> = {
  secrets: '/v1/sys/health',
  registry: '/v1/agent/self',
  scheduler: '/v1/agent/self',
  box: '/api/v1/search?limit=1',
  accounts: '/v1/auth-methods?scope_id=global',
};

function headersFor(service: ServiceName, token: string | undefined): Record<string, string> {
  if (token === undefined) return {};
  if (service === 'registry') return { 'X-Consul-Token': token };
  if (service === 'scheduler') return { 'X-Nomad-Token': token };
  return service === 'secrets' ? {} : { Authorization: `Bearer ${token}` };
}

function memberOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names)
    found =
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined;
  return found;
}
