/** The five services, by the names that flags, settings and messages use. */
export const serviceNames = ['secrets', 'registry', 'box', 'scheduler', 'accounts'] as const;
export type ServiceName = (typeof serviceNames)[number];
