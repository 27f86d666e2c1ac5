import type { ServiceParts } from '../core/http/http-service.ts';
import { type CallOf, type HandlerOf, operationsOf } from '../core/operation.ts';
import type { Problems } from './errors.ts';
import type { Caller } from './permissions/access.ts';

export type AccountService = Pick<ServiceParts, 'storage' | 'clock' | 'random' | 'scryptCost'>;

export interface Context {
  readonly service: AccountService;
  readonly caller: Caller;
  readonly problems: Problems;
}

export type Call = CallOf<Context>;
export type Handler = HandlerOf<Context>;

export const operations = operationsOf<Context>();

/** The time of a request, as stored and returned: ISO 8601, UTC, milliseconds. */
export const timeOf = ({ clock }: Pick<AccountService, 'clock'>): string => clock().toISOString();
