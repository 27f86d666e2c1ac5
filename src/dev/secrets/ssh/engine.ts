import type { Json } from '../../../wire/json.ts';
import type { Engine, EngineParts, EngineRequest, EngineResponse } from '../engine.ts';
import { AuthorityStore } from './authority.ts';
import { ensureCa, readCa, recoverCa, submitCa } from './config-ca.ts';
import { createCredentials, lookUpRoles, verifyPassword } from './credentials.ts';
import { issueKey } from './issue.ts';
import { OneTimePasswords } from './one-time-passwords.ts';
import { nothingThere, unsupportedOperation, unsupportedPath } from './refusals.ts';
import { parseRole, type Role, showRole } from './role.ts';
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
  const authorities = new AuthorityStore(storage);
  const zeroAddress = new ZeroAddressRoles(storage);
  const passwords = new OneTimePasswords(parts);
  const inTurn = queue();
  const mount = {
    random,
    passwords,
    role,
    roleNames,
    authority: () => authorities.current(),
    makeAuthority: () => inTurn(() => ensureCa(authorities)),
    zeroAddress: () => zeroAddress.names(),
  };

  const paths = new Map<string, (request: EngineRequest) => Route>([
    ['config/ca', configCa],
    ['public_key', () => ({ read: showPublicKey })],
    ['roles', () => ({ list: listRoles })],
    ['config/zeroaddress', configZeroAddress],
    ['lookup', (request) => writes(() => lookUpRoles(mount, request))],
    ['verify', (request) => writes(() => verifyPassword(mount, request))],
    ['tidy/dynamic-keys', () => ({ delete: tidy })],
  ]);
  const namedPaths = new Map<string, (name: string, request: EngineRequest) => Route>([
    ['roles', oneRole],
    ['sign', (name, request) => writes(() => signKey(mount, name, request))],
    ['issue', (name, request) => writes(() => issueKey(mount, name, request))],
    ['creds', (name, request) => writes(() => createCredentials(mount, name, request))],
  ]);

  function route(request: EngineRequest): Route {
    const own = paths.get(request.path)?.(request);
    if (own !== undefined) return own;
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
      ...writes(() => inTurn(() => submitCa(authorities, request))),
      recover: () => inTurn(() => recoverCa(authorities, parts.snapshot, request)),
      read: () => readCa(authorities, parts.snapshot, request),
      delete: () => inTurn(() => authorities.remove().then(() => undefined)),
    };
  }

  function configZeroAddress(request: EngineRequest): Route {
    return {
      ...writes(() => configureZeroAddress(zeroAddress, (name) => role(name) !== undefined, request)),
      read: () => showZeroAddress(zeroAddress),
      delete: () => zeroAddress.remove().then(() => undefined),
    };
  }

  function showPublicKey(): EngineResponse {
    const body = authorities.publicKey();
    if (body === undefined) throw nothingThere();
    return { text: { contentType: 'text/plain', body } };
  }

  function listRoles(): EngineResponse {
    const keys = roleNames();
    if (keys.length === 0) throw nothingThere();
    const info = keys.map((key): [string, Json] => [key, { key_type: role(key)?.key_type ?? '' }]);
    return { data: { keys, key_info: Object.fromEntries(info) } };
  }

  function oneRole(roleName: string, request: EngineRequest): Route {
    const key = `role/${roleName}`;
    return {
      ...writes(async () => {
        await storage.write([{ key, value: parseRole(request.data) as Json }]);
        return undefined;
      }),
      read() {
        const found = role(roleName);
        if (found === undefined) throw nothingThere();
        return { data: showRole(found) };
      },
      async delete() {
        await storage.write([{ key }, ...zeroAddress.without(roleName)]);
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
    exists: (path) => (path.startsWith('sign/') ? authorities.publicKey() !== undefined : undefined),
    revoke: (internal) => passwords.revoke(internal),
    async handle(request) {
      const handler = route(request)[request.operation];
      if (handler === undefined) throw unsupportedOperation();
      return handler();
    },
  };
}

/** Host keys belonged to dynamic roles, which are no longer supported, so there are none to remove. */
function tidy(): EngineResponse {
  return { data: { message: 'Removed 0 of 0 host keys.' } };
}

function writes(handler: Handler): Route {
  return { create: handler, update: handler };
}

/**
 * Runs tasks one after the other: of two submissions of CA information, the second must see the result of
 * the first.
 */
function queue(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
