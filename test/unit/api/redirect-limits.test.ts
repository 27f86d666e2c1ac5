import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { redirectTarget } from '../../../src/api/http/redirect.ts';
import type { RawResponse } from '../../../src/api/http/response.ts';
import type { Retry } from '../../../src/api/operation.ts';
import { LanyardError } from '../../../src/errors.ts';
import { endpointOf, errorOf, json, operation, request, serve, token } from './support.ts';

const origin = 'https://vault.example.com:8200';

interface Case {
  readonly location?: string;
  readonly status?: number;
  readonly retry?: Retry;
  readonly method?: string;
  readonly at?: string;
  readonly endpoint?: Partial<Endpoint>;
  readonly hops?: number;
  readonly text?: string;
}

function follow({
  location,
  status = 307,
  retry = 'read',
  method = retry === 'read' ? 'GET' : 'POST',
  at = origin,
  endpoint = {},
  hops = 0,
  text = '',
}: Case): URL | undefined {
  const response: RawResponse = { status, headers: location === undefined ? {} : { location }, text };
  return redirectTarget(
    { operation: operation(retry), tokenSent: true, secrets: [] },
    { method, url: new URL('/v1/thing/n', at) },
    response,
    endpointOf(at, endpoint),
    hops,
  );
}

/** The error of a redirect that is not followed. */
function rejected(one: Case): LanyardError {
  try {
    follow(one);
  } catch (error) {
    if (error instanceof LanyardError) return error;
    throw error;
  }
  throw new Error('it was followed');
}

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('is followed within the origin for GET and HEAD (%i)', (status) => {
    for (const method of ['GET', 'HEAD']) {
      expect(follow({ status, method, location: '/v1/other?a=1' })?.href).toBe(`${origin}/v1/other?a=1`);
    }
  });

  test.each([200, 300, 304, 305, 400])('is not followed with status %i', (status) => {
    expect(follow({ status, location: '/v1/other' })).toBeUndefined();
  });

  test('is not followed without a Location', () => {
    for (const status of [301, 302, 303, 307, 308]) expect(follow({ status })).toBeUndefined();
  });

  test('without a Location is an unexpected response', async () => {
    const server = await serve((_seen, response) => response.writeHead(302).end());
    const error = await errorOf(request(server.url));
    expect(error.message).toBe(
      'unexpected response from the secrets service: status 302, which this operation does not have',
    );
  });

  test('with an invalid Location does not show the text of the response', () => {
    const error = rejected({ location: 'http://', text: 'the text of the response' });
    expect(error).toMatchObject({
      kind: 'failure',
      message: 'unexpected response from the secrets service: status 307, a redirect to an invalid URL',
      details: [],
    });
  });

  test('is followed five times, not six', () => {
    expect(follow({ hops: 4, location: '/again' })).toBeInstanceOf(URL);
    expect(rejected({ hops: 5, location: '/again' })).toMatchObject({
      kind: 'failure',
      message: 'cannot do the thing: the secrets service redirects more than 5 times',
      service: 'secrets',
      status: 307,
      hint: undefined,
    });
  });

  test('of a write is not followed within the origin, even if the status keeps the method', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      expect(rejected({ status, retry: 'write', location: '/v1/other' })).toMatchObject({
        kind: 'unknown',
        message: `do the thing: outcome unknown: the secrets service redirects a POST to ${origin}; only GET and HEAD are followed (${status})`,
        hint: 'Check the current state before you retry.',
      });
    }
  });
});

describe('a write that is redirected', () => {
  const kindOf = (more: Case) => rejected({ retry: 'write', ...more }).kind;

  test.each([301, 302, 308])('with the same path to another origin was not handled (%i)', (status) => {
    for (const location of [
      'http://vault.example.com:8200/v1/thing/n',
      'https://other.example.com/v1/thing/n',
    ])
      expect(kindOf({ status, location })).toBe('failure');
  });

  test.each(['/v1/other', '::', 'file:///etc/passwd', 'https://b/login', 'https://b/v1/thing/n?x'])(
    'to %s may have taken effect',
    (location) => {
      for (const status of [301, 302, 303, 308]) expect(kindOf({ status, location })).toBe('unknown');
    },
  );

  test('to see the result elsewhere may have taken effect', () => {
    expect(kindOf({ status: 303, location: 'https://b/v1/thing/n' })).toBe('unknown');
    expect(rejected({ status: 303, location: 'https://b/v1/thing/n' }).kind).toBe('failure');
  });
});

