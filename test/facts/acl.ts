import {
  after,
  elsewhere,
  ends,
  onlyAgent,
  type Rows,
  reads,
  readsShared,
  unscoped,
  writes,
  writesShared,
} from './row.ts';

const managed = 'set by the service';
const managedFields = { ID: managed, Hash: managed, CreateIndex: managed, ModifyIndex: managed };
const grants = {
  Policies: [{ Name: 'whole' }],
  ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1'] }],
  NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
  TemplatedPolicies: [{ TemplateName: 'builtin/service', TemplateVariables: { Name: 'web' } }],
};
const policy = {
  ...{ Name: 'whole', Description: 'all', Rules: 'key_prefix "" { policy = "read" }' },
  Datacenters: ['dc1'],
};
const role = { Name: 'whole', Description: 'all', ...grants };
const method = {
  ...{ Name: 'whole', Type: 'jwt', DisplayName: 'Whole', Description: 'all' },
  ...{ MaxTokenTTL: '1h', TokenLocality: 'global' },
  Config: {
    ...{
      JWTValidationPubKeys: ['{pem}'],
      JWTSupportedAlgs: ['ES256'],
      BoundIssuer: 'ci',
      BoundAudiences: ['a'],
    },
    ...{ ClaimMappings: { project: 'project' }, ListClaimMappings: { groups: 'groups' } },
    ...{ ExpirationLeeway: '10s', NotBeforeLeeway: '20s', ClockSkewLeeway: '30s' },
  },
};

const atProvider = elsewhere('needs an identity provider; test/commands/acl/oidc.test.ts');
const randomId = ends(3, 'IDs are random');

