import { SignJWT } from 'jose';
import { keyPair, rsaPair } from '../support/keys.ts';

/** Examples of one of these are run one after the other, against services of their own. */
export const areas = [
  ...[
    'quickstart',
    'dev',
    'run',
    'ci',
    'export',
    'validate',
    'plan',
    'diff',
    'apply',
    'status',
    'wait',
    'ssh',
    'kv',
    'secrets',
    'acl',
    'query',
    'txn',
    'registry',
  ],
  ...[
    'chain',
    'discovery-chain',
    'box',
    'namespace',
    'var',
    'account delete',
    'account token',
    'account',
    'profile',
    'alias',
    'plugin',
    'api',
    'completion',
    'schema',
  ],
] as const;

/** Of the users of the services. */
export const password = 'correct horse battery';

const issuer = rsaPair();
const jwt = await new SignJWT({ aud: 'ci', sub: 'job', iss: 'ci' })
  .setProtectedHeader({ alg: 'RS256' })
  .setIssuedAt()
  .setExpirationTime('1h')
  .sign(issuer.privateKey);
const issuerPem = issuer.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const authority = keyPair('rsa2048');

/** An auth method of the registry that takes the JWTs of this issuer. */
const authMethod = (Name: string): string =>
  JSON.stringify({
    Name,
    Type: 'jwt',
    MaxTokenTTL: '1h',
    Config: { JWTValidationPubKeys: [issuerPem], BoundAudiences: ['ci'] },
  });

/** Files in the working directory, which is the home directory. */
export const files: Readonly<Record<string, string>> = {
  '.ssh/id_ed25519.pub': keyPair('ed25519').publicLine,
  'id_ed25519.pub': keyPair('ed25519').publicLine,
  'etc/ssh/ssh_host_ed25519_key.pub': keyPair('ed25519').publicLine,
  'keys/one.pub': keyPair('ed25519').publicLine,
  'keys/two.pub': keyPair('ed25519').publicLine,
  ca: authority.privatePem,
  'ca.pub': authority.publicLine,
  'password.txt': `${password}\n`,
  'new.txt': `${password} 3\n`,
  'tls.crt': 'a certificate\n',
  'tls.key': 'a key\n',
  'pairs.json': '{"user":"app","password":"hunter2"}',
  'items.json': '{"user":"app","password":"hunter2"}',
  'db.json': '{"user":"app","password":"hunter2"}',
  '.env': 'user=app\n',
  'README.md': '# web\n',
  'CHANGES.md': 'first\n',
  'web.box': 'an image\n',
  'mount.json': '{"type":"kv"}',
  'jwt.pem': issuerPem,
  'ci.json': authMethod('ci'),
  'minikube.json': authMethod('minikube'),
  'claims.json': '{"project":"web"}',
  'var/run/secrets/kubernetes.io/serviceaccount/token': jwt,
  'bootstrap-secret.txt': '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f\n',
  'legacy.hcl': 'key "app/" { policy = "read" }\n',
  'queries.yaml': 'Name: geo-web\nService:\n  Service: web\n',
  'ops.yaml': '- KV:\n    Verb: set\n    Key: app/a\n    Value: MQ==\n',
  'ops.json': '[{"KV":{"Verb":"set","Key":"app/b","Value":"MQ=="}}]',
  'ops.jsonl': '{"KV":{"Verb":"set","Key":"app/c","Value":"MQ=="}}\n',
  'web.hcl': 'service {\n  name = "web"\n  port = 8080\n}\n',
  'node.json': '{"Node":"web-1","Address":"10.1.2.3"}',
  'web-resolver.hcl': 'Kind = "service-resolver"\nName = "web"\nConnectTimeout = "5s"\n',
  'proxy-defaults.json': '{"Kind":"proxy-defaults","Name":"global"}',
  'entries.yaml': 'Kind: service-defaults\nName: api\nProtocol: http\n',
  'patch.json': '{"data":{"user":"shop"}}',
  'metadata.json': '{"custom_metadata":{"owner":"web"}}',
  'team-a.yaml': 'Name: team-a\nDescription: Shop team\n',
};

/** Programs that examples start. */
export const scripts: Readonly<Record<string, string>> = {
  'import-all': 'exit 0',
  server: 'test "$password" = hunter2',
  'backup.sh': 'true',
  'migrate.sh': 'test "$APP_USER" = app',
  'integration-tests.sh': 'lanyard status --check',
  'failover-tests.sh': 'lanyard acl replication --dc dc2',
  'bin/code': 'exit 0',
  'bin/vi': 'exit 0',
  // What OpenSSH says of its configuration; it connects to nothing.
  'bin/ssh': `case " $* " in *" -G "*) printf 'hostname 10.1.2.3\\nuser ubuntu\\nport 22\\n';; esac`,
};

