import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { home } from '../../../../support/run.ts';
import { services, type TestServices } from '../../../../support/services.ts';
import { type Call, call, type Reply } from '../../support.ts';

// Every route of the service, from its own OpenAPI documents, requested without a valid token.

const at = home();
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let running: TestServices;
/** Every documented path below `/v1/`, with parameters replaced by names of existing objects. */
let paths: readonly string[];

const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

const ask = (method: string, path: string, options: Call = {}): Promise<Reply> =>
  call(running.addresses.secrets, method, `/v1/${path}`, { token: running.rootToken, agent, ...options });

async function write(path: string, body: object): Promise<Reply> {
  const reply = await ask('POST', path, { body });
  expect(reply.status, `${path}: ${reply.text}`).toBeLessThan(300);
  return reply;
}

/** The path templates of a namespace's document, without those of child namespaces. */
async function documented(namespace: string): Promise<string[]> {
  const { json } = await ask('GET', `${namespace}?help=1`);
  const document = json?.openapi as { readonly paths?: object } | undefined;
  return Object.keys(document?.paths ?? {}).map((template) => namespace + template.slice(1));
}

const filledIn = (template: string): string =>
  template.replace('namespaces/{name}', 'namespaces/team').replace(/\{\w+\}/g, 'web');

beforeAll(async () => {
  running = await services(at);
  await write('sys/namespaces/team', {});
  for (const namespace of ['', 'team/']) {
    for (const type of ['userpass', 'approle', 'jwt', 'web']) {
      await write(`${namespace}sys/auth/${type}`, { type: type === 'web' ? 'userpass' : type });
    }
    await write(`${namespace}sys/mounts/plain`, { type: 'kv', options: { version: '1' } });
    await write(`${namespace}sys/mounts/web`, { type: 'kv', options: { version: '1' } });
    await write(`${namespace}sys/policies/acl/web`, { policy: 'path "a" { capabilities = ["read"] }' });
    await write(`${namespace}auth/userpass/users/web`, { password: 'hunter22' });
    await write(`${namespace}auth/approle/role/web`, { token_policies: 'web' });
    await write(`${namespace}identity/entity`, { name: 'web' });
    await write(`${namespace}plain/web`, { a: 'b' });
  }
  await write('team/sys/mounts/ssh', { type: 'ssh' });
  await write('team/sys/mounts/secret', { type: 'kv', options: { version: '2' } });
  for (const namespace of ['', 'team/']) {
    await write(`${namespace}ssh/config/ca`, { key_type: 'ed25519' });
    await write(`${namespace}ssh/roles/web`, { key_type: 'otp', default_user: 'u', cidr_list: '0.0.0.0/0' });
    await write(`${namespace}ssh/config/zeroaddress`, { roles: ['web'] });
    await write(`${namespace}secret/data/web`, { data: { a: 'b' } });
  }
  // Paths about the service itself, sealed or not, have their own test.
  const whole = /^(team\/)?sys\/(health|seal-status|init|unseal|leader)$/;
  paths = [...(await documented('')), ...(await documented('team/'))]
    .map(filledIn)
    .filter((path) => !whole.test(path));
});

afterAll(async () => {
  agent.destroy();
  await running.close();
  at.remove();
});

