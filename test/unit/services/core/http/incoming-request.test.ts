import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { IncomingRequest } from '../../../../../src/services/core/http/incoming-request.ts';

function receive() {
  const message = Object.assign(new IncomingMessage(new Socket()), { url: '/' });
  const response = new ServerResponse(message);
  response.assignSocket(message.socket);
  const exchange = { message, response, method: 'GET', expectsContinue: false };
  const request = new IncomingRequest(exchange, { headerPrefixes: [], rawKeyPrefixes: [] });
  return { request, close: () => Promise.all([once(response, 'close'), message.socket.destroy()]) };
}

test('the end of an exchange aborts its signal', async () => {
  const { request, close } = receive();
  const { signal } = request;
  expect(signal.aborted).toBe(false);
  await close();
  expect([signal.aborted, request.signal]).toEqual([true, signal]);
});

test('the signal of an ended exchange is aborted', async () => {
  const { request, close } = receive();
  await close();
  expect(request.signal.aborted).toBe(true);
});
