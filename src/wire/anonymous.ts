/** The accessors of the token that every caller without one has: Consul's and Nomad's. */
const anonymousAccessors: readonly string[] = ['00000000-0000-0000-0000-000000000002', 'anonymous'];

/** Is an accessor that of the token which every caller without a token has? */
export const isAnonymousAccessor = (accessor: string): boolean => anonymousAccessors.includes(accessor);
