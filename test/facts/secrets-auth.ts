import { ends, type Rows, reads, unscoped, writes } from './row.ts';

export const secretsAuthFacts: Rows = {
  'secrets auth role list': {
    before: 'lanyard secrets auth enable approle',
    lists: { token: { create: 'secrets auth role put token many-{n} --orphan' } },
    scoped: [reads('apps')],
  },
  'secrets auth role get': {
    before: 'lanyard secrets auth role put approle ci --token-ttl 20m',
    scoped: [reads('apps app')],
  },
  'secrets auth role put': {
    before: `
      PASSWORD=$(lanyard secrets token create --policy default --field accessor)
      lanyard secrets auth enable jwt
      lanyard secrets write auth/jwt/config jwt_validation_pubkeys=@jwt.pem`,
    keeps: {
      create: [
        ['secrets POST sys/auth/whole', { type: 'approle' }],
        [
          'secrets POST auth/whole/role/whole',
          {
            ...{ bind_secret_id: true, secret_id_num_uses: 5, secret_id_ttl: '2h', role_id: 'whole' },
            ...{ secret_id_bound_cidrs: ['10.0.0.0/8'], token_policies: ['a', 'b'], token_ttl: '10m' },
            ...{ token_max_ttl: '20m', token_num_uses: 3, token_no_default_policy: true },
            ...{ token_bound_cidrs: ['10.0.0.0/8'], token_explicit_max_ttl: '1h', token_period: '30m' },
            ...{ token_type: 'service' },
          },
        ],
      ],
      change: 'whole whole --token-max-ttl 25m',
      read: 'secrets auth role get whole whole --select data',
      changed: ['token_max_ttl'],
      unset: [
        'token-ttl,secret-id-num-uses,token-policies',
        ['secret_id_num_uses', 'token_policies', 'token_ttl'],
      ],
      without: {
        bound_cidr_list: 'an older name',
        token_strictly_bind_ip: 'conflicts with token_bound_cidrs',
        policies: 'an older name',
        period: 'an older name',
      },
    },
    scoped: [writes('apps app --token-ttl 9m')],
  },
  'secrets auth role delete': {
    scoped: [writes('apps gone --yes')],
  },
  'secrets auth role id': {
    before: 'lanyard secrets auth role put approle ci',
    scoped: [reads('apps app')],
  },
  'secrets auth role secret-id create': {
    before: 'lanyard secrets auth role put approle ci',
    shows: { issued: ['stdout'], 'secret ID': ['stdout'] },
    scoped: [writes('apps app'), writes('apps app --no-wrap')],
  },
  'secrets auth role secret-id list': {
    before: 'lanyard secrets auth role put approle ci',
    lists: 'reads each secret ID: test/commands/secrets/secret-ids.test.ts',
    scoped: [reads('apps app', { shows: '{secretIdAccessor}' })],
  },
  'secrets auth role secret-id destroy': {
    before: `
      SECRET_ID_ACCESSOR=$(lanyard secrets auth role secret-id create approle ci --no-wrap --field secret_id_accessor)`,
    scoped: [writes('apps app {secretIdAccessor} --yes')],
  },
  'secrets snapshot save': {
    examples: { every: ends(1, 'needs raft storage; test/commands/secrets/snapshot.test.ts') },
    scoped: [unscoped('a.snap --curl')],
  },
  'secrets snapshot restore': {
    examples: { every: ends(2, 'needs a snapshot; test/commands/secrets/snapshot.test.ts') },
    keeps: 'replaces all data of the cluster',
    faults: 'missing file',
    scoped: [{ ...unscoped('none.snap --yes'), fails: true }],
  },
  'secrets snapshot inspect': {
    examples: { every: ends(2, 'needs a snapshot; test/commands/secrets/snapshot.test.ts') },
    local: [{ args: 'a.snap', files: { 'a.snap': 'no snapshot' }, code: 1 }],
  },
};
