import { issuer } from '../unit/services/registry/auth/support.ts';

/** How a command that writes an object that may exist is shown to keep the fields that it does not name. */
export interface Case {
  /**
   * Makes the object: `SERVICE METHOD PATH` of `lanyard api`, and the body. The last one has every field that its route
   * declares. `{id}` in the other members is the ID in its response.
   */
  readonly create: readonly (readonly [string, object])[];
  readonly change: string;
  /** The program that edits the text of an `edit`. */
  readonly editor?: string;
  /** The command that shows the object in JSON. */
  readonly read: string;
  /** The paths of the fields that differ afterwards. */
  readonly changed: readonly string[];
  /** Declared fields that the object does not have, and why. */
  readonly without?: Readonly<Record<string, string>>;
  /** The flags of `--unset`, and the paths of the fields that it resets. */
  readonly unset?: readonly [string, readonly string[]];
  /** The service replaces the object: the client merges, and keeps fields that it does not know. */
  readonly merges?: true;
}

const managed = 'set by the service';
const managedFields = { ID: managed, Hash: managed, CreateIndex: managed, ModifyIndex: managed };

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
  ...{ ID: managed, Session: 'the query would end with the session', Template: 'replaces the name' },
};

const ofVariable = { Namespace: 'of the request', Lock: 'of var lock' };
const ofSecret = { version: 'of reads' };

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

const settings = {
  ...{ default_lease_ttl: '1h', max_lease_ttl: '2h', listing_visibility: 'unauth' },
  ...{ audit_non_hmac_request_keys: ['a'], audit_non_hmac_response_keys: ['b'] },
  ...{ passthrough_request_headers: ['X-A'], allowed_response_headers: ['X-B'] },
};
const ofMount = { type: 'cannot be changed', config: 'in its place' };

const { pem } = issuer();
const method = {
  ...{ Name: 'whole', Type: 'jwt', DisplayName: 'Whole', Description: 'all' },
  ...{ MaxTokenTTL: '1h', TokenLocality: 'global' },
  Config: {
    ...{ JWTValidationPubKeys: [pem], JWTSupportedAlgs: ['ES256'], BoundIssuer: 'ci' },
    ...{
      BoundAudiences: ['a'],
      ClaimMappings: { project: 'project' },
      ListClaimMappings: { groups: 'groups' },
    },
    ...{ ExpirationLeeway: '10s', NotBeforeLeeway: '20s', ClockSkewLeeway: '30s' },
  },
};

const box = (name: string) =>
  [
    'box POST api/v1/boxes',
    {
      box: {
        ...{ username: 'dev', name, short_description: 'short' },
        ...{ description: 'long', is_private: false },
      },
    },
  ] as const;
const version = (name: string) =>
  [
    `box POST api/v1/box/dev/${name}/versions`,
    { version: { version: '1.0.0', description: 'first' } },
  ] as const;

