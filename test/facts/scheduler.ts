import { after, ends, type Rows, reads, unscoped, writes } from './row.ts';

const enterprise = 'not supported by the embedded service';
const byService = 'set by the service';
const ofVariable = {
  ...{ Namespace: 'of the request', Lock: 'of var lock', CreateIndex: byService, CreateTime: byService },
  ...{ ModifyIndex: byService, ModifyTime: byService },
};

export const schedulerFacts: Rows = {
  'namespace list': { lists: { '': { create: 'namespace put many-{n}' } }, scoped: [unscoped()] },
  'namespace get': {
    before: 'lanyard namespace put team-a --meta owner=shop',
    anyName: ['NAME'],
    scoped: [unscoped('one')],
  },
  'namespace put': {
    anyName: ['NAME'],
    keeps: {
      create: [
        [
          'scheduler PUT namespace/whole',
          {
            ...{ Name: 'whole', Description: 'all of it', Meta: { owner: 'ops' } },
            Capabilities: { DisabledTaskDrivers: ['raw_exec'], EnabledTaskDrivers: ['docker'] },
            ...{ RequiredExtraClaims: { a: 'b' }, OptionalExtraClaims: { c: 'd' } },
          },
        ],
      ],
      change: 'whole --description other',
      read: 'namespace get whole',
      changed: ['Description'],
      unset: ['meta,description', ['Description', 'Meta']],
      without: {
        ...{ Quota: enterprise, NodePoolConfiguration: enterprise },
        ...{ VaultConfiguration: enterprise, ConsulConfiguration: enterprise },
      },
      merges: true,
    },
    scoped: [unscoped('one --description new')],
  },
  'namespace delete': { scoped: [unscoped('empty --yes')] },
  'var list': {
    lists: { '': { create: 'var put many/many-{n} a=x' }, '--all --per-page 3': { page: 3 } },
    scoped: [reads('-o json'), reads('--all -o json'), reads('--prefix only-')],
  },
  'var get': {
    before: 'lanyard var put app/db user=app password=hunter2',
    shows: { item: ['stdout'] },
    anyName: ['NAME', 'app --namespace NAME'],
    scoped: [reads('app/name --reveal')],
  },
  'var put': {
    examples: { 'lanyard var put app/db --in items.json --cas 0': after('lanyard var delete app/db --yes') },
    anyName: ['NAME a=b'],
    keeps: {
      create: [['scheduler PUT var/put', { Path: 'put', Items: { a: '1', b: '2' } }]],
      change: 'put a=3',
      read: 'var get put --select Items --reveal',
      changed: ['a', 'b'],
      without: ofVariable,
    },
    scoped: [writes('app/name MARK=new'), writes('app/new MARK=new --cas 0')],
  },
  'var edit': {
    shows: { item: ['draft'] },
    keeps: {
      create: [['scheduler PUT var/edited', { Path: 'edited', Items: { a: '1', b: '2' } }]],
      change: 'edited',
      editor: 's/a: "1"/a: "3"/',
      read: 'var get edited --select Items --reveal',
      changed: ['a'],
      without: ofVariable,
    },
    scoped: [writes('app/name')],
  },
  'var export': {
    shows: { item: ['out'] },
    lists: { 'variables --force': { oneForEach: 'the list of the service has no items' } },
    scoped: [reads('out')],
  },
  'var diff': {
    faults: 'plan',
    before: `
      lanyard var export variables
      lanyard namespace put staging
      lanyard namespace put production
      lanyard var put app/db user=app --namespace staging
      lanyard var put app/db user=app --namespace production`,
    examples: { 'lanyard var diff app/db --with db.json': ends(10, 'they differ') },
    lists: {
      '--with variables --prefix many/': { shows: false, oneForEach: 'the list of the service has no items' },
    },
    scoped: [reads('app/name --with-namespace other --reveal')],
  },
  'var import': {
    before: 'lanyard namespace put team-a',
    keeps: 'the directory has all items of each variable; shows the changes of each',
    scoped: [writes('files --yes')],
  },
  'var lock': { shows: { item: ['child'] }, faults: 'lock', scoped: [writes('app/name -- true')] },
  'var delete': {
    examples: { 'lanyard var delete app/db --cas 42 --yes': ends(6, 'deleted by the example before') },
    scoped: [writes('app/name --yes')],
  },
};
