import { expect } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { type Call, call, type Reply, rootToken, start } from '../support.ts';
import { decorated } from './engine-calls.ts';

/** When the clock of a service starts. */
export const t0 = Date.parse('2026-03-01T00:00:00Z');

export const everything =
  'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';

/** The outcome of a request that the policies of its token do not permit, and with a token that is not valid. */
export const denied = `403 ${decorated('permission denied')}`;
export const badToken = '403 permission denied; invalid token';

/** A service with a clock that only `pass` moves, and short functions for requests. */
export async function secrets(options: Parameters<typeof start>[0] = {}) {
  let now = t0;
  const started = await start({ clock: () => new Date(now), ...options });
  const address = started.addresses.secrets;
  const ask = (method: string, path: string, more?: Call) => call(address, method, `/v1/${path}`, more);
  const without =
    (method: string) =>
    (path: string, token: string | null = rootToken) =>
      ask(method, path, { token });
  const withBody =
    (method: string) =>
    (path: string, body: unknown = {}, token: string | null = rootToken) =>
      ask(method, path, { body, token });
  const post = withBody('POST');
  const put = withBody('PUT');
  const createToken = async (body: Record<string, Json>, more: Call = {}): Promise<Auth> =>
    authOf(await ask('POST', 'auth/token/create', { body, ...more }));
  const policy = async (name: string, text: string) => {
    expect((await put(`sys/policies/acl/${name}`, { policy: text })).status).toBe(204);
  };
  let policies = 0;
  return {
    ...started,
    ask,
    get: without('GET'),
    list: without('LIST'),
    remove: without('DELETE'),
    post,
    put,
    createToken,
    policy,
    /** A token with a policy of its own. */
    async tokenWith(text: string): Promise<string> {
      const name = `own-${++policies}`;
      await policy(name, text);
      return (await createToken({ policies: [name] })).client_token;
    },
    pass(seconds: number) {
      now += seconds * 1000;
    },
  };
}

/** The `auth` field of a response, as far as tests use it. */
export interface Auth {
  readonly client_token: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly lease_duration: number;
  readonly orphan: boolean;
  readonly entity_id: string;
  readonly token_type: string;
}

export const data = (reply: Reply) => reply.json?.data as Record<string, Json> | undefined;

/** `400 the message`, or the status alone of a success or of an error whose list of errors is empty. */
export function outcome({ status, json }: Reply): string {
  const errors = (json?.errors ?? (status < 400 ? [] : ['without errors'])) as readonly string[];
  return errors.length === 0 ? `${status}` : `${status} ${errors.join('; ')}`;
}

/** The `auth` field of a successful login or token request. */
export function authOf({ json, text }: Reply): Auth {
  const auth: unknown = json?.auth;
  if (!auth) throw new Error(`no auth: ${text}`);
  return auth as Auth;
}
