import type { AuthMethodTable, DefaultMount, EngineTable } from './model/mounts.ts';

/** The engines that can be mounted, by type. */
export const engines: EngineTable = {
  kv: async (parts) =>
    (await import('./kv/engine.ts')).kvEngine({ ...parts, version: parts.options?.version === '2' ? 2 : 1 }),
  ssh: async (parts) => (await import('./handlers/ssh/roles.ts')).sshEngine(parts),
};

/** The default mounts of a new service; existing data gets each new entry of this list once. */
export const defaultMounts: readonly DefaultMount[] = [
  { path: 'secret/', type: 'kv', options: { version: '2' } },
  { path: 'ssh/', type: 'ssh' },
];

/** The auth methods that can be enabled, by type. */
export const methods: AuthMethodTable = {
  userpass: async (parts) => (await import('./handlers/auth/userpass.ts')).userpass(parts),
  approle: async (parts) => (await import('./handlers/auth/approle.ts')).approle(parts),
  jwt: async (parts) => (await import('./handlers/auth/jwt.ts')).jwt(parts),
};
