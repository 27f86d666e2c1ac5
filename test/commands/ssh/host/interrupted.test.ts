import { describe, expect, test } from 'vitest';
import { patch } from '../../../support/patched-fs.ts';
import { has } from '../../../support/require.ts';
import { enrollFlags, programs, type TestHost, type Tree, testHost } from './host.ts';

const signed = /^ssh\/(ssh_host_ed25519_key-cert\.pub.*|lanyard\/host\.json)$/;

/** The files whose content is not different each time that they are written. */
const stable = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !signed.test(name)));

/** The files before each rename and removal of a command: what is on the disk if it is killed there. */
async function statesOf(host: TestHost, work: () => Promise<unknown>): Promise<readonly Tree[]> {
  const states: Tree[] = [];
  let isActive = true;
  const record = (): void => {
    if (!isActive) return;
    isActive = false;
    states.push(host.tree());
    isActive = true;
  };
  patch('renameSync', (real) => (...args: Parameters<typeof real>) => {
    record();
    return real(...args);
  });
  patch('rmSync', (real) => (...args: Parameters<typeof real>) => {
    record();
    return real(...args);
  });
  await work();
  record();
  isActive = false;
  return states.filter((state, index) => JSON.stringify(state) !== JSON.stringify(states[index - 1]));
}

describe.skipIf(!programs.every(has))('a killed command of ssh host', () => {
  test('enroll: is completed when it is run again, and taken back by remove', async () => {
    const host = await testHost();
    const before = host.tree();
    const flags = enrollFlags(host);
    const states = await statesOf(host, async () =>
      expect(await host.run('enroll', flags)).toMatchObject({ code: 0 }),
    );
    const complete = stable(host.tree());
    expect(states.length).toBeGreaterThan(6);
    for (const [index, state] of states.entries()) {
      host.reset(state);
      if (!state['ssh/lanyard/secret-id']) await host.wrapSecretId();
      const again = await host.run('enroll', flags);
      expect(again, `${index}: ${again.stderr}`).toMatchObject({ code: 0 });
      const { 'ssh/lanyard/secret-id': _, ...files } = stable(host.tree());
      expect(files, `${index}`).toEqual({ ...complete, 'ssh/lanyard/secret-id': undefined });
      expect((await host.run('status')).code, `${index}`).toBe(0);

      host.reset(state);
      const removed = await host.run('remove', ['--yes']);
      expect(removed, `${index}: ${removed.stderr}`).toMatchObject({ code: 0 });
      const { 'ssh/lanyard/secret-id': _secret, ...rest } = host.tree();
      expect(rest, `${index}`).toEqual(before);
    }
  });

  test('renew: is completed when it is run again', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const enrolled = stable(host.tree());
    host.time = new Date(host.time.getTime() + 21 * 86_400_000);
    const states = await statesOf(host, () => host.run('renew'));
    for (const [index, state] of states.entries()) {
      host.reset(state);
      const again = await host.run('renew');
      expect(again, `${index}: ${again.stderr}`).toMatchObject({ code: 0 });
      expect(stable(host.tree()), `${index}`).toEqual(enrolled);
      expect((await host.run('status')).code, `${index}`).toBe(0);
    }
  });

  test('remove: is completed when it is run again', async () => {
    const host = await testHost();
    const before = host.tree();
    await host.run('enroll', enrollFlags(host));
    const states = await statesOf(host, () => host.run('remove', ['--yes']));
    expect(states.length).toBeGreaterThan(6);
    for (const [index, state] of states.entries()) {
      host.reset(state);
      const again = await host.run('remove', ['--yes']);
      expect(again, `${index}: ${again.stderr}`).toMatchObject({ code: 0 });
      expect(host.tree(), `${index}`).toEqual(before);
    }
  });
});
