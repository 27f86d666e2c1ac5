import type { Context } from '../../../command/context.ts';
import type { Span } from '../../../output/document.ts';

export interface Tour {
  readonly ctx: Context;
  /** The working directory of the commands. */
  readonly folder: string;
  /** Prints an explanation. */
  say(...words: (string | Span)[]): Promise<void>;
  /** Creates a text file in the working directory, and prints the equivalent shell command. */
  file(name: string, content: string): Promise<void>;
  /** Prints and runs a Lanyard command line; `lanyard` after `--` is this program, too. @throws LanyardError failure: the command failed. */
  line(...args: string[]): Promise<void>;
}

/** The password auth method of the embedded accounts service. */
const authMethod = 'ampw_1234567890';

async function sshStep({ ctx, folder, say, line }: Tour): Promise<void> {
  await say(
    '1. SSH certificates: create a certificate authority (CA). Its private key stays in the service.',
  );
  await line('ssh', 'ca', 'create', '--key-type', 'ed25519');
  await say('A role defines the principals, options and lifetime of certificates:');
  await line(
    ...['ssh', 'role', 'put', 'deploy', '--allow-user-certificates', '--allowed-users', 'ubuntu,admin'],
    ...['--default-user', 'ubuntu', '--default-extension', 'permit-pty', '--ttl', '30m'],
  );
  const pair = (await ctx.ssh.keys()).generate('quickstart');
  await ctx.files.write([
    { path: `${folder}/id_ed25519`, content: pair.privateKey, replace: false },
    { path: `${folder}/id_ed25519.pub`, content: `${pair.publicKey}\n`, replace: false },
  ]);
  await say('Sign the public key of a new key pair, id_ed25519 and id_ed25519.pub:');
  await line('ssh', 'sign', 'deploy', '--key', 'id_ed25519.pub');
  await say('A host that trusts this CA accepts the certificate for user ubuntu, for 30 minutes:');
  await line('ssh', 'ca', 'public-key');
  await say('Every result is also available as data:');
  await line(
    ...['ssh', 'inspect', 'id_ed25519-cert.pub'],
    ...['--select', '{principals: principals, until: validBefore}'],
  );
}

async function secretsStep({ say, line }: Tour): Promise<void> {
  await say('2. Secrets: write a key-value secret, which keeps its previous versions.');
  await line('kv', 'put', 'secret/app/db', 'username=app', 'password=first');
  await say('With --cas, a write fails if the secret has changed since that version:');
  await line('kv', 'put', 'secret/app/db', 'username=app', 'password=second', '--cas', '1');
  await line('kv', 'get', 'secret/app/db', '--field', 'password');
  await line('kv', 'get', 'secret/app/db', '--version', '1');
  await say('Print the secret as environment variables for a script:');
  await line('kv', 'get', 'secret/app/db', '-o', 'env');
}

const operations = `- Node:    { Verb: set, Node: { Node: web-1, Address: 10.0.0.1 } }
- Node:    { Verb: set, Node: { Node: web-2, Address: 10.0.0.2 } }
- Service: { Verb: set, Node: web-1, Service: { ID: web, Service: web, Port: 8080, Tags: [v1] } }
- Service: { Verb: set, Node: web-2, Service: { ID: web, Service: web, Port: 8080, Tags: [v2] } }
- KV:      { Verb: set, Key: web/motto, Value: all or none }
`;

async function registryStep({ file, say, line }: Tour): Promise<void> {
  await say('3. Services: register two instances and write a key in one transaction.');
  await file('site.yaml', operations);
  await line('txn', 'apply', 'site.yaml');
  await say(
    'A prepared query finds instances by name, so that its definition can change without its clients:',
  );
  await line('query', 'put', 'web', '--service', 'web', '--tag', 'v2');
  await line('query', 'exec', 'web');
  await line('query', 'exec', 'web', '--format', 'addr');
}

async function boxStep({ file, say, line }: Tour): Promise<void> {
  await say('4. Boxes: publish an image in one step. A text file is used as the image here.');
  await file('app.box', 'an image\n');
  await line('box', 'publish', 'dev/app', '1.0.0', 'qemu', 'app.box', '--public', '--quiet');
  await say('Running the command again changes nothing:');
  await line('box', 'publish', 'dev/app', '1.0.0', 'qemu', 'app.box', '--quiet');
  await say('Download the image and verify its checksum:');
  await line('box', 'download', 'dev/app', '--out', 'copy.box', '--quiet');
}

async function schedulerStep({ say, line }: Tour): Promise<void> {
  await say('5. Variables: write a scheduler variable, which is encrypted at rest.');
  await line('var', 'put', 'app/db', 'DB_USER=app', 'DB_PASSWORD=third-password');
  await line('var', 'get', 'app/db');
  await say(
    'Run a program with its items in the environment; nothing is written to disk. Lanyard is the program here, and creates an account with the password:',
  );
  await line(
    ...['run', '--var', 'app/db', '--', 'lanyard', 'account', 'create', '--auth-method', authMethod],
    ...['--login-name', 'app', '--password', 'env://DB_PASSWORD'],
  );
}

async function accountsStep({ say, line }: Tour): Promise<void> {
  await say('6. Accounts: create an account of an auth method and list all of them.');
  await line(
    'account',
    'create',
    '--auth-method',
    authMethod,
    '--login-name',
    'ada',
    '--no-password',
    '--quiet',
  );
  await line('account', 'list', '--auth-method', authMethod);
}

export const steps = [sshStep, secretsStep, registryStep, boxStep, schedulerStep, accountsStep];
