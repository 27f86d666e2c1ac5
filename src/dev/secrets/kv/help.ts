import type { FieldDescription, PathDescription } from '../engine.ts';

/** The paths of the key-value engine, for the help facility. */

type Fields = Readonly<Record<string, FieldDescription>>;

const content: Fields = {
  options: {
    type: 'object',
    description: 'Of the write: `cas`, the version that must be the newest (0: none).',
  },
  data: { type: 'object', description: 'The members of the secret.', required: true },
};

const version: Fields = {
  version: { type: 'integer', description: 'The version to read, on a read; without it, the newest.' },
};

const versions: Fields = {
  versions: { type: 'array', description: 'The numbers of the versions.', required: true },
};

const settings: Fields = {
  max_versions: { type: 'integer', description: 'How many versions of a key are kept; 10 when 0.' },
  cas_required: { type: 'boolean', description: 'Must every write name the version that it builds on?' },
  delete_version_after: {
    type: 'string',
    description:
      'How long after it was written a version is deleted: seconds, or a duration such as `1h30m`.',
  },
};

const customMetadata: Fields = {
  custom_metadata: {
    type: 'object',
    description: 'Text by name: 64 names, 128 bytes each; 512 bytes a text.',
  },
};

export const plainPaths: readonly PathDescription[] = [
  {
    path: '*key',
    summary: 'Reads, writes, lists and deletes secrets of any members.',
    operations: ['read', 'list', 'create', 'update', 'delete'],
    fields: { ttl: { type: 'string', description: 'How long what is read is good for.' } },
  },
];

export const versionedPaths: readonly PathDescription[] = [
  {
    path: 'config',
    summary: 'Settings of the mount, for all keys.',
    operations: ['read', 'create', 'update'],
    fields: settings,
  },
  {
    path: 'data/*key',
    summary: 'Reads, writes, patches and deletes the data of a key; each write makes a version.',
    operations: ['read', 'create', 'update', 'patch', 'delete'],
    fields: { ...version, ...content },
  },
  {
    path: 'subkeys/*key',
    summary: 'Reads the names in the data of a key, without the values.',
    operations: ['read'],
    fields: {
      ...version,
      depth: { type: 'integer', description: 'How many levels of names to show; all when 0.' },
    },
  },
  { path: 'metadata', summary: 'Lists the keys of the mount.', operations: ['list'] },
  {
    path: 'metadata/*key',
    summary: 'Reads and changes what is known of a key, removes it with all versions, or lists a directory.',
    operations: ['read', 'list', 'create', 'update', 'patch', 'delete'],
    fields: { ...settings, ...customMetadata },
  },
  {
    path: 'delete/*key',
    summary: 'Deletes versions so that they can be undeleted.',
    operations: ['create', 'update'],
    fields: versions,
  },
  {
    path: 'undelete/*key',
    summary: 'Brings deleted versions back.',
    operations: ['create', 'update'],
    fields: versions,
  },
  {
    path: 'destroy/*key',
    summary: 'Removes the data of versions for good.',
    operations: ['create', 'update'],
    fields: versions,
  },
];
