const paths: readonly string[] = ['sys/health', 'sys/init', 'sys/leader', 'sys/seal-status', 'sys/unseal'];

/**
 * Whether a path below `/v1/` of the secrets service concerns the complete service. Such a path responds in every
 * state and without a token, and belongs to no namespace.
 */
export const isServiceWide = (path: string): boolean => paths.includes(path);
