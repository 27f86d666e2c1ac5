import { describe, expect, test } from 'vitest';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { freePort } from '../support/ports.ts';
import type { Ran } from '../support/run.ts';
import { type Handler, json, serve } from '../unit/api/support.ts';
import { words } from './signing.ts';

const at = homeForAll();
const running = servicesForAll(at);
const run = (argv: string, env: Record<string, string> = {}): Promise<Ran> => at.run(words(argv), { env });

// As OpenBao 2.6.2 sends them.
const sealed: Handler = ({ url }, response) =>
  url.startsWith('/v1/sys/health')
    ? json(response, { initialized: true, sealed: true, standby: true }, 503)
    : json(response, { errors: ['Vault is sealed'] }, 503);

describe('several servers', () => {
  test('run reads several secrets while the first server is sealed', async () => {
    for (const name of ['a', 'b', 'c']) await run(`kv put secret/${name} ${name.toUpperCase()}=1`);
    const first = await serve(sealed);
    const ran = await run('run --kv secret/a --kv secret/b --kv secret/c -- true', {
      LANYARD_SECRETS_ADDR: `${first.url},${running.addresses.secrets}`,
    });
    expect(ran.code, ran.stderr).toBe(0);
  });
});

/** The finding of `status` for these servers of the secrets service. */
async function found(servers: readonly string[], code: number, more = ''): Promise<Record<string, unknown>> {
  const ran = await run(`status -o json${more}`, { LANYARD_SECRETS_ADDR: servers.join(',') });
  expect(ran.code, ran.stderr + ran.stdout).toBe(code);
  return JSON.parse(ran.stdout)[0];
}
const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

describe('status of several servers', () => {
  test('shows the first server that is ok', async () => {
    const [first, away, active] = [await serve(sealed), await nowhere(), running.addresses.secrets];
    for (const servers of [
      [first.url, active],
      [away, active],
      [away, first.url, active],
      [first.url, away, active],
      [active, first.url],
    ])
      expect(await found(servers, 0, ' --check')).toMatchObject({
        address: active,
        state: 'ok',
        token: 'valid',
        problem: null,
      });
    const ran = await run('secrets read secret/data/a', { LANYARD_SECRETS_ADDR: `${first.url},${active}` });
    expect(ran.code, ran.stderr).toBe(0);
  });

  test('shows the best state if no server is ok', async () => {
    const [closed, away, other] = [await serve(sealed), await nowhere(), await nowhere()];
    const standby = await serve(standbyWith(json));
    const page = await serve((_seen, response) => response.writeHead(404).end());
    expect(await found([away, closed.url], 8)).toMatchObject({ address: closed.url, state: 'sealed' });
    expect(await found([away, closed.url, standby.url, page.url], 0)).toMatchObject({
      address: standby.url,
      state: 'standby',
    });
    const nothing = await found([away, other], 7);
    expect(nothing).toMatchObject({ address: away, state: 'unreachable', token: 'not checked' });
    for (const each of [away, other]) expect(nothing.problem).toContain(`at ${each}: connection refused`);
  });
});

/** A standby; `lookup` responds to the request for the token. */
const standbyWith =
  (lookup: (response: Parameters<Handler>[1], body: unknown) => void): Handler =>
  ({ url }, response) => {
    if (url.startsWith('/v1/sys/health'))
      return json(response, { initialized: true, sealed: false, standby: true, version: '2.6.2' }, 429);
    if (url === '/v1/sys/seal-status') return json(response, { sealed: false, version: '2.6.2' });
    lookup(response, { data: { id: running.rootToken, expire_time: null } });
  };

describe('the token at a standby', () => {
  test('is checked where the standby forwards the request', async () => {
    const forwarding = await serve(standbyWith(json));
    expect(await found([forwarding.url], 0, ' --check')).toMatchObject({
      state: 'standby',
      token: 'valid',
      problem: null,
    });
    const rejecting = await serve(
      standbyWith((response) =>
        json(response, { errors: ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'] }, 403),
      ),
    );
    expect(await found([rejecting.url], 0)).toMatchObject({ state: 'standby', token: 'not accepted' });
    expect(await found([rejecting.url], 4, ' --check')).toMatchObject({ token: 'not accepted' });
  });

  test('is checked where the standby redirects to a listed server', async () => {
    const active = await serve(({ url }, response) =>
      url.startsWith('/v1/sys/health')
        ? json(response, { initialized: true, sealed: false, standby: true, version: '2.6.2' }, 429)
        : json(response, { errors: ['permission denied'] }, 403),
    );
    const standby = await serve(
      standbyWith((response) =>
        response.writeHead(307, { Location: `${active.url}/v1/auth/token/lookup-self` }).end(),
      ),
    );
    expect(await found([standby.url, active.url], 4, ' --check')).toMatchObject({
      address: standby.url,
      state: 'standby',
      token: 'not accepted',
    });
    expect(await found([standby.url], 0, ' --check')).toMatchObject({
      state: 'standby',
      token: 'not checked',
      problem: null,
    });
  });

  test('is not verified if the standby has no active server', async () => {
    const standby = await serve(
      standbyWith((response) =>
        json(response, { errors: ['local node not active but active cluster node not found'] }, 500),
      ),
    );
    expect(await found([standby.url], 0, ' --check')).toMatchObject({
      state: 'standby',
      token: 'not checked',
      problem: null,
    });
  });
});

describe('a redirect to a server that is not listed', () => {
  test.each(['LANYARD_SECRETS_ADDR', 'VAULT_ADDR', 'profile', '--address'])(
    'shows the setting that adds it, which works (%s)',
    async (source) => {
      const standby = await serve(({ url }, response) =>
        response.writeHead(307, { Location: running.addresses.secrets + url }).end(),
      );
      const env: Record<string, string> = { LANYARD_SECRETS_ADDR: '' };
      let command = 'kv put secret/redirected K=V';
      if (source === 'profile') {
        await run(`profile put cluster secrets.address=${standby.url} secrets.token=env://OF_CLUSTER`);
        env.OF_CLUSTER = running.rootToken;
        command += ' -p cluster';
      } else if (source === '--address') command += ` --address ${standby.url}`;
      else env[source] = standby.url;
      const ran = await run(command, env);
      expect(ran.code).toBe(8);
      const list = `${standby.url},${running.addresses.secrets}`;
      if (source === 'profile') {
        expect(ran.stderr).toContain(
          `run \`lanyard profile put cluster secrets.addresses=${list}\` to add it.\n`,
        );
        await run(`profile put cluster secrets.addresses=${list}`);
        expect(await run(command, env)).toMatchObject({ code: 0 });
        return;
      }
      const instead = source === '--address' ? ' instead of --address' : '';
      expect(ran.stderr).toContain(`cluster, set LANYARD_SECRETS_ADDR=${list}${instead}.\n`);
      const again = 'kv put secret/redirected K=V';
      expect(await run(again, { ...env, LANYARD_SECRETS_ADDR: list })).toMatchObject({ code: 0 });
    },
  );
});
