const paths: readonly string[] = ['sys/health', 'sys/init', 'sys/leader', 'sys/seal-status', 'sys/unseal'];

/**
 * Is a path of the secrets service, below `/v1/`, about the service as a whole? Such a path responds in every state
 * and without a token, and belongs to no namespace.
 */
export const isServiceWide = (path: string): boolean => paths.includes(path);
