import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { withoutSteps } from '../conformance/scenario.ts';
import { keyPair } from '../support/keys.ts';
import { type Home, home, type RunOptions } from '../support/run.ts';
import { formats } from './cases.ts';
import { filesIn } from './runner.ts';
import { type CanaryName, scanner } from './scan.ts';
import { type Place, table } from './table.ts';
import { canaries, proxyWithPassword, values } from './values.ts';
import { type Watch, watch } from './watch.ts';

/** A command line that reaches no service. */
interface Line extends RunOptions {
  readonly command: string;
  readonly words?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Run before it. */
  readonly before?: string;
  /** Exit codes besides 0 and 2. */
  readonly code?: number;
}

const token = values.bootstrap;
const privateKey = keyPair('ed25519').privatePem;
const stored = 'profile put own secrets.address=http://127.0.0.1:9 secrets.token=-';
const products = {
  VAULT_ADDR: 'https://vault.example.com:8200',
  VAULT_TOKEN: token,
  VAULT_PROXY_ADDR: proxyWithPassword,
  CONSUL_HTTP_ADDR: 'https://consul.example.com:8501',
  CONSUL_HTTP_TOKEN: values.nonce,
  CONSUL_HTTP_AUTH: `user:${values.code}`,
  NOMAD_ADDR: 'https://nomad.example.com:4646',
  NOMAD_TOKEN: values.registryValue.slice(0, 18),
};
const transaction = JSON.stringify([
  { KV: { Verb: 'set', Key: 'a', Value: Buffer.from(values.registryValue).toString('base64') } },
]);

const stateDocument = `apiVersion: lanyard/v1\nkind: scheduler.variable\nmetadata: {name: app}\nspec: {Items: {password: ${values.item}}}\n`;

const lines: readonly Line[] = [
  { command: 'profile put', words: stored, stdin: token },
  { command: 'profile put', words: `profile put own secrets.token=${values.mistyped}` },
  { command: 'profile put', words: `profile put own secrets.token=env://CANARY`, env: { CANARY: token } },
  { command: 'profile put', words: `profile put own registry.http-auth=u:${values.mistyped}` },
  { command: 'profile put', words: `profile put own secrets.proxy=${proxyWithPassword}` },
  { command: 'profile put', words: `profile put own secrets.addresses=${proxyWithPassword}` },
  { command: 'profile put', words: `profile put own secrets.address=${proxyWithPassword}` },
  { command: 'profile put', words: `profile put own secrets.tokn=${values.mistyped}` },
  { command: 'profile put', words: 'profile put own secrets.token=?', typed: `${token}\n`, columns: 80 },
  { command: 'profile list', before: stored },
  { command: 'profile get', words: 'profile get own', before: stored },
  { command: 'profile use', words: 'profile use own', before: stored },
  { command: 'profile delete', words: 'profile delete own --yes', before: stored },
  { command: 'profile import', words: 'profile import --force', env: products },
  { command: 'profile import', words: 'profile import --force -v', env: products },
  { command: 'txn check', words: 'txn check -', stdin: transaction },
  { command: 'txn check', words: 'txn check -', stdin: transaction.replace('set', 'sett'), code: 1 },
  { command: 'txn check', words: 'txn check -', stdin: `${transaction},`, code: 1 },
  { command: 'secrets policy check', words: 'secrets policy check -', stdin: 'path "a" { policy = "read" }' },
  { command: 'ssh inspect', words: 'ssh inspect key', files: { key: privateKey } },
  { command: 'ssh inspect', words: 'ssh inspect -', stdin: privateKey.replace('MC4', 'MC5') },
  { command: 'ssh config', words: 'ssh config --role deploy --host *.example.com --dry-run', code: 1 },
  { command: 'validate', words: 'validate -', stdin: stateDocument },
  { command: 'validate', words: 'validate -', stdin: `${stateDocument}}` },
  { command: 'completion', words: 'completion bash' },
  { command: 'alias set', words: 'alias set own status --force' },
  { command: 'alias list', before: 'alias set own status' },
  { command: 'alias get', words: 'alias get own', before: 'alias set own status' },
  { command: 'alias delete', words: 'alias delete own', before: 'alias set own status', code: 3 },
  { command: 'plugin list' },
  { command: 'schema', words: 'schema ssh sign' },
  { command: 'dev run', words: 'dev run -- true' },
  { command: 'dev run', words: 'dev run -v -- true' },
];

let at: Home;
let root: string;
let watcher: Watch;
const temporary = tmpdir();
const scan = scanner();

