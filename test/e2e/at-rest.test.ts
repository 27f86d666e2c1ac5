import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Home, home } from '../support/run.ts';

// The built program keeps a session's state in a folder. What is secret in it is in none of the folder's files: not
// while it runs, when the newest is in a journal beside, nor after it was killed, nor after it ended.

const launcher = join(import.meta.dirname, '../../bin/lanyard.js');
const method = 'ampw_1234567890';

let at: Home;
let services: ChildProcess | undefined;
beforeEach(() => {
  at = home();
});
afterEach(() => {
  services?.kill('SIGKILL');
  at.remove();
});

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

const started = (line: string, { env }: Options = {}): ChildProcess =>
  spawn(process.execPath, [launcher, ...line.split(' ')], {
    cwd: at.path,
    env: { ...at.env, HOME: at.path, ...env },
  });

/** Runs a line to its end. */
async function ran(line: string, options: Options = {}) {
  const child = started(line, options);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  child.stdin?.end(options.stdin);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

/** The output of a line that has to succeed. */
async function done(line: string, options?: Options): Promise<string> {
  const { code, stdout, stderr } = await ran(line, options);
  expect(code, `${line}: ${stderr}`).toBe(0);
  return stdout.trimEnd();
}

interface Ready {
  readonly tokens: Readonly<Record<'secrets' | 'box' | 'accounts', string>>;
  readonly password: string;
}

async function dev(): Promise<Ready> {
  services = started('dev --data state --port 0 -o json --password @password');
  let output = '';
  for await (const chunk of services.stdout ?? []) {
    output += chunk;
    if (/^\}$/m.test(output)) return JSON.parse(output) as Ready;
  }
  throw new Error(`dev ended: ${output}`);
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!services) return;
  const ended = once(services, 'close');
  services.kill(signal);
  services.stdout?.destroy();
  await ended;
}

/** Every secret text of the test and of the services, by what it is. */
const secrets = new Map<string, string>();

/** A secret text that is in nothing else. */
function secret(what: string): string {
  const text = `plain ${what} ${randomBytes(9).toString('hex')}`;
  secrets.set(what, text);
  return text;
}

/** The secret part of a token: tokens of accounts begin with a public id. */
const withoutId = (token: string): string => token.replace(/^at_[^_]+_/, '');

/** Forms of a text in a file: UTF-8, UTF-16, hex, and Base64 at each offset. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from(
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : 4, -4),
    ),
  );
  const hex = bytes.toString('hex');
  return [bytes, Buffer.from(text, 'utf16le'), Buffer.from(hex), Buffer.from(hex.toUpperCase()), ...base64];
}

/** No file of the folder has a secret, and the search finds the known public texts. */
function search(when: string, known: readonly string[]): void {
  const files = at.list('state').map((name) => ({ name, bytes: readFileSync(at.file(name)) }));
  for (const text of known)
    expect(
      files.some(({ bytes }) => bytes.includes(text)),
      `${when}: ${text}`,
    ).toBe(true);
  for (const [what, text] of secrets) {
    expect(text, what).toMatch(/^(?!.*undefined).{16}/);
    for (const form of formsOf(text)) {
      const found = files.filter(({ bytes }) => bytes.includes(form)).map(({ name }) => name);
      expect(found, `${when}: ${what} as ${form}`).toEqual([]);
    }
  }
}

/** Variables: written from every source, merged, written over, deleted. */
async function variables(): Promise<void> {
  for (const what of ['over', 'gone', 'file', 'input', 'merged', 'again', 'team']) secret(`value ${what}`);
  const text = (what: string) => secrets.get(`value ${what}`) ?? '';
  await done('var put app/db --in -', { stdin: JSON.stringify({ 'secret-name-of-an-item': text('over') }) });
  secrets.set('name of an item', 'secret-name-of-an-item');
  at.write('value', text('file'));
  await done('var put app/db a=@value b=-', { stdin: text('input') });
  await done('var put app/db c=- --merge', { stdin: text('merged') });
  await done('var put app/db c=- --retry-merge', { stdin: text('again') });
  await done('var put app/gone k=-', { stdin: text('gone') });
  await done('var delete app/gone --yes');
  await done('namespace put team --description public-words');
  await done('var put shared k=- -n team', { stdin: text('team') });
}

