import { describe, expect, test } from 'vitest';
import { head, raw, start } from '../../support.ts';

describe('the Host of a request', () => {
  test.each([
    ['127.0.0.1:8200', 200],
    ['localhost', 200],
    ['app.localhost:80', 200],
    ['[::1]:8200', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example:8200', 403],
  ])('%s gets status %i', async (host, status) => {
    const { addresses } = await start();
    const [reply] = await raw(addresses.secrets, [
      head('GET', '/v1/sys/health', { Host: host, Connection: 'close' }),
    ]);
    expect(reply?.status).toBe(status);
  });
});