export const aclFacts: Rows = {
  'acl bootstrap': {
    examples: {
      'lanyard acl bootstrap --secret @bootstrap-secret.txt': ends(5, 'bootstrapped by the example before'),
      'lanyard acl bootstrap --field SecretID': ends(5, 'bootstrapped by the example before'),
    },
    shows: { issued: ['stdout', 'credentials'] },
    scoped: [onlyAgent()],
  },
  'acl login': {
    before: `
      lanyard acl auth-method put ci --in ci.json
      lanyard acl auth-method put minikube --in minikube.json
      lanyard acl binding-rule create --method ci --bind-type service --bind-name web
      lanyard acl binding-rule create --method minikube --bind-type service --bind-name web
      REGISTRY_TOKEN=$(lanyard acl token self --show-secret --field SecretID)`,
    examples: {
      'lanyard acl login --method corp --oidc': atProvider,
    },
    shows: { issued: ['credentials', 'stdout'] },
    scoped: [
      writes('--method login --bearer-token env://JWT --no-store'),
      reads('--method corp --bearer-token env://JWT --no-store', { fails: true }),
    ],
  },
  'acl logout': { faults: 'logout', scoped: [writes('', { as: 'secret' })] },
  'acl explain': {
    before: `
      lanyard profile put dev registry.token=env://REGISTRY_TOKEN
      lanyard acl token create --service-identity web --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511`,
    scoped: [readsShared(), reads('{local}')],
  },
  'acl can': { scoped: [readsShared('key:read app/name')] },
  'acl policy list': {
    lists: { '': { create: 'acl policy put many-{n} --rules @rules.hcl' } },
    scoped: [readsShared()],
  },
  'acl policy get': {
    before: 'lanyard acl policy put deploy --rules \'key_prefix "app/" { policy = "write" }\'',
    scoped: [readsShared('p')],
  },
  'acl policy put': {
    keeps: {
      create: [['registry PUT acl/policy', policy]],
      change: 'whole --description other',
      read: 'acl policy get whole',
      changed: ['Description'],
      unset: ['description,valid-datacenter', ['Datacenters', 'Description']],
      without: managedFields,
      merges: true,
    },
    scoped: [writesShared('p --description new'), writesShared('other --rules ""')],
  },
  'acl policy delete': {
    examples: {
      'lanyard acl policy delete deploy --yes': after('lanyard acl policy put deploy --rules @deploy.hcl'),
    },
    scoped: [writesShared('p --yes')],
  },
  'acl role list': {
    lists: { '': { create: 'acl role put many-{n} --node-identity n{n}:dc1' } },
    scoped: [readsShared()],
  },
  'acl role put': {
    keeps: {
      create: [['registry PUT acl/role', role]],
      change: 'whole --description other',
      read: 'acl role get whole',
      changed: ['Description'],
      unset: ['description,service-identity,policy', ['Description', 'Policies', 'ServiceIdentities']],
      without: managedFields,
      merges: true,
    },
    scoped: [writesShared('r --description new'), writesShared('other')],
  },
  'acl role delete': {
    examples: { 'lanyard acl role delete ops --yes': after('lanyard acl role put ops --policy deploy') },
    scoped: [writesShared('r --yes')],
  },
  'acl token list': {
    before: `
      lanyard acl policy put deploy --rules @deploy.hcl
      lanyard acl policy put read-services --rules 'service_prefix "" { policy = "read" }'
      lanyard acl role put ops --policy deploy`,
    lists: {
      '': { create: 'acl token create --node-identity many-{n}:dc1 --description many-{n}' },
      '--policy many-0': { shows: false },
    },
    scoped: [reads()],
  },
  'acl token get': { shows: { issued: ['stdout'] }, scoped: [reads('{local}'), readsShared('{global}')] },
  'acl token self': { scoped: [readsShared()] },
  'acl token create': {
    shows: { issued: ['stdout'] },
    scoped: [writesShared('--description new'), onlyAgent('--local')],
  },
  'acl token update': {
    keeps: {
      create: [
        [
          'registry PUT acl/token',
          {
            ...{ Description: 'all', ...grants, Roles: [{ Name: 'whole' }] },
            ExpirationTTL: '1h',
          },
        ],
      ],
      change: '{id} --description other',
      read: 'acl token get {id} --show-secret',
      changed: ['Description'],
      unset: ['description,role,node-identity', ['Description', 'NodeIdentities', 'Roles']],
      without: {
        ...{ ...managedFields, AccessorID: managed, SecretID: managed, CreateTime: managed },
        ...{ AuthMethod: 'of logins', ExpirationTime: 'by ExpirationTTL' },
        Local: 'excludes datacenters of identities',
      },
      merges: true,
    },
    scoped: [writesShared('{global} --description new'), onlyAgent('{local} --description new')],
  },
  'acl token clone': {
    shows: { issued: ['stdout'] },
    scoped: [writesShared('{global}'), onlyAgent('{local}')],
  },
  'acl token delete': {
    examples: {
      'lanyard acl token delete 6a1253d2 --yes': after(
        'lanyard acl token create --service-identity web --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511',
      ),
    },
    scoped: [writesShared('{global} --yes'), onlyAgent('{local} --yes')],
  },
  'acl role get': { scoped: [readsShared('r')] },
  'acl auth-method list': {
    lists: { '': { create: 'acl auth-method put many-{n} --type jwt --jwt-validation-pub-key @jwt.pem' } },
    scoped: [reads()],
  },
  'acl auth-method get': { scoped: [reads('login')] },
  'acl auth-method put': {
    keeps: {
      create: [['registry PUT acl/auth-method', method]],
      change: 'whole --bound-audience b',
      read: 'acl auth-method get whole',
      changed: ['Config.BoundAudiences'],
      unset: [
        'max-token-ttl,display-name,claim-mapping',
        ['Config.ClaimMappings', 'DisplayName', 'MaxTokenTTL'],
      ],
      without: managedFields,
      merges: true,
    },
    scoped: [writes('login --description new'), writes('other --in method.json')],
  },
  'acl auth-method delete': {
    examples: {
      'lanyard acl auth-method delete ci --yes': after('lanyard acl auth-method put ci --in ci.json'),
    },
    scoped: [writes('login --yes')],
  },
  'acl binding-rule list': {
    before:
      'lanyard acl auth-method put ci --type jwt --jwt-validation-pub-key @jwt.pem --claim-mapping project=project',
    lists: {
      '': {
        create:
          'acl binding-rule create --method many-0 --bind-type service --bind-name many-{n} --description x',
      },
    },
    scoped: [reads()],
  },
  'acl binding-rule get': { examples: { every: randomId }, scoped: [reads('{rule}')] },
  'acl binding-rule create': { scoped: [writes('--method login --bind-type service --bind-name new')] },
  'acl binding-rule update': {
    examples: { every: randomId },
    keeps: {
      create: [
        [
          'registry PUT acl/binding-rule',
          {
            ...{ AuthMethod: 'whole', Description: 'all', Selector: 'value.project == web' },
            ...{ BindType: 'templated-policy', BindName: 'builtin/service', BindVars: { Name: 'web' } },
          },
        ],
      ],
      change: '{id} --description other',
      read: 'acl binding-rule get {id}',
      changed: ['Description'],
      unset: ['description,selector', ['Description', 'Selector']],
      without: managedFields,
      merges: true,
    },
    scoped: [writes('{rule} --description new')],
  },
  'acl binding-rule delete': { examples: { every: randomId }, scoped: [writes('{rule} --yes')] },
  'acl binding-rule test': { scoped: [reads('--method login --claims claims.json')] },
  'acl templated-policy list': { lists: { '': { shows: false } }, scoped: [unscoped()] },
  'acl templated-policy get': { scoped: [unscoped('builtin/service')] },
  'acl templated-policy preview': { scoped: [unscoped('builtin/service --name web')] },
  'acl oidc auth-url': {
    examples: { every: atProvider },
    scoped: [reads('--method corp --redirect-uri http://localhost/cb', { fails: true })],
  },
  'acl oidc callback': {
    examples: { every: atProvider },
    shows: { issued: ['stdout'] },
    scoped: [reads('--method corp --state st --code env://JWT --no-store', { fails: true })],
  },
  'acl replication': {
    before: 'lanyard profile put dev registry.token=env://REGISTRY_TOKEN',
    scoped: [reads()],
  },
  'acl translate-rules': {
    examples: {
      'lanyard acl translate-rules --accessor 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11': ends(
        5,
        'needs a legacy token',
      ),
    },
    faults: 'any text',
    scoped: [unscoped('rules.hcl')],
  },
};
