import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { type Ended, shell } from '../support/process.ts';
import { has } from '../support/require.ts';

// A client of box registries that was written by others, long before: Debian's vagrant. It starts slowly, so the steps
// of one story share a run of the shell.

const program = has('vagrant');
const password = 'correct horse battery';

const at = homeForAll();
const running = servicesForAll(at, { box: { owners: { users: [{ name: 'dev', password }] } } });

/** Runs lines of a shell, each of which has to succeed, as a user of vagrant with a home of its own. */
function vagrant(...lines: readonly string[]): Promise<Ended> {
  return shell(at, lines.join(' && '), {
    VAGRANT_SERVER_URL: running.addresses.box,
    VAGRANT_HOME: at.file('vagrant'),
    VAGRANT_CHECKPOINT_DISABLE: '1',
    VAGRANT_BOX_UPDATE_CHECK_DISABLE: '1',
  });
}

/** An image as vagrant reads it: an archive that says which provider it is for, and has something to carry. */
function boxFile(name: string, carried: string): string {
  at.write('packed/metadata.json', '{"provider":"virtualbox"}');
  at.write('packed/disk.img', carried);
  const { status } = spawnSync('tar', ['-C', at.file('packed'), '-czf', at.file(name), '.']);
  expect(status).toBe(0);
  return createHash('sha256').update(at.bytes(name)).digest('hex');
}

const lanyard = (line: string) =>
  at.run(line.split(' '), { env: { LANYARD_BOX_TOKEN: running.embedded.boxToken } });

function expectDone({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): string {
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

describe.skipIf(!program)('vagrant at the embedded box registry', () => {
  test('logs in, creates, shows, updates, releases, revokes and deletes', async () => {
    const said = expectDone(
      await vagrant(
        // It asks for a password on a terminal only.
        `(sleep 2; echo '${password}') | script -qec 'vagrant cloud auth login -u dev' /dev/null`,
        'vagrant cloud auth whoami',
        'vagrant cloud box create dev/made -s "made by vagrant" --no-private',
        'vagrant cloud version create dev/made 1.0.0 -d first',
        'vagrant cloud provider create dev/made virtualbox 1.0.0 https://example.com/made.box',
        'vagrant cloud provider update dev/made virtualbox 1.0.0 https://example.com/other.box',
        'vagrant cloud version update dev/made 1.0.0 -d second',
        'vagrant cloud version release -f dev/made 1.0.0',
        'vagrant cloud box update dev/made -s changed',
        'vagrant cloud box show dev/made',
        'vagrant cloud search made --json',
      ),
    );
    expect(said).toContain('You are now logged in');
    expect(said).toContain('Currently logged in as dev');
    expect(said).toMatch(/"name":\s*"dev\/made"/);
    const made = JSON.parse((await lanyard('box get dev/made -o json')).stdout);
    expect(made).toMatchObject({ short_description: 'changed', private: false });
    expect(made.versions).toMatchObject([
      { version: '1.0.0', status: 'active', providers: [{ original_url: 'https://example.com/other.box' }] },
    ]);
    expectDone(
      await vagrant(
        'vagrant cloud version revoke -f dev/made 1.0.0',
        'vagrant cloud provider delete -f dev/made virtualbox 1.0.0',
        'vagrant cloud version delete -f dev/made 1.0.0',
        'vagrant cloud box delete -f dev/made',
      ),
    );
    expect((await lanyard('box get dev/made')).code).toBe(3);
  });

  test('adds the box that Lanyard published, and publishes one that Lanyard downloads', {}, async () => {
    boxFile('ours.box', 'published by Lanyard');
    expectDone(await lanyard('box publish dev/ours 1.0.0 virtualbox ours.box --public'));
    const theirs = boxFile('theirs.box', 'published by vagrant');
    expectDone(
      await vagrant(
        `vagrant cloud auth login --token ${running.embedded.boxToken}`,
        'vagrant box add dev/ours --provider virtualbox',
        'vagrant box list',
        `vagrant cloud publish -f --release -s theirs --no-private -c ${theirs} -C sha256 dev/theirs 2.0.0 virtualbox theirs.box`,
      ),
    );
    expect(at.list('vagrant/boxes').filter((file) => file.endsWith('disk.img'))).toEqual([
      expect.stringContaining('dev-VAGRANTSLASH-ours/1.0.0/virtualbox'),
    ]);
    expectDone(await lanyard('box download dev/theirs --out got.box'));
    expect(createHash('sha256').update(at.bytes('got.box')).digest('hex')).toBe(theirs);
  });
});
