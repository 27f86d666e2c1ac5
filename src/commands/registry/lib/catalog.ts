import type { HealthCheck, ServiceInstance } from '../../../api/registry-catalog.ts';
import { bad, dim, good, type Span, type StyledText, warn } from '../../../output/document.ts';
import { isMaintenance } from './maintenance.ts';

/** From the worst to the best, with any other status as the worst. */
const statuses: readonly string[] = ['maintenance', 'critical', 'warning', 'passing'];

/** The worst status of checks; `passing` if there are none. */
export function worstStatus(checks: readonly HealthCheck[]): string {
  const all = checks.map((check) => (isMaintenance(check) ? 'maintenance' : check.Status));
  const rank = (status: string): number => statuses.indexOf(status);
  return all.sort((one, other) => rank(one) - rank(other))[0] ?? 'passing';
}

const styles: Readonly<Record<string, (text: string) => Span>> = { passing: good, warning: warn };

export const statusText = (status: string): StyledText => [(styles[status] ?? bad)(status)];

/** `10.1.2.3:8080`; a service without an address has the address of its node. */
export function addressOf({ Node, Service }: Pick<ServiceInstance, 'Node' | 'Service'>): string {
  const host = Service.Address || Node.Address;
  const shown = host.includes(':') ? `[${host}]` : host;
  return Service.Port ? `${shown}:${Service.Port}` : shown;
}

export const listText = (values: readonly string[] | null | undefined): StyledText =>
  values && values.length > 0 ? values.join(', ') : [dim('-')];
