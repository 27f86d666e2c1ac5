/** Maximum characters of a policy: as many as can be parsed without blocking other requests. */
export const maxPolicyLength = 64 * 1024;
