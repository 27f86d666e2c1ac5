import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { rootSysRoutes } from '../routes.ts';
import { keys, mountOperations, type PathResults, type Result } from './mount.ts';
import { mount, mountConfig, optional } from './schemas.ts';

const mounts: Result = { data: s.map(s.ref('Mount')), isCopied: true };
/** With `/tune` after the path, the settings: those of `config`, and the description. */
const mountAtPath: PathResults = {
  read: { data: s.object({ ...optional(mount), ...optional(mountConfig) }), isCopied: true },
  isPartial: true,
};
const policyNames: Result = {
  data: s.object({ keys: s.array(s.text()), 'policies?': s.array(s.text()) }),
  isCopied: true,
};
const capabilities: PathResults = {
  write: { data: s.map(s.array(s.text()), 'By path; `capabilities`: of the first path.'), isCopied: true },
  isPartial: true,
};
const random: PathResults = { write: { data: s.object({ random_bytes: s.text() }) } };
const hash: PathResults = { write: { data: s.object({ sum: s.text() }) } };
const rejected: PathResults = { read: 'rejected', write: 'rejected', delete: 'rejected' };
const namespace: Result = { data: s.ref('Namespace') };
const lookup: Result = {
  data: s.object({ creation_path: s.text(), creation_time: s.time(), creation_ttl: s.integer('Seconds.') }),
};
const keyInfo = (schema: s.Schema) => keys({ key_info: s.map(schema) });

const builtIn = { builtin: s.boolean(), deprecation_status: s.text(), version: s.text() };
const names = s.array(s.text());

const sys: Readonly<Record<string, PathResults>> = {
  mounts: { read: mounts },
  'mounts/*path': mountAtPath,
  auth: { read: mounts },
  'auth/*path': mountAtPath,
  'internal/ui/mounts': {
    read: {
      data: s.object({ auth: s.map(s.ref('VisibleMount')), secret: s.map(s.ref('VisibleMount')) }),
    },
  },
  'internal/ui/mounts/*path': { read: { data: s.ref('MountAtPath') } },
  'tools/random': random,
  'tools/random/*path': random,
  'tools/hash': hash,
  'tools/hash/:algorithm': hash,
  remount: { write: { data: s.object({ migration_id: s.text() }), isCopied: true } },
  'remount/status/:id': {
    read: {
      data: s.object({
        migration_id: s.text(),
        migration_info: s.object({ source_mount: s.text(), target_mount: s.text(), status: s.text() }),
      }),
    },
  },
  'policies/acl': { read: policyNames, list: policyNames },
  policy: { read: policyNames, list: policyNames },
  'policies/acl/:name': { read: { data: s.object({ name: s.text(), policy: s.text() }) } },
  'policy/:name': { read: { data: s.object({ name: s.text(), rules: s.text() }), isCopied: true } },
  capabilities,
  'capabilities-accessor': capabilities,
  'capabilities-self': capabilities,
  'leases/lookup': { write: { data: s.ref('Lease') } },
  'leases/renew': { write: 'lease' },
  'wrapping/wrap': { write: 'token', body: s.anyObject('The data to wrap.') },
  'wrapping/unwrap': { write: 'unwrapped' },
  'wrapping/rewrap': { write: 'token' },
  'wrapping/lookup': { read: lookup, write: lookup },
  namespaces: { list: keyInfo(s.ref('Namespace')) },
  'namespaces/:name': {
    read: namespace,
    write: namespace,
    patch: namespace,
    delete: { data: s.object({ status: s.text() }), canBeEmpty: true },
  },
  'namespaces/*path': { ...rejected, patch: 'rejected' },
  'storage/raft/snapshot': { write: { data: s.object({ snapshot_id: s.text() }) } },
  'storage/raft/snapshot/:id': {
    read: { data: s.object({ snapshot_id: s.text(), created_at: s.time(), status: s.text() }) },
  },
  'version-history': {
    list: keyInfo(
      s.object({
        timestamp_installed: s.time(),
        previous_version: s.nullable(s.text()),
        commit_date: s.text(),
      }),
    ),
  },
  'key-status': { read: { data: s.object({ term: s.integer(), install_time: s.text() }), isCopied: true } },
  rotate: rejected,
  'rotate/*path': rejected,
  'rekey/*path': rejected,
  'ha-status': {
    read: {
      data: s.object({
        nodes: s.array(
          s.object({
            hostname: s.text(),
            api_address: s.text(),
            cluster_address: s.text(),
            active_node: s.boolean(),
            last_echo: { type: 'null' },
            version: s.text(),
          }),
        ),
      }),
      isCopied: true,
    },
  },
  'plugins/catalog': {
    read: {
      data: s.object({
        auth: names,
        database: names,
        secret: names,
        detailed: s.array(s.object({ name: s.text(), type: s.text(), ...builtIn })),
      }),
    },
  },
  'plugins/catalog/*path': {
    ...rejected,
    read: {
      data: s.object({
        name: s.text(),
        ...builtIn,
        args: { type: 'null' },
        command: s.text(),
        declarative: s.boolean(),
        oci: s.boolean(),
        sha256: s.text(),
      }),
    },
  },
  audit: {
    read: {
      data: s.map(
        s.object({
          path: s.text(),
          type: s.text(),
          description: s.text(),
          options: s.map(s.text()),
          local: s.boolean(),
        }),
      ),
      isCopied: true,
    },
  },
  'audit/*path': { write: 'rejected' },
  'audit-hash/*path': { write: { data: s.object({ hash: s.text() }), isCopied: true } },
};

export const sysOperations: Operations = {
  ...mountOperations({ path: 'sys', tag: 'System', routes: rootSysRoutes, results: sys }),
};
