/** Whether the host of a URL is loopback, without a resolver. */
export function isLoopback({ hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name) ||
    /^\[::ffff:7f[\da-f]{2}:/.test(name)
  );
}