/** Tokens of the scheduler's access control, and what is written with them. */
async function accessControl(): Promise<Record<string, string>> {
  const root = await done('api scheduler PUT acl/bootstrap --field SecretID');
  secrets.set('management token', root);
  const env = { LANYARD_SCHEDULER_TOKEN: root };
  const stdin = JSON.stringify({ Type: 'management', Name: 'second' });
  const second = await done('api scheduler PUT acl/token --data - --field SecretID', { env, stdin });
  secrets.set('second token', second);
  await done('var put app/acl k=-', {
    env: { LANYARD_SCHEDULER_TOKEN: second },
    stdin: secret('with token'),
  });
  return env;
}

/** Tokens of the registry: the first, made ones, given ones, cloned ones; and what an auth method proves itself with. */
async function registry(): Promise<Record<string, string>> {
  const root = await done('acl bootstrap --field SecretID --yes');
  secrets.set('first token of the registry', root);
  const env = { LANYARD_REGISTRY_TOKEN: root };
  const made = async (what: string, line: string, body: object) => {
    const stdin = JSON.stringify(body);
    secrets.set(what, await done(`api registry PUT ${line} --data - --field SecretID`, { env, stdin }));
  };
  const AccessorID = randomUUID();
  await made('made token of the registry', 'acl/token', { Description: 'public-token' });
  await made('given token of the registry', 'acl/token', { AccessorID, SecretID: randomUUID() });
  await made('cloned token of the registry', `acl/token/${AccessorID}/clone`, {});
  await done(`api registry DELETE acl/token/${AccessorID}`, { env });
  const legacy = 'api registry PUT acl/create --data - --field ID';
  secrets.set('legacy token', await done(legacy, { env, stdin: '{"Type":"client"}' }));
  const Config = {
    OIDCDiscoveryURL: 'http://127.0.0.1:9',
    OIDCClientID: 'public-client',
    OIDCClientSecret: secret('client secret of the registry'),
    AllowedRedirectURIs: ['http://127.0.0.1:8250/callback'],
  };
  const stdin = JSON.stringify({ Name: 'public-method', Type: 'oidc', Config });
  await done('api registry PUT acl/auth-method --data -', { env, stdin });
  return env;
}

/** Accounts: passwords that are set, changed and guessed, tokens that come and go. Gives the account. */
async function accounts(): Promise<string> {
  const passwords = ['first password', 'second password', 'third password', 'guess'].map(secret);
  const [first = '', second = '', third = '', guess = ''] = passwords;
  const made = `account create --auth-method ${method} --login-name ada --password env://PW --field id`;
  const id = await done(made, { env: { PW: first } });
  const login = `account login --auth-method ${method} --login-name ada --password env://PW --no-store`;
  const logIn = async (what: string, PW: string): Promise<string> => {
    const token = await done(login, { env: { PW } });
    secrets.set(what, withoutId(token));
    return token;
  };
  const token = await logIn('first token', first);
  expect((await ran(login, { env: { PW: guess } })).code).toBe(4);
  await done(`account change-password ${id} --current-password env://OLD --new-password env://NEW`, {
    env: { LANYARD_ACCOUNTS_TOKEN: token, OLD: first, NEW: second },
  });
  await done(`account set-password ${id} --password env://PW`, { env: { PW: third } });
  await logIn('second token of the account', third);
  const attributes = { issuer: 'https://id.example', client_id: 'c', client_secret: secret('client secret') };
  const stdin = JSON.stringify({ scope_id: 'global', type: 'oidc', attributes });
  await done('api accounts POST auth-methods --data -', { stdin });
  return id;
}

/** Prepared queries that are executed with a token of their own: made, changed, deleted. */
async function queries(env: Record<string, string>): Promise<void> {
  const token = async (what: string) => {
    const stdin = JSON.stringify({ Description: what });
    const made = await done('api registry PUT acl/token --data - --field SecretID', { env, stdin });
    secrets.set(`token of a query, ${what}`, made);
    return made;
  };
  const body = async (what: string) =>
    JSON.stringify({ Name: 'public-query', Token: await token(what), Service: { Service: 'web' } });
  const stdin = await body('first');
  const id = await done('api registry POST query --data - --field ID', { env, stdin });
  await done(`api registry PUT query/${id} --data -`, { env, stdin: await body('second') });
  const other = (await body('deleted')).replace('public-query', 'other');
  const gone = await done('api registry POST query --data - --field ID', { env, stdin: other });
  await done(`api registry DELETE query/${gone}`, { env });
}

