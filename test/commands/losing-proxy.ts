import { pausingProxy } from './pausing-proxy.ts';

/** Forwards to a service, and loses the first response to each request whose URL has another match. */
export async function losingProxy(address: string, pattern: RegExp) {
  const lost: string[] = [];
  const matches = new Set<string>();
  const proxy = await pausingProxy(
    address,
    async () => undefined,
    (url) => {
      const match = pattern.exec(url)?.[0];
      if (match === undefined || matches.has(match)) return false;
      matches.add(match);
      lost.push(url);
      return true;
    },
  );
  return { address: proxy.address, lost };
}

/** Forwards to a service, and loses the responses to all writes. */
export const losingWrites = (address: string) =>
  pausingProxy(
    address,
    async () => undefined,
    (_url, method) => method !== 'GET',
  );
