import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, test } from 'vitest';
import { startServices } from '../../src/library/index.ts';
import { folderForAll } from '../support/folders.ts';
import { root } from '../support/sources.ts';

// The package as npm packs it, installed in the folder of another program.
const place = folderForAll();
const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place];
execFileSync('npm', pack, { cwd: root, shell: process.platform === 'win32' });
const tarball = join(place, 'lanyard-0.1.0.tgz');
const installed = join(place, 'node_modules/lanyard');
mkdirSync(installed, { recursive: true });
execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
writeFileSync(join(place, 'package.json'), '{ "type": "module" }');

// The other compiler is the one that the checker of types brings.
const checker = createRequire(import.meta.resolve('@arethetypeswrong/core'));
const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': join(checker.resolve('typescript/package.json'), '../bin/tsc'),
};

interface Compilation {
  readonly compiler: string;
  /** The folder of the sources, in `place`. */
  readonly folder: string;
  readonly options: object;
}

/** Compiles a folder with strict rules and without a look past declarations; its output is next to the sources. */
function compile({ compiler, folder, options }: Compilation): void {
  const compilerOptions = { strict: true, skipLibCheck: false, target: 'es2022', ...options };
  writeFileSync(join(place, folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', join(place, folder)], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}

const sourceOf = (name: string): string => join(root, 'test/library/consumer', name);

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test('npm has no script to run when it installs the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  // `dependencies` runs only in a clone: it builds dist/ there. npm warns of the others.
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'])
    expect(scripts, name).not.toHaveProperty(name);
});

test('arethetypeswrong finds nothing', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  expect(analysis.types).toEqual({ kind: 'included' });
  expect('problems' in analysis && analysis.problems).toEqual([]);
});

describe.each(Object.entries(compilers))('%s compiles', (name, compiler) => {
  test.each([
    ['nodenext', { module: 'nodenext' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
    ['exact optional properties', { module: 'nodenext', exactOptionalPropertyTypes: true }],
  ])('a program without the types of Node: %s', (mode, options) => {
    const folder = `types ${name} ${mode}`;
    mkdirSync(join(place, folder));
    cpSync(sourceOf('types.ts'), join(place, folder, 'types.mts'));
    compile({ compiler, folder, options: { ...options, types: [], lib: ['es2022'], noEmit: true } });
  });
});

/** The runtimes of the tests: that of this process, and those that `.ci/run` installs. */
const runtimes = [22, 24, 26].flatMap((major) => {
  if (process.versions.node.startsWith(`${major}.`)) return [[process.version, process.execPath] as const];
  const path = process.env[`LANYARD_NODE_${major}`];
  if (path !== undefined) return [[`v${major}`, path] as const];
  if (process.env.LANYARD_REQUIRE === 'all')
    throw new Error(`LANYARD_NODE_${major} is not set, and LANYARD_REQUIRE=all forbids to skip its tests`);
  process.stderr.write(`LANYARD_NODE_${major} is not set: its tests are skipped\n`);
  return [];
});

/** The types of Node, for programs that use its globals. */
function linkTypesOfNode(): void {
  mkdirSync(join(place, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name), 'junction');
}

describe('a plain program', () => {
  linkTypesOfNode();
  mkdirSync(join(place, 'program'));
  for (const extension of ['mts', 'cts'])
    cpSync(sourceOf('main.ts'), join(place, `program/main.${extension}`));

  test.each(Object.entries(compilers))('is compiled with %s', (_name, compiler) => {
    compile({ compiler, folder: 'program', options: { module: 'nodenext', types: ['node'] } });
  });

  describe.each(runtimes)('on Node %s', (_version, runtime) => {
    test.each(['mjs', 'cjs'])('runs as .%s, and nothing stays open', (extension) => {
      const { stdout, stderr, status } = spawnSync(runtime, [join(place, `program/main.${extension}`)], {
        encoding: 'utf8',
      });
      expect([stderr, status]).toEqual(['', 0]);
      expect(JSON.parse(stdout)).toEqual({
        kv: { user: 'app' },
        certificate: 'ssh-ed25519-cert-v01@openssh.com',
        key: '{"value":"QQ==","flags":9007199254740993}',
        conflict: expect.stringMatching(/^conflict \| 6 \| cannot write variable: conflict \(409\)/),
        accounts: ['admin'],
        missing: expect.stringMatching(
          /^not_found \| 3 \| cannot read box: .*not found \(404\): GET \/api\/v1\/box\/dev\/missing( \||$)/,
        ),
        aborted: 'interrupted | 130 | read key: interrupted',
        unreachable:
          'unreachable | 7 | cannot reach the service registry at http://127.0.0.1:1: connection refused',
        redacted: expect.stringMatching(/^unauthenticated \| 4 \| (?!.*hvs\.CAES)/),
        open: [],
      });
    });
  });
});

describe('an uncaught error', () => {
  test.each([
    ['mjs', `import { registry } from 'lanyard';\n`],
    ['cjs', `const { registry } = require('lanyard');\n`],
  ])('of a program .%s is readable', (extension, load) => {
    const call = `registry({ env: {}, address: 'http://127.0.0.1:1', maxRetries: 0 }).getAgent()`;
    const program = join(place, `uncaught.${extension}`);
    writeFileSync(program, `${load}(async () => {\n  await ${call};\n})();\n`);
    const { stderr, status } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr.length).toBeLessThan(1000);
    expect(stderr).toContain(
      '\nLanyardError: cannot reach the service registry at http://127.0.0.1:1: connection refused\n',
    );
    expect(stderr).toMatch(/\n {4}at async .*uncaught\.[cm]js:3:\d+/);
    expect(stderr).not.toContain(join('lanyard', 'dist'));
  });
});

describe('the examples of docs/library.md', () => {
  const guide = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const examples = [...guide.matchAll(/^```ts \[(\S+)\]\n([\s\S]*?)^```$/gm)].map(
    ([, name = '', code = '']) => ({
      name,
      code,
    }),
  );
  const folder = 'examples';
  mkdirSync(join(place, folder));
  for (const { name, code } of examples) writeFileSync(join(place, folder, name), code);

  test('all TypeScript blocks are examples', () => {
    expect(examples).toHaveLength([...guide.matchAll(/^```ts/gm)].length);
  });

  test('are compiled', () => {
    const options = { module: 'nodenext', types: ['node'] };
    compile({ compiler: compilers['TypeScript 7'], folder, options });
  });

  test('run with embedded services', async () => {
    const services = await startServices();
    try {
      const client = services.secrets.client();
      await client.createCa({ mount: 'ssh', generate_signing_key: true, key_type: 'ed25519' });
      const allowed = { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu' };
      await client.putRole({ mount: 'ssh', role: 'deploy', ...allowed });
      await services.scheduler.client().putVariable({ path: 'app/lock', Items: { owner: 'another' } });
      const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl\n';
      writeFileSync(join(place, folder, 'id_ed25519.pub'), key);
      const env = {
        ...services.env,
        PATH: process.env.PATH,
        LANYARD_CONFIG_DIR: join(place, 'configuration'),
      };
      const { spawn } = await import('node:child_process');
      const { text } = await import('node:stream/consumers');
      const outputs: Record<string, string> = {};
      for (const { name } of examples) {
        const script = name.replace(/ts$/, 'js');
        const args = name.endsWith('.test.ts') ? ['--test', script] : [script];
        const child = spawn(process.execPath, args, { cwd: join(place, folder), env });
        const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
        outputs[name] = name.endsWith('.test.ts')
          ? `${/^. (?:pass|fail) .*$/m.exec(output)}`
          : output + errors;
      }
      expect(outputs).toEqual({
        'secrets.ts': '1\n',
        'ssh.ts': '',
        'registry.ts': '25\n',
        'scheduler.ts': 'another job has the lock\n',
        'box.ts': 'web 0\n',
        'accounts.ts': expect.stringMatching(/^\w+ admin\n$/),
        'options.ts': '200\n',
        'app.test.ts': expect.stringContaining('pass 1'),
      });
      const certificate = readFileSync(join(place, folder, 'id_ed25519-cert.pub'), 'utf8');
      expect(certificate).toMatch(/^ssh-ed25519-cert-v01@openssh\.com /);
    } finally {
      await services.stop();
    }
  });
});