beforeAll(() => {
  for (const canary of canaries) scan.add(canary);
  scan.add({ name: 'private key', value: privateKey });
  watcher = watch();
});
afterAll(() => watcher.end());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lanyard-canary-'));
  process.env.TMPDIR = root;
  mkdirSync(join(root, 'runtime'), { mode: 0o700 });
  at = home();
  at.env.XDG_RUNTIME_DIR = join(root, 'runtime');
  at.env.LANYARD_DEBUG_FILE = join(root, 'debug-file');
});
afterEach(() => {
  process.env.TMPDIR = temporary;
  rmSync(root, { recursive: true, force: true });
});

const nameOf = ({ command, words = command }: Line): string =>
  words.replaceAll(/[0-9a-f]{18}\S*/g, 'CANARY').replace(/http:\/\/canary-user\S*/, 'URL');

test('a line for every command that reaches no service', () => {
  const known = new Set([...lines.map(({ command }) => command), 'dev', 'quickstart']);
  expect([...known].sort()).toEqual([...withoutSteps].sort());
});

test.each(lines.map((line): [string, Line] => [nameOf(line), line]))('%s', async (_name, line) => {
  const { command, words = command, before, files, code, ...options } = line;
  const row = table.get(command) ?? {};
  for (const [name, content] of Object.entries(files ?? {})) at.write(name, content);
  for (const format of formats) {
    const argv = words.split(' ');
    const dashes = argv.indexOf('--');
    const end = dashes < 0 ? argv.length : dashes;
    if (before !== undefined) await at.run(before.split(' '), { stdin: token });
    const kept = filesIn(root);
    watcher.take();
    const ran = await at.run([...argv.slice(0, end), '-o', format, ...argv.slice(end)], options);
    const { children, writes } = watcher.take();
    const wrong: string[] = [];
    const note = (found: ReadonlySet<CanaryName>, place: Place | string): void => {
      for (const name of found)
        if (!(row[name] ?? []).includes(place as Place)) wrong.push(`${name}: ${place}`);
    };
    // The services of `dev run` make their own tokens: the command gets them, and nobody else does.
    const made = children.flatMap(({ env }) =>
      Object.entries(env).flatMap(([name, value]) =>
        command === 'dev run' && /TOKEN$/.test(name) && value ? [value] : [],
      ),
    );
    for (const value of made) scan.add({ name: 'password', value });
    note(scan.find(ran.stdout), 'stdout');
    note(scan.find(ran.stderr), 'stderr');
    for (const { argv } of children) note(scan.find(argv.join('\n')), 'argv');
    for (const { path, content } of writes)
      note(scan.find(content), path.includes('credentials') ? 'credentials' : path);
    for (const [path, content] of filesIn(root)) {
      note(scan.find(path), 'a file name');
      if (content === undefined || kept.get(path)?.equals(content)) continue;
      const found = scan.find(content.toString('latin1'));
      note(found, path.includes('credentials') ? 'credentials' : path);
      if (found.size > 0) expect(statSync(path).mode & 0o077).toBe(0);
    }
    expect(wrong, `${nameOf(line)} -o ${format}: ${ran.stdout}${ran.stderr}`).toEqual([]);
    expect([0, 2, code], ran.stderr).toContain(ran.code);
    if (command === 'dev run' && ran.code === 0) expect(made.length).toBeGreaterThan(0);
  }
});

test('dev shows its tokens and its password once, and stores the tokens', async () => {
  const stop = new AbortController();
  let shown = '';
  // They are removed at the end.
  let files: readonly string[] = [];
  const ran = await at.run(['dev', '--port', '0', '--password', 'env://PASSWORD', '-o', 'text', '-v'], {
    env: { PASSWORD: values.userPassword },
    signal: AbortSignal.any([stop.signal]),
    onStderr: (text) => {
      shown += text;
    },
    stdout: Object.assign(new (await import('node:stream')).PassThrough(), {}).on('data', () =>
      setImmediate(() => {
        files = ['config/credentials.json', 'config/config.json'].map((name) => at.read(name));
        stop.abort('SIGTERM');
      }),
    ),
  });
  expect(ran.code).toBeLessThan(200);
  expect(scan.find(shown)).toEqual(new Set());
  const [credentials = '', configuration = ''] = files;
  const tokens = [...credentials.matchAll(/"token": "([^"]+)"/g)].map(([, found = '']) => found);
  expect(tokens.length).toBeGreaterThan(2);
  for (const value of tokens) expect(shown).not.toContain(value);
  for (const value of tokens) expect(configuration).not.toContain(value);
});

test('a fault of the program reports no message', async () => {
  for (const format of formats) {
    const ran = await at.run(['ssh', 'inspect', '-', '-o', format], {
      stdin: keyPair('ed25519').publicLine,
      stdout: {
        isTTY: true,
        get columns(): number {
          throw new TypeError(`cannot take ${values.value}\n    at ${values.otherValue}`);
        },
      } as unknown as NonNullable<RunOptions['stdout']>,
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('(TypeError');
    expect(scan.find(ran.stderr)).toEqual(new Set());
  }
});
