import { hasResponded } from '../../support/command-tests.ts';
import type { Home } from '../../support/run.ts';
import { type Handler, json, type Seen, serve, type TestServer } from '../../unit/api/support.ts';
import { type Changes, changesOf, runnerAgainst } from '../shelves.ts';

export type Account = { readonly [field: string]: unknown };
type Response = Parameters<Handler>[1];

export const id = (n: number): string => `acctpw_${String(n).padStart(10, '0')}`;
export const method = 'ampw_1234567890';

/** Accounts of a local server that responds as described in docs/protocol/accounts.md. */
export interface Shelf extends TestServer, Changes {
  readonly accounts: Map<string, Account>;
}

export const reject = (
  response: Response,
  status: number,
  kind: string,
  message: string,
  fields?: object,
): void =>
  json(response, { kind, message, ...(fields ? { details: { request_fields: fields } } : {}) }, status);

/** `change` may send the response; otherwise the server does. */
export async function shelf(
  stored: readonly Account[] = [],
  change: (seen: Seen, response: Response, at: { accounts: Map<string, Account> }) => void = () => {},
): Promise<Shelf> {
  const accounts = new Map(
    stored.map((account, index) => [
      id(index + 1),
      { id: id(index + 1), version: 1, type: 'password', auth_method_id: method, ...account } as Account,
    ]),
  );
  const server = await serve((seen, response) => {
    change(seen, response, { accounts });
    if (hasResponded(response)) return;
    const [, at, verb] = /^\/v1\/accounts\/([^/?:]+)(?::([a-z-]+))?$/.exec(seen.url) ?? [];
    const body = seen.body === '' ? {} : JSON.parse(seen.body);
    if (at === undefined && seen.method === 'GET')
      return json(response, { items: [...accounts.values()].reverse(), response_type: 'complete' });
    if (at === undefined) {
      const made = { id: id(accounts.size + 1), version: 1, ...body, attributes: hidden(body.attributes) };
      accounts.set(made.id, made);
      return json(response, made);
    }
    const there = accounts.get(at);
    if (there && seen.method === 'GET') return json(response, there);
    if (there && seen.method === 'DELETE') {
      accounts.delete(at);
      return void response.writeHead(204).end();
    }
    if (!there || there.version !== body.version) {
      if (verb !== undefined)
        // The response of Boundary for a password.
        return reject(
          response,
          500,
          'Internal',
          'updated account and 0 rows updated: search issue: error #1101',
        );
      return reject(
        response,
        404,
        'NotFound',
        seen.method === 'PATCH'
          ? `Account "${at}" doesn't exist or incorrect version provided.`
          : 'Resource not found.',
      );
    }
    const next = written(there, verb === undefined ? body : {});
    accounts.set(at, next);
    json(response, next);
  });
  return { ...server, accounts, ...changesOf(server) };
}

const hidden = ({ password: _secret, ...attributes }: Account = {}): Account => attributes;

/** An account after a change: null clears. */
export function written(account: Account, { attributes = {}, version: _guard, ...own }: Account): Account {
  const merged = { ...(account.attributes as object), ...(attributes as object) };
  const all = { ...account, ...own, attributes: merged, version: Number(account.version) + 1 };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** Runs a command of `account` against a server. */
export const runAt = (at: Home) =>
  runnerAgainst(
    at,
    (url) => ({ LANYARD_ACCOUNTS_ADDR: url, LANYARD_ACCOUNTS_TOKEN: 'at_1234567890_s3cret' }),
    'account',
  );
