import type { Storage } from '../core/store/storage.ts';
import type { EngineParts, EngineRequest } from './engine.ts';
import * as approle from './handlers/auth/approle.ts';
import type { TokenContext } from './handlers/auth/create-token.ts';
import * as jwt from './handlers/auth/jwt.ts';
import * as token from './handlers/auth/token.ts';
import * as tokenRole from './handlers/auth/token-roles.ts';
import * as userpass from './handlers/auth/userpass.ts';
import * as cubbyhole from './handlers/cubbyhole.ts';
import * as identity from './handlers/identity.ts';
import { config } from './handlers/kv/config.ts';
import { data, subkeys } from './handlers/kv/data.ts';
import * as metadata from './handlers/kv/metadata.ts';
import { secret } from './handlers/kv/unversioned.ts';
import * as versions from './handlers/kv/versions.ts';
import { ca, publicKey } from './handlers/ssh/ca.ts';
import * as otp from './handlers/ssh/credentials.ts';
import { issue } from './handlers/ssh/issue.ts';
import * as ssh from './handlers/ssh/roles.ts';
import { sign } from './handlers/ssh/sign.ts';
import { zeroAddress } from './handlers/ssh/zero-address.ts';
import * as audit from './handlers/sys/audit.ts';
import { type SysContext, sysRules } from './handlers/sys/context.ts';
import * as leases from './handlers/sys/leases.ts';
import * as mounts from './handlers/sys/mounts.ts';
import * as namespaces from './handlers/sys/namespaces.ts';
import * as policies from './handlers/sys/policies.ts';
import { remount, remountStatus } from './handlers/sys/remount.ts';
import * as server from './handlers/sys/server.ts';
import * as state from './handlers/sys/service-state.ts';
import * as snapshots from './handlers/sys/snapshots.ts';
import * as tools from './handlers/sys/tools.ts';
import * as wrapping from './handlers/sys/wrapping.ts';
import type { SecretStore } from './kv/secret-store.ts';
import type { AppRoles } from './model/app-roles.ts';
import { Routes } from './resource.ts';
import { sshRules } from './ssh/fields.ts';
import type { SshMount } from './ssh/mount.ts';

/** What the service serves, by path relative to the mount. Paths of `onUnauthenticated` require no token. */

/** `sys/`, in every state of the service and for the entire service: also while sealed, and without a token. */
export const serviceStateRoutes = new Routes<state.StateContext, Pick<EngineRequest, 'data'>>()
  .on('health', state.health)
  .on('seal-status', state.sealStatus)
  .on('init', state.init)
  .on('unseal', state.unseal)
  .on('leader', state.leader);

/** `sys/` of a namespace. */
export const sysRoutes = newSysRoutes();

/** `sys/` of the root namespace. */
export const rootSysRoutes = newSysRoutes()
  .on('storage/raft/snapshot', snapshots.all)
  .on('storage/raft/snapshot-force', snapshots.forced)
  .on('storage/raft/snapshot/:id', snapshots.one)
  .on('version-history', server.versionHistory)
  .on('key-status', server.keyStatus)
  .on('rotate', server.rotation)
  .on('rotate/*path', server.rotation)
  .on('rekey/*path', server.rotation)
  .on('ha-status', server.haStatus)
  .on('step-down', server.stepDown)
  .on('plugins/catalog', server.plugins)
  .on('plugins/catalog/*path', server.plugin)
  .on('audit', audit.all)
  .on('audit/*path', audit.one)
  .on('audit-hash/*path', audit.hash)
  .on('seal', server.seal);

function newSysRoutes() {
  return new Routes<SysContext>(sysRules)
    .on('mounts', mounts.engines.all)
    .on('mounts/*path', mounts.engines.one)
    .on('auth', mounts.authMethods.all)
    .on('auth/*path', mounts.authMethods.one)
    .onOptionalToken('internal/ui/mounts', mounts.visible)
    .on('internal/ui/mounts/*path', mounts.lookUp)
    .on('tools/random', tools.random)
    .on('tools/random/*path', tools.random)
    .on('tools/hash', tools.hash)
    .on('tools/hash/:algorithm', tools.hash)
    .on('remount', remount)
    .on('remount/status/:id', remountStatus)
    .on('policies/acl', policies.all)
    .on('policy', policies.allLegacy)
    .on('capabilities', policies.capabilitiesOfToken)
    .on('capabilities-accessor', policies.capabilitiesOfAccessor)
    .on('capabilities-self', policies.capabilitiesSelf)
    .on('policies/acl/:name', policies.one)
    .on('policy/:name', policies.oneLegacy)
    .on('leases/lookup', leases.lookUp)
    .on('leases/lookup/*prefix', leases.listBelow)
    .on('leases/renew', leases.renew)
    .on('leases/revoke', leases.revoke)
    .on('leases/revoke/*id', leases.revokeById)
    .on('leases/revoke-prefix/*prefix', leases.revokePrefix)
    .on('leases/revoke-force/*prefix', leases.revokeForce)
    .on('wrapping/wrap', wrapping.wrap)
    .on('wrapping/unwrap', wrapping.unwrap)
    .on('wrapping/rewrap', wrapping.rewrap)
    .onUnauthenticated('wrapping/lookup', wrapping.lookUp)
    .on('namespaces', namespaces.all)
    .on('namespaces/:name', namespaces.one)
    .on('namespaces/*path', namespaces.below);
}

