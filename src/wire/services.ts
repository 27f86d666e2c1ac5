/** The five services, by the names that flags, settings and messages use. */
export const serviceNames = ['secrets', 'registry', 'box', 'scheduler', 'accounts'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The settings that only some of the services have. */
export const serviceSpecificSettings: Readonly<Record<string, readonly ServiceName[]>> = {
  namespace: ['secrets', 'registry', 'scheduler'],
  region: ['scheduler'],
  datacenter: ['registry'],
  'http-auth': ['registry', 'scheduler'],
  'auth-method': ['accounts'],
};

/** Whether a service has a setting; its name may be in kebab-case or camelCase. */
export const hasSetting = (service: ServiceName, setting: string): boolean =>
  serviceSpecificSettings[setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]?.includes(
    service,
  ) ?? true;

/** The accessors of the anonymous tokens of Consul and Nomad. */
const anonymousAccessors: readonly string[] = ['00000000-0000-0000-0000-000000000002', 'anonymous'];

/** Whether an accessor belongs to the anonymous token. */
export const isAnonymousAccessor = (accessor: string): boolean => anonymousAccessors.includes(accessor);

/** The accessor of every caller of a scheduler whose access control is off. */
export const accessControlOffAccessor = 'acls-disabled';

const serviceWidePaths: readonly string[] = [
  'sys/health',
  'sys/init',
  'sys/leader',
  'sys/seal-status',
  'sys/unseal',
];

/**
 * Whether a path of the secrets service, below `/v1/`, belongs to the service itself: it needs no token and no
 * namespace, and works in every state.
 */
export const isServiceWide = (path: string): boolean => serviceWidePaths.includes(path);
