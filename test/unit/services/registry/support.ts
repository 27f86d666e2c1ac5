import type { EmbeddedOptions } from '../../../../src/services/start-services.ts';
import { callerOf, managerOf } from '../callers.ts';
import { type Call, call, start } from '../support.ts';

/** The JSON of a response: most are lists of objects, the others objects with an ID. */
export interface Body extends Array<Readonly<Record<string, unknown>>> {
  readonly ID: string;
}

/** The response to a transaction. */
export interface Transacted {
  readonly Results: readonly { readonly KV: { readonly Key: string } }[] | null;
  readonly Errors: readonly { readonly OpIndex: number; readonly What: string }[] | null;
  readonly ResultsFilteredByACLs?: boolean;
}

/** A registry on its own port, with a clock that only `pass` moves, and functions that send requests. */
export async function registry(options: Partial<EmbeddedOptions> = {}) {
  let now = Date.parse('2026-01-02T12:00:00Z');
  const started = await start({ clock: () => new Date(now), ...options });
  const ask = (method: string, path: string, more: Call = {}) =>
    call(started.addresses.registry, method, `/v1/${path}`, { token: null, ...more });
  const as = callerOf(ask);
  const json = async (method: string, path: string, body?: unknown) => {
    const { json, text, status } = await ask(method, path, { body });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json as unknown as Body;
  };
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { ...started, ask, as, send: as({}), json, pass };
}

/** A registry whose access control is bootstrapped, and callers with and without tokens. */
export async function guarded(options: Parameters<typeof registry>[0] = {}) {
  const open = await registry(options);
  const { json } = await open.ask('PUT', 'acl/bootstrap');
  const rootHeaders = { 'X-Registry-Token': String(json?.SecretID) };
  const manage = managerOf(open.ask, rootHeaders);
  /** A caller with a token of this secret ID. */
  const withToken = (secret: unknown) => open.as({ 'X-Registry-Token': String(secret) });
  /** A caller with a new token of these policies, roles or identities. */
  const grant = async (grants: object) => withToken((await manage('PUT', 'acl/token', grants)).SecretID);
  let made = 0;
  /** A caller with the permissions of these rules. */
  const holder = async (Rules: string) => {
    const Name = `policy-${++made}`;
    await manage('PUT', 'acl/policy', { Name, Rules });
    const { SecretID, AccessorID } = await manage('PUT', 'acl/token', { Policies: [{ Name }] });
    return { send: withToken(SecretID), AccessorID, secret: String(SecretID) };
  };
  const root = open.as(rootHeaders);
  return {
    ...open,
    bootstrapped: json ?? {},
    manage,
    root,
    rootHeaders,
    withToken,
    grant,
    holder,
    anonymous: open.send,
  };
}
