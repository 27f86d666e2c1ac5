import { after, ends, type Rows, reads, writes } from './row.ts';

const query = (Name: string) => ({
  Name,
  Service: {
    ...{ Service: 'web', Near: 'n1', OnlyPassing: true, Tags: ['a'], IgnoreCheckIDs: ['c'], Connect: true },
    ...{ NodeMeta: { zone: 'a' }, ServiceMeta: { version: '1' } },
    Failover: { NearestN: 2, Datacenters: ['dc2'] },
  },
  DNS: { TTL: '10s' },
  Token: '9f1b9c5e-58f2-4ce5-a4c5-6ad0dc0f3c01',
});
const withoutSession = {
  ID: 'set by the service',
  ...{ Session: 'the query would end with the session', Template: 'replaces the name' },
};

export const queryFacts: Rows = {
  'query list': {
    before: `
      lanyard acl bootstrap --store
      QUERY_TOKEN=$(lanyard acl token self --show-secret --field SecretID)`,
    lists: { '': { create: 'query create many-{n} --service web' } },
    scoped: [reads()],
  },
  'query get': {
    before: 'lanyard query create geo-db --service mysql',
    anyName: ['NAME'],
    scoped: [reads('q')],
  },
  'query create': {
    before: 'lanyard query delete geo-db --yes',
    examples: {
      'lanyard query create --file geo-db.yaml --token env://QUERY_TOKEN': after(
        'lanyard query delete geo-db --yes',
      ),
    },
    anyName: ['--name NAME --service web', '--service NAME'],
    scoped: [writes('other --service web')],
  },
  'query update': {
    keeps: {
      create: [['registry POST query', query('whole2')]],
      change: 'whole2 --near n2',
      read: 'query get whole2',
      changed: ['Service.Near'],
      unset: ['tag,only-passing', ['Service.OnlyPassing', 'Service.Tags']],
      without: withoutSession,
      merges: true,
    },
    scoped: [writes('q --service other')],
  },
  'query put': {
    keeps: {
      create: [['registry POST query', query('whole')]],
      change: 'whole --near n2',
      read: 'query get whole',
      changed: ['Service.Near'],
      unset: ['near,dns-ttl,failover-nearest', ['DNS.TTL', 'Service.Failover.NearestN', 'Service.Near']],
      without: withoutSession,
      merges: true,
    },
    scoped: [writes('--file query.json')],
  },
  'query delete': {
    examples: {
      'lanyard query delete 5e1e24e5-1329-f86f-18c6-3d3734edb2cd --yes': ends(3, 'IDs are random'),
    },
    scoped: [writes('q --yes')],
  },
  'query edit': {
    before: 'lanyard query create geo-db --service mysql',
    keeps: {
      create: [['registry POST query', query('whole3')]],
      change: 'whole3',
      editor: 's/Near: n1/Near: n2/',
      read: 'query get whole3',
      changed: ['Service.Near'],
      without: withoutSession,
    },
    scoped: [writes('q')],
  },
  'query exec': {
    before: `
      lanyard query create fleet --service ssh
      lanyard query create web --service web`,
    anyName: ['NAME'],
    scoped: [reads('q')],
  },
  'query explain': { scoped: [reads('t-x')] },
};
