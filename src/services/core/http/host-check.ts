const loopbackHost = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Reports whether a request names this machine. A web page can point its own name here (DNS rebinding) and
 * have a browser send requests, which name the page's host. Browsers always send a `Host`.
 */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host === undefined || loopbackHost.test(host);

const originPattern = /^https?:\/\/([^/@]+)$/i;

/**
 * Reports whether a page of another site made a browser send a request. Browsers send the page's origin with
 * every request that may change something (`null` for a page without one), and recent ones send the relation
 * of page and service with every request. Other clients send neither.
 */
export function isCrossSite(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return true;
  if (origin === undefined) return false;
  const host = originPattern.exec(String(origin))?.[1];
  return host === undefined || !isLoopbackHost(host);
}
