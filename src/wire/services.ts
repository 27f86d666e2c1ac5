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