/** `auth/token/` of a namespace. */
export const tokenRoutes = new Routes<TokenContext>()
  .on('create', token.create)
  .on('create/:role_name', token.createWithRole)
  .on('create-orphan', token.createOrphan)
  .on('roles', tokenRole.roles)
  .on('roles/:role_name', tokenRole.role)
  .on('lookup-self', token.lookUpSelf)
  .on('lookup', token.lookUp)
  .on('lookup-accessor', token.lookUpAccessor)
  .on('renew-self', token.renewSelf)
  .on('renew', token.renew)
  .on('renew-accessor', token.renewAccessor)
  .on('accessors', token.accessors)
  .on('revoke-self', token.revokeSelf)
  .on('revoke', token.revoke)
  .on('revoke-orphan', token.revokeOrphan)
  .on('revoke-accessor', token.revokeAccessor)
  .on('tidy', token.tidy);

/** `cubbyhole/` of a namespace. */
export const cubbyholeRoutes = new Routes<cubbyhole.CubbyholeContext>().on('*path', cubbyhole.secret);

/** `identity/` of a namespace. */
export const identityRoutes = new Routes<identity.IdentityContext>()
  .on('entity', identity.entity)
  .on('entity/id', identity.entitiesById)
  .on('entity/id/:id', identity.entityById)
  .on('entity/name', identity.entitiesByName)
  .on('entity/name/:name', identity.entityByName)
  .on('entity-alias', identity.alias)
  .on('entity-alias/id', identity.aliases)
  .on('entity-alias/id/:id', identity.aliasById)
  .on('lookup/entity', identity.lookUp);

/** The auth method `userpass`. */
export const userpassRoutes = new Routes<userpass.UserpassParts>()
  .on('users', userpass.users)
  .on('users/:username', userpass.user)
  .on('users/:username/password', userpass.password)
  .on('users/:username/policies', userpass.policies)
  .onUnauthenticated('login/:username', userpass.login);

/** The auth method `approle`. */
export const approleRoutes = new Routes<AppRoles>()
  .on('role', approle.roles)
  .on('role/:role_name', approle.role)
  .on('role/:role_name/role-id', approle.roleId)
  .on('role/:role_name/secret-id', approle.secretId)
  .on('role/:role_name/custom-secret-id', approle.customSecretId)
  .on('role/:role_name/secret-id/lookup', approle.lookUpSecretId)
  .on('role/:role_name/secret-id/destroy', approle.destroySecretId)
  .on('role/:role_name/secret-id-accessor/lookup', approle.lookUpAccessor)
  .on('role/:role_name/secret-id-accessor/destroy', approle.destroyAccessor)
  .onUnauthenticated('login', approle.login);

/** The auth method `jwt`. */
export const jwtRoutes = new Routes<EngineParts>()
  .on('config', jwt.config)
  .on('role', jwt.roles)
  .on('role/:name', jwt.role)
  .onUnauthenticated('login', jwt.login);

export const unversionedRoutes = new Routes<Storage>().on('*key', secret);

export const versionedRoutes = new Routes<SecretStore>()
  .on('config', config)
  .on('data/*key', data)
  .on('subkeys/*key', subkeys)
  .on('metadata', metadata.root)
  .on('metadata/*key', metadata.metadata)
  .on('detailed-metadata', metadata.detailed)
  .on('detailed-metadata/*key', metadata.detailed)
  .on('delete/*key', versions.deletion)
  .on('undelete/*key', versions.undeletion)
  .on('destroy/*key', versions.destruction);

export const sshRoutes = new Routes<SshMount>(sshRules)
  .on('roles', ssh.roles)
  .on('roles/:name', ssh.role)
  .on('config/zeroaddress', zeroAddress)
  .on('creds/:name', otp.credentials)
  .on('lookup', otp.lookUp)
  .onUnauthenticated('verify', otp.verify)
  .on('config/ca', ca)
  .onUnauthenticated('public_key', publicKey)
  .on('sign/:name', sign)
  .on('issue/:name', issue)
  .on('tidy/dynamic-keys', otp.tidy);
