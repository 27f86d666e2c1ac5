import type { FieldDescription, PathDescription } from '../engine.ts';

/** The paths of the key-value engine, for the help facility. */

type Fields = Readonly<Record<string, FieldDescription>>;

const content: Fields = {
  options: {
    type: 'object',
    description: 'Options of the write: `cas`, the required latest version (0: none).',
  },
  data: { type: 'object', description: 'The fields of the secret.', required: true },
};

const version: Fields = {
  version: { type: 'integer', description: 'The version to read (default: latest).' },
};

const versions: Fields = {
  versions: { type: 'array', description: 'The numbers of the versions.', required: true },
};

const settings: Fields = {
  max_versions: { type: 'integer', description: 'Maximum versions per key; 0: the default, 10.' },
  cas_required: { type: 'boolean', description: 'Whether every write requires `cas`.' },
  delete_version_after: {
    type: 'string',
    description: 'Time after which a version is deleted: seconds, or a duration such as `1h30m`.',
  },
};

const customMetadata: Fields = {
  custom_metadata: {
    type: 'object',
    description: 'Strings by key: at most 64 keys of 128 bytes, and 512 bytes per value.',
  },
};

export const unversionedPaths: readonly PathDescription[] = [
  {
    path: '*key',
    summary: 'Read, write, list and delete secrets with any fields.',
    operations: ['read', 'list', 'create', 'update', 'delete'],
    fields: { ttl: { type: 'string', description: 'Lease duration of reads.' } },
  },
];

export const versionedPaths: readonly PathDescription[] = [
  {
    path: 'config',
    summary: 'Read or change the settings of the mount, for all keys.',
    operations: ['read', 'create', 'update'],
    fields: settings,
  },
  {
    path: 'data/*key',
    summary: 'Read, write, patch and delete the data of a key; each write creates a version.',
    operations: ['read', 'create', 'update', 'patch', 'delete'],
    fields: { ...version, ...content },
  },
  {
    path: 'subkeys/*key',
    summary: 'Read the names in the data of a key, without the values.',
    operations: ['read'],
    fields: {
      ...version,
      depth: { type: 'integer', description: 'Maximum depth of names to show; 0: unlimited.' },
    },
  },
  { path: 'metadata', summary: 'List the keys of the mount.', operations: ['list'] },
  {
    path: 'metadata/*key',
    summary: 'Read and change the metadata of a key, delete it with all versions, or list a directory.',
    operations: ['read', 'list', 'create', 'update', 'patch', 'delete'],
    fields: { ...settings, ...customMetadata },
  },
  {
    path: 'delete/*key',
    summary: 'Delete versions; they can be undeleted.',
    operations: ['create', 'update'],
    fields: versions,
  },
  {
    path: 'undelete/*key',
    summary: 'Undelete versions.',
    operations: ['create', 'update'],
    fields: versions,
  },
  {
    path: 'destroy/*key',
    summary: 'Permanently delete the data of versions.',
    operations: ['create', 'update'],
    fields: versions,
  },
];
