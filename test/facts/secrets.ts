import { after, elsewhere, ends, type Rows, reads, unscoped, writes } from './row.ts';

const ofSecret = { version: 'of reads' };

const settings = {
  ...{ default_lease_ttl: '1h', max_lease_ttl: '2h', listing_visibility: 'unauth' },
  ...{ audit_non_hmac_request_keys: ['a'], audit_non_hmac_response_keys: ['b'] },
  ...{ passthrough_request_headers: ['X-A'], allowed_response_headers: ['X-B'] },
};
const ofMount = {
  ...{ type: 'cannot be changed', config: 'in its place', user_lockout_config: 'not supported' },
};

const withEngine = elsewhere('needs the engine; test/commands/secrets/creds.test.ts');

export const secretsFacts: Rows = {
  'secrets read': {
    before: `
      lanyard ssh role put deploy --allow-user-certificates --allowed-users ubuntu
      lanyard kv put secret/app/db user=app`,
    shows: { value: ['stdout'], token: ['stdout'] },
    anyName: ['secret/data/NAME', 'auth/token/lookup-self --namespace NAME'],
    scoped: [reads('kv/data/app'), reads('sys/policies/acl/p')],
  },
  'secrets creds': {
    before: 'lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8',
    examples: {
      'lanyard secrets creds database/app -o env --out db.env': withEngine,
      'lanyard secrets creds database/app --field password': withEngine,
      'lanyard secrets creds pki/web --common-name web.example.com --ttl 24h --cert-out web.crt --key-out web.key':
        withEngine,
      'lanyard secrets creds kubernetes/deploy kubernetes_namespace=web --ttl 10m': withEngine,
    },
    shows: { 'one-time password': ['stdout'] },
    anyName: ['ssh/NAME ip=127.0.0.1'],
    scoped: [writes('ssh/otp ip=10.1.2.3')],
  },
  'secrets write': {
    before: 'lanyard secrets auth enable userpass',
    shows: { issued: ['stdout'], 'secret ID': ['stdout'] },
    keeps: 'sends the request as given; the path decides what it keeps',
    scoped: [writes('kv/data/written --in data.json'), writes('old/new MARK=written')],
  },
  'secrets patch': {
    keeps: {
      create: [['secrets POST secret/data/patched2', { data: { a: '1', b: '2' }, options: {} }]],
      change: 'secret/data/patched2 --in patch.json',
      read: 'kv get secret/patched2 --select data.data',
      changed: ['a'],
      without: ofSecret,
    },
    scoped: [writes('kv/data/merged --in data.json')],
  },
  'secrets list': {
    lists: { 'secret/metadata/many': { shows: '"{n}"' } },
    scoped: [reads('kv/metadata/dir')],
  },
  'secrets delete': { scoped: [writes('kv/data/merged --yes')] },
  'secrets help': { faults: 'any text', scoped: [unscoped('kv')] },
  'secrets mount list': {
    lists: { '': { create: 'secrets mount enable kv --path many-{n}' } },
    scoped: [reads()],
  },
  'secrets mount get': { scoped: [reads('kv')] },
  'secrets mount enable': { scoped: [writes('kv --path new')] },
  'secrets mount tune': {
    keeps: {
      create: [
        ['secrets POST sys/mounts/tuned', { type: 'ssh', description: 'all' }],
        ['secrets POST sys/mounts/tuned/tune', { description: 'all', options: {}, ...settings }],
      ],
      change: 'tuned --max-lease-ttl 3h',
      read: 'secrets mount get tuned',
      changed: ['config.max_lease_ttl'],
      unset: [
        'description,max-lease-ttl,listing-visibility,audit-non-hmac-request-keys',
        [
          'config.audit_non_hmac_request_keys',
          'config.listing_visibility',
          'config.max_lease_ttl',
          'description',
        ],
      ],
      without: { ...ofMount, token_type: 'of auth methods' },
    },
    scoped: [writes('tuned --description new')],
  },
  'secrets mount move': { scoped: [writes('moved elsewhere --yes')] },
  'secrets mount disable': { scoped: [writes('gone --yes')] },
  'secrets auth list': {
    lists: { '': { create: 'secrets auth enable userpass --path many-{n}' } },
    scoped: [reads()],
  },
  'secrets auth get': { scoped: [reads('users')] },
  'secrets auth enable': { scoped: [writes('approle')] },
  'secrets auth tune': {
    keeps: {
      create: [
        ['secrets POST sys/auth/tuned', { type: 'userpass', description: 'all' }],
        [
          'secrets POST sys/auth/tuned/tune',
          { description: 'all', options: {}, ...settings, token_type: 'batch' },
        ],
      ],
      change: 'tuned --max-lease-ttl 3h',
      read: 'secrets auth get tuned',
      changed: ['config.max_lease_ttl'],
      unset: [
        'token-type,default-lease-ttl,allowed-response-headers',
        ['config.allowed_response_headers', 'config.default_lease_ttl', 'config.token_type'],
      ],
      without: ofMount,
    },
    scoped: [writes('tuned --description new')],
  },
  'secrets auth move': { scoped: [writes('moved elsewhere --yes')] },
  'secrets auth disable': { scoped: [writes('gone --yes')] },
  'secrets policy list': {
    lists: { '': { create: 'secrets policy put many-{n} @policy.hcl' } },
    scoped: [reads('', { shows: '' })],
  },
  'secrets policy check': {
    before: 'lanyard secrets policy get default > deploy.hcl',
    local: [{ args: '-', stdin: 'path "a" { policy = "read" }' }],
  },
  'secrets policy put': {
    keeps: {
      create: [['secrets POST sys/policies/acl/whole', { policy: 'path "a" { capabilities = ["read"] }' }]],
      change: 'whole @other.hcl',
      read: 'secrets policy get whole',
      changed: ['policy'],
      without: { rules: 'the older name of policy' },
      merges: true,
    },
    scoped: [writes('new @policy.hcl'), writes('p @policy.hcl')],
  },
  'secrets policy get': { scoped: [reads('p')] },
  'secrets policy delete': {
    examples: {
      'lanyard secrets policy delete ops --yes': after('lanyard secrets policy put ops @deploy.hcl'),
    },
    scoped: [writes('gone --yes')],
  },
  'secrets token create': {
    shows: { issued: ['stdout'] },
    scoped: [writes('--policy p'), writes('--policy p --wrap-ttl 5m')],
  },
  'secrets token list': {
    lists: 'reads each token; test/commands/secrets/token-list.test.ts',
    scoped: [reads()],
  },
  'secrets token self': { shows: { token: ['stdout'] }, scoped: [reads('-o json', { as: 'token' })] },
  'secrets token lookup': {
    before: 'ACCESSOR=$(lanyard secrets token create --policy default --field accessor)',
    lists: 'reads one token',
    scoped: [reads('- -o json', { stdin: '{token}' }), reads('--accessor {accessor} -o json')],
  },
  'secrets token renew': {
    examples: {
      'lanyard secrets token renew': ends(1, 'the root token cannot be renewed'),
      'lanyard secrets token renew --increment 2h': ends(1, 'the root token cannot be renewed'),
    },
    scoped: [writes('--accessor {renewed} --increment 2h'), writes('--increment 3h', { as: 'token' })],
  },
  'secrets token keep-alive': { scoped: [writes('--increment 4h -- true', { as: 'token' })] },
  'secrets token capabilities': {
    scoped: [reads('kv/data/{mark} --accessor {accessor}', { shows: 'read' })],
  },
  'secrets token revoke': {
    examples: {
      'lanyard secrets token revoke --self': elsewhere(
        'revokes the token of the other examples; test/commands/secrets/tokens.test.ts',
      ),
    },
    scoped: [
      writes('--accessor {renewed} --yes'),
      writes('- --yes', { stdin: '{endedToken}' }),
      writes('--self --yes', { as: 'selfToken' }),
    ],
  },
  'secrets lease list': {
    before: `
      lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8
      LEASE=$(lanyard secrets write ssh/creds/otp ip=10.1.2.3 --field lease_id)`,
    lists: { 'auth/token/create': { create: 'secrets token create --policy default --ttl 1h', shows: '"' } },
    scoped: [reads('ssh/creds/otp -o json', { shows: '{leaseName}' })],
  },
  'secrets lease lookup': { lists: 'reads one lease', scoped: [reads('{lease}', { shows: '{leaseName}' })] },
  'secrets lease renew': {
    examples: { every: ends(1, 'one-time passwords cannot be renewed') },
    scoped: [reads('{lease}', { fails: true })],
  },
  'secrets lease revoke': {
    examples: {
      'lanyard secrets lease revoke ssh/creds/otp --prefix --yes': after(
        'lanyard ssh creds otp --ip 10.1.2.3 > otp.txt',
      ),
      'lanyard secrets lease revoke ssh --prefix --force --dry-run': after(
        'lanyard ssh creds otp --ip 10.1.2.3 > otp.txt',
      ),
    },
    scoped: [writes('{revokedLease} --yes'), writes('ssh/creds/otp-{mark} --prefix --yes')],
  },
  'secrets unwrap': {
    examples: {
      'lanyard secrets unwrap env://WRAPPING_TOKEN --field client_token --out ci-token.txt': after(
        'WRAPPING_TOKEN=$(lanyard secrets token create --wrap-ttl 5m --field token)',
      ),
    },
    shows: { issued: ['stdout'] },
    scoped: [writes('-', { stdin: '{wrapping}' })],
  },
  'secrets namespace list': {
    before: 'lanyard secrets namespace create team',
    lists: { '': { create: 'secrets namespace create many-{n}-ns' } },
    scoped: [reads('-o json', { shows: '"{namespace}/below/' })],
  },
  'secrets namespace get': {
    before: 'lanyard secrets namespace create shop\nlanyard secrets namespace create frontend -n shop',
    scoped: [reads('below -o json', { shows: '"{namespace}/below/' })],
  },
  'secrets namespace create': {
    // The examples of "get" have created them.
    before:
      'lanyard secrets namespace delete frontend -n shop --yes\nlanyard secrets namespace delete shop --yes',
    scoped: [writes('created')],
  },
  'secrets namespace update': {
    keeps: 'has only metadata, which is merged: test/commands/secrets/namespaces.test.ts',
    scoped: [writes('below --custom-metadata a=b')],
  },
  'secrets namespace delete': { scoped: [writes('ended --yes')] },
  'secrets status': { scoped: [unscoped()] },
  'secrets login': {
    before: `
      lanyard secrets write auth/approle/role/ci token_policies=default
      lanyard secrets write auth/approle/role/ci/role-id role_id=ci
      SECRET_ID=$(lanyard secrets write auth/approle/role/ci/secret-id --field data.secret_id)
      lanyard secrets write auth/jwt/role/deploy role_type=jwt bound_audiences=ci user_claim=sub`,
    examples: {
      'lanyard secrets login --method oidc --role ops': elsewhere(
        'needs an identity provider; test/commands/secrets/login-methods.test.ts',
      ),
      'lanyard secrets login --method ldap --username bob': ends(5, 'needs a directory'),
      'lanyard secrets login --method kubernetes --role web': ends(2, 'needs a pod'),
      'lanyard secrets login --method cert --role host': ends(2, 'needs https'),
    },
    shows: { issued: ['credentials', 'stdout'] },
    scoped: [writes('--method userpass --path users --username bob --password env://PASSWORD --no-store')],
  },
  'secrets logout': { faults: 'logout', scoped: [writes('', { stored: 'leavingToken' })] },
  'secrets init': {
    examples: { every: ends(6, 'needs dev --uninitialized') },
    shows: { 'unseal key': ['stdout'], issued: ['stdout'] },
    scoped: [{ ...unscoped('--dry-run'), fails: true }],
  },
  'secrets unseal': { scoped: [unscoped('--reset')] },
  'secrets seal': { before: 'lanyard secrets login --token - < token.txt', scoped: [unscoped('--dry-run')] },
};
