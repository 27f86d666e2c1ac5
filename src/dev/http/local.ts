const local = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Was a request meant for this machine by name? A web page can let its own name point here and then have a
 * browser send what it likes; such a request names the page's host. One without a `Host` is no browser's.
 */
export const isForThisMachine = (host: string | undefined): boolean => host === undefined || local.test(host);
