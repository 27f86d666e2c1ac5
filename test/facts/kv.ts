import { elsewhere, ends, type Rows, reads, writes } from './row.ts';

const ofSecret = { version: 'of reads' };

export const kvFacts: Rows = {
  'kv get': {
    before: `
      lanyard kv put secret/app/db user=app password=hunter1
      lanyard kv put secret/app/db user=app password=hunter2`,
    shows: { value: ['stdout'] },
    anyName: ['NAME'],
    scoped: [
      reads('kv/app'),
      reads('app --mount kv -o json'),
      reads('old/gone'),
      reads('kv/app --version 1'),
    ],
  },
  'kv put': {
    before: 'lanyard kv metadata delete secret/app/db --yes',
    anyName: ['secret/NAME a=b'],
    keeps: {
      create: [['secrets POST secret/data/put', { data: { a: '1', b: '2' }, options: {} }]],
      change: 'secret/put a=3',
      read: 'kv get secret/put --select data.data',
      // Data is one value: the output names the key that is gone.
      changed: ['a', 'b'],
      without: ofSecret,
    },
    scoped: [writes('kv/new MARK=new'), writes('kv/app MARK=new --cas 2'), writes('old/new MARK=new')],
  },
  'kv patch': {
    keeps: {
      create: [['secrets POST secret/data/patched', { data: { a: '1', b: '2' }, options: {} }]],
      change: 'secret/patched a=3',
      read: 'kv get secret/patched --select data.data',
      changed: ['a'],
      without: ofSecret,
    },
    scoped: [writes('kv/patched MARK=new')],
  },
  'kv edit': {
    shows: { value: ['draft'] },
    keeps: {
      create: [['secrets POST secret/data/edited', { data: { a: '1', b: '2' }, options: {} }]],
      change: 'secret/edited',
      editor: 's/a: "1"/a: "3"/',
      read: 'kv get secret/edited --select data.data',
      changed: ['a'],
      without: ofSecret,
    },
    scoped: [writes('kv/edited')],
  },
  'kv list': {
    lists: {
      'secret/many': { create: 'kv put secret/many/{n} a=x', shows: '"{n}"' },
      'secret/many --recursive': { shows: '"secret/many/{n}"' },
      'secret/deep --recursive': {
        create: 'kv put secret/deep/{n}/app a=x',
        shows: '"secret/deep/{n}/app"',
        oneForEach: 'a list of the service has one directory',
      },
    },
    scoped: [reads('kv/dir'), reads('kv --recursive')],
  },
  'kv copy': {
    before: `
      lanyard kv put secret/app/db user=app password=hunter2
      lanyard kv metadata delete secret/app/db-old --yes`,
    keeps: 'writes another secret',
    scoped: [writes('kv/app kv/copied')],
  },
  'kv move': {
    before: `
      lanyard kv put secret/app/db user=app password=hunter2
      lanyard kv metadata delete secret/app/database --yes`,
    scoped: [writes('kv/moving kv/moved --yes')],
  },
  'kv search': {
    before: 'lanyard kv put secret/app/db user=app password=hunter2',
    lists: {
      'many- secret/found': {
        create: 'kv put secret/found/many-{n} a=x',
        shows: '"secret/found/many-{n}"',
        oneForEach: 'each secret has its own keys',
      },
    },
    scoped: [reads('a kv --values --reveal')],
  },
  'kv diff': {
    faults: 'plan',
    before: `
      lanyard kv put secret/app/db user=app password=hunter1
      lanyard kv put secret/app/db user=app password=hunter2
      lanyard kv copy secret/app/db secret/app/db-old --overwrite
      lanyard kv copy secret/app secret/backup/app --recursive --overwrite`,
    examples: {
      'lanyard kv diff secret/app/db --version 1 --with-version 2': ends(10, 'the versions differ'),
    },
    lists: {
      'secret/found secret/none --recursive': {
        shows: '"secret/found/many-{n}"',
        oneForEach: 'each secret has its own keys',
        code: 10,
      },
    },
    scoped: [reads('kv/app kv/none --reveal', { code: 10 })],
  },
  'kv export': {
    before: `
      lanyard kv put secret/app/db user=app password=hunter2
      BACKUP_PASSPHRASE=$(lanyard kv get secret/app/db --field password)`,
    shows: { value: ['stdout', 'out'] },
    lists: 'reads metadata and values of each secret: test/commands/kv/export.test.ts',
    scoped: [reads('kv - --plain')],
  },
  'kv import': {
    // A passphrase takes seconds.
    examples: { every: elsewhere('test/commands/kv/export.test.ts') },
    keeps: 'writes secrets from a file',
    scoped: [
      writes('- kv', {
        stdin: '{"format":"lanyard-kv/1","path":"x","secrets":[{"path":"imported","data":{"k":"v"}}]}',
      }),
    ],
  },
  'kv delete': { scoped: [writes('kv/gone --yes'), writes('old/gone --yes')] },
  'kv undelete': { scoped: [writes('kv/back --versions 1')] },
  'kv rollback': {
    before: 'lanyard kv undelete secret/app/db --versions 1',
    keeps: 'writes the data of an earlier version, as named',
    scoped: [writes('kv/edited --version 1 --yes')],
  },
  'kv destroy': { scoped: [writes('kv/destroyed --versions 1 --yes')] },
  'kv metadata get': { anyName: ['secret/NAME'], scoped: [reads('kv/app')] },
  'kv metadata put': {
    keeps: {
      create: [
        [
          'secrets POST secret/metadata/whole',
          {
            ...{ max_versions: 5, cas_required: true, delete_version_after: '1h' },
            custom_metadata: { owner: 'ops' },
          },
        ],
      ],
      change: 'secret/whole --max-versions 6',
      read: 'kv metadata get secret/whole --select data',
      changed: ['max_versions'],
      unset: [
        'max-versions,custom-metadata,cas-required,delete-version-after',
        ['cas_required', 'custom_metadata', 'delete_version_after', 'max_versions'],
      ],
    },
    scoped: [writes('kv/app --max-versions 5')],
  },
  'kv metadata patch': {
    keeps: {
      create: [
        [
          'secrets POST secret/metadata/part',
          {
            ...{ max_versions: 5, cas_required: true, delete_version_after: '1h' },
            custom_metadata: { owner: 'ops', team: 'web' },
          },
        ],
      ],
      change: 'secret/part --max-versions 6 --remove-custom-metadata team',
      read: 'kv metadata get secret/part --select data',
      changed: ['custom_metadata.team', 'max_versions'],
    },
    scoped: [writes('kv/app --max-versions 5')],
  },
  'kv metadata delete': { scoped: [writes('kv/erased --yes')] },
  'kv config get': { scoped: [reads('kv -o json', { shows: '' })] },
  'kv config put': {
    keeps: {
      create: [
        ['secrets POST sys/mounts/settings', { type: 'kv', options: { version: '2' } }],
        ['secrets POST settings/config', { max_versions: 5, cas_required: true, delete_version_after: '1h' }],
      ],
      change: 'settings --max-versions 6',
      read: 'kv config get settings --select data',
      changed: ['max_versions'],
      unset: [
        'max-versions,cas-required,delete-version-after',
        ['cas_required', 'delete_version_after', 'max_versions'],
      ],
    },
    scoped: [writes('kv --max-versions 7')],
  },
};
