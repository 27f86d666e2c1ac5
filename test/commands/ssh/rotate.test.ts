import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, quietOutputOf } from '../../support/command-tests.ts';

const { at, run, done } = embeddedForEach();

const day = 86_400_000;
const later = (ms: number) => ({ now: new Date(Date.now() + ms) });
// biome-ignore lint/suspicious/noExplicitAny: results of commands, inspected by tests
const json = async (line: string, options = {}): Promise<any> =>
  JSON.parse(quietOutputOf(await run(`${line} -o json`, options)));
const phase = async (): Promise<string> => (await json('ssh ca rotate status')).phase;
const publicKey = (mount = 'ssh') => done(`ssh ca public-key --mount ${mount}`);

/** A CA, and roles of each kind: user and host certificates, one-time passwords. */
async function setUp(): Promise<void> {
  await done('ssh ca create --key-type ed25519');
  await done(
    'ssh role put deploy --allow-user-certificates --allowed-users ubuntu --default-user ubuntu --ttl 30m --max-ttl 2h',
  );
  await done(
    'ssh role put hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains --ttl 720h --max-ttl 720h',
  );
  await done('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8');
  await done('ssh zero-address put otp');
  await done('secrets mount tune ssh --description Servers --max-lease-ttl 1000h');
}

const rolesOf = async (mount: string) => {
  const names: string[] = await json(`ssh role list --mount ${mount}`).then(({ data }) => data.keys);
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, (await json(`ssh role get ${name} --mount ${mount}`)).data]),
    ),
  );
};