export const variables: Readonly<Record<string, string>> = {
  EDITOR: 'vi',
  BOX_PASSWORD: password,
  CI_PASSWORD: password,
  OLD: `${password} 2`,
  CI_JOB_JWT: jwt,
};

/** Answers to prompts. */
export const answers: readonly (readonly [prompt: RegExp, answer: string])[] = [
  [/\[y\/N\] $/, 'y\n'],
  [/[Nn]ew password[^\n]*: $/, `${password} 2\n`],
  [/[Pp]assword[^\n]*: $/, `${password}\n`],
];

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

/** A set in the directory `state`, of the objects that the services start with. */
const exported = ['LANYARD_REGISTRY_TOKEN=$(lanyard acl bootstrap --field SecretID)', 'lanyard export state'];

/** Command lines before the examples of a command, or before one example. `NAME=$(...)` sets a variable. */
export const before: Readonly<Record<string, readonly string[]>> = {
  export: ['LANYARD_REGISTRY_TOKEN=$(lanyard acl bootstrap --field SecretID)'],
  validate: ['lanyard export state --skip-forbidden'],
  plan: exported,
  diff: exported,
  apply: exported,
  'lanyard apply state.plan': ['lanyard plan state --out state.plan'],
  run: lines(`
    lanyard var put app/db user=app password=hunter2
    lanyard kv put secret/app/mail host=localhost`),
  'ci export': lines(`
    lanyard kv put secret/app/db password=hunter2`),
  'wait service': lines(`
    lanyard registry service register web --port 8080 --tag prod --meta version=2
    lanyard registry kv put app/db/host db1
    lanyard var put app/db ready=yes
    lanyard kv put secret/app/db user=app`),
  'ssh sign': lines(`
    lanyard ssh ca create --key-type ed25519
    lanyard ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --ttl 30m
    lanyard ssh role put hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains --ttl 720h
    lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8`),
  'lanyard ssh verify - < otp.txt': ['lanyard ssh creds otp --ip 10.1.2.3 --field key > otp.txt'],
  'lanyard ssh verify env://OTP': ['OTP=$(lanyard ssh creds otp --ip 10.1.2.3 --field key)'],
  'ssh connect': lines(`
    lanyard secrets mount enable ssh --path ssh-hosts
    lanyard ssh ca create --key-type ed25519 --mount ssh-hosts`),
  'ssh trust': lines(`
    lanyard secrets mount enable ssh --path hosts
    lanyard ssh ca create --key-type ed25519 --mount hosts`),
  'ssh inspect': lines(`
    lanyard ssh sign deploy --key ~/.ssh/id_ed25519.pub
    lanyard ssh sign deploy --key id_ed25519.pub --out cert.pub`),
  'lanyard ssh ca create --key-type ed25519': ['lanyard ssh ca delete --yes'],
  'lanyard ssh ca create --private-key ca --public-key ca.pub': ['lanyard ssh ca delete --yes'],
  'ssh zero-address get': lines(`
    lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8
    lanyard ssh role put emergency --key-type otp --default-user root --cidr-list 10.0.0.0/8
    lanyard ssh zero-address put otp`),
  'registry kv get': lines(`
    lanyard registry kv put app/db/host db1
    lanyard registry kv put app/tls.crt @tls.crt`),
  'lanyard registry kv delete app/db/host --cas 42 --yes': [
    'lanyard registry kv put app/db/host db1',
    'lanyard registry kv put app/db/port 5432',
  ],
  'lanyard registry service get web': [
    'lanyard registry service register web --port 8080 --tag prod --meta version=2',
  ],
  'lanyard registry service deregister web-2 --yes': [
    'lanyard registry service register web --id web-2 --port 8080',
  ],
  'registry node get': ['lanyard api registry PUT v1/catalog/register --data @node.json'],
  'registry config get': lines(`
    lanyard registry config put web-resolver.hcl
    lanyard registry config put proxy-defaults.json`),
  'kv get': lines(`
    lanyard kv put secret/app/db user=app password=hunter1
    lanyard kv put secret/app/db user=app password=hunter2`),
  'kv rollback': ['lanyard kv undelete secret/app/db --versions 1'],
  'kv put': ['lanyard kv metadata delete secret/app/db --yes'],
  'secrets read': lines(`
    lanyard ssh role put deploy --allow-user-certificates --allowed-users ubuntu
    lanyard kv put secret/app/db user=app`),
  'secrets write': ['lanyard secrets auth enable userpass'],
  'secrets policy check': ['lanyard secrets policy get default > deploy.hcl'],
  'lanyard secrets policy delete ops --yes': ['lanyard secrets policy put ops @deploy.hcl'],
  'secrets token lookup': ['ACCESSOR=$(lanyard secrets token create --policy default --field accessor)'],
  'secrets lease list': lines(`
    lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8
    LEASE=$(lanyard secrets write ssh/creds/otp ip=10.1.2.3 --field lease_id)`),
  'lanyard secrets lease revoke ssh/creds/otp --prefix --yes': [
    'lanyard ssh creds otp --ip 10.1.2.3 > otp.txt',
  ],
  'lanyard secrets lease revoke ssh --prefix --force --dry-run': [
    'lanyard ssh creds otp --ip 10.1.2.3 > otp.txt',
  ],
  'lanyard secrets unwrap env://WRAPPING_TOKEN --field client_token --out ci-token.txt': [
    'WRAPPING_TOKEN=$(lanyard secrets token create --wrap-ttl 5m --field token)',
  ],
  'secrets namespace list': ['lanyard secrets namespace create team'],
  'secrets seal': ['lanyard secrets login --token - < token.txt'],
  'secrets login': lines(`
    lanyard secrets auth enable approle
    lanyard secrets write auth/approle/role/ci token_policies=default
    lanyard secrets write auth/approle/role/ci/role-id role_id=ci
    SECRET_ID=$(lanyard secrets write auth/approle/role/ci/secret-id --field data.secret_id)
    lanyard secrets auth enable jwt
    lanyard secrets write auth/jwt/config jwt_validation_pubkeys=@jwt.pem
    lanyard secrets write auth/jwt/role/deploy role_type=jwt bound_audiences=ci user_claim=sub`),
  'acl login': lines(`
    lanyard acl auth-method put ci --in ci.json
    lanyard acl auth-method put minikube --in minikube.json
    lanyard acl binding-rule create --method ci --bind-type service --bind-name web
    lanyard acl binding-rule create --method minikube --bind-type service --bind-name web
    REGISTRY_TOKEN=$(lanyard acl token self --show-secret --field SecretID)`),
  'acl explain': lines(`
    lanyard profile put dev registry.token=env://REGISTRY_TOKEN
    lanyard acl token create --service-identity web --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511`),
  'acl policy get': [`lanyard acl policy put deploy --rules 'key_prefix "app/" { policy = "write" }'`],
  'lanyard acl policy delete deploy --yes': ['lanyard acl policy put deploy --rules @deploy.hcl'],
  'acl token list': lines(`
    lanyard acl policy put deploy --rules @deploy.hcl
    lanyard acl policy put read-services --rules 'service_prefix "" { policy = "read" }'
    lanyard acl role put ops --policy deploy`),
  'lanyard acl token delete 6a1253d2 --yes': [
    'lanyard acl token create --service-identity web --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511',
  ],
  'lanyard acl role delete ops --yes': ['lanyard acl role put ops --policy deploy'],
  'lanyard acl auth-method delete ci --yes': ['lanyard acl auth-method put ci --in ci.json'],
  'acl binding-rule list': [
    'lanyard acl auth-method put ci --type jwt --jwt-validation-pub-key @jwt.pem --claim-mapping project=project',
  ],
  'acl replication': ['lanyard profile put dev registry.token=env://REGISTRY_TOKEN'],
  'query list': lines(`
    lanyard acl bootstrap --store
    QUERY_TOKEN=$(lanyard acl token self --show-secret --field SecretID)`),
  'query get': ['lanyard query create geo-db --service mysql'],
  'query create': ['lanyard query delete geo-db --yes'],
  'lanyard query create --file geo-db.yaml --token env://QUERY_TOKEN': ['lanyard query delete geo-db --yes'],
  'query edit': ['lanyard query create geo-db --service mysql'],
  'query exec': lines(`
    lanyard query create fleet --service ssh
    lanyard query create web --service web`),
  'box get': ['lanyard box create dev/web'],
  'box create': ['lanyard box delete dev/web --yes'],
  'box version get': lines(`
    lanyard box create dev/web
    lanyard box version create dev/web 1.0.0`),
  'box version create': ['lanyard box version delete dev/web 1.0.0 --yes'],
  'box version delete': ['lanyard box version create dev/web 1.0.0'],
  'box upload': lines(`
    lanyard box version create dev/web 1.0.0
    lanyard box provider create dev/web 1.0.0 virtualbox`),
  'box publish': ['lanyard box delete dev/web --yes'],
  'box download': lines(`
    lanyard box delete dev/web --yes
    lanyard box publish dev/web 1.0.0 virtualbox web.box --public`),
  'lanyard box download dev/web 1.0.0 qemu --out copy.box': [
    'lanyard box publish dev/web 1.0.0 qemu web.box',
  ],
  'box release': lines(`
    lanyard box delete dev/web --yes
    lanyard box publish dev/web 1.0.0 virtualbox web.box --no-release`),
  'box provider create': ['lanyard box provider delete dev/web 1.0.0 virtualbox --yes'],
  'box org create': ['lanyard box token create --login dev --password env://BOX_PASSWORD'],
  'namespace get': ['lanyard namespace put team-a --meta owner=shop'],
  'var get': ['lanyard var put app/db user=app password=hunter2'],
  'lanyard var put app/db --in items.json --cas 0': ['lanyard var delete app/db --yes'],
  'var diff': lines(`
    lanyard var export variables
    lanyard namespace put staging
    lanyard namespace put production
    lanyard var put app/db user=app --namespace staging
    lanyard var put app/db user=app --namespace production`),
  'var import': ['lanyard namespace put team-a'],
  'account login': lines(`
    lanyard account update acctpw_1234567890 --login-name admin
    lanyard account set-password acctpw_1234567890 --password @password.txt`),
  'lanyard account list --since "$LIST_TOKEN" -o jsonl': [
    'LIST_TOKEN=$(lanyard account list --auth-method ampw_1234567890 --field list_token)',
  ],
  'profile import': ['VAULT_ADDR=$(lanyard profile get dev --field secrets.address)'],
  'lanyard profile import prod': ['lanyard profile delete prod --yes'],
  'alias get': ['lanyard alias set cert "ssh sign deploy"'],
  'alias set': ['lanyard alias delete cert'],
  api: ['lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8'],
};

