import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { openStore } from '../../../../../src/services/core/store/store.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-one-time-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const otp = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' };

function mountOn(storage: Storage): Mount {
  return mount(storage, { random: randomBytes });
}

async function makePasswords(ssh: Mount, count: number): Promise<string[]> {
  await ssh.write('roles/r', otp);
  const made = Array.from({ length: count }, () => ssh.write('creds/r', { ip: '10.0.0.1' }));
  return (await Promise.all(made)).map((response) => String(response?.data?.key));
}

/**
 * The number of successes among concurrent verifications of each password; all others must get the same
 * error.
 */
async function successes(ssh: Mount, passwords: readonly string[], each: number): Promise<number[]> {
  const verify = (password: string) => errorOf(ssh.write('verify', { otp: password }));
  const rounds = Array.from({ length: each }, () => passwords.map(verify));
  const outcomes = await Promise.all(rounds.map((round) => Promise.all(round)));
  expect(new Set(outcomes.flat().filter((outcome) => !outcome.startsWith('not rejected')))).toEqual(
    new Set(['400 OTP not found']),
  );
  return passwords.map((_, index) => {
    return outcomes.filter((round) => round[index]?.startsWith('not rejected')).length;
  });
}

/** A storage whose writes are visible immediately and become durable, or fail, when the test says so. */
function heldStorage(base: Storage) {
  const waiting: { settle: () => void; fail: () => void }[] = [];
  const storage: Storage = {
    ...base,
    async write(changes) {
      const before = changes.map(({ key }) => ({ key, value: base.get(key) }));
      await base.write(changes);
      await new Promise<void>((resolve, reject) => {
        const undo = before.map(({ key, value }) => (value === undefined ? { key } : { key, value }));
        const fail = () => void base.write(undo).then(() => reject(new Error('the disk is full')));
        waiting.push({ settle: resolve, fail });
      });
    },
  };
  return { storage, waiting };
}

describe('a one-time password', () => {
  it('is verified only when its deletion would survive a crash, and no longer valid before', async () => {
    const base = memoryStorage();
    const [password = ''] = await makePasswords(mountOn(base), 1);
    const { storage, waiting } = heldStorage(base);
    const ssh = mountOn(storage);
    let verified = false;
    const verifying = ssh.write('verify', { otp: password }).then(() => {
      verified = true;
    });
    expect(await errorOf(ssh.write('verify', { otp: password }))).toBe('400 OTP not found');
    await new Promise(setImmediate);
    expect(verified).toBe(false);
    waiting[0]?.settle();
    await verifying;
    expect(verified).toBe(true);
  });

  it('is not verified if its deletion fails, and remains valid', async () => {
    const base = memoryStorage();
    const [password = ''] = await makePasswords(mountOn(base), 1);
    const { storage, waiting } = heldStorage(base);
    const verifying = mountOn(storage).write('verify', { otp: password });
    await new Promise(setImmediate);
    waiting[0]?.fail();
    await expect(verifying).rejects.toThrow('the disk is full');
    expect(await successes(mountOn(base), [password], 2)).toEqual([1]);
  });

  it('is not valid again after the process that verified it was killed', async () => {
    const directory = join(folder, 'killed');
    const store = await openStore(directory);
    const passwords = await makePasswords(mountOn(store), 400);
    await store.close();

    const printed = new Set<string>();
    for (let killed = 0; killed < 3; killed++) {
      const enough = printed.size + 50;
      const child = spawn(process.execPath, [join(import.meta.dirname, 'verifier.ts'), directory], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.on('error', () => undefined).end(passwords.join('\n'));
      let text = '';
      const ended = new Promise((resolve) => child.on('close', resolve));
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (printed.size + text.split('\n').length > enough) child.kill('SIGKILL');
      });
      await ended;
      for (const password of text.split('\n').slice(0, -1)) {
        expect(printed).not.toContain(password);
        printed.add(password);
      }
    }

    const again = await openStore(directory);
    const counts = await successes(mountOn(again), passwords, 2);
    await again.close();
    const left = passwords.filter((_, index) => counts[index] === 1);
    expect(left.filter((password) => printed.has(password))).toEqual([]);
    expect(printed.size).toBeGreaterThanOrEqual(150);
    // Each kill may lose at most one response of a completed deletion.
    expect(printed.size + left.length).toBeGreaterThanOrEqual(passwords.length - 3);
  });
});
