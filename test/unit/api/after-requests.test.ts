import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { endpointOf, json, operation, optionsOf, serve, serveSocket } from './support.ts';

const input = { name: 'n' };

/** The size of the young generation of a new thread that makes much garbage, in MiB. */
const youngMiB = () =>
  new Promise<number>((resolve, reject) => {
    const script = `
      const { parentPort } = require('node:worker_threads');
      const { getHeapSpaceStatistics } = require('node:v8');
      const kept = [];
      for (let n = 0; n < 400_000; n++) {
        kept.push({ n, list: [n] });
        if (kept.length === 100_000) kept.length = 0;
      }
      const { space_size: size } = getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
      parentPort.postMessage(size / 1024 / 1024);
    `;
    new Worker(script, { eval: true }).once('message', resolve).once('error', reject);
  });

test('a client for many calls keeps the young generation of V8 at its initial size', async () => {
  onTestFinished(() => setFlagsFromString('--semi-space-growth-factor=2'));
  transport(endpointOf('http://127.0.0.1:1'), optionsOf());
  expect(await youngMiB()).toBeGreaterThan(8);
  transport(endpointOf('http://127.0.0.1:1'), optionsOf({ isForMany: true }));
  expect(await youngMiB()).toBeLessThan(4);
});

describe('after a response, an error status, an incomplete response or a lost connection, a request', () => {
  const servers = () =>
    Promise.all([
      serve((_seen, response) => json(response, { ok: true })),
      serve((_seen, response) => json(response, { errors: [] }, 404)),
      serveSocket((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')),
      serveSocket((socket) => socket.destroy()),
    ]);
  const sendTo = async (url: string, signal: AbortSignal) => {
    const send = transport(endpointOf(url, { maxRetries: 0 }), optionsOf({ signal }));
    await send(operation('read'), input).catch(() => {});
  };

  test('leaves no timer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    for (const { url } of await servers())
      for (let n = 0; n < 10; n += 1) await sendTo(url, new AbortController().signal);
    // Others may have ended or begun.
    expect(timers()).toBeLessThan(before + 8);
  });

  test('is collected, although the signal is not', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const { signal } = new AbortController();
    const requests: WeakRef<object>[] = [];
    const started = (message: unknown) =>
      requests.push(new WeakRef((message as { readonly request: object }).request));
    subscribe('http.client.request.start', started);
    onTestFinished(() => {
      unsubscribe('http.client.request.start', started);
    });
    for (const { url } of await servers()) await sendTo(url, signal);
    expect(requests).toHaveLength(4);
    await expect
      .poll(() => {
        collect();
        return requests.filter((each) => each.deref() !== undefined).length;
      })
      .toBe(0);
    expect(signal.aborted).toBe(false);
  });
});

test('all requests of a signal have one listener of it', async () => {
  const { signal } = new AbortController();
  const server = await serve((_seen, response) => json(response, { ok: true }));
  const send = transport(endpointOf(server.url), optionsOf({ signal }));
  await Promise.all([1, 2, 3].map(() => send(operation('read'), input)));
  await send(operation('repeat'), input);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});