/** Examples that end with another code than 0. */
export const otherwise: Readonly<Record<string, { readonly code: number; readonly why: string }>> = {
  'lanyard ssh sign deploy --principals ubuntu,admin --ttl 30m --agent': { code: 7, why: 'needs ssh-agent' },
  'lanyard ssh explain deploy --principals root': { code: 1, why: 'the role rejects it' },
  'lanyard ssh ca recover --snapshot 2b5f3a1e': { code: 3, why: 'needs a loaded snapshot' },
  ...Object.fromEntries(
    [
      'list --mount ssh-hosts',
      'get',
      'get 2026 --field public_key >> /etc/ssh/trusted_user_ca_keys',
      'import 2026 --key-type ed25519',
      'import 2027 --private-key ca --public-key ca.pub --default',
      'use 2026',
      'delete 2025',
    ].map((line) => [`lanyard ssh issuer ${line}`, { code: 1, why: 'the embedded service has a single CA' }]),
  ),
  'lanyard secrets login --method ldap --username bob': { code: 5, why: 'needs a directory' },
  'lanyard secrets login --method kubernetes --role web': { code: 2, why: 'needs a pod' },
  'lanyard secrets login --method cert --role host': { code: 2, why: 'needs https' },
  'lanyard acl translate-rules --accessor 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11': {
    code: 5,
    why: 'needs a legacy token',
  },
  'lanyard var diff app/db --with db.json': { code: 10, why: 'they differ' },
  'lanyard registry config delete service-resolver web --cas 42 --yes': {
    code: 3,
    why: 'deleted by the example before',
  },
  'lanyard registry session get adf4238a-882b-9ddc-4a9d-5b6758e4159e': { code: 3, why: 'IDs are random' },
  'lanyard registry session delete adf4238a-882b-9ddc-4a9d-5b6758e4159e --yes': {
    code: 3,
    why: 'IDs are random',
  },
  'lanyard registry kv delete app/db/host --cas 42 --yes': { code: 6, why: 'it has another index' },
  'lanyard var delete app/db --cas 42 --yes': { code: 6, why: 'deleted by the example before' },
  'lanyard acl bootstrap --secret @bootstrap-secret.txt': {
    code: 5,
    why: 'bootstrapped by the example before',
  },
  'lanyard acl bootstrap --field SecretID': { code: 5, why: 'bootstrapped by the example before' },
  'lanyard secrets token renew': { code: 1, why: 'the root token cannot be renewed' },
  'lanyard secrets token renew --increment 2h': { code: 1, why: 'the root token cannot be renewed' },
  'lanyard secrets lease renew "$LEASE" --increment 1h': {
    code: 1,
    why: 'one-time passwords cannot be renewed',
  },
  'lanyard secrets init --out init.json -o json': { code: 6, why: 'needs dev --uninitialized' },
  'lanyard secrets init --secret-shares 1 --secret-threshold 1': {
    code: 6,
    why: 'needs dev --uninitialized',
  },
  'lanyard box request-code --login dev --password env://BOX_PASSWORD': {
    code: 5,
    why: 'needs dev --two-factor',
  },
  'lanyard account token delete at_1234567890': { code: 3, why: 'IDs are random' },
  'lanyard account delete acctpw_1234567890 --yes': { code: 3, why: 'deleted by the example before' },
  'lanyard acl binding-rule get 5ad8d41c': { code: 3, why: 'IDs are random' },
  "lanyard acl binding-rule update 5ad8d41c --selector 'value.project == web'": {
    code: 3,
    why: 'IDs are random',
  },
  'lanyard acl binding-rule delete 5ad8d41c': { code: 3, why: 'IDs are random' },
  'lanyard acl binding-rule delete 5ad8d41c --yes': { code: 3, why: 'IDs are random' },
  'lanyard query delete 5e1e24e5-1329-f86f-18c6-3d3734edb2cd --yes': { code: 3, why: 'IDs are random' },
  'lanyard account create --auth-method amoidc_1234567890 --subject 8d2f6 --issuer https://idp.example.com': {
    code: 3,
    why: 'needs an auth method of an identity provider',
  },
};

