import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { homeForEach, servicesForEach } from '../support/command-tests.ts';

const at = homeForEach();
servicesForEach(at);

const run = (line: string) => at.run(line.split(' '));

/** A set with a variable that has a value of a file. */
function writeSet(reference: string, record = 'file:record.json'): void {
  const write = (name: string, document: object) =>
    at.write(`state/${name}.json`, JSON.stringify({ apiVersion: 'lanyard/v1', ...document }));
  write('set', { kind: 'Set', metadata: { name: 'links', id: 'links00000' }, spec: { record } });
  const spec = { Items: { password: { valueFrom: reference } } };
  write('app/variable', { kind: 'scheduler.variable', metadata: { name: 'app/db' }, spec });
}

const link = (target: string, name: string): void => symlinkSync(target, at.file(name));
const rejected = 'is a symbolic link out of the directory of the set';
const outside = 'is outside of the directory of the set';

test('a file of the set that is a link to a place outside is rejected, and read with --allow-outside', async () => {
  at.write('outside/password', 'from-outside');
  writeSet('file://.password');
  link(at.file('outside/password'), 'state/app/.password');
  for (const line of ['plan state', 'apply state --yes', 'plan state/set.json state/app/variable.json']) {
    const { code, stderr, stdout } = await run(line);
    expect(code, line).toBe(2);
    expect(stderr).toContain(`file://.password ${rejected}`);
    expect(stderr).toContain('--allow-outside');
    expect(stdout).toBe('');
  }
  expect((await run('var get app/db')).code).toBe(3);
  expect((await run('plan state --allow-outside --out x.plan')).code).toBe(10);
  expect((await run('apply x.plan --allow-outside')).stderr).toContain('--allow-outside cannot be combined');
  expect((await run('apply x.plan --yes')).code).toBe(0);
  expect((await run('var get app/db --field Items.password')).stdout.trim()).toBe('from-outside');
});

test('a directory that is a link to a place outside is rejected', async () => {
  at.write('outside/password', 'from-outside');
  writeSet('file://../.shared/password');
  link(at.file('outside'), 'state/.shared');
  expect(await run('plan state')).toMatchObject({ code: 2, stderr: expect.stringContaining(rejected) });
});

test('links within the directory are read', async () => {
  at.write('state/.values/password', 'inside');
  writeSet('file://.password');
  link('../.values/password', 'state/app/.password');
  expect((await run('plan state')).code).toBe(10);
});

test('a path out of the directory is rejected, and read with --allow-outside', async () => {
  at.write('outside/password', 'from-outside');
  for (const reference of ['file://../../outside/password', `file://${at.file('outside/password')}`]) {
    writeSet(reference);
    for (const line of ['plan state', 'apply state --yes', 'plan state/set.json state/app/variable.json']) {
      const { code, stderr } = await run(line);
      expect([code, stderr], line).toEqual([2, expect.stringContaining(`${reference} ${outside}`)]);
      expect(stderr).toContain('state/app/variable.json:1:');
      expect(stderr).toContain('--allow-outside');
    }
    expect((await run('plan state --allow-outside')).code, reference).toBe(10);
  }
});

test('a record out of the directory is rejected, and written with --allow-outside', async () => {
  at.write('state/app/.password', 'inside');
  at.write('outside/keep', '');
  for (const record of ['file:../outside/record.json', `file:${at.file('outside/record.json')}`]) {
    writeSet('file://.password', record);
    const { code, stderr } = await run('apply state --yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining(outside)]);
    expect(at.list('outside')).toEqual(['outside/keep']);
  }
  expect((await run('apply state --yes --allow-outside')).code).toBe(0);
  expect(at.list('outside').sort()).toEqual(['outside/keep', 'outside/record.json']);
});

test('a record out of the directory is reported at its line', async () => {
  at.write('state/app/.password', 'inside');
  writeSet('file://.password');
  at.clear('state/set.json');
  const lines = ['apiVersion: lanyard/v1', 'kind: Set', 'metadata: { name: links, id: links00000 }', 'spec:'];
  at.write(
    'state/set.yaml',
    [...lines, '  prune: { max: 1 }', '  record: file:../record.json', ''].join('\n'),
  );
  const { stderr } = await run('apply state --yes');
  expect(stderr).toMatch(/state\/set\.yaml:6:\d+: file:\S+ is outside of the directory of the set/);
  at.clear('state/set.yaml');
});

test('the directory of the set may itself be behind a link', async () => {
  at.write('state/app/.password', 'inside');
  writeSet('file://.password');
  link(at.file('state'), 'linked');
  expect((await run('plan linked')).code).toBe(10);
});

test('a record that is written to another place by a link is rejected', async () => {
  at.write('state/app/.password', 'inside');
  at.write('outside/keep', '');
  link(at.file('outside'), 'state/.lanyard');
  writeSet('file://.password', 'file:.lanyard/record.json');
  const { code, stderr } = await run('apply state --yes');
  expect(code).toBe(2);
  expect(stderr).toContain(rejected);
  expect(at.list('outside')).toEqual(['outside/keep']);
});

test('an image that is a link to a place outside is rejected', async () => {
  at.write('outside/image.box', 'image');
  at.write('state/app/.password', 'inside');
  writeSet('file://.password');
  link(at.file('outside/image.box'), 'state/app/.image.box');
  const provider = {
    apiVersion: 'lanyard/v1',
    kind: 'box.provider',
    metadata: { owner: 'dev', box: 'a', version: '1.0.0', architecture: 'amd64', name: 'virtualbox' },
    spec: { file: '.image.box', checksum: 'a'.repeat(64) },
  };
  at.write('state/app/provider.json', JSON.stringify(provider));
  const { code, stderr } = await run('plan state');
  expect(code).toBe(2);
  expect(stderr).toContain(`.image.box ${rejected}`);
});
