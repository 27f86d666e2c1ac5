import { after, elsewhere, ends, type Rows } from './row.ts';

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
  },
  'acl logout': { faults: 'logout' },
  'acl explain': {
    before: `
      lanyard profile put dev registry.token=env://REGISTRY_TOKEN
      lanyard acl token create --service-identity web --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511`,
  },
  'acl policy list': { lists: { '': { create: 'acl policy put many-{n} --rules @rules.hcl' } } },
  'acl policy get': {
    before: 'lanyard acl policy put deploy --rules \'key_prefix "app/" { policy = "write" }\'',
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
  },
  'acl policy delete': {
    examples: {
      'lanyard acl policy delete deploy --yes': after('lanyard acl policy put deploy --rules @deploy.hcl'),
    },
  },
  'acl role list': { lists: { '': { create: 'acl role put many-{n} --node-identity n{n}:dc1' } } },
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
  },
  'acl role delete': {
    examples: { 'lanyard acl role delete ops --yes': after('lanyard acl role put ops --policy deploy') },
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
  },
  'acl token get': { shows: { issued: ['stdout'] } },
  'acl token create': { shows: { issued: ['stdout'] } },
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
  },
  'acl token clone': { shows: { issued: ['stdout'] } },
  'acl token delete': {
    examples: {
      'lanyard acl token delete 6a1253d2 --yes': after(
        'lanyard acl token create --service-identity web --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511',
      ),
    },
  },
  'acl auth-method list': {
    lists: { '': { create: 'acl auth-method put many-{n} --type jwt --jwt-validation-pub-key @jwt.pem' } },
  },
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
  },
  'acl auth-method delete': {
    examples: {
      'lanyard acl auth-method delete ci --yes': after('lanyard acl auth-method put ci --in ci.json'),
    },
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
  },
  'acl binding-rule get': { examples: { every: randomId } },
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
  },
  'acl binding-rule delete': { examples: { every: randomId } },
  'acl templated-policy list': { lists: { '': { shows: false } } },
  'acl oidc auth-url': {
    examples: { every: atProvider },
  },
  'acl oidc callback': {
    examples: { every: atProvider },
    shows: { issued: ['stdout'] },
  },
  'acl replication': { before: 'lanyard profile put dev registry.token=env://REGISTRY_TOKEN' },
  'acl translate-rules': {
    examples: {
      'lanyard acl translate-rules --accessor 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11': ends(
        5,
        'needs a legacy token',
      ),
    },
    faults: 'any text',
  },
};
