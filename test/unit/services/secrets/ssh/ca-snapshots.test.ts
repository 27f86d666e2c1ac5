import { beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

const named = (id: string) => ({ headers: { 'recover-snapshot-id': id } });

describe('a loaded snapshot', () => {
  let ssh: Mount;
  let kept: unknown;
  beforeEach(async () => {
    const full = memoryStorage();
    const snapshots = new Map<string, Storage>([
      ['full', full],
      ['empty', memoryStorage()],
    ]);
    const then = mount(full);
    await then.write('config/ca', { key_type: 'ed25519' });
    kept = await then.read('config/ca');
    ssh = mount(memoryStorage(), { snapshot: (id) => snapshots.get(id) });
  });

  it('shows the public key of its CA, and does not change the mount', async () => {
    expect(await ssh.read('config/ca', { read_snapshot_id: 'full' })).toEqual(kept);
    expect(await errorOf(ssh.read('config/ca', { read_snapshot_id: '' }))).toBe(
      "400 keys haven't been configured yet",
    );
  });

  it('restores its CA to a mount without one', async () => {
    expect(await ssh.call('recover', 'config/ca', {}, named('full'))).toBeUndefined();
    expect(await ssh.read('config/ca')).toEqual(kept);
  });

  it("restores its CA in place of the mount's", async () => {
    await ssh.write('config/ca', { key_type: 'ec' });
    await ssh.call('recover', 'config/ca', {}, named('full'));
    expect(await ssh.read('config/ca')).toEqual(kept);
    expect(ssh.storage.keys('')).toEqual(['ca']);
  });

  it('must be named to recover from it', async () => {
    expect(await errorOf(ssh.call('recover', 'config/ca'))).toBe(
      '400 missing recover snapshot id: send the header that names a loaded snapshot',
    );
    expect(await errorOf(ssh.call('recover', 'config/ca', {}, named('')))).toMatch(/^400 missing/);
  });

  it('without a CA changes nothing', async () => {
    const rejection = '400 snapshot "empty" contains no CA information of this mount';
    await ssh.write('config/ca', { key_type: 'ec' });
    const before = await ssh.read('config/ca');
    expect(await errorOf(ssh.call('recover', 'config/ca', {}, named('empty')))).toBe(rejection);
    expect(await errorOf(ssh.read('config/ca', { read_snapshot_id: 'empty' }))).toBe(rejection);
    expect(await ssh.read('config/ca')).toEqual(before);
  });

  it.each([
    ['that is another one', () => ssh],
    ['of a service without snapshots', () => mount()],
  ])('must be loaded: %s is not found', async (_, at) => {
    const rejection = '404 snapshot "s1" is not loaded';
    expect(await errorOf(at().call('recover', 'config/ca', {}, named('s1')))).toBe(rejection);
    expect(await errorOf(at().read('config/ca', { read_snapshot_id: 's1' }))).toBe(rejection);
  });
});
