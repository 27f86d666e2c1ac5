const metaLimits = { pairs: 64, key: 128, value: 512 };
const reservedMetaPrefix = 'consul-';
/** What proxies tell of a mesh gateway. */
const meshGatewayKeys: readonly string[] = ['consul-wan-federation'];

/** What is wrong with the metadata of a service or of a query, in the words of the product; undefined: nothing. */
export function problemOfMeta(
  meta: Readonly<Record<string, string>> | null,
  options: { readonly kind?: string | undefined; readonly allowsReserved?: true } = {},
): string | undefined {
  const pairs = Object.entries(meta ?? {});
  if (pairs.length > metaLimits.pairs)
    return `Node metadata cannot contain more than ${metaLimits.pairs} key/value pairs`;
  for (const [key, value] of pairs) {
    const isReserved =
      options.allowsReserved !== true &&
      key.startsWith(reservedMetaPrefix) &&
      !(options.kind === 'mesh-gateway' && meshGatewayKeys.includes(key));
    const problem = isReserved && isMetaKey(key) ? reservedKey : problemOfPair(key, value);
    if (problem !== undefined) return `Couldn't load metadata pair ('${key}', '${value}'): ${problem}`;
  }
  return undefined;
}

const reservedKey = `Key prefix '${reservedMetaPrefix}' is reserved for internal use`;
const isMetaKey = (key: string): boolean => /^[a-zA-Z0-9_-]+$/.test(key) && key.length <= metaLimits.key;

function problemOfPair(key: string, value: string): string | undefined {
  if (key === '') return 'Key cannot be blank';
  if (!/^[a-zA-Z0-9_-]+$/.test(key)) return 'Key contains invalid characters';
  if (key.length > metaLimits.key) return `Key is too long (limit: ${metaLimits.key} characters)`;
  return Buffer.byteLength(value) > metaLimits.value
    ? `Value is too long (limit: ${metaLimits.value} characters)`
    : undefined;
}
