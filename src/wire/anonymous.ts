/** The accessors of the anonymous tokens of Consul and Nomad. */
const anonymousAccessors: readonly string[] = ['00000000-0000-0000-0000-000000000002', 'anonymous'];

export const isAnonymousAccessor = (accessor: string): boolean => anonymousAccessors.includes(accessor);
