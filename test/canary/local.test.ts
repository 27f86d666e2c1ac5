import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { factsOf } from '../facts/facts.ts';
import type { Place } from '../facts/row.ts';
import { expectExit } from '../support/command-tests.ts';
import { keyPair } from '../support/keys.ts';
import { type Home, home, type RunOptions } from '../support/run.ts';
import { formats } from './cases.ts';
import { localLines, privateKey, token } from './local-lines.ts';
import { filesIn } from './runner.ts';
import { type CanaryName, scanner } from './scan.ts';
import { canaries, values } from './values.ts';
import { type Watch, watch } from './watch.ts';

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

const nameOf = ({ words }: { readonly words: string }): string =>
  words.replaceAll(/[0-9a-f]{18}\S*/g, 'CANARY').replace(/http:\/\/canary-user\S*/, 'URL');

test.each(localLines.map((line) => [nameOf(line), line] as const))('%s', async (_name, line) => {
  const { command, words, before, files, code, args: _args, ...options } = line;
  const { shows = {} } = factsOf(command);
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
        if (!(shows[name] ?? []).includes(place as Place)) wrong.push(`${name}: ${place}`);
    };
    // The services of `dev run` make their own tokens: only the command gets them.
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
    expectExit(ran, 1, '(TypeError');
    expect(scan.find(ran.stderr)).toEqual(new Set());
  }
});
