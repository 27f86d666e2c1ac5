import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/command-tests.ts';
import { makeKey, signing } from '../signing.ts';

const { at, run, done } = signing();

describe('a list of revoked keys', () => {
  test('ssh inspect --revoked shows the entry, and with --lint an error', async () => {
    makeKey(at, 'k', 'ed25519');
    makeKey(at, 'free', 'ed25519');
    await done('ssh sign deploy --key k.pub --out cert.pub');
    await done('ssh revoke cert.pub free.pub --list list --yes');
    await done('ssh revoked remove free.pub --list list --yes');
    expect(await done('ssh inspect cert.pub --revoked list')).toMatch(/^revoked\tyes: serial \d+ of CA/m);
    expect(await done('ssh inspect free.pub --revoked list')).toContain('revoked\tno\n');
    expect(JSON.parse(await done('ssh inspect cert.pub --revoked list -o json')).revoked.by).toBe('serial');
    expect(JSON.parse(await done('ssh inspect free.pub --revoked list -o json')).revoked).toBeNull();
    expect(JSON.parse(await done('ssh inspect free.pub -o json'))).not.toHaveProperty('revoked');
    const linted = await run('ssh inspect cert.pub --lint --revoked list');
    expect(linted).toMatchObject({ code: 1 });
    expect(linted.stdout).toContain('error\trevoked\trevoked: serial');
    expectFailure(await run('ssh inspect cert.pub --revoked none'), 3, 'no revocation list exists at none');
    expectFailure(await run('ssh inspect k --revoked list'), 2, '--revoked requires a public key');
  });

  test('ssh connect with a revoked key ends before ssh starts', async () => {
    makeKey(at, 'lost', 'ed25519');
    await done('ssh revoke lost.pub --list list --yes');
    const line = 'ssh connect ubuntu@127.0.0.1 --role deploy --key lost';
    const ran = await run(`${line} --revoked list`);
    expectFailure(ran, 5, 'cannot log in: your key is revoked: key SHA256:', 'ssh revoked list --list list');
    const env = { LANYARD_SSH_REVOKED: 'list' };
    expectFailure(await run(line, { env }), 5, 'your key is revoked');
  });

  test('ssh connect warns of a list that cannot be read, and goes on', async () => {
    at.write('broken', 'x');
    const ran = await run('ssh connect ubuntu@127.0.0.1 --role deploy --ip 10.1.2.3 --revoked broken');
    expect(ran.stderr).toContain('warning: the revocation list is not used:');
    expectFailure(ran, 2, '--ip requires a role for one-time passwords');
  });
});
