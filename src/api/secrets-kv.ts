import * as v from 'valibot';
import type { Json } from '../wire/json.ts';
import type { KvMetadataBody, KvOptions, KvSettings } from '../wire/secrets.ts';
import { checked } from './decode.ts';
import { op } from './operation.ts';
import { type Anywhere, done, type Mounted, secret, written } from './secrets-parts.ts';

/** A key of a version 2 mount; `path` is below the mount. */
interface Key extends Mounted {
  path: string;
}
type Pairs = Readonly<Record<string, Json>>;

const time = v.string();
const settings = {
  max_versions: v.optional(v.number()),
  cas_required: v.optional(v.boolean()),
  delete_version_after: v.optional(v.string()),
};
const custom = v.optional(v.nullable(v.record(v.string(), v.string())));
const version = { version: v.number(), created_time: time };
const wrote = checked(secret(version));

const findMount = {
  name: 'find the mount',
  service: 'secrets',
  method: 'GET',
  accepts: [200],
  retry: 'read',
  preflight: true,
  decode: checked(
    secret({
      path: v.string(),
      type: v.optional(v.string()),
      options: v.optional(v.nullable(v.looseObject({ version: v.optional(v.nullable(v.string())) }))),
    }),
  ),
} as const;

/**
 * The operations of the key-value engine (docs/protocol/kv.md#version-2); secrets of version 1 use the operations for any
 * path.
 */
export const kvOperations = {
  findMount: op<Anywhere>()({ ...findMount, path: '/v1/sys/internal/ui/mounts/{+path}' }),
  findMountIn: op<Anywhere & { namespace: string }>()({
    ...findMount,
    path: '/v1/{+namespace}/sys/internal/ui/mounts/{+path}',
  }),
  listMounts: op<Anywhere>()({
    name: 'list the mounts',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+path}',
    accepts: [200],
    retry: 'read',
    preflight: true,
    decode: checked(secret({})),
  }),
  readKv1: op<Anywhere>()({
    name: 'read secret',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+path}',
    accepts: [200],
    retry: 'read',
    decode: checked(secret({})),
  }),
  readKv: op<Key & { version?: number }>()({
    name: 'read secret',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/data/{+path}',
    query: ['version'],
    accepts: [200],
    retry: 'read',
    decode: checked(
      secret({ data: v.nullable(v.record(v.string(), v.unknown())), metadata: v.looseObject(version) }),
    ),
  }),
  writeKv: op<Key & { data: Pairs; options: KvOptions }>()({
    name: 'write secret',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/data/{+path}',
    body: 'json',
    accepts: [200],
    retry: 'write',
    decode: wrote,
  }),
  patchKv: op<Key & { data: Pairs; options: KvOptions }>()({
    name: 'patch secret',
    service: 'secrets',
    method: 'PATCH',
    path: '/v1/{+mount}/data/{+path}',
    body: 'json',
    contentType: 'application/merge-patch+json',
    accepts: [200],
    retry: 'write',
    decode: wrote,
  }),
  deleteKv: op<Key>()({
    name: 'delete secret',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+mount}/data/{+path}',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  deleteKvVersions: op<Key & { versions: readonly number[] }>()({
    name: 'delete versions',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/delete/{+path}',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  undeleteKv: op<Key & { versions: readonly number[] }>()({
    name: 'undelete versions',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/undelete/{+path}',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  destroyKv: op<Key & { versions: readonly number[] }>()({
    name: 'destroy versions',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/destroy/{+path}',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  readKvMetadata: op<Key>()({
    name: 'read metadata',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/metadata/{+path}',
    accepts: [200],
    retry: 'read',
    decode: checked(
      secret({
        ...settings,
        current_version: v.number(),
        custom_metadata: custom,
        versions: v.record(
          v.string(),
          v.looseObject({ created_time: time, deletion_time: time, destroyed: v.boolean() }),
        ),
      }),
    ),
  }),
  writeKvMetadata: op<Key & KvMetadataBody>()({
    name: 'write metadata',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/metadata/{+path}',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  deleteKvMetadata: op<Key>()({
    name: 'delete metadata',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+mount}/metadata/{+path}',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  readKvConfig: op<Mounted>()({
    name: 'read configuration',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/config',
    accepts: [200],
    retry: 'read',
    decode: checked(secret(settings)),
  }),
  writeKvConfig: op<Mounted & KvSettings>()({
    name: 'write configuration',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/config',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
} as const;
