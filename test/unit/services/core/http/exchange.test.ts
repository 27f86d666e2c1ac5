import { expect, test } from 'vitest';
import { Exchange } from '../../../../../src/services/core/http/exchange.ts';

test('the end of an exchange aborts its signal', () => {
  const exchange = new Exchange();
  const { signal } = exchange;
  expect(signal.aborted).toBe(false);
  exchange.end();
  expect([signal.aborted, exchange.signal]).toEqual([true, signal]);
});

test('the signal of an ended exchange is aborted', () => {
  const exchange = new Exchange();
  exchange.end();
  expect(exchange.signal.aborted).toBe(true);
});
