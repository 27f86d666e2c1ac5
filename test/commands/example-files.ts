import { SignJWT } from 'jose';
import { keyPair, rsaPair } from '../support/keys.ts';

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
  'client-secret.txt': `${password}\n`,
  'bind-password.txt': `${password}\n`,
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
  'app.env.liquid': 'PASSWORD={{ ("secret/app/db" | kv).password | dotenv }}\n',
  'nginx.conf.liquid': '{% for i in ("web" | service) %}server {{ i.address }}:{{ i.port }};{% endfor %}\n',
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
  'web-policy.hcl':
    'namespace "default" {\n  variables {\n    path "app/*" { capabilities = ["read"] }\n  }\n}\n',
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
