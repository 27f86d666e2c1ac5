import type { Json } from '../../../../wire/json.ts';
import type { Engine, EngineParts, EngineRequest, EngineResponse } from '../../engine.ts';
import { CaStore } from '../../ssh/ca.ts';
import { notFound, unsupportedOperation, unsupportedPath } from '../../ssh/errors.ts';
import { OneTimePasswords } from '../../ssh/one-time-passwords.ts';
import { parseRole, type Role, showRole } from '../../ssh/role.ts';
import { configureCa, ensureCa, readCa, recoverCa } from './config-ca.ts';
import { createCredentials, lookUpRoles, verifyPassword } from './credentials.ts';
import { issueKey } from './issue.ts';
import { signKey } from './sign.ts';
import { configureZeroAddress, showZeroAddress, ZeroAddressRoles } from './zero-address.ts';

type Handler = () => Promise<EngineResponse | undefined> | EngineResponse | undefined;
type Route = Partial<Record<EngineRequest['operation'], Handler>>;

/** A path with a parameter, and the valid values of the parameter; other paths do not exist. */
const namedPath = /^(\w+)\/(\w(?:[\w.@-]*\w)?)$/;

/**
 * The SSH secrets engine (docs/protocol/ssh.md#endpoints): CA information, roles, certificates and one-time
 * passwords.
 *
 * `parts.random` provides serial numbers, nonces, passwords and their salt; keys always come from the
 * system's generator.
 */
export function sshEngine(parts: EngineParts): Engine {
  const { storage, random } = parts;
  const caStore = new CaStore(storage);
  const zeroAddress = new ZeroAddressRoles(storage);
  const passwords = new OneTimePasswords(parts);
  const runExclusive = createMutex();
  const mount = {
    random,
    passwords,
    role,
    roleNames,
    currentCa: () => caStore.current(),
    generateCa: () => runExclusive(() => ensureCa(caStore)),
    zeroAddress: () => zeroAddress.names(),
  };

  const paths = new Map<string, (request: EngineRequest) => Route>([
    ['config/ca', configCa],
    ['public_key', () => ({ read: showPublicKey })],
    ['roles', () => ({ list: listRoles })],
    ['config/zeroaddress', configZeroAddress],
    ['lookup', (request) => writeRoute(() => lookUpRoles(mount, request))],
    ['verify', (request) => writeRoute(() => verifyPassword(mount, request))],
    ['tidy/dynamic-keys', () => ({ delete: tidyResponse })],
  ]);
  const namedPaths = new Map<string, (name: string, request: EngineRequest) => Route>([
    ['roles', roleRoute],
    ['sign', (name, request) => writeRoute(() => signKey(mount, name, request))],
    ['issue', (name, request) => writeRoute(() => issueKey(mount, name, request))],
    ['creds', (name, request) => writeRoute(() => createCredentials(mount, name, request))],
  ]);

  function route(request: EngineRequest): Route {
    const exact = paths.get(request.path)?.(request);
    if (exact !== undefined) return exact;
    const [, folder = '', name = ''] = namedPath.exec(request.path) ?? [];
    const named = namedPaths.get(folder)?.(name, request);
    if (named === undefined) throw unsupportedPath();
    return named;
  }

  function role(roleName: string): Role | undefined {
    return storage.get(`role/${roleName}`) as Role | undefined;
  }

  function roleNames(): string[] {
    return storage.keys('role/').map((key) => key.slice('role/'.length));
  }

  function configCa(request: EngineRequest): Route {
    return {
      ...writeRoute(() => runExclusive(() => configureCa(caStore, request))),
      recover: () => runExclusive(() => recoverCa(caStore, parts.snapshot, request)),
      read: () => readCa(caStore, parts.snapshot, request),
      delete: () => runExclusive(() => caStore.remove().then(() => undefined)),
    };
  }

  function configZeroAddress(request: EngineRequest): Route {
    return {
      ...writeRoute(() => configureZeroAddress(zeroAddress, (name) => role(name) !== undefined, request)),
      read: () => showZeroAddress(zeroAddress),
      delete: () => zeroAddress.remove().then(() => undefined),
    };
  }

  function showPublicKey(): EngineResponse {
    const body = caStore.publicKey();
    if (body === undefined) throw notFound();
    return { text: { contentType: 'text/plain', body } };
  }

  function listRoles(): EngineResponse {
    const keys = roleNames();
    if (keys.length === 0) throw notFound();
    const info = keys.map((key): [string, Json] => [key, { key_type: role(key)?.key_type ?? '' }]);
    return { data: { keys, key_info: Object.fromEntries(info) } };
  }

  function roleRoute(roleName: string, request: EngineRequest): Route {
    const key = `role/${roleName}`;
    return {
      ...writeRoute(async () => {
        await storage.write([{ key, value: parseRole(request.data) as Json }]);
        return undefined;
      }),
      read() {
        const existing = role(roleName);
        if (existing === undefined) throw notFound();
        return { data: showRole(existing) };
      },
      async delete() {
        await storage.write([{ key }, ...zeroAddress.changesWithout(roleName)]);
        return undefined;
      },
    };
  }

  return {
    type: 'ssh',
    unauthenticated: [
      { operation: 'read', path: 'public_key' },
      { operation: 'update', path: 'verify' },
    ],
    // Signing uses the CA key, and creates it if it is missing.
    exists: (path) => (path.startsWith('sign/') ? caStore.publicKey() !== undefined : undefined),
    revoke: (internal) => passwords.revoke(internal),
    async handle(request) {
      const handler = route(request)[request.operation];
      if (handler === undefined) throw unsupportedOperation();
      return handler();
    },
  };
}

/** Host keys belonged to dynamic roles, which are no longer supported, so there are none to remove. */
function tidyResponse(): EngineResponse {
  return { data: { message: 'Removed 0 of 0 host keys.' } };
}

function writeRoute(handler: Handler): Route {
  return { create: handler, update: handler };
}

/**
 * Runs tasks one after the other: of two submissions of CA information, the second must see the result of
 * the first.
 */
function createMutex(): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (action) => {
    const current = last.then(action);
    last = current.catch(() => undefined);
    return current;
  };
}
