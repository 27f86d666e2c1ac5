import { insteadOf, isFailure, LanyardError } from '../errors.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import { parseAddress } from './address.ts';
import { anything } from './decode.ts';
import type { Endpoint } from './endpoint.ts';
import type { Send } from './http/response.ts';
import type { Operation } from './operation.ts';
import { type Evidence, fieldsOf, isFrom } from './product.ts';
import type { ServiceError } from './service-error.ts';
import { services } from './services.ts';

/** Sends to one address only. */
export type SendTo = (address: string) => Send;

const anyStatus = [
  200, 204, 400, 401, 403, 404, 405, 409, 410, 412, 429, 472, 473, 500, 501, 502, 503, 504,
] as const;

/** A request of which every response counts, with neither token nor namespace. */
export const ask = (service: ServiceName, path: string): Operation<object, unknown> => {
  const [route = '', search] = path.split('?');
  return {
    name: 'read health',
    service,
    method: 'GET',
    path: route,
    fixedQuery: [...new URLSearchParams(search)],
    token: 'none',
    namespace: 'none',
    accepts: anyStatus,
    retry: 'read',
    decode: anything,
  };
};

export const healthPath = (service: ServiceName): string => services[service].base + services[service].health;

/**
 * The error if another service sent a 404 or a denial.
 *
 * @returns undefined: the service itself did, or what responds is unknown
 */
export function otherServiceFinder(endpoint: Endpoint, sendTo: SendTo) {
  let other: Promise<string | undefined> | undefined;
  return async (error: ServiceError, name: string): Promise<LanyardError | undefined> => {
    const { service, address, addressFrom } = endpoint;
    if (isOwn(service, error)) return undefined;
    other ??= otherServiceAt(endpoint, sendTo);
    const problem = await other;
    if (problem === undefined) return undefined;
    const from = addressFrom === undefined ? '' : ` (from ${addressFrom})`;
    return new LanyardError('failure', `cannot ${name}: ${problem}`, {
      service,
      status: error.status,
      details: [`The address is ${address}${from}.`],
      hint: 'Correct the address. Run `lanyard status` to see what responds.',
    });
  };
}

/** Whether only the service sends such a 404; a denial is foreign only if it has the form of the secrets service. */
function isOwn(service: ServiceName, { status, headers, body }: ServiceError): boolean {
  const fields = fieldsOf(body);
  const isOfSecrets = Array.isArray(fields.errors) && fields.success === undefined;
  if (status !== 404) return service === 'secrets' || !isOfSecrets;
  const names = Object.keys(headers);
  switch (service) {
    case 'secrets':
      // OpenBao has no body for a PATCH of a missing secret.
      return (
        isOfSecrets ||
        fields.data !== undefined ||
        (body === undefined && /^application\/json/.test(headers['content-type'] ?? ''))
      );
    case 'registry':
      return (
        names.some((name) => /^x-(consul|registry)-/.test(name)) ||
        String(body).includes('not a recognized HTTP API endpoint')
      );
    case 'scheduler':
      return names.some((name) => /^x-(nomad|scheduler)-/.test(name));
    case 'accounts':
      return typeof fields.kind === 'string';
    case 'box':
      return fields.success === false;
  }
}

async function otherServiceAt(endpoint: Endpoint, sendTo: SendTo): Promise<string | undefined> {
  const { service, address } = endpoint;
  const send = sendTo(address);
  // Nomad responds to the health request of the registry too.
  if (service === 'registry' && (await responds(send, service, 'scheduler')))
    return respondsHere('scheduler');
  if (await responds(send, service, service)) return undefined;
  return (await whoElse(endpoint, sendTo, '')) || undefined;
}

/** Nomad responds to the registry's health request too, and only its own one identifies it. */
export async function isScheduler(send: Send, health: Evidence): Promise<boolean> {
  if (Object.keys(health.headers).some((name) => /^x-(consul|registry)-/.test(name))) return false;
  return responds(send, 'registry', 'scheduler');
}

/** Whether a service responds to its health request at the address of another one. */
const responds = (send: Send, requested: ServiceName, service: ServiceName): Promise<boolean> =>
  send(ask(requested, healthPath(service)), {})
    .then((health) => isFrom(service, health))
    .catch(insteadOf(isFailure, false));

/** What responds at an address instead of the service, if it can be recognized. */
export async function whoElse(
  { service, address }: Endpoint,
  sendTo: SendTo,
  otherwise: string,
): Promise<string> {
  // A unix socket is an address without a path.
  const { origin, pathname } =
    parseAddress(address)?.socketPath === undefined ? new URL(address) : { origin: address, pathname: '/' };
  const { title } = services[service];
  if (pathname !== '/' && (await responds(sendTo(origin), service, service)))
    return `the ${title} responds at ${origin}: remove "${pathname}" from the address`;
  const send = sendTo(origin);
  const others = serviceNames.filter((each) => each !== service);
  const found = await Promise.all(others.map((each) => responds(send, service, each)));
  // Nomad sends a response to the registry's request as well.
  const who = others.filter((_, index) => found[index]);
  const [other] = who.includes('scheduler') ? (['scheduler'] as const) : who;
  return other === undefined ? otherwise : respondsHere(other);
}

export const respondsHere = (other: ServiceName): string =>
  `the ${services[other].title} responds at this address`;
