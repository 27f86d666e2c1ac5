import type { EmbeddedOptions } from '../../../../src/services/start-services.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { type Call, call, type Reply, start } from '../support.ts';

export const adminToken = 'at_AbCdEf0123_TheSecretOfTheTokenFromTheStart';
export const admin = 'acctpw_1234567890';
export const seeded = 'ampw_1234567890';

/** Status, kind and message of common errors, and the fields of an invalid request. */
export const provided = 'Error in provided request.';
export const bad = (...fields: string[]) => [400, 'InvalidArgument', provided, ...fields.sort()];
export const notFound = [404, 'NotFound', 'Resource not found.'];
export const noToken = [401, 'Unauthenticated', 'Unauthenticated, or invalid token.'];
export const forbidden = [403, 'PermissionDenied', 'Forbidden.'];
export const format = 'attributes: Attribute fields do not match the expected format.';
export const required = 'This is a required field.';

/** What tests read of an item. */
export interface Item {
  readonly [member: string]: unknown;
  readonly id: string;
  readonly version: number;
  readonly created_time: string;
  readonly attributes: { readonly [name: string]: Json };
  readonly authorized_actions: readonly string[];
}

/** A page of a list, with empty lists instead of the ones that the response omits. */
export interface Listed {
  readonly items: readonly Item[];
  readonly response_type: 'delta' | 'complete';
  readonly list_token: string;
  readonly sort_by: string;
  readonly sort_dir: string;
  readonly removed_ids: readonly string[];
  readonly est_item_count: number;
}

/** An account service on its own port, with a clock that only `pass` moves, and functions that send requests. */
export async function accounts({ accounts, ...options }: Partial<EmbeddedOptions> = {}) {
  let now = Date.parse('2026-01-02T12:00:00Z');
  const started = await start({
    clock: () => new Date(now),
    ...options,
    accounts: { token: adminToken, ...accounts },
  });
  const address = started.addresses.accounts;

  /** A request below `/v1/` with the administrator's token, another one, or none (null). */
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    token: string | null = adminToken,
  ): Promise<Reply> => {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    const more: Call = { token: null, headers, ...(body !== undefined && { body }) };
    return call(address, method, `/v1/${path}`, more);
  };

  /** The JSON of a successful response. */
  const json = async (method: string, path: string, body?: unknown, token?: string | null): Promise<Item> => {
    const reply = await ask(method, path, body, token);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json as unknown as Item;
  };

  /** Status, kind, message, and the fields as `name: description`, of a rejection. */
  const rejected = async (method: string, path: string, body?: unknown, token?: string | null) => {
    const reply = await ask(method, path, body, token);
    if (reply.status < 400) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    const { kind, message, details } = reply.json as unknown as {
      kind: string;
      message: string;
      details?: { request_fields?: { name: string; description: string }[] };
    };
    const fields = (details?.request_fields ?? []).map(({ name, description }) => `${name}: ${description}`);
    return [reply.status, kind, message, ...fields];
  };

  /** A new account of the seeded auth method. */
  const made = (login: string, more: { readonly [member: string]: unknown } = {}, password?: string) =>
    json('POST', 'accounts', {
      auth_method_id: seeded,
      attributes: { login_name: login, ...(password !== undefined && { password }) },
      ...more,
    });

  /** A new auth method of a provider. */
  const provider = () => {
    const attributes = { issuer: 'https://id.example' };
    return json('POST', 'auth-methods', { scope_id: 'global', type: 'oidc', attributes });
  };

  const authenticate = (login: string, password: string) =>
    ask('POST', `auth-methods/${seeded}:authenticate`, { attributes: { login_name: login, password } }, null);

  /** The token of an account that logs in. */
  const login = async (name: string, password: string): Promise<string> => {
    const { json, text, status } = await authenticate(name, password);
    if (status !== 200) throw new Error(`login of ${name}: ${status} ${text}`);
    return String((json as unknown as Item).attributes.token);
  };

  const list = async (query: { readonly [name: string]: string | number } = {}): Promise<Listed> => {
    const asked = new URLSearchParams({ auth_method_id: seeded });
    for (const [name, value] of Object.entries(query)) asked.set(name, String(value));
    return { items: [], removed_ids: [], ...(await json('GET', `accounts?${asked}`)) } as unknown as Listed;
  };

  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { ...started, address, ask, json, rejected, made, provider, authenticate, login, list, pass };
}
