/**
 * The index of the state that a response shows, for a blocking query: a decimal number in a header whose prefix is that
 * of the service or of the product (`X-Consul-Index`). Undefined: the service has none.
 *
 * @param headers with lower-case names.
 */
export const stateIndexOf = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  Object.entries(headers).find(([name, value]) => /^x-[a-z]+-index$/.test(name) && value)?.[1];
