import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { PagedStorage } from '../core/store/storage.ts';
import type { Account } from './model/accounts.ts';

/** The parts of the account service. */
export interface AccountService {
  readonly storage: PagedStorage;
  readonly clock: () => Date;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
}

/** A request that matches a route. */
export interface Call {
  readonly service: AccountService;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** The account of the token; undefined: no token, or an invalid one. */
  readonly caller: Account | undefined;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;

/** The time of a request: ISO 8601, UTC, milliseconds. */
export const timeOf = ({ clock }: Pick<AccountService, 'clock'>): string => clock().toISOString();
