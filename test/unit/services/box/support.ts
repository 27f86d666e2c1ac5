import type { EmbeddedOptions } from '../../../../src/services/start-services.ts';
import { type Call, call, type Reply, start } from '../support.ts';

export const startUpToken = 'the-token-from-the-start';

/** Two users who can log in, one of them with a second factor, and an organisation that both are in. */
export const owners = {
  users: [
    { name: 'ada', password: 'correct horse', email: 'ada@example.org' },
    { name: 'bob', password: 'battery staple', phone: '+1 555 0123' },
    { name: 'eve' },
  ],
  organizations: [{ name: 'team', members: { ada: 'write', bob: 'read' } }],
} as const;

/** What tests read of responses. */
export interface Body {
  readonly [member: string]: unknown;
  readonly token: string;
  readonly errors: readonly string[];
  readonly boxes: readonly { readonly name: string }[];
  readonly versions: readonly { readonly version: string; readonly providers: readonly Body[] }[];
  readonly providers: readonly Body[];
  readonly download_url: string;
}

/** A box registry on its own port, with a clock that only `pass` moves, and functions that send requests. */
export async function boxes({ box, ...options }: Partial<EmbeddedOptions> = {}) {
  let now = Date.parse('2026-01-02T12:00:00Z');
  const printed: string[] = [];
  const started = await start({
    clock: () => new Date(now),
    print: (line) => printed.push(line),
    ...options,
    box: { owners, token: startUpToken, ...box },
  });
  const address = started.addresses.box;

  /** A request with the start-up token, another one, or none (null). */
  const fetched = (method: string, path: string, more: Call = {}): Promise<Reply> => {
    const { token = startUpToken, headers, ...rest } = more;
    const bearer = token === null ? undefined : { Authorization: `Bearer ${token}` };
    return call(address, method, path, { ...rest, token: null, headers: { ...bearer, ...headers } });
  };
  const ask = (method: string, path: string, body?: unknown, token?: string | null) =>
    fetched(method, `/api/v1/${path}`, { body, ...(token !== undefined && { token }) });

  /** The JSON of a successful response. */
  const json = async (method: string, path: string, body?: unknown, token?: string | null): Promise<Body> => {
    const { json, text, status } = await ask(method, path, body, token);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json as unknown as Body;
  };

  /** Status and first error of a rejection, as `404 Resource not found!`. */
  const rejected = async (method: string, path: string, body?: unknown, token?: string | null) => {
    const reply = await ask(method, path, body, token);
    const { errors, success } = (reply.json ?? {}) as unknown as Body;
    if (success !== false) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return `${reply.status} ${errors[0]}`;
  };

  const login = async (name: 'ada', password: string) =>
    (await json('POST', 'authenticate', { user: { login: name, password } }, null)).token;

  /** A token of bob, who has a second factor. */
  const bobs = async () => {
    const user = { login: 'bob', password: 'battery staple' };
    await json('POST', 'two-factor/request-code', { two_factor: { delivery_method: 'sms' }, user }, null);
    const code = printed.at(-1)?.slice(-6);
    return (await json('POST', 'authenticate', { user, two_factor: { code } }, null)).token;
  };

  /** A private box of ada, with an unreleased version. */
  const created = async (version = '1.0.0') => {
    await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    await json('POST', 'box/ada/base/versions', { version: { version } });
  };

  /** A box with one version and one provider that is elsewhere, released. */
  const released = async (owner: string, name: string, more: { readonly private?: boolean } = {}) => {
    await json('POST', 'boxes', { box: { username: owner, name, is_private: more.private ?? false } });
    await json('POST', `box/${owner}/${name}/versions`, { version: { version: '1.0.0' } });
    await json('POST', `box/${owner}/${name}/version/1.0.0/providers`, {
      provider: { name: 'virtualbox', url: 'https://images.example/a.box' },
    });
    await json('PUT', `box/${owner}/${name}/version/1.0.0/release`);
  };

  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { ...started, address, printed, fetched, ask, json, rejected, login, bobs, created, released, pass };
}
