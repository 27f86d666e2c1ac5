import { expect, test } from 'vitest';
import { EmbeddedError } from '../../../../../src/services/core/errors.ts';
import {
  defineService,
  type ServiceDefinition,
} from '../../../../../src/services/core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  textResponse,
} from '../../../../../src/services/core/http/http-service.ts';
import { Router } from '../../../../../src/services/core/http/router.ts';
import type { HandlerOf } from '../../../../../src/services/core/operation.ts';

interface Context {
  readonly caller: string | undefined;
}

const ok = () => textResponse(200, 'ok');

const routes = new Router<HandlerOf<Context>>()
  .on('GET', 'items', () => textResponse(200, 'items'))
  .on('PUT|POST', 'items', ok)
  .on('GET', 'items/:id', ({ caller, params }) => textResponse(200, `${params.id} of ${caller}`))
  .on('DELETE', 'items/:id', () => {
    throw new HttpError(409, 'item is locked');
  })
  .on('*', 'any', ({ request }) => textResponse(200, request.method))
  .on('GET', 'fault', () => {
    throw new Error('broken');
  })
  .on('GET', 'full', () => {
    throw new EmbeddedError('write', 'cannot write to FILE: disk full; free disk space');
  });

/** A service, its log, and a function that sends it a request. */
function service(more: Partial<ServiceDefinition<Context>> = {}) {
  const logged: string[] = [];
  const { handle } = defineService<Context>({
    name: 'box',
    headerPrefixes: ['X-Box', 'X-Atlas'],
    routes,
    authenticate: ({ headers }) => ({ caller: headers.authorization }),
    errorBody: ({ status, message }) => textResponse(status, `error: ${message}`),
    storage: { write: async () => {} },
    log: (line) => logged.push(line),
    ...more,
  });
  const send = (method: string, path: string): Promise<HttpResponse> => {
    const segments = path.split('/');
    const headers = { authorization: 'alice' };
    return handle({ method, headers, path: { segments, hasTrailingSlash: false } } as unknown as HttpRequest);
  };
  return { send, logged };
}

test('runs the handler of the path and method with the caller and the parameters', async () => {
  const { send } = service();
  expect(await send('GET', 'items/7')).toMatchObject({ status: 200, body: '7 of alice' });
  expect(await send('POST', 'items')).toMatchObject({ status: 200, body: 'ok' });
});

test('handles HEAD as GET, and any method where the route has no method', async () => {
  const { send } = service();
  expect(await send('HEAD', 'items')).toMatchObject({ status: 200, body: 'items' });
  expect(await send('LIST', 'any')).toMatchObject({ status: 200, body: 'LIST' });
});

test('reports an unknown path and an unsupported method in the format of the service', async () => {
  const { send } = service({ messages: { notFound: 'unknown' } });
  expect(await send('GET', 'other')).toMatchObject({ status: 404, body: 'error: unknown' });
  const { status, body, headers } = await send('PATCH', 'items');
  expect([status, body, headers?.Allow]).toEqual([405, 'error: method PATCH not allowed', 'GET, PUT, POST']);
});

test('reports an HttpError of a handler, of authenticate and of before', async () => {
  const reject = () => {
    throw new HttpError(403, 'no');
  };
  expect(await service().send('DELETE', 'items/7')).toMatchObject({
    status: 409,
    body: 'error: item is locked',
  });
  expect(await service({ authenticate: reject }).send('GET', 'items')).toMatchObject({ status: 403 });
  expect(await service({ before: reject }).send('GET', 'other')).toMatchObject({ status: 403 });
});

test('logs a fault without reporting it, and reports a full disk', async () => {
  const { send, logged } = service();
  expect(await send('GET', 'fault')).toMatchObject({ status: 500, body: 'error: internal error' });
  expect(await send('GET', 'full')).toMatchObject({
    status: 500,
    body: expect.stringContaining('disk full'),
  });
  expect(logged).toEqual(['box: broken', expect.stringContaining('disk full')]);
});

test('sends no response and no error before everything written is durable', async () => {
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { send } = service({ storage: { write: () => promise } });
  const sent = [send('GET', 'items'), send('DELETE', 'items/7')].map((each) =>
    each.then(({ status }) => done.push(String(status))),
  );
  await new Promise((next) => setImmediate(next));
  expect(done).toEqual([]);
  resolve();
  await Promise.all(sent);
  expect(done.sort()).toEqual(['200', '409']);
});

test('reports the failure of a write that a response depends on', async () => {
  const { send } = service({
    storage: { write: () => Promise.reject(new EmbeddedError('write', 'cannot write to FILE: disk full')) },
  });
  expect(await send('GET', 'items')).toMatchObject({
    status: 500,
    body: expect.stringContaining('disk full'),
  });
  expect(await send('DELETE', 'items/7')).toMatchObject({ status: 500 });
});

test('runs `after` only after a handler that did not throw', async () => {
  const ran: unknown[] = [];
  const { send } = service({
    after: async ({ params }) => {
      ran.push(params);
    },
  });
  await send('GET', 'items/7');
  await send('DELETE', 'items/7');
  expect(ran).toEqual([{ id: '7' }]);
});
