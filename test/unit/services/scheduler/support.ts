import type { EmbeddedOptions } from '../../../../src/services/start-services.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { callerOf, managerOf } from '../callers.ts';
import { type Call, call, start } from '../support.ts';

type Body = { readonly [name: string]: Json };

/** A scheduler on its own port, with a clock that only `pass` moves, and functions that send requests. */
export async function scheduler(options: Partial<EmbeddedOptions> = {}) {
  let now = Date.parse('2026-01-02T12:00:00Z');
  const started = await start({ clock: () => new Date(now), ...options });
  const ask = (method: string, path: string, more: Call = {}) =>
    call(started.addresses.scheduler, method, `/v1/${path}`, { token: null, ...more });
  const as = callerOf(ask);
  const json = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const { json, text, status } = await ask(method, path, { body });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json ?? {};
  };
  /** Puts a variable with one item. */
  const put = (path: string, value = 'v') => json('PUT', `var/${path}`, { Items: { k: value } });
  /** The paths that a list has. */
  const paths = async (query = '') => {
    const found = (await json('GET', `vars?${query}`)) as unknown as readonly { readonly Path: string }[];
    return found.map(({ Path }) => Path);
  };
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { ...started, ask, as, send: as({}), json, put, paths, pass };
}

/** A scheduler whose access control is bootstrapped, and callers with and without tokens. */
export async function guarded(options: Parameters<typeof scheduler>[0] = {}) {
  const open = await scheduler(options);
  const { json } = await open.ask('PUT', 'acl/bootstrap');
  const rootHeaders = { 'X-Scheduler-Token': String(json?.SecretID) };
  const manage = managerOf(open.ask, rootHeaders);
  const withToken = (secret: unknown) => open.as({ 'X-Nomad-Token': String(secret) });
  let made = 0;
  /** A caller with the permissions of policies with these rules. */
  const holder = async (...rules: string[]) => {
    const Policies: string[] = [];
    for (const Rules of rules) {
      Policies.push(`policy-${++made}`);
      await manage('PUT', `acl/policy/policy-${made}`, { Name: `policy-${made}`, Rules });
    }
    const { SecretID, AccessorID } = await manage('PUT', 'acl/token', { Type: 'client', Policies });
    const secret = String(SecretID);
    const headers = { 'X-Nomad-Token': secret };
    return { send: withToken(secret), headers, AccessorID: String(AccessorID), secret };
  };
  const root = open.as(rootHeaders);
  return {
    ...open,
    bootstrapped: json ?? {},
    manage,
    root,
    rootHeaders,
    withToken,
    holder,
    anonymous: open.send,
  };
}
