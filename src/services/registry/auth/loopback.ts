import { FieldError } from '../../core/http/decode-body.ts';

/** Whether a host is loopback. Addresses are in the form of URL. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * A URL that the service may call: loopback only, because the embedded services make no other outbound call
 * (docs/adr/0009).
 *
 * @param name of the setting
 * @throws FieldError
 */
export function loopbackUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new FieldError(`${name} must be a URL`);
  if (isLoopback(url)) return url;
  throw new FieldError(
    `${name} must be on this machine (127.0.0.1, ::1 or localhost): the embedded services make no outbound call`,
  );
}
