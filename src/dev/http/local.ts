const local = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Was a request meant for this machine by name? A web page can let its own name point here and then have a
 * browser send what it likes; such a request names the page's host. One without a `Host` is no browser's.
 */
export const isForThisMachine = (host: string | undefined): boolean => host === undefined || local.test(host);

const loopbackOrigin = /^https?:\/\/([^/@]+)$/i;

/**
 * Did a page of another site have a browser send a request? Browsers name the page's origin with every request that
 * may change something (`null` where a page has none), and new ones say with every request how the page is related to
 * the service. Other clients send neither.
 */
export function isCrossSite(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return true;
  if (origin === undefined) return false;
  const host = loopbackOrigin.exec(String(origin))?.[1];
  return host === undefined || !isForThisMachine(host);
}