describe('a redirect to another origin', () => {
  const elsewhere = (location: string, hint: string, more: Case = {}) => {
    const error = rejected({ location, ...more });
    const to = new URL(location);
    const shown = to.origin === 'null' ? to.protocol : to.origin;
    expect(error).toMatchObject({
      kind: 'failure',
      message: `cannot do the thing: the secrets service redirects to ${shown}, another origin; not followed (307)`,
      service: 'secrets',
      status: 307,
      hint,
    });
  };
  const server = (list: string, how = `set LANYARD_SECRETS_ADDR=${list}`) =>
    `If that is a server of the same cluster, ${how}.`;
  const address = 'If that is the correct address, set it with --address or in the profile.';

  test('that only changes the scheme is not followed, and the hint is to name the address', () => {
    elsewhere('http://vault.example.com:8200/v1/thing/n', address);
    elsewhere('https://127.0.0.1:8200/', address, { at: 'http://127.0.0.1:8200' });
  });

  test('that changes the scheme from https to http on one host and port is not followed on loopback', () => {
    elsewhere('http://127.0.0.1:8200/', address, { at: 'https://127.0.0.1:8200' });
  });

  test('that changes the port or the host is not followed, and the hint is to add the server', () => {
    for (const other of ['https://vault.example.com:8201', 'https://vault-2.example.com:8200']) {
      elsewhere(`${other}/v1/thing?token=secret`, server(`${origin},${other}`));
    }
    // Another scheme and another host.
    elsewhere('http://other.example.com/', server(`${origin},http://other.example.com`));
  });

  test('that has no host shows only its scheme, and is not followed from a unix socket', () => {
    const endpoint = { addresses: [origin, 'unix:///run/agent.sock'] };
    for (const location of ['file:///etc/passwd', 'data:text/plain,secret']) {
      const list = [...endpoint.addresses, new URL(location).protocol].join(',');
      elsewhere(location, server(list), { endpoint });
    }
  });

  test.each([
    [{}, `set LANYARD_SECRETS_ADDR=${origin},https://b`],
    [{ addressFrom: 'VAULT_ADDR' }, `set LANYARD_SECRETS_ADDR=${origin},https://b`],
    [{ addressFrom: '--address' }, `set LANYARD_SECRETS_ADDR=${origin},https://b instead of --address`],
    [{ addressFrom: 'option address' }, `set the option address to ${origin},https://b`],
    [{ addresses: [] }, `set LANYARD_SECRETS_ADDR=${origin},https://b`],
    [{ addresses: [origin, 'https://c'] }, `set LANYARD_SECRETS_ADDR=${origin},https://c,https://b`],
    [
      { profile: 'prod', addresses: [origin, 'https://c'] },
      `run \`lanyard profile put prod secrets.addresses=${origin},https://c,https://b\` to add it`,
    ],
  ])('the hint adds the server where the address was set (%j)', (endpoint, how) => {
    elsewhere('https://b/v1', server('', how), { endpoint });
  });

  test('that is a server of the settings is followed by a read with every status', () => {
    const addresses = [origin, 'https://b:8200/base'];
    for (const status of [301, 302, 303, 307, 308]) {
      expect(follow({ status, location: 'https://b:8200/v1', endpoint: { addresses } })?.href).toBe(
        'https://b:8200/v1',
      );
    }
  });

  test('that is a server of the settings is followed by a write with 307 and 308 only', () => {
    const to = { retry: 'write', location: 'https://b:8200/v1' } as const;
    const endpoint = { addresses: [origin, 'https://b:8200'] };
    for (const status of [307, 308]) expect(follow({ ...to, status, endpoint })?.host).toBe('b:8200');
    for (const status of [301, 302, 303]) {
      expect(rejected({ ...to, status, endpoint }).message).toBe(
        `do the thing: outcome unknown: the secrets service redirects a POST to https://b:8200; only 307 and 308 keep the method (${status})`,
      );
    }
  });

  test('that is a server of the settings is not followed to plain http', () => {
    const endpoint = { addresses: [origin, 'http://b.example.com'] };
    expect(rejected({ location: 'http://b.example.com/', endpoint })).toMatchObject({
      kind: 'failure',
      message:
        'cannot do the thing: the secrets service redirects to http://b.example.com; not followed (307): tokens and secrets would be sent unencrypted',
      hint: 'Use https. To allow it, run `export LANYARD_SECRETS_ALLOW_PLAIN_HTTP=true`, or `lanyard profile put NAME secrets.allow-plain-http=true` for a profile.',
    });
    expect(
      follow({ location: 'http://b.example.com/', endpoint: { ...endpoint, allowPlainHttp: true } })?.host,
    ).toBe('b.example.com');
  });

  test('an address of the settings that is no URL is no server', () => {
    elsewhere('https://b/', server(`${origin},nonsense,https://b`), {
      endpoint: { addresses: [origin, 'nonsense'] },
    });
  });
});

describe('redirects of a server', () => {
  test.each(['GET', 'HEAD'])('are followed for %s within the origin, with the token', async (method) => {
    const server = await serve((seen, response) => {
      if (seen.url === '/v1/thing/n') response.writeHead(307, { Location: '/v1/thing/m?x=1' }).end();
      else json(response, {});
    });
    expect((await request(server.url, operation('read', { method }))).status).toBe(200);
    expect(server.seen).toMatchObject([
      { method, url: '/v1/thing/n' },
      { method, url: '/v1/thing/m?x=1', headers: { 'x-secrets-token': token } },
    ]);
  });

  test('are followed five times', async () => {
    const server = await serve((_seen, response) => response.writeHead(302, { Location: '/again' }).end());
    const error = await errorOf(request(server.url));
    expect(error.message).toContain('more than 5 times');
    expect(server.seen).toHaveLength(6);
  });

  test.each([301, 302, 303, 307, 308])('of a write are not followed (%i)', async (status) => {
    const server = await serve((_seen, response) => response.writeHead(status, { Location: '/other' }).end());
    const error = await errorOf(request(server.url, 'write'));
    expect(error.kind).toBe('unknown');
    expect(error.message).toContain(`redirects a POST to ${server.url}`);
    expect(server.seen).toHaveLength(1);
  });

  test.each(['read', 'repeat', 'write'] as const)(
    'to another origin are not followed (%s), which sees nothing',
    async (retry) => {
      const foreign = await serve((_seen, response) => json(response, {}));
      const server = await serve((_seen, response) =>
        response.writeHead(307, { Location: `${foreign.url}/v1/thing?token=secret` }).end(),
      );
      const error = await errorOf(request(server.url, retry));
      expect(error.kind).toBe(retry === 'write' ? 'unknown' : 'failure');
      expect(error.message).toContain(`redirects to ${foreign.url}, another origin`);
      expect(error.message).not.toContain('token=');
      expect(foreign.seen).toHaveLength(0);
    },
  );
});
