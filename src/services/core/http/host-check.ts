const loopbackHost = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request names this machine: a web page can point its own name here (DNS rebinding). Browsers always send a
 * `Host`.
 */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host === undefined || loopbackHost.test(host);

const originPattern = /^https?:\/\/([^/@]+)$/i;

/** Whether a page of another site made a browser send a request: browsers send its origin, other clients do not. */
export function isCrossSite(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return true;
  if (origin === undefined) return false;
  const host = originPattern.exec(String(origin))?.[1];
  return host === undefined || !isLoopbackHost(host);
}
