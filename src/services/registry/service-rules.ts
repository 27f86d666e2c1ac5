import { multiError } from './config/multi-error.ts';
import type { Service } from './model/catalog.ts';

const gateways = ['mesh-gateway', 'terminating-gateway', 'ingress-gateway', 'api-gateway'];
/** Gateways whose port is a listener's port. */
const portlessGateways = ['ingress-gateway', 'api-gateway'];

/** What is wrong with a proxy, a gateway or a service of the mesh, in the words of the product. */
export function problemsOfService(
  service: Pick<Service, 'Kind' | 'Port' | 'SocketPath' | 'Proxy' | 'Connect'>,
): string[] {
  const { Kind, Port, SocketPath, Connect } = service;
  const problems: string[] = [];
  const destination = service.Proxy.DestinationServiceName ?? '';
  const hasPort = Port !== 0 || SocketPath !== undefined;
  if (Kind === 'connect-proxy') {
    if (!hasPort) problems.push(`Port or SocketPath must be set for a ${Kind}`);
    if (destination.trim() === '')
      problems.push('Proxy.DestinationServiceName must be non-empty for Connect proxy services');
    if (destination === '*')
      problems.push('Proxy.DestinationServiceName must not be a wildcard for Connect proxy services');
    if (Connect.Native === true)
      problems.push('A Proxy cannot also be Connect Native, only typical services');
  }
  if (Kind !== undefined && gateways.includes(Kind)) {
    if (Port === 0 && !portlessGateways.includes(Kind)) problems.push(`Port must be non-zero for a ${Kind}`);
    if (destination !== '')
      problems.push(`The Proxy.DestinationServiceName configuration is invalid for a ${Kind}`);
  }
  if (Connect.Native === true && !hasPort)
    problems.push('Port or SocketPath must be set for a Connect native service.');
  return problems;
}

/** Whether an address is the unspecified one: all addresses of a machine. */
export const isAnyAddress = (address: string): boolean => ['0.0.0.0', '::', '[::]'].includes(address);

/** Why a service cannot be written to the catalog, in the words of the product; undefined: it can. */
export function problemOfWrittenService(
  service: Pick<Service, 'ID' | 'Service' | 'Address'> & Parameters<typeof problemsOfService>[0],
): string | undefined {
  const problems = multiError(problemsOfService(service));
  if (problems !== undefined) return problems;
  if (service.ID === '') return 'Must provide service name (Service.Service)';
  if (service.Service === '')
    return 'Must provide service name (Service.Service) when service ID is provided';
  return isAnyAddress(service.Address) ? 'Invalid service address' : undefined;
}

/** Why a text is not a UUID, in the words of the product. */
export const problemOfUuid = (text: string): string =>
  Buffer.byteLength(text) === 36 ? 'uuid is improperly formatted' : 'uuid string is wrong length';
