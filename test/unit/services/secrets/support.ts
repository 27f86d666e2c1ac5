import { expect } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { type Call, call, type Reply, start } from '../support.ts';

/** A service, and short functions for requests. */
export async function secrets(options: Parameters<typeof start>[0] = {}) {
  const started = await start(options);
  const address = started.addresses.secrets;
  const ask = (method: string, path: string, more?: Call) => call(address, method, `/v1/${path}`, more);
  const createToken = async (body: Record<string, Json>, more: Call = {}): Promise<Auth> => {
    const reply = await ask('POST', 'auth/token/create', { body, ...more });
    expect(reply.status, reply.text).toBe(200);
    return reply.json?.auth as unknown as Auth;
  };
  const policy = async (name: string, text: string) => {
    expect((await ask('PUT', `sys/policies/acl/${name}`, { body: { policy: text } })).status).toBe(204);
  };
  return { ...started, ask, createToken, policy };
}

/** The `auth` field of a response, as far as tests use it. */
export interface Auth {
  readonly client_token: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly lease_duration: number;
  readonly orphan: boolean;
}

export const errors = ({ status, json }: Reply) => [status, json?.errors];
export const data = (reply: Reply) => reply.json?.data as Record<string, Json> | undefined;

/** The `auth` field of a successful login or token request. */
export function authOf({ json, text }: Reply): Auth {
  const auth: unknown = json?.auth;
  if (!auth) throw new Error(`no auth: ${text}`);
  return auth as Auth;
}