const identityProvider = 'needs an identity provider; test/commands/acl/oidc.test.ts';

const watched = 'runs until interrupted; test/commands/watch/watch.test.ts';

const runner = 'needs the files of a runner; test/commands/ci/export.test.ts';

/** Examples that are not run here, and why. */
export const notHere: Readonly<Record<string, string>> = {
  'lanyard quickstart': 'test/e2e/quickstart.test.ts',
  'lanyard dev': 'listens on fixed ports; test/e2e/dev.test.ts',
  'lanyard secrets token revoke --self':
    'revokes the token of the other examples; test/commands/secrets/tokens.test.ts',
  'lanyard dev --data ~/lanyard-data': 'listens on fixed ports; test/e2e/dev.test.ts',
  'lanyard dev --rate-limit accounts=boundary --rate-limit registry=50':
    'listens on fixed ports; test/e2e/dev.test.ts',
  'lanyard dev --uninitialized': 'listens on fixed ports; test/e2e/dev.test.ts',
  'lanyard dev --port 0 -o json': 'the services that these examples are run against',
  'lanyard dev --datacenters dc1,dc2,dc3 --round-trip dc1:dc3=5ms': 'test/e2e/dev-datacenters.test.ts',
  ...Object.fromEntries(
    [
      'status',
      'chain get web',
      'kv get secret/app/db --field password',
      'registry kv get app/db/host',
      'registry service get web --passing',
    ].map((line) => [`lanyard ${line} --watch`, watched]),
  ),
  'lanyard var get app/db --watch -o jsonl': watched,
  'lanyard query exec geo-db --watch --interval 2s': watched,
  "lanyard ci export --kv secret/app/db --var 'app/db * | APP_' --env": runner,
  'source <(lanyard completion bash)': 'test/completions.test.ts',
  "ssh -o ProxyCommand='lanyard ssh proxy %h %p --role deploy' ubuntu@web1": 'test/e2e/proxy.test.ts',
  'lanyard acl login --method corp --oidc': identityProvider,
  'lanyard secrets login --method oidc --role ops':
    'needs an identity provider; test/commands/secrets/login-methods.test.ts',
  'lanyard account login --auth-method amoidc_1234567890':
    'needs an identity provider; test/commands/account/login-oidc.test.ts',
  'lanyard acl oidc auth-url --method corp --redirect-uri https://app.example.com/oidc/callback --client-nonce env://NONCE':
    identityProvider,
  'lanyard acl oidc callback --method corp --state st_W4ZV --code env://CODE --client-nonce env://NONCE':
    identityProvider,
};
