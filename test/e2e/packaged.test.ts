import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { librariesOf, usualLibraries } from '../support/libraries.ts';

// The program as one file, made as `npm run package` makes it, and run as users do: by its name, on their PATH.
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'lanyard-packaged-'));
const program = join(folder, 'lanyard');
const env = {
  PATH: `${folder}:${process.env.PATH}`,
  HOME: folder,
  LANYARD_CONFIG_DIR: join(folder, 'config'),
};

const script = (name: string, output: string) =>
  spawnSync(process.execPath, [join(root, 'scripts', name), output], {
    env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' },
    encoding: 'utf8',
  });

beforeAll(() => {
  const made = script('package.ts', program);
  expect(made.status, made.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { env, cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const launcher = join(root, 'bin/lanyard.js');
const built = (...args: string[]) => run(process.execPath, launcher, ...args);

test.each([
  ['--version'],
  ['--help'],
  ['completion', 'zsh'],
  ['help', 'exit-codes'],
  ['help', '--man', 'kv'],
  ['ssh', 'sign', '--help'],
  ['profile', 'list', '-o', 'yaml'],
  ['ssh', 'sing'],
])('answers %s %s %s as the built program does', (...args) => {
  expect(run('lanyard', ...args)).toEqual(built(...args));
});

test.runIf(process.platform === 'linux')('needs no library that a minimal system lacks', () => {
  expect(librariesOf(program).filter((name) => !usualLibraries.test(name))).toEqual([]);
});

test('goes through all the services, and starts itself again for each line', () => {
  const { status, stdout, stderr } = run('lanyard', 'quickstart');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const line of ['$ lanyard ssh sign', '$ lanyard account list']) expect(stdout).toContain(line);
});

test.each(['lanyard', './lanyard', program])('called as %s gives ssh its absolute path', (name) => {
  const { status, stdout } = run(
    name,
    'ssh',
    'config',
    'web1',
    '--role',
    'ops',
    '--dry-run',
    '--address',
    'http://127.0.0.1:8200',
  );
  expect(status).toBe(0);
  expect(stdout).toContain(`${program} ssh sign`);
});

test('contains the keyring library, and leaves no file of it', () => {
  const files = join(folder, 'tmp');
  mkdirSync(files);
  const address = 'unix:path=/nonexistent/bus';
  const { stdout } = spawnSync(program, ['__keyring'], {
    env: { ...env, TMPDIR: files, DBUS_SESSION_BUS_ADDRESS: address },
    input: JSON.stringify({ action: 'get', account: 'none' }),
    encoding: 'utf8',
  });
  // Without a keyring service, the library itself reports why.
  expect(JSON.parse(stdout).error ?? '').not.toMatch(
    /not in this program|cannot open|dlopen|is not available/,
  );
  if (process.platform === 'linux') expect(stdout).toContain('DBus error');
  expect(readdirSync(files)).toEqual([]);
});

test('keeps the exit code of what it runs', () => {
  expect(
    run('lanyard', 'dev', 'run', '--', 'sh', '-c', 'lanyard status >/dev/null || exit 1; exit 7').status,
  ).toBe(7);
});

test('prints the OpenAPI documents of the embedded services', () => {
  for (const service of ['secrets', 'registry', 'box', 'scheduler', 'accounts']) {
    const { status, stdout } = run('lanyard', 'dev', '--openapi', service);
    expect(status, service).toBe(0);
    expect(JSON.parse(stdout), service).toMatchObject({ openapi: '3.1.0' });
  }
});

test.runIf(process.platform !== 'win32')('writes all of a long output to a reader that starts later', () => {
  const complete = run('lanyard', 'dev', '--openapi', 'secrets').stdout;
  expect(complete.length).toBeGreaterThan(64 * 1024);
  const read = run('sh', '-c', 'lanyard dev --openapi secrets | (sleep 0.3; cat)');
  expect(read.stdout === complete).toBe(true);
});

const readText = (name: string) => readFileSync(join(folder, name), 'utf8');

test('has the licences of Node and of the libraries inside Node in node-license.txt', () => {
  const license = readText('node-license.txt');
  for (const name of ['Node.js', 'V8', 'OpenSSL']) expect(license).toContain(name);
});

test('lists Node and every library of licenses.txt, and nothing else, in the SBOM', () => {
  const { components } = JSON.parse(readText('lanyard.cdx.json'));
  const listed = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
  const texts = readText('licenses.txt').split(`\n${'-'.repeat(80)}\n\n`);
  const libraries = texts.flatMap((text) => /^(\S+ \d\S*) \(.+\)\n/.exec(text)?.[1] ?? []);
  expect(libraries).toContainEqual(expect.stringMatching(/^got \d/));
  expect(listed.toSorted()).toEqual([...new Set(libraries), `node ${process.versions.node}`].sort());
});

test('names version, licence and identifier of every component in the SBOM, and what depends on it', () => {
  const { components, dependencies } = JSON.parse(readText('lanyard.cdx.json'));
  const required = new Set<string>(
    dependencies.flatMap(({ dependsOn }: { readonly dependsOn: readonly string[] }) => dependsOn),
  );
  for (const component of components) {
    expect(component).toMatchObject({
      version: expect.stringMatching(/^\d/),
      licenses: [{ expression: expect.any(String) }],
      purl: expect.stringMatching(/^pkg:(npm|generic)\//),
    });
    expect(required).toContain(component['bom-ref']);
  }
});

test('gives the same SBOM again for the same SOURCE_DATE_EPOCH, also by `npm run sbom`', () => {
  const again = script('sbom.ts', join(folder, 'again.cdx.json'));
  expect(again.status, again.stderr).toBe(0);
  expect(readText('again.cdx.json')).toBe(readText('lanyard.cdx.json'));
  expect(JSON.parse(readText('lanyard.cdx.json')).metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
});
