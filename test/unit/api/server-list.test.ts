import { describe, expect, test } from 'vitest';
import { Servers } from '../../../src/api/http/connection.ts';
import { endpointOf } from './support.ts';

const [a, b, c] = ['https://a:8200', 'https://b:8200', 'https://c:8200'];
const listOf = (addresses: readonly string[] = [a, b, c]) =>
  new Servers(endpointOf(addresses[0] ?? '', { addresses }));
const tried = (...addresses: readonly string[]) => new Set(addresses);

describe('the server after one that failed', () => {
  test('is the next in the list, which begins again at its end', () => {
    const servers = listOf();
    expect(servers.current().address).toBe(a);
    expect(servers.next(a, tried())?.address).toBe(b);
    expect(servers.next(b, tried())?.address).toBe(c);
    expect(servers.next(c, tried())?.address).toBe(a);
    expect(servers.current().address).toBe(a);
  });

  test('is not one that was tried', () => {
    expect(listOf().next(a, tried(a, b))?.address).toBe(c);
    expect(listOf().next(a, tried(a, b, c))).toBeUndefined();
  });

  test('is the current server, if another request has moved on', () => {
    const servers = listOf();
    servers.next(a, tried(a));
    servers.next(b, tried(a, b));
    expect(servers.next(a, tried(a))?.address).toBe(c);
    // Not if it was tried.
    expect(servers.next(b, tried(b, c))?.address).toBe(a);
  });

  test('is itself without a list', () => {
    const servers = new Servers(endpointOf(a, { addresses: [b] }));
    expect(servers.current().address).toBe(a);
    expect(servers.next(a, tried(a))).toBeUndefined();
    expect(servers.choose(b)).toBeUndefined();
  });
});

describe('a server that a response names by its origin', () => {
  test('becomes the current server', () => {
    const servers = listOf([a, `${b}/base`, c]);
    expect(servers.choose(b)?.address).toBe(`${b}/base`);
    expect(servers.current().address).toBe(`${b}/base`);
    expect(servers.choose('https://d:8200')).toBeUndefined();
    expect(servers.current().address).toBe(`${b}/base`);
  });

  test('is none without a host, and none of an address that is no URL', () => {
    const servers = listOf([a, 'nonsense', 'unix:///run/agent.sock', b]);
    expect(servers.choose('null')).toBeUndefined();
    expect(servers.choose(b)?.address).toBe(b);
  });
});
