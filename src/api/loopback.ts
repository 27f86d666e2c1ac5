/** Whether the host of a URL is loopback, without a resolver: `localhost.` is a name of DNS, as `localhost.example`. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname) ||
    /^\[::ffff:7f[\da-f]{2}:/.test(hostname)
  );
}
