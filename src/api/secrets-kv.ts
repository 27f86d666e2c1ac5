import * as v from 'valibot';
import type { KvMetadata, KvSettings } from '../objects/kv-settings.ts';
import type { Json } from '../wire/json.ts';
import type { SecretMetadata, SecretSettings, SecretVersion } from '../wire/responses/secrets.ts';
import type { KvOptions } from '../wire/secrets.ts';
import { checked, flag, pairs, shown, text } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';
import { type Anywhere, type Mounted, secret, written } from './secrets-parts.ts';

const { get, post, patch, remove } = operationBuilders('secrets');

/** A key of a version 2 mount; `path` is below the mount. */
interface Key extends Mounted {
  path: string;
}
interface MetadataGuard {
  /** OpenBao: the expected version of the metadata; 0: none yet. Other products ignore it. */
  metadata_cas?: number;
}
/** A merge patch (RFC 7396): absent fields are unchanged, null removes one of the custom metadata. */
interface MetadataPatch extends Omit<KvMetadata, 'custom_metadata'> {
  custom_metadata?: Readonly<Record<string, string | null>>;
}
type Pairs = Readonly<Record<string, Json>>;

interface Versions extends Key {
  versions: readonly number[];
}
interface NewVersion extends Key {
  data: Pairs;
  options: KvOptions;
}

const time = v.string();
const settings = shown<SecretSettings>({
  max_versions: v.optional(v.number()),
  cas_required: flag,
  delete_version_after: text,
});
const version = {
  ...shown<SecretVersion>(),
  /** Counts from 1. */
  version: v.number(),
  /** RFC 3339. */
  created_time: time,
};
const metadata = {
  ...settings,
  ...shown<SecretMetadata>(),
  /** The number of the latest version. */
  current_version: v.number(),
  custom_metadata: pairs,
  /** The versions by their number. */
  versions: v.record(
    v.string(),
    v.looseObject({
      /** RFC 3339. */
      created_time: time,
      /** RFC 3339; empty: the version is not deleted. */
      deletion_time: time,
      /** The data is removed permanently. */
      destroyed: v.boolean(),
    }),
  ),
};
const wrote = checked(secret(version));
const read = checked(
  secret({ data: v.nullable(v.record(v.string(), v.unknown())), metadata: v.looseObject(version) }),
);
const mount = checked(
  secret({
    path: v.string(),
    type: text,
    options: v.nullish(v.looseObject({ version: v.nullish(v.string()) })),
  }),
);

const preflight = { preflight: true } as const;
const mountsPath = 'sys/internal/ui/mounts/{+path}';
const dataPath = '/v1/{+mount}/data/{+path}';
const metadataPath = '/v1/{+mount}/metadata/{+path}';
const configPath = '/v1/{+mount}/config';

/** The operations of the key-value engine (docs/protocol/kv.md#version-2). Version 1 uses those for any path. */
export const kvOperations = {
  findMount: get<Anywhere>('find the mount', `/v1/${mountsPath}`, preflight)(mount),
  findMountIn: get<Anywhere & { namespace: string }>(
    'find the mount',
    `/v1/{+namespace}/${mountsPath}`,
    preflight,
  )(mount),
  listMounts: get<Anywhere>('list the mounts', '/v1/{+path}', preflight)(checked(secret({}))),
  readKv1: get<Anywhere>('read secret', '/v1/{+path}')(checked(secret({}))),
  readKv: get<Key & { version?: number }>('read secret', dataPath, { query: ['version'] })(read),
  writeKv: post<NewVersion>('write secret', dataPath)(wrote),
  patchKv: patch<NewVersion>('patch secret', dataPath, {
    contentType: 'application/merge-patch+json',
  })(wrote),
  deleteKv: remove<Key>('delete secret', dataPath)(written),
  deleteKvVersions: post<Versions>('delete versions', '/v1/{+mount}/delete/{+path}')(written),
  undeleteKv: post<Versions>('undelete versions', '/v1/{+mount}/undelete/{+path}')(written),
  destroyKv: post<Versions>('destroy versions', '/v1/{+mount}/destroy/{+path}')(written),
  readKvMetadata: get<Key>('read metadata', metadataPath)(checked(secret(metadata))),
  writeKvMetadata: post<Key & KvMetadata & MetadataGuard>('write metadata', metadataPath)(written),
  patchKvMetadata: patch<Key & MetadataPatch & MetadataGuard>('patch metadata', metadataPath, {
    contentType: 'application/merge-patch+json',
  })(written),
  deleteKvMetadata: remove<Key>('delete metadata', metadataPath)(written),
  readKvConfig: get<Mounted>('read configuration', configPath)(checked(secret(settings))),
  writeKvConfig: post<Mounted & KvSettings>('write configuration', configPath)(written),
} as const;