describe('a rotation on a service with one CA per mount', () => {
  test('goes from start to retire, and the mount keeps its path, roles, settings and description', async () => {
    await setUp();
    const [before, old] = [await rolesOf('ssh'), await publicKey()];
    const { accessor: _, ...mount } = await json('secrets mount get ssh');
    expect(await json('ssh ca rotate status')).toMatchObject({ phase: 'none', new: null });

    const started = await json('ssh ca rotate start');
    expect(started).toMatchObject({
      phase: 'started',
      old: { mount: 'ssh', publicKey: old.trim() },
      new: { mount: 'ssh-rotation-new' },
      next: 'lanyard ssh ca rotate trust',
    });
    expect(started.new.publicKey).toMatch(/^ssh-ed25519 /);
    expect(await rolesOf('ssh-rotation-new')).toEqual(before);
    expect((await json('ssh zero-address get --mount ssh-rotation-new')).data).toEqual({ roles: ['otp'] });
    expect(await publicKey()).toBe(old);

    const asked = await run('ssh ca rotate switch', { columns: 300, typed: 'n\n' });
    expectFailure(asked, 1, `Sign with the new CA ${started.new.fingerprint} of ssh/?`);
    expect(await phase()).toBe('started');
    const switched = await json('ssh ca rotate switch --yes');
    expect(switched).toMatchObject({
      phase: 'switched',
      old: { mount: 'ssh-rotation-old', publicKey: old.trim() },
      new: { mount: 'ssh', publicKey: started.new.publicKey },
      next: 'lanyard ssh ca rotate retire',
    });
    expect(switched.secondsLeft).toBeGreaterThan(719 * 3600);
    expect(switched.secondsLeft).toBeLessThanOrEqual(720 * 3600);
    expect((await publicKey()).trim()).toBe(started.new.publicKey);
    expect(await rolesOf('ssh')).toEqual(before);
    const { accessor: __, ...now } = await json('secrets mount get ssh');
    expect({ ...now, uuid: '' }).toEqual({ ...mount, uuid: '' });

    expectFailure(
      await run('ssh ca rotate retire --yes', later(60_000)),
      6,
      'are valid until',
      '(720 hours left)',
      '--force',
    );
    const retired = await json('ssh ca rotate retire --yes', later(31 * day));
    expect(retired).toMatchObject({
      phase: 'none',
      removed: started.old.fingerprint,
      commands: [
        `lanyard ssh trust --remove ${started.old.fingerprint} --users /etc/ssh/trusted-user-ca-keys.pem`,
        `lanyard ssh trust --remove ${started.old.fingerprint} --hosts '*.example.com'`,
      ],
    });
    expect((await publicKey()).trim()).toBe(started.new.publicKey);
    expect((await run('secrets mount get ssh-rotation-old')).code).toBe(3);
  });

  test('copies what was changed in roles between start and switch, and deletes what was deleted', async () => {
    await setUp();
    await done('ssh ca rotate start');
    await done('ssh role put deploy --max-ttl 1h');
    await done('ssh role put more --allow-user-certificates --allowed-users eve --ttl 5m');
    await done('ssh role delete hosts --yes');
    await done('ssh zero-address delete --yes');
    await done('secrets mount tune ssh --max-lease-ttl 500h');
    const wanted = await rolesOf('ssh');
    const { secondsLeft } = await json('ssh ca rotate switch --yes');
    expect(await rolesOf('ssh')).toEqual(wanted);
    expect((await run('ssh zero-address get')).stdout).toBe('');
    // The role without a maximum has that of the mount.
    expect(secondsLeft).toBeGreaterThan(499 * 3600);
    expect((await json('secrets mount get ssh')).config.max_lease_ttl).toBe(500 * 3600);
  });

  test('rolls back until it is retired, with the roles of that time', async () => {
    await setUp();
    const old = await publicKey();
    const { new: next } = await json('ssh ca rotate start');
    expect(await done('ssh ca rotate rollback --yes')).toContain('nothing to roll back');
    await done('ssh ca rotate switch --yes');
    await done('ssh role put deploy --max-ttl 3h');
    const roles = await rolesOf('ssh');
    expect(await json('ssh ca rotate rollback --yes')).toMatchObject({ phase: 'started', new: next });
    expect(await publicKey()).toBe(old);
    expect(await rolesOf('ssh')).toEqual(roles);
    expect((await json('secrets mount get ssh')).description).toBe('Servers');
    expect(await json('ssh ca rotate switch --yes')).toMatchObject({ phase: 'switched' });
    const asked = await run('ssh ca rotate rollback --delete', { columns: 300, typed: 'n\n' });
    expectFailure(asked, 1, 'and delete the new one', 'This cannot be undone.');
    expect(await json('ssh ca rotate rollback --delete --yes')).toMatchObject({ phase: 'none', new: null });
    expect(await publicKey()).toBe(old);
    expect((await run('secrets mount get ssh-rotation-new')).code).toBe(3);
  });

  test('names the phase of steps that do not fit it', async () => {
    expectFailure(await run('ssh ca rotate start'), 3, 'ssh/');
    await setUp();
    for (const step of ['switch --yes', 'retire --yes', 'rollback --yes', 'trust'])
      expectFailure(await run(`ssh ca rotate ${step}`), 6);
    await done('ssh ca rotate start');
    expectFailure(await run('ssh ca rotate start'), 6, 'one is in progress (phase started)');
    expectFailure(await run('ssh ca rotate retire --yes'), 6, 'phase started');
    await done('ssh ca rotate switch --yes');
    expect(await done('ssh ca rotate switch --yes')).toContain('already signs');
    expectFailure(await run('ssh ca rotate start'), 6, '(phase switched)');
    expectFailure(await run('ssh ca create --key-type ed25519'), 6, '`lanyard ssh ca rotate start`');
  });

  test('sends nothing in a dry run, and shows the requests', async () => {
    await setUp();
    const requests = async (line: string): Promise<string[]> =>
      (await json(`${line} --dry-run`)).map(({ method, url }: { method: string; url: string }) =>
        `${method} ${new URL(url).pathname}`.replace('/v1/', ''),
      );
    expect(await requests('ssh ca rotate start')).toEqual([
      'POST sys/mounts/ssh-rotation-new',
      ...['deploy', 'hosts', 'otp'].map((role) => `POST ssh-rotation-new/roles/${role}`),
      'POST ssh-rotation-new/config/zeroaddress',
      'POST ssh-rotation-new/config/ca',
    ]);
    expect(await phase()).toBe('none');
    await done('ssh ca rotate start');
    expect(await requests('ssh ca rotate switch')).toEqual([
      'POST sys/remount',
      'POST sys/remount',
      'POST sys/mounts/ssh/tune',
      'POST sys/mounts/ssh-rotation-old/tune',
    ]);
    expect(await phase()).toBe('started');
    await done('ssh ca rotate switch --yes');
    expect(await requests('ssh ca rotate rollback')).toHaveLength(4);
    expect((await run('ssh ca rotate retire --force --dry-run')).stdout).toContain(
      '/v1/sys/mounts/ssh-rotation-old',
    );
    expect(await phase()).toBe('switched');
  });

  test('uses an own key pair, another type, and a mount with several segments', async () => {
    await done('secrets mount enable ssh --path team/ssh');
    await done('ssh ca create --key-type ec --key-bits 384 --mount team/ssh');
    const started = await json('ssh ca rotate start --mount team/ssh');
    expect(started.new).toMatchObject({ mount: 'team/ssh-rotation-new' });
    expect(started.new.publicKey).toMatch(/^ecdsa-sha2-nistp384 /);
    expect(started.next).toBe('lanyard ssh ca rotate trust --mount team/ssh');
    await done('ssh ca rotate rollback --delete --yes --mount team/ssh');
    await done('ssh ca rotate start --mount team/ssh --key-type ed25519');
    expect(await publicKey('team/ssh-rotation-new')).toMatch(/^ssh-ed25519 /);
    expect(at.list()).not.toContain('ca');
  });
});
