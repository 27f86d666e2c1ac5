import { describe, expect, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { freePort } from '../../support/ports.ts';
import {
  endpointOf,
  errorOf,
  type Handler,
  json,
  operation,
  optionsOf,
  request,
  serve,
  serveSocket,
  type TestServer,
  token,
} from './support.ts';

const classes = ['read', 'repeat', 'once', 'write'] as const;
const good: Handler = (_seen, response) => json(response, { ok: true });
const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

/** One transport to servers with these addresses. */
const to = (addresses: readonly string[], options = optionsOf()) =>
  transport(endpointOf(addresses[0] ?? '', { addresses, profile: 'prod' }), options);

// As OpenBao 2.6.2 sends them.
const sealed: Handler = (_seen, response) => json(response, { errors: ['Vault is sealed'] }, 503);
const leaderless: Handler = (_seen, response) =>
  json(response, { errors: ['local node not active but active cluster node not found'] }, 500);
const standbyOf =
  (leader: string, status = 307): Handler =>
  (seen, response) =>
    response.writeHead(status, { Location: leader + seen.url }).end();

describe('several servers', () => {
  test.each(classes)('the next one gets the request when one is unreachable (%s)', async (retry) => {
    const [down, up] = [await nowhere(), await serve(good)];
    const options = optionsOf();
    const send = to([down, up.url], options);
    expect((await send(operation(retry), { name: 'n' })).body).toEqual({ ok: true });
    expect(options.notes).toEqual([`secrets service: ${down}: connection refused; trying ${up.url}`]);
    // It stays with the one that responded.
    await send(operation(retry), { name: 'n' });
    expect(options.notes).toHaveLength(1);
    expect(up.seen.map(({ headers }) => headers['x-secrets-token'])).toEqual([token, token]);
  });

  test.each(classes)('the next one gets the request when a name does not exist (%s)', async (retry) => {
    const up = await serve(good);
    expect(
      (await to(['http://no-such-host.invalid.localhost:1', up.url])(operation(retry), { name: 'n' })).status,
    ).toBe(200);
  });

  test.each([
    ['sealed', sealed],
    ['without an active server', leaderless],
  ] as const)('the next one gets the request when one is %s, of every class', async (_state, handler) => {
    for (const retry of classes) {
      const [first, second] = await Promise.all([serve(handler), serve(good)]);
      expect((await to([first.url, second.url])(operation(retry), { name: 'n' })).status).toBe(200);
      expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
    }
  });

  test.each(['once', 'write'] as const)(
    'no other gets the request after a write may have arrived (%s)',
    async (retry) => {
      const first = await serveSocket((socket) => socket.destroy());
      const second = await serve(good);
      const error = await errorOf(to([first.url, second.url])(operation(retry), { name: 'n' }));
      expect(error.kind).toBe('unknown');
      expect(second.seen).toEqual([]);
    },
  );

  test.each([500, 502, 503, 504, 429])(
    'no other gets the request for a write after status %i',
    async (status) => {
      const first = await serve((_seen, response) => response.writeHead(status).end());
      const second = await serve(good);
      await errorOf(to([first.url, second.url])(operation('write'), { name: 'n' }));
      expect(second.seen).toEqual([]);
    },
  );

  test('a read whose response is lost is sent to the next one', async () => {
    const first = await serveSocket((socket) => socket.destroy());
    const second = await serve(good);
    expect((await to([first.url, second.url])(operation('read'), { name: 'n' })).status).toBe(200);
  });

  test('a server that is down is named once, whichever requests meet it', async () => {
    const [down, up] = [await nowhere(), await serve(good)];
    const options = optionsOf();
    const send = to([down, up.url], options);
    await Promise.all(classes.map((retry) => send(operation(retry), { name: 'n' })));
    expect(options.notes).toEqual([`secrets service: ${down}: connection refused; trying ${up.url}`]);
  });

  test('all get each attempt; the error names all', async () => {
    const addresses = [await nowhere(), await nowhere()];
    const options = optionsOf();
    const error = await errorOf(to(addresses, options)(operation('write'), { name: 'n' }));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain(`at ${addresses.join(', ')}: connection refused`);
    // As long as an election takes: not a note for each request.
    expect(options.notes).toEqual([
      expect.stringContaining('; trying '),
      expect.stringMatching(/; retrying for some seconds$/),
    ]);
  });

  test('concurrent requests do not return to the server that failed', async () => {
    for (const handler of [sealed, leaderless]) {
      // The first server responds when it has both requests.
      const waiting: (() => void)[] = [];
      const first = await serve((...request) => {
        waiting.push(() => handler(...request));
        if (waiting.length === 2) for (const respond of waiting) respond();
      });
      const second = await serve(good);
      const send = to([first.url, second.url]);
      const both = await Promise.all(['n', 'm'].map((name) => send(operation('write'), { name })));
      expect(both.map(({ address }) => address)).toEqual([second.url, second.url]);
      expect([first.seen.length, second.seen.length]).toEqual([2, 2]);
    }
  });

  test('concurrent requests ask each of three servers once', async () => {
    const waiting: (() => void)[] = [];
    const first = await serve((...request) => {
      waiting.push(() => sealed(...request));
      if (waiting.length === 3) for (const respond of waiting) respond();
    });
    const [second, third] = await Promise.all([serve(sealed), serve(good)]);
    const send = to([first.url, second.url, third.url]);
    const all = await Promise.all(['a', 'b', 'c'].map((name) => send(operation('write'), { name })));
    expect(all.map(({ address }) => address)).toEqual([third.url, third.url, third.url]);
    expect(first.seen).toHaveLength(3);
  });

  test('a response has the address of its server, whatever other requests do', async () => {
    let release = (): void => {};
    const first = await serve((seen, response) => {
      if (seen.url.endsWith('/slow')) release = () => json(response, { ok: true });
      else json(response, { errors: ['Vault is sealed'] }, 503);
    });
    const second = await serve((_seen, response) => {
      json(response, { ok: true });
      release();
    });
    const send = to([first.url, second.url]);
    const slow = send(operation('read'), { name: 'slow' });
    await expect.poll(() => first.seen.length).toBe(1);
    expect((await send(operation('read'), { name: 'n' })).address).toBe(second.url);
    expect((await slow).address).toBe(first.url);
  });

  test('an active server that fails gets no second request from the standby that redirects to it', async () => {
    const [down, leader] = [await nowhere(), await serve(good)];
    const standby = await serve(standbyOf(down));
    expect((await to([standby.url, down, leader.url])(operation('write'), { name: 'n' })).address).toBe(
      leader.url,
    );
    expect(standby.seen).toHaveLength(1);
  });

  test('of all that are sealed the last one speaks', async () => {
    const both = await Promise.all([serve(sealed), serve(sealed)]);
    const error = await errorOf(to(both.map(({ url }) => url))(operation('write'), { name: 'n' }));
    expect(error.kind).toBe('unavailable');
    expect(both.map(({ seen }) => seen.length)).toEqual([1, 1]);
  });
});

describe('a standby that redirects to the active server', () => {
  test.each([307, 308])(
    'is followed with method, body and token to a server of the list (%i)',
    async (status) => {
      for (const retry of classes) {
        const leader = await serve(good);
        const standby = await serve(standbyOf(leader.url, status));
        const send = to([standby.url, leader.url]);
        expect((await send(operation(retry), { name: 'n', value: 'v' })).body).toEqual({ ok: true });
        const [first, second] = [standby.seen[0], leader.seen[0]];
        expect([second?.method, second?.url, second?.body]).toEqual([first?.method, first?.url, first?.body]);
        expect(second?.headers['x-secrets-token']).toBe(token);
        // The active server is asked from then on.
        await send(operation(retry), { name: 'n' });
        expect([standby.seen.length, leader.seen.length]).toEqual([1, 2]);
      }
    },
  );

  test.each([
    ['repeat', 3],
    ['once', 1],
    ['write', 1],
  ] as const)(
    'and becomes the active server itself gets only what may be sent twice again (%s)',
    async (retry, count) => {
      const server = await serve((...request) => {
        const [{ headers }, , number] = request;
        (number < 3 ? standbyOf(`http://${headers.host}`) : good)(...request);
      });
      const sending = request(server.url, retry);
      if (count === 1) expect((await errorOf(sending)).kind).toBe('unknown');
      else expect((await sending).body).toEqual({ ok: true });
      expect(server.seen).toHaveLength(count);
    },
  );

  test('gets a bearer token, which got removes for another origin, also after a server that is down', async () => {
    const leader = await serve(good);
    const standby = await serve(standbyOf(leader.url));
    const addresses = [await nowhere(), standby.url, leader.url];
    const send = transport(endpointOf(addresses[0] ?? '', { service: 'accounts', addresses }), optionsOf());
    await send(operation('write', { service: 'accounts' }), { name: 'n', value: 'v' });
    expect(standby.seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(leader.seen).toMatchObject([{ method: 'POST', body: '{"value":"v"}' }]);
    expect(leader.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': '13',
      'user-agent': 'lanyard/test',
    });
  });

  test.each([
    ['read', 'unavailable'],
    ['repeat', 'unavailable'],
    ['once', 'unknown'],
    ['write', 'unknown'],
  ] as const)('is not followed to another server, and the setting is named (%s: %s)', async (retry, kind) => {
    const leader = await serve(good);
    const standby = await serve(standbyOf(leader.url));
    const error = await errorOf(to([standby.url])(operation(retry), { name: 'n' }));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(`the active server ${leader.url} is not in the settings (307)`);
    expect(error.hint).toContain(`lanyard profile put prod secrets.addresses=${standby.url},${leader.url}`);
    expect(leader.seen).toEqual([]);
  });

  test.each([301, 302, 303])(
    'is not followed with a write after %i, which would change the method',
    async (status) => {
      const leader = await serve(good);
      const standby = await serve(standbyOf(leader.url, status));
      const error = await errorOf(to([standby.url, leader.url])(operation('write'), { name: 'n' }));
      // 303 is the answer to a request that was carried out.
      expect(error.kind).toBe(status === 303 ? 'unknown' : 'failure');
      expect(error.message).toContain(
        `redirects a POST to ${leader.url}; only 307 and 308 keep the method (${status})`,
      );
      expect(leader.seen).toEqual([]);
    },
  );

  test.each(classes)('is not followed to plain http without consent (%s)', async (retry) => {
    const leader = 'http://vault-2.example.com:8200';
    const standby = await serve(standbyOf(leader));
    const error = await errorOf(to([standby.url, leader])(operation(retry), { name: 'n', value: 'v' }));
    expect(error.kind).toBe('failure');
    expect(error.message).toContain(`redirects to ${leader}; not followed (307): tokens and secrets`);
    expect(error.hint).toContain('allow-plain-http');
    expect(standby.seen).toHaveLength(1);
  });

  test('is followed to plain http with consent', async () => {
    const leader = 'http://no-such-host.invalid:1';
    const standby = await serve(standbyOf(leader));
    const addresses = [standby.url, leader];
    const send = transport(endpointOf(standby.url, { addresses, allowPlainHttp: true }), optionsOf());
    // The standby may have forwarded the write before it redirected it.
    const error = await errorOf(send(operation('write'), { name: 'n' }));
    expect(error).toMatchObject({ kind: 'unknown', cause: { kind: 'unreachable' } });
    expect((await errorOf(send(operation('read'), { name: 'n' }))).kind).toBe('unreachable');
  });

  test('is not followed in a loop', async () => {
    const servers: TestServer[] = [];
    for (const other of [1, 0]) {
      servers.push(await serve((seen, response) => standbyOf(servers[other]?.url ?? '')(seen, response, 0)));
    }
    const error = await errorOf(to(servers.map(({ url }) => url))(operation('write'), { name: 'n' }));
    expect(error.message).toContain('more than 5 times');
  });
});

describe('reads after a write', () => {
  interface Member {
    isActive: boolean;
    /** What it says: the address of the active server. */
    leader: string;
    readonly value: string;
  }
  const member =
    (of: Member): Handler =>
    (seen, response) => {
      const isWrapped = Object.keys(seen.headers).some((name) => name.endsWith('-wrap-ttl'));
      if (seen.url === '/v1/sys/leader')
        json(response, { ha_enabled: true, is_self: of.isActive, leader_address: of.leader });
      // A standby forwards it, and cannot.
      else if (isWrapped && !of.isActive) json(response, { errors: ['no active Vault instance found'] }, 503);
      else json(response, { value: of.value });
    };

  test('are of the server that says it is active, not of one that another server names', async () => {
    const states = ['first', 'second', 'third'].map(
      (value): Member => ({ isActive: false, leader: '', value }),
    );
    const servers = await Promise.all(states.map((state) => serve(member(state))));
    const [first, second, third] = servers.map(({ url }) => url);
    // The second one was active, and has started again as a standby.
    Object.assign(states[0] ?? {}, { leader: second });
    Object.assign(states[1] ?? {}, { leader: third });
    Object.assign(states[2] ?? {}, { leader: third, isActive: true });
    const endpoint = endpointOf(first ?? '', { addresses: [first ?? '', second ?? '', third ?? ''] });
    const send = transport(endpoint, { ...optionsOf(), readsActive: true });
    expect((await send(operation('read'), { name: 'n' })).body).toEqual({ value: 'third' });
  });

  test('are not of a standby that responds in the place of the active server, also several at once', async () => {
    const state: Member = { isActive: false, leader: '', value: 'stale' };
    const down = await nowhere();
    state.leader = down;
    const behind: Handler = (seen, response, count) => {
      // It becomes the active server.
      if (count === 20) Object.assign(state, { isActive: true, leader: standby.url, value: 'current' });
      member(state)(seen, response, count);
    };
    const standby = await serve(behind);
    const endpoint = endpointOf(down, { addresses: [down, standby.url] });
    const send = transport(endpoint, { ...optionsOf(), readsActive: true });
    const read = await Promise.all([1, 2, 3, 4].map(() => send(operation('read'), { name: 'n' })));
    expect(read.map(({ body }) => body)).toEqual(Array(4).fill({ value: 'current' }));
  });
});

test('a list behind a load balancer is empty where OpenBao does not wrap it', async () => {
  const errors = ['unsupported path'];
  const bodies: Readonly<Record<string, object>> = {
    '/v1/sys/leader': { ha_enabled: true, leader_address: 'http://127.0.0.1:1' },
    '/v1/thing/none': { errors: ['1 error occurred:\n\t* unsupported path\n\n'] },
  };
  const balancer = await serveSocket((socket, sent) => {
    const [, url = ''] = sent.split(' ');
    const body = JSON.stringify(bodies[url] ?? { errors });
    const status = url.startsWith('/v1/sys/') ? '200 OK' : '404 Not Found';
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
  const send = transport(endpointOf(balancer.url), { ...optionsOf(), readsActive: true });
  const error = (name: string, method: 'LIST' | 'GET') =>
    errorOf(send(operation('read', { method }), { name }));
  expect(await error('n', 'LIST')).toMatchObject({ kind: 'not_found', details: [] });
  expect(await error('none', 'LIST')).toMatchObject({ kind: 'not_found', details: [expect.any(String)] });
  expect(await error('n', 'GET')).toMatchObject({ kind: 'not_found', details: errors });
});

test.each(['registry', 'scheduler', 'box', 'accounts'] as const)(
  'reads of the %s service after a write have no request that looks for the active server',
  async (service) => {
    const server = await serve(good);
    const send = transport(endpointOf(server.url, { service }), { ...optionsOf(), readsActive: true });
    for (const retry of ['read', 'write', 'read'] as const)
      await send(operation(retry, { service }), { name: 'n' });
    expect(server.seen.map(({ url }) => url)).toEqual(Array(3).fill('/v1/thing/n'));
  },
);

test('a server of the registry without tokens is not asked where another one has them', async () => {
  const text =
    'ACL system must be bootstrapped before making any requests that require authorization: ACL not found';
  const starting = await serve((_seen, response) => response.writeHead(403).end(text));
  const up = await serve(good);
  const addresses = [starting.url, up.url];
  for (const retry of classes) {
    const endpoint = endpointOf(starting.url, { service: 'registry', addresses });
    const send = transport(endpoint, optionsOf());
    expect((await send(operation(retry, { service: 'registry' }), { name: 'n' })).address).toBe(up.url);
  }
  const alone = transport(endpointOf(starting.url, { service: 'registry' }), optionsOf());
  expect((await errorOf(alone(operation('read', { service: 'registry' }), { name: 'n' }))).kind).toBe(
    'forbidden',
  );
});