const methods = ['GET', 'HEAD', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE', 'RECOVER'] as const;

/** Routes that need no token, by the specification. */
function needsNoToken(method: string, path: string): boolean {
  const isWrite = method === 'POST' || method === 'PUT';
  if (/^(team\/)?ssh\/public_key$/.test(path)) return method === 'GET' || method === 'HEAD';
  if (/^(team\/)?ssh\/verify$/.test(path)) return isWrite;
  return (
    isWrite && /^(team\/)?auth\/(jwt|approle)\/login$|^(team\/)?auth\/(userpass|web)\/login\/web$/.test(path)
  );
}

/** Routes that show less without a token, and reject an invalid one. */
const usesToken = (method: string, path: string): boolean =>
  /^(team\/)?sys\/internal\/ui\/mounts$/.test(path) && (method === 'GET' || method === 'HEAD');

/** Routes that take a wrapping token, and check first that it is one. */
const takesWrappingToken = (path: string): boolean =>
  /^(team\/)?sys\/wrapping\/(lookup|rewrap|unwrap)$/.test(path);

/** Whether a response is the rejection of a request without a valid token. */
function isRejection(method: string, path: string, { status, text }: Reply): boolean {
  const has = (expected: string) => method === 'HEAD' || text.includes(expected);
  if (!takesWrappingToken(path)) return status === 403 && has('permission denied');
  return status === 403
    ? has('error validating wrapping token: token is empty')
    : status === 400 && has('wrapping token is not valid or does not exist');
}

/** The visible state of the service, by path and method. */
async function seen(): Promise<Map<string, unknown>> {
  const asked = paths.flatMap((path) => ['GET', 'LIST'].map((method) => [method, path] as const));
  const answers = asked.map(async ([method, path]) => {
    const { status, json, text } = await ask(method, path);
    return [`${method} ${path}`, json ? [status, json.data] : [status, text]] as const;
  });
  return new Map(await Promise.all(answers));
}

async function revokedToken(): Promise<string> {
  const { json } = await write('auth/token/create', { policies: ['root'] });
  const auth = json?.auth as { readonly client_token?: string } | undefined;
  const token = String(auth?.client_token);
  expect((await ask('GET', 'sys/mounts', { token })).status).toBe(200);
  await write('auth/token/revoke', { token });
  return token;
}

describe('every route', () => {
  test('rejects requests without a valid token, except those the specification names, and changes nothing', async () => {
    const before = await seen();
    expect(paths.length).toBeGreaterThan(140);
    const found = [...before.values()].filter((response) => JSON.stringify(response).startsWith('[200,'));
    expect(found.length).toBeGreaterThan(60);
    const tokens: Record<string, Call> = {
      none: { token: null },
      empty: { token: '' },
      wrong: { token: 'hvs.wrong' },
      'one letter too long': { token: `${running.rootToken}a` },
      revoked: { token: await revokedToken() },
      'wrong, as a bearer': { token: null, headers: { Authorization: 'Bearer hvs.wrong' } },
      'in the query': { token: null },
    };
    const open = new Set<string>();
    const wrong: string[] = [];
    for (const path of paths) {
      const asked = methods.flatMap((method) =>
        Object.entries(tokens).map((each) => [method, ...each] as const),
      );
      await Promise.all(
        asked.map(async ([method, kind, how]) => {
          const query = kind === 'in the query' ? `?token=${running.rootToken}` : '';
          const reply = await ask(method, path + query, {
            ...how,
            headers: { ...how.headers, ...(method === 'PATCH' && mergePatch) },
            ...(['POST', 'PUT', 'PATCH'].includes(method) && {
              body: { type: 'kv', name: 'other', ip: '10.0.0.1' },
            }),
          });
          const sentNone = ['none', 'empty', 'in the query'].includes(kind);
          if (sentNone && usesToken(method, path)) {
            const listed = (reply.json?.data ?? {}) as { auth?: object; secret?: object };
            const all = { ...listed.auth, ...listed.secret };
            if (reply.status !== 200 || Object.keys(all).length > 0)
              wrong.push(`${method} ${path}, ${kind}: ${reply.status} ${reply.text}`);
          } else if (needsNoToken(method, path)) {
            open.add(path);
            if (![200, 400].includes(reply.status)) wrong.push(`${method} ${path}, ${kind}: ${reply.status}`);
          } else if (!isRejection(method, path, reply)) {
            wrong.push(`${method} ${path}, ${kind}: ${reply.status} ${reply.text}`);
          }
        }),
      );
    }
    expect(wrong).toEqual([]);
    expect([...open].filter((path) => !path.startsWith('team/'))).toEqual([
      'auth/approle/login',
      'auth/jwt/login',
      'auth/userpass/login/web',
      'auth/web/login/web',
      'ssh/verify',
      'ssh/public_key',
    ]);
    expect(open.size).toBe(12);
    expect(await seen()).toEqual(before);
  });

  test('rejects a namespace header, help, and unknown paths alike', async () => {
    const headers = { 'X-Secrets-Namespace': 'team' };
    for (const token of [null, 'hvs.wrong']) {
      for (const path of [
        'secret/data/web',
        'ssh/roles/web',
        'sys/mounts',
        'nowhere',
        'secret/data/none',
        '',
      ]) {
        for (const method of ['GET', 'LIST', 'POST', 'DELETE']) {
          expect((await ask(method, path, { token, headers })).status, `${method} ${path}`).toBe(403);
          expect((await ask(method, path, { token })).status, `${method} ${path}`).toBe(403);
        }
        expect((await ask('GET', `${path}?help=1`, { token })).status, path).toBe(403);
      }
    }
    const { status, text } = await ask('GET', 'ssh/public_key', { token: null, headers });
    expect([status, text.split(' ')[0]]).toEqual([200, 'ssh-ed25519']);
  });

  test('about the service itself works without one, and reveals nothing sensitive', async () => {
    const status = async (method: string, path: string, body?: object) =>
      (await ask(method, `sys/${path}`, { token: null, body })).status;
    for (const path of ['health', 'seal-status', 'init', 'leader']) {
      expect((await ask('GET', `sys/${path}`, { token: null })).text).not.toContain(running.rootToken);
      expect(await status('GET', path), path).toBe(200);
      for (const method of ['DELETE', 'LIST', 'PATCH', ...(path === 'init' ? [] : ['POST'])])
        expect(await status(method, path), `${method} ${path}`).toBe(405);
    }
    expect(await status('POST', 'init', { secret_shares: 1, secret_threshold: 1 })).toBe(400);
    const unsealed = await ask('POST', 'sys/unseal', { token: null, body: { key: '00'.repeat(32) } });
    expect(unsealed.json).toMatchObject({ sealed: false });
    expect(await status('POST', 'seal')).toBe(403);
  });
});
