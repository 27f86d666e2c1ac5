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

const reject = () => {
  throw new HttpError(403, 'no');
};

test.each<[string, string, string, number, string, Partial<ServiceDefinition<Context>>]>([
  ['with the caller and the parameters', 'GET', 'items/7', 200, '7 of alice', {}],
  ['of one of several methods', 'POST', 'items', 200, 'ok', {}],
  ['of GET for HEAD', 'HEAD', 'items', 200, 'items', {}],
  ['of a route for any method', 'LIST', 'any', 200, 'LIST', {}],
  ['that throws an HttpError', 'DELETE', 'items/7', 409, 'error: item is locked', {}],
  ['after authenticate throws an HttpError', 'GET', 'items', 403, 'error: no', { authenticate: reject }],
  ['after before throws an HttpError', 'GET', 'other', 403, 'error: no', { before: reject }],
  ['of an unknown path', 'GET', 'other', 404, 'error: unknown', { messages: { notFound: 'unknown' } }],
])('responds to the handler %s: %s %s', async (_, method, path, status, body, more) => {
  expect(await service(more).send(method, path)).toMatchObject({ status, body });
});

test('reports an unsupported method and the methods of the path', async () => {
  expect(await service().send('PATCH', 'items')).toMatchObject({
    status: 405,
    body: 'error: method PATCH not allowed',
    headers: { Allow: 'GET, PUT, POST' },
  });
});

test('logs a fault without reporting it, and reports a full disk', async () => {
  const { send, logged } = service();
  expect(await send('GET', 'fault')).toMatchObject({ status: 500, body: 'error: internal error' });
  const body = expect.stringContaining('disk full');
  expect(await send('GET', 'full')).toMatchObject({ status: 500, body });
  expect(logged).toEqual(['box: broken', body]);
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
  const write = () => Promise.reject(new EmbeddedError('write', 'cannot write to FILE: disk full'));
  const { send } = service({ storage: { write } });
  const body = expect.stringContaining('disk full');
  expect(await send('GET', 'items')).toMatchObject({ status: 500, body });
  expect(await send('DELETE', 'items/7')).toMatchObject({ status: 500 });
});

test('runs `after` only after a handler that did not throw', async () => {
  const ran: unknown[] = [];
  const { send } = service({ after: async ({ params }) => void ran.push(params) });
  await send('GET', 'items/7');
  await send('DELETE', 'items/7');
  expect(ran).toEqual([{ id: '7' }]);
});
