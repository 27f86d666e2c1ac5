import { describe, expect, test } from 'vitest';
import type { Trace } from '../../../src/api/endpoint.ts';
import { transport } from '../../../src/api/http/client.ts';
import { endpointOf, errorOf, json, operation, optionsOf, request, serve, token } from './support.ts';

type Event = Parameters<Trace['write']>[0];

/** A trace that keeps its events. */
function recorded() {
  const events: Event[] = [];
  let id = 0;
  const trace: Trace = {
    write: (event) => events.push(event),
    nextId: () => {
      id += 1;
      return id;
    },
    received: () => {},
  };
  return { trace, events };
}

describe('the trace of a call', () => {
  test('has each request and what it ended with: redirect, error status, network error, response', async () => {
    const server = await serve((_seen, response, count) => {
      if (count === 1) response.writeHead(307, { Location: '/v1/other?token=the-query-token' }).end('moved');
      else if (count === 2) json(response, { errors: ['busy'] }, 503);
      else if (count === 3) response.destroy();
      else json(response, { ok: true });
    });
    const { trace, events } = recorded();
    await request(server.url, 'read', optionsOf({ trace }));
    const home = `${server.url}/v1`;
    expect(events).toMatchObject([
      { event: 'request', id: 1, method: 'GET', url: `${home}/thing/n` },
      { event: 'response', id: 1, status: 307, headers: { location: '/v1/other?…' } },
      { event: 'request', id: 2, method: 'GET', url: `${home}/other?token=redacted` },
      { event: 'response', id: 2, status: 503, bytes: 19, body: { errors: ['busy'] } },
      { event: 'request', id: 3, method: 'GET', url: `${home}/thing/n` },
      { event: 'network-error', id: 3, code: 'ECONNRESET' },
      { event: 'request', id: 4, method: 'GET', url: `${home}/thing/n` },
      { event: 'response', id: 4, status: 200, bytes: 11, body: { ok: true } },
    ]);
    expect(Object.keys(events[2]?.headers ?? {})).toContain('user-agent');
    // The body of a redirect is not read.
    expect(events[1]).not.toHaveProperty('body');
  });

  test('has the headers and the body of a request, without the token', async () => {
    const server = await serve((_seen, response) => json(response, { ok: true }));
    const { trace, events } = recorded();
    const send = transport(endpointOf(server.url), optionsOf({ trace }));
    for (const retry of ['repeat', 'write'] as const) await send(operation(retry), { name: 'n', ttl: '1h' });
    expect(events).toMatchObject([
      {
        headers: { 'Content-Type': 'application/json', 'X-Secrets-Token': '<redacted>' },
        body: { ttl: '1h' },
      },
      { event: 'response' },
      {
        headers: { 'content-type': 'application/json', 'x-secrets-token': '<redacted>' },
        body: { ttl: '1h' },
      },
      { event: 'response' },
    ]);
    expect(JSON.stringify(events)).not.toContain(token);
  });
});

describe('an error', () => {
  test('names the request for a program, and not for a command', async () => {
    const server = await serve((_seen, response) => json(response, { errors: [] }, 404));
    const errorWith = (more: { readonly namesRequests?: true }) =>
      errorOf(request(server.url, 'read', optionsOf(), more));
    const { message } = await errorWith({});
    expect(message).not.toContain('thing/n');
    expect((await errorWith({ namesRequests: true })).message).toBe(`${message}: GET thing/n`);
  });

  test('of another kind is unchanged', async () => {
    const server = await serve((_seen, response) => json(response, { ok: true }));
    const broken = new Error('stderr is closed');
    const detail = () => {
      throw broken;
    };
    const sending = request(server.url, 'read', { ...optionsOf(), detail }, { namesRequests: true });
    await expect(sending).rejects.toBe(broken);
  });
});