/** The secrets service: values in several versions, tokens, passwords, one-time passwords, keys of approles, the CA. */
async function secretsService(): Promise<void> {
  for (const what of ['first', 'second', 'deleted', 'destroyed']) secret(`kv ${what}`);
  for (const what of ['first', 'second'])
    await done('kv put secret/app k=-', { stdin: secrets.get(`kv ${what}`) ?? '' });
  for (const what of ['deleted', 'destroyed'])
    await done(`kv put secret/${what} k=-`, { stdin: secrets.get(`kv ${what}`) ?? '' });
  await done('kv delete secret/deleted --yes');
  await done('kv destroy secret/destroyed --versions 1 --yes');
  const post = async (path: string, body: object = {}) => {
    const line = `api secrets POST ${path} --data - -o json`;
    const output = await done(line, { stdin: JSON.stringify(body) });
    return output === '' ? {} : JSON.parse(output);
  };
  const role = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' };
  await post('ssh/roles/otp', role);
  const otp = async () => String((await post('ssh/creds/otp', { ip: '10.1.2.3' })).data.key);
  const used = await otp();
  await post('ssh/verify', { otp: used });
  secrets.set('used one-time password', used);
  secrets.set('one-time password', await otp());
  secrets.set('token of the secrets service', (await post('auth/token/create')).auth.client_token);
  await post('sys/auth/userpass', { type: 'userpass' });
  await post('auth/userpass/users/ada', { password: secret('userpass password') });
  const login = await post('auth/userpass/login/ada', { password: secrets.get('userpass password') });
  secrets.set('token of a login', login.auth.client_token);
  await post('sys/auth/approle', { type: 'approle' });
  await post('auth/approle/role/app', {});
  secrets.set('secret ID', (await post('auth/approle/role/app/secret-id')).data.secret_id);
  await done('ssh ca create --key-type ed25519');
}

/** The box registry: tokens, made with a password. */
async function boxes(password: string): Promise<void> {
  const line = 'api box POST authenticate --data - --field token';
  const user = { login: 'dev', password };
  const token = await done(line, { stdin: JSON.stringify({ user, token: { description: 'public-box' } }) });
  secrets.set('token of the box registry', token);
}

test('no value, password or token of a session is in the data folder of dev, in whatever form', async () => {
  at.write('password', secret('password of the users'));
  const { tokens } = await dev();
  for (const [service, token] of Object.entries(tokens)) secrets.set(`token of ${service}`, withoutId(token));
  await variables();
  const id = await accounts();
  const env = await accessControl();
  const registryEnv = await registry();
  await queries(registryEnv);
  await secretsService();
  await boxes(at.read('password'));
  expect(at.list('state').some((name) => name.endsWith('-wal'))).toBe(true);
  const known = [id, 'public-words', 'app/db', 'public-method', 'public-query', 'public-box'];
  search('while it runs', known);

  await end('SIGKILL');
  search('killed', known);

  await dev();
  const { Items } = JSON.parse(await done('var get app/db -o json', { env }));
  expect(Object.values(Items)).toEqual(
    ['file', 'input', 'again'].map((what) => secrets.get(`value ${what}`)),
  );
  const method = JSON.parse(
    await done('api registry GET acl/auth-method/public-method', { env: registryEnv }),
  );
  expect(method.Config.OIDCClientSecret).toBe(secrets.get('client secret of the registry'));
  const query = JSON.parse(await done('api registry GET query/public-query/explain', { env: registryEnv }));
  expect(query.Query.Token).toBe(secrets.get('token of a query, second'));
  expect(await done('kv get secret/app --field k')).toBe(secrets.get('kv second'));
  search('started again', known);
  await end('SIGTERM');
  search('ended', known);
});
