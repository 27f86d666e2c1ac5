import { symlinkSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectExit, expectOutput, homeForAll, servicesForAll } from '../support/command-tests.ts';
import { setTokens } from '../support/services.ts';

const at = homeForAll();
const offline = homeForAll();
beforeEach(() => offline.clear('state'));

const set = 'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: web, id: k7f3q9x2wm}\n';
const document = (kind: string, metadata: string, spec: string): string =>
  `apiVersion: lanyard/v1\nkind: ${kind}\nmetadata: {${metadata}}\nspec: ${spec}\n`;
const policy = (name: string): string => document('registry.policy', `name: ${name}`, '{Description: d}');

describe('validate', () => {
  test('accepts the documents of a directory, offline', async () => {
    offline.write('state/set.yaml', set);
    offline.write('state/a.yaml', `${policy('a')}---\n${policy('b')}`);
    offline.write(
      'state/c.yaml',
      document('scheduler.variable', 'name: app/db', '{Items: {password: {valueFrom: env://DB_PASSWORD}}}'),
    );
    expectOutput(await offline.run(['validate', 'state']), 'Valid: 4 documents in 3 files.\n');
    const { stdout } = await offline.run(['validate', 'state', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({ valid: true, files: 3, documents: 4, problems: [] });
    expect((await offline.run(['validate', '-'], { stdin: policy('a') })).code).toBe(0);
    // Fields that the service does not return are not all secrets.
    const ca = document('secrets.ssh-ca', 'mount: ssh', '{generate_signing_key: true, key_type: ed25519}');
    expect((await offline.run(['validate', '-'], { stdin: ca })).code).toBe(0);
  });

  test.each([
    ['a duplicate key', 'kind: a\nkind: b\n', '2:1: not valid YAML: duplicate key'],
    ['a syntax error', 'kind: [a\n', '2:1: not valid YAML: bad indent'],
    ['a text', 'word\n', '1:1: expected an object with apiVersion, kind, metadata and spec'],
    ['another version', 'apiVersion: v1\nkind: Set\n', '1:1: expected apiVersion: lanyard/v1'],
    [
      'an unknown kind',
      document('registry.polcy', 'name: a', '{}'),
      '2:1: unknown kind "registry.polcy", did you mean "registry.policy"?',
    ],
    [
      'an unknown field',
      document('registry.policy', 'name: a', '{Descripton: d}'),
      '4:8: unknown field "Descripton", did you mean "Description"?',
    ],
    [
      'an unknown field of metadata',
      document('registry.policy', 'name: a, deletoin: allow', '{}'),
      '3:21: unknown field "deletoin", did you mean "deletion"?',
    ],
    [
      'an unknown field of the document',
      policy('a').replace('metadata', 'metadta'),
      '3:1: unknown field "metadta", did you mean "metadata"?',
    ],
    ['a wrong type', document('registry.policy', 'name: a', '{Datacenters: dc1}'), '4:8: expected a list'],
    [
      'a number as a name',
      document('registry.policy', 'name: 1.10', '{}'),
      '3:12: expected a string in quotes',
    ],
    ['a missing name', document('registry.policy', '', '{}'), '3:1: missing field "name"'],
    ['an empty name', document('registry.policy', "name: ''", '{}'), '3:12: expected a non-empty string'],
    [
      'a secret value',
      document('scheduler.variable', 'name: a', '{Items: {password: hunter2}}'),
      '4:16: secret value in the file: use valueFrom, or set metadata.allowLiteral to true',
    ],
    [
      'an invalid reference',
      document('scheduler.variable', 'name: a', '{Items: {password: {valueFrom: "exec://x"}}}'),
      '4:27: invalid reference: expected env://NAME, file://PATH[#/POINTER], secrets://MOUNT/PATH#FIELD or values://NAME[#/POINTER]',
    ],
    [
      'an unknown kind in spec.prune',
      `${set}spec: {prune: {kinds: [registry.polcy]}}\n`,
      '4:24: unknown kind "registry.polcy", did you mean "registry.policy"?',
    ],
    ['an invalid ID of a set', set.replace('k7f3q9x2wm', 'K7'), '3:23: expected a string that matches'],
  ])('reports %s with its position', async (_what, text, problem) => {
    const file = offline.write('state/a.yaml', text);
    const { code, stdout, stderr } = await offline.run(['validate', 'state/a.yaml', '-o', 'json']);
    expect([code, stderr]).toEqual([2, '']);
    const { valid, problems } = JSON.parse(stdout);
    const lines = problems.map(
      ({ file, line, column, message }: Record<string, unknown>) => `${file}:${line}:${column}: ${message}`,
    );
    expect(valid).toBe(false);
    expect(lines.join('\n')).toContain(`state/a.yaml:${problem}`);
    expect(stdout).not.toContain('hunter2');
    expect(file).toContain('state/a.yaml');
  });

  test('reports all problems of all files, in their order', async () => {
    offline.write(
      'state/a.yaml',
      `${policy('same')}---\n${document('registry.policy', 'name: x', '{X: 1}')}`,
    );
    offline.write('state/b.yaml', policy('same'));
    offline.write('state/c.yaml', new Uint8Array([0xc3, 0x28]));
    offline.write('state/s1.yaml', set);
    offline.write('state/s2.yaml', set);
    const { code, stdout } = await offline.run(['validate', 'state']);
    expect(code).toBe(2);
    expect(stdout.split('\n')).toEqual([
      'state/a.yaml:9:8: unknown field "X"',
      'state/b.yaml:2:1: registry.policy same is also at state/a.yaml:2:1',
      'state/c.yaml:1:1: not UTF-8 text',
      'state/s2.yaml:2:1: second document of kind Set: expected exactly one, the first is at state/s1.yaml:2:1',
      '4 problems in 5 files.',
      '',
    ]);
  });

  test('requires a set of a directory, not of single files', async () => {
    offline.write('state/a.yaml', policy('a'));
    expect(await offline.run(['validate', 'state'])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('state:1:1: no document of kind Set'),
    });
    expect((await offline.run(['validate', 'state/a.yaml'])).code).toBe(0);
  });

  test('accepts unknown fields of newer services with a flag', async () => {
    offline.write('state/a.yaml', document('registry.policy', 'name: a', '{New: 1}'));
    expect((await offline.run(['validate', 'state/a.yaml'])).code).toBe(2);
    expect((await offline.run(['validate', 'state/a.yaml', '--allow-unknown-fields'])).code).toBe(0);
  });

  test('rejects missing paths, empty directories and links', async () => {
    offline.write('state/notes.txt', 'x');
    for (const [args, message] of [
      [[], 'missing argument FILE|DIR'],
      [['none'], 'cannot read none: no such file or directory'],
      [['state'], 'no files *.yaml, *.yml or *.json'],
    ] as const)
      expect(await offline.run(['validate', ...args])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    symlinkSync(offline.path, offline.file('state/link'));
    expect((await offline.run(['validate', 'state'])).stderr).toContain('Symbolic links are not followed');
  });

  test('prints JSON Schemas', async () => {
    const all = JSON.parse((await offline.run(['validate', '--schema'])).stdout);
    const one = JSON.parse((await offline.run(['validate', '--schema', 'registry.policy'])).stdout);
    const matchesSet = JSON.parse((await offline.run(['validate', '--schema', 'Set', '-o', 'json'])).stdout);
    const ajv = new Ajv2020({ strict: false });
    const value = { apiVersion: 'lanyard/v1', kind: 'registry.policy', metadata: { name: 'a' } };
    expect([all, one, matchesSet].map((schema) => ajv.compile(schema)(value))).toEqual([true, true, false]);
    expectExit(await offline.run(['validate', '--schema', 'none']), 2, 'unknown kind "none"');
    expect((await offline.run(['validate', '--schema', '--init', 'x'])).code).toBe(2);
  });
});

describe('validate --init', () => {
  const running = servicesForAll(at);
  beforeAll(() => setTokens(at, running));
  beforeEach(() => at.clear('state'));

  test('writes a set for the services that respond', async () => {
    const { code, stdout, stderr } = await at.run(['validate', '--init', 'state', '-o', 'json']);
    expect([code, stderr]).toEqual([0, '']);
    const { set: written } = JSON.parse(stdout);
    expect(written).toMatchObject({
      name: 'state',
      id: expect.stringMatching(/^[a-z0-9]{10}$/),
      targets: { registry: { datacenter: 'dc1' }, scheduler: { region: 'global' } },
      record: `registry:lanyard/sets/${written.id}`,
    });
    expect(at.read('state/set.yaml')).toContain(`id: ${written.id}\n`);
    expect(await at.run(['validate', 'state'])).toMatchObject({ code: 0 });
    expect((await at.run(['plan', 'state'])).code).toBe(0);
  });

  test('does not overwrite a set', async () => {
    at.write('state/other.yaml', set);
    expectExit(await at.run(['validate', '--init', 'state']), 2, 'state already has a set');
    at.clear('state/other.yaml');
    at.write('state/set.yaml', policy('a'));
    expectExit(await at.run(['validate', '--init', 'state']), 2, /state\/set\.yaml: already exists/);
    expect(at.read('state/set.yaml')).toBe(policy('a'));
  });

  test('warns of a service that does not respond', async () => {
    const { code, stderr } = await at.run(['validate', '--init', 'state'], {
      env: { LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('warning: the set has no target for the registry service');
    expect(at.read('state/set.yaml')).toMatch(/record: scheduler:default\/lanyard\/sets\/[a-z0-9]{10}\n/);
  });
});
