import { checkTables } from '../core/store/table.ts';
import type { Engine, EngineParts, EngineResponse } from './engine.ts';
import { unsupportedPath } from './errors.ts';
import { tables as jwtTables } from './handlers/auth/jwt.ts';
import { userTable } from './handlers/auth/userpass.ts';
import { secretTable } from './handlers/kv/unversioned.ts';
import { SecretStore } from './kv/secret-store.ts';
import { AppRoles } from './model/app-roles.ts';
import type { EngineTable } from './model/mounts.ts';
import { routedEngine } from './resource.ts';
import {
  approleRoutes,
  jwtRoutes,
  sshRoutes,
  unversionedRoutes,
  userpassRoutes,
  versionedRoutes,
} from './routes.ts';
import { SshMount } from './ssh/mount.ts';

export const engines: EngineTable = { kv: kvEngine, generic: unversionedEngine, ssh: sshEngine };

/** The auth methods by type. @param scryptCost of new password hashes; default: as in `hashPassword` */
export function authMethods(scryptCost: number | undefined): EngineTable {
  return {
    userpass(parts) {
      checkTables(parts.storage, [userTable]);
      return routedEngine('userpass', userpassRoutes, { ...parts, scryptCost });
    },
    approle: (parts) => routedEngine('approle', approleRoutes, new AppRoles(parts)),
    jwt(parts) {
      checkTables(parts.storage, jwtTables);
      return routedEngine('jwt', jwtRoutes, parts);
    },
  };
}

/** The key-value engine, in the version of the mount's options until it is upgraded. */
export function kvEngine(parts: EngineParts): Engine {
  let current = parts.options?.version === '2' ? versionedEngine(parts) : unversionedEngine(parts);
  return {
    type: 'kv',
    access: (operation, path) => current.access(operation, path),
    exists: (path) => current.exists(path),
    describe: () => current.describe?.() ?? [],
    handle: (request) => current.handle(request),
    upgrade(now) {
      const { storage } = parts;
      const store = new SecretStore(storage);
      const changes = secretTable
        .entries(storage)
        .flatMap(([key, data]) => [secretTable.remove(key), ...store.firstVersion(key, data, now)]);
      const previous = current;
      current = versionedEngine(parts);
      return {
        changes,
        revert() {
          current = previous;
        },
      };
    },
  };
}

/** Version 1: each path is a secret, an object with any fields. */
function unversionedEngine({ storage }: EngineParts): Engine {
  checkTables(storage, [secretTable]);
  return {
    ...routedEngine('kv', unversionedRoutes, storage),
    exists: (path) => secretTable.get(storage, path) !== undefined,
  };
}

/** The paths of one key, whose existence decides whether a write creates or updates. */
const keyPathPattern = /^(?:data|metadata)\/(.+)$/s;

/** Version 2: each key has versions and metadata (docs/protocol/kv.md#version-2). */
function versionedEngine({ storage }: EngineParts): Engine {
  const store = new SecretStore(storage);
  return {
    ...routedEngine('kv', versionedRoutes, store),
    exists(path) {
      const key = keyPathPattern.exec(path)?.[1];
      return key === undefined ? undefined : store.get(key) !== undefined;
    },
    async handle(request) {
      const { path, operation } = request;
      const isVersionedPath =
        operation === 'list' || operation === 'scan'
          ? /^(?:detailed-)?metadata/.test(path)
          : path !== 'metadata';
      const handler = isVersionedPath ? versionedRoutes.find(path, operation) : undefined;
      return handler ? ((await handler(store, request)) ?? undefined) : invalidPathResponse(path);
    },
  };
}

/** Requests in the form of version 1 get 404 with a warning instead of an error text. */
function invalidPathResponse(path: string): EngineResponse {
  const root = /^(?:data|metadata|subkeys|delete|undelete|destroy)$/.test(path);
  const warning = root
    ? `"${path}" is the root of a versioned K/V secrets engine: specify a key below it`
    : 'Invalid path for a versioned K/V secrets engine: secrets are at data/<key>, lists and versions at metadata/<key>';
  return { status: 404, warnings: [warning] };
}

/** Paths, with the valid names in them. */
const sshPathPattern = /^\w+(?:\/\w(?:[\w.@-]*\w)?)?$/;

/** The SSH engine: CA information, roles, certificates and one-time passwords. */
export function sshEngine(parts: EngineParts): Engine {
  const mount = new SshMount(parts);
  const backend = routedEngine('ssh', sshRoutes, mount);
  return {
    ...backend,
    // Signing uses the CA key, and creates it if it is missing.
    exists: (path) => (path.startsWith('sign/') ? mount.ca.publicKey() !== undefined : undefined),
    revoke: (internal) => mount.passwords.revoke(internal),
    async handle(request) {
      if (!sshPathPattern.test(request.path)) throw unsupportedPath();
      return backend.handle(request);
    },
  };
}
