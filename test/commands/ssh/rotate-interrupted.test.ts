import { expect, onTestFinished, test } from 'vitest';
import { words } from '../../support/command-tests.ts';
import { home } from '../../support/run.ts';
import { services } from '../../support/services.ts';
import { pausingProxy } from '../pausing-proxy.ts';

/** A mount with a CA and two roles, in embedded services that a proxy can be put in front of. */
async function started(...lines: readonly string[]) {
  const at = home();
  const running = await services(at);
  onTestFinished(async () => {
    await running.close();
    at.remove();
  });
  const run = (line: string, address = running.addresses.secrets, options = {}) =>
    at.run(words(line), {
      ...options,
      env: { LANYARD_SECRETS_ADDR: address },
      random: (n) => new Uint8Array(n),
    });
  const done = async (line: string): Promise<string> => {
    const ran = await run(line);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  await done('secrets mount enable ssh --path users --description Users');
  await done('ssh ca create --key-type ed25519 --mount users');
  await done('ssh role put one --allow-user-certificates --allowed-users a --max-ttl 1h --mount users');
  await done('ssh role put two --key-type otp --default-user a --cidr-list 10.0.0.0/8 --mount users');
  for (const line of lines) await done(line);
  return { at, run, done, address: running.addresses.secrets };
}

/** What the service has, without what differs from run to run. */
async function stateOf(done: (line: string) => Promise<string>) {
  const { phase, new: next, old } = JSON.parse(await done('ssh ca rotate status --mount users -o json'));
  const mounts: { path: string; type: string; description: string }[] = JSON.parse(
    await done('secrets mount list -o json'),
  );
  const ssh = mounts.filter(({ type, path }) => type === 'ssh' && path.startsWith('users'));
  const described = ssh.map(({ path, description }) => [path, description.replace(/\d{4}-.*Z/, 'TIME')]);
  const roles = await Promise.all(
    ssh.map(({ path }) => done(`ssh role list --mount ${path.slice(0, -1)}`).then((text) => [path, text])),
  );
  return { phase, old: old.mount, new: next?.mount, described, roles };
}

const start = 'ssh ca rotate start --mount users';
const change = 'ssh ca rotate switch --yes --mount users';
const back = 'ssh ca rotate rollback --yes --mount users';
const cases = [
  [start, []],
  [change, [start, 'ssh role put one --max-ttl 2h --mount users']],
  [back, [start, change, 'ssh role put one --max-ttl 2h --mount users']],
  [`${back} --delete`, [start, change]],
  ['ssh ca rotate retire --force --yes --mount users', [start, change]],
] as const;

test.each(cases)('%s continues if the service is gone after any of its writes', async (line, before) => {
  const whole = await started(...before);
  const all = await pausingProxy(whole.address, async () => undefined);
  expect(await whole.run(line, all.address)).toMatchObject({ code: 0 });
  const expected = await stateOf(whole.done);
  const writes = all.requests.flatMap((request, index) =>
    /^(POST|DELETE) /.test(request) ? [index + 1] : [],
  );
  expect(writes).not.toEqual([]);

  for (const last of writes) {
    const { run, done, address } = await started(...before);
    // The response to this write is lost, and no retry gets through.
    let seen = 0;
    const broken = await pausingProxy(
      address,
      async (number) => {
        seen = number;
        return number <= last;
      },
      () => seen >= last,
    );
    expect((await run(line, broken.address)).code).not.toBe(0);
    broken.close();
    const again = await run(line);
    // After the last write, the phase is that of the end.
    expect([0, 6], `${last}: ${again.stderr}`).toContain(again.code);
    expect(await stateOf(done), `request ${last}: ${all.requests[last - 1]}`).toEqual(expected);
  }
});

test('a start by two people leaves one rotation', async () => {
  const { run, done } = await started();
  const both = await Promise.all([run(start), run(start)]);
  for (const { code, stderr } of both) expect([0, 6], stderr).toContain(code);
  expect(await stateOf(done)).toMatchObject({ phase: 'started', new: 'users-rotation-new' });
  expect(await done('ssh role list --mount users-rotation-new')).toBe(
    await done('ssh role list --mount users'),
  );
});

test('a mount of another engine at the path of the new CA is a conflict', async () => {
  const { run } = await started('secrets mount enable kv --path users-rotation-new');
  const ran = await run(start);
  expect(ran).toMatchObject({ code: 6, stdout: '' });
  expect(ran.stderr).toContain('users-rotation-new/ is a secrets engine of type kv, not ssh');
});
