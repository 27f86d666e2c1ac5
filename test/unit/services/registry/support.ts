import type { EmbeddedOptions } from '../../../../src/services/start-services.ts';
import { callerOf, managerOf } from '../callers.ts';
import { type Call, call, start } from '../support.ts';

/** An answer: most are lists of objects, and an object that tells an ID is the other kind. */
export interface Answered extends Array<Readonly<Record<string, unknown>>> {
  readonly ID: string;
}

/** A registry on a port of its own, a clock that only moves when told to, and short ways to ask. */
export async function registry(options: Partial<EmbeddedOptions> = {}) {
  let now = Date.parse('2026-01-02T12:00:00Z');
  const started = await start({ clock: () => new Date(now), ...options });
  const ask = (method: string, path: string, more: Call = {}) =>
    call(started.addresses.registry, method, `/v1/${path}`, { token: null, ...more });
  const said = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await ask(method, path, { body });
    return [status, text];
  };
  const json = async (method: string, path: string, body?: unknown) => {
    const { json, text, status } = await ask(method, path, { body });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json as unknown as Answered;
  };
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { ...started, ask, said, json, pass };
}

/** A registry whose access control is bootstrapped, and callers with tokens of their own. */
export async function guarded(options: Parameters<typeof registry>[0] = {}) {
  const open = await registry(options);
  const { json } = await open.ask('PUT', 'acl/bootstrap');
  const root = { 'X-Registry-Token': String(json?.SecretID) };
  const as = callerOf(open.ask);
  const manage = managerOf(open.ask, root);
  let made = 0;
  /** A caller that may do what the rules say. */
  const holder = async (Rules: string) => {
    const Name = `policy-${++made}`;
    await manage('PUT', 'acl/policy', { Name, Rules });
    const { SecretID, AccessorID } = await manage('PUT', 'acl/token', { Policies: [{ Name }] });
    return { say: as({ 'X-Consul-Token': String(SecretID) }), AccessorID, secret: String(SecretID) };
  };
  return { ...open, bootstrapped: json ?? {}, manage, holder, anonymous: as({}), as };
}
