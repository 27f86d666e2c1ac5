import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import type { Account } from './model/accounts.ts';

/** What the account service is made of. */
export interface AccountService {
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
}

/** A request on its way through a route. */
export interface Call {
  readonly service: AccountService;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** Whose token came along; undefined: none did, or one that is not good. */
  readonly caller: Account | undefined;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;

/** The time of a request as it is kept and answered: ISO 8601, UTC, milliseconds. */
export const timeOf = ({ clock }: Pick<AccountService, 'clock'>): string => clock().toISOString();