/** Commands that change an object, and what they keep. */
export const cases: Readonly<Record<string, Case>> = {
  'ssh role put': {
    create: [
      [
        'secrets POST ssh/roles/whole',
        {
          ...{ key_type: 'ca', allow_user_certificates: true, allow_host_certificates: true },
          ...{ allowed_users: 'a,b', allowed_users_template: true, default_user: 'a' },
          ...{ default_user_template: true, allowed_domains: 'example.com', allowed_domains_template: true },
          ...{ allow_bare_domains: true, allow_subdomains: true, allow_empty_principals: true },
          ...{ ttl: '30m', max_ttl: '12h', not_before_duration: '1m' },
          ...{ default_extensions: { 'permit-pty': '' }, default_extensions_template: true },
          ...{ allowed_extensions: 'permit-pty', default_critical_options: { 'force-command': 'id' } },
          ...{ allowed_critical_options: 'force-command', allow_user_key_ids: true },
          ...{ key_id_format: '{{role_name}}', allowed_user_key_lengths: { rsa: [2048, 4096] } },
          ...{ algorithm_signer: 'rsa-sha2-512' },
        },
      ],
    ],
    change: 'whole --allowed-users ubuntu',
    read: 'ssh role get whole --select data',
    changed: ['allowed_users'],
    unset: ['max-ttl,key-id-format', ['key_id_format', 'max_ttl']],
    without: { cidr_list: 'of otp', exclude_cidr_list: 'of otp', port: 'of otp' },
    merges: true,
  },
  'ssh zero-address put': {
    create: [
      ['secrets POST ssh/roles/otp', { key_type: 'otp', default_user: 'a', cidr_list: '10.0.0.0/8' }],
      ['secrets POST ssh/roles/other', { key_type: 'otp', default_user: 'a', cidr_list: '10.0.0.0/8' }],
      ['secrets POST ssh/config/zeroaddress', { roles: 'otp' }],
    ],
    change: 'otp,other',
    read: 'ssh zero-address get --select data',
    changed: ['roles'],
  },
  'kv put': {
    create: [['secrets POST secret/data/put', { data: { a: '1', b: '2' }, options: {} }]],
    change: 'secret/put a=3',
    read: 'kv get secret/put --select data.data',
    // Data is one value: the output names the key that is gone.
    changed: ['a', 'b'],
    without: ofSecret,
  },
  'kv patch': {
    create: [['secrets POST secret/data/patched', { data: { a: '1', b: '2' }, options: {} }]],
    change: 'secret/patched a=3',
    read: 'kv get secret/patched --select data.data',
    changed: ['a'],
    without: ofSecret,
  },
  'kv edit': {
    create: [['secrets POST secret/data/edited', { data: { a: '1', b: '2' }, options: {} }]],
    change: 'secret/edited',
    editor: 's/a: "1"/a: "3"/',
    read: 'kv get secret/edited --select data.data',
    changed: ['a'],
    without: ofSecret,
  },
  'kv metadata put': {
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
  'kv config put': {
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
  'secrets patch': {
    create: [['secrets POST secret/data/patched2', { data: { a: '1', b: '2' }, options: {} }]],
    change: 'secret/data/patched2 --in patch.json',
    read: 'kv get secret/patched2 --select data.data',
    changed: ['a'],
    without: ofSecret,
  },
  'secrets policy put': {
    create: [['secrets POST sys/policies/acl/whole', { policy: 'path "a" { capabilities = ["read"] }' }]],
    change: 'whole @other.hcl',
    read: 'secrets policy get whole',
    changed: ['policy'],
    merges: true,
  },
  'secrets mount tune': {
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
  'secrets auth tune': {
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
  'namespace put': {
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
    without: { Quota: 'not supported by the embedded service' },
    merges: true,
  },
  'var put': {
    create: [['scheduler PUT var/put', { Path: 'put', Items: { a: '1', b: '2' } }]],
    change: 'put a=3',
    read: 'var get put --select Items --reveal',
    changed: ['a', 'b'],
    without: ofVariable,
  },
  'var edit': {
    create: [['scheduler PUT var/edited', { Path: 'edited', Items: { a: '1', b: '2' } }]],
    change: 'edited',
    editor: 's/a: "1"/a: "3"/',
    read: 'var get edited --select Items --reveal',
    changed: ['a'],
    without: ofVariable,
  },
  'query put': {
    create: [['registry POST query', query('whole')]],
    change: 'whole --near n2',
    read: 'query get whole',
    changed: ['Service.Near'],
    unset: ['near,dns-ttl,failover-nearest', ['DNS.TTL', 'Service.Failover.NearestN', 'Service.Near']],
    without: withoutSession,
    merges: true,
  },
  'query update': {
    create: [['registry POST query', query('whole2')]],
    change: 'whole2 --near n2',
    read: 'query get whole2',
    changed: ['Service.Near'],
    unset: ['tag,only-passing', ['Service.OnlyPassing', 'Service.Tags']],
    without: withoutSession,
    merges: true,
  },
  'query edit': {
    create: [['registry POST query', query('whole3')]],
    change: 'whole3',
    editor: 's/Near: n1/Near: n2/',
    read: 'query get whole3',
    changed: ['Service.Near'],
    without: withoutSession,
  },
  'registry config put': {
    create: [
      [
        'registry PUT config',
        {
          ...{ Kind: 'service-defaults', Name: 'whole', Protocol: 'http', ExternalSNI: 'sni.example.com' },
          ...{ MaxInboundConnections: 7, MutualTLSMode: 'strict', Meta: { owner: 'ops' } },
        },
      ],
    ],
    change: 'entry.yaml',
    read: 'registry config get service-defaults whole',
    changed: ['Protocol'],
    merges: true,
  },
  'registry kv put': {
    create: [['registry PUT kv/whole?flags=42', { a: 1 }]],
    change: 'whole other',
    read: 'registry kv get whole',
    changed: ['Value'],
  },
  'acl policy put': {
    create: [['registry PUT acl/policy', policy]],
    change: 'whole --description other',
    read: 'acl policy get whole',
    changed: ['Description'],
    unset: ['description,valid-datacenter', ['Datacenters', 'Description']],
    without: managedFields,
    merges: true,
  },
  'acl role put': {
    create: [['registry PUT acl/role', role]],
    change: 'whole --description other',
    read: 'acl role get whole',
    changed: ['Description'],
    unset: ['description,service-identity,policy', ['Description', 'Policies', 'ServiceIdentities']],
    without: managedFields,
    merges: true,
  },
  'acl token update': {
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
  'acl auth-method put': {
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
  'acl binding-rule update': {
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
  'box update': {
    create: [box('whole')],
    change: 'dev/whole --description other',
    read: 'box get dev/whole',
    changed: ['description_html', 'description_markdown'],
    unset: [
      'short-description,description',
      ['description_html', 'description_markdown', 'short_description'],
    ],
  },
  'box version update': {
    create: [box('versioned'), version('versioned')],
    change: 'dev/versioned 1.0.0 --description other',
    read: 'box version get dev/versioned 1.0.0',
    changed: ['description_html', 'description_markdown'],
    unset: ['description', ['description_html', 'description_markdown']],
  },
  'box provider update': {
    create: [
      box('provided'),
      version('provided'),
      [
        'box POST api/v1/box/dev/provided/version/1.0.0/providers',
        {
          provider: {
            ...{ name: 'libvirt', url: 'https://example.com/a.box', architecture: 'arm64' },
            ...{ checksum: 'a'.repeat(64), checksum_type: 'sha256', default_architecture: true },
          },
        },
      ],
    ],
    change: 'dev/provided 1.0.0 libvirt --url https://example.com/b.box',
    read: 'box provider get dev/provided 1.0.0 libvirt',
    changed: ['original_url'],
  },
  'account update': {
    create: [
      [
        'accounts POST accounts',
        {
          ...{ auth_method_id: '{method}', type: 'password', name: 'Whole', description: 'all' },
          attributes: { login_name: 'whole', password: 'correct-horse' },
        },
      ],
    ],
    change: '{id} --description other',
    read: 'account get {id}',
    changed: ['description'],
    unset: ['name,description', ['description', 'name']],
  },
  'account set-password': {
    create: [
      [
        'accounts POST accounts',
        {
          ...{ auth_method_id: '{method}', type: 'password', name: 'Whole2', description: 'all' },
          attributes: { login_name: 'whole2', password: 'correct-horse' },
        },
      ],
    ],
    change: '{id} --password @password.txt',
    read: 'account get {id}',
    changed: [],
  },
  'account change-password': {
    create: [
      [
        'accounts POST accounts',
        {
          ...{ auth_method_id: '{method}', type: 'password', name: 'Whole3', description: 'all' },
          attributes: { login_name: 'whole3', password: 'correct-horse' },
        },
      ],
    ],
    change: '{id} --new-password @password.txt --current-password @current.txt',
    read: 'account get {id}',
    changed: [],
  },
};

/** Commands that replace or change an object and have no case: why. */
export const exceptions: Readonly<Record<string, string>> = {
  'profile put': 'below, in files',
  'alias set': 'one text; fails for an existing alias without --force',
  'registry service register':
    'states the whole service, as consul services register, and shows what is gone',
  'registry kv import': 'the file has all fields of each key',
  'var import': 'the directory has all items of each variable; shows the changes of each',
  'ssh issuer import': 'adds an issuer',
  'profile import': 'fails for an existing profile without --force',
  'ssh issuer use': 'one reference; asks first',
  'profile use': 'one reference',
  'kv rollback': 'writes the data of an earlier version, as named',
  'secrets write': 'sends the request as given; the path decides what it keeps',
  'txn apply': 'sends the operations as given',
  apply: 'compares every field, and shows the changes (plan)',
  api: 'sends the request as given',
  'box publish': 'changes what it creates; an existing version fails if it differs',
  'box upload': 'replaces the image, which is named',
};

/** Commands that do not change the fields of an object that may exist, by the last word: why. */
export const verbs: Readonly<Record<string, string>> = {
  'create enable init bootstrap clone': 'fail if the object exists',
  'delete disable destroy undelete revoke deregister logout tidy': 'remove or restore, as named',
  'move release recover seal unseal renew': 'change a state, without fields',
  'sign issue creds verify connect unwrap login callback auth-url request-code lock': 'issue something',
  'export config trust': 'write files or outputs',
};
