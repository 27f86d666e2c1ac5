import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputOf } from '../support/command-tests.ts';
import { has } from '../support/require.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type Site, startSite, user } from './connecting.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen', 'ssh-agent'].every(has);
const record = ['--record', 'registry:ssh/record'];

describe.skipIf(!programs)('the record and a real sshd', () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
    await site.host('web', [`RevokedKeys ${site.keygen.write('revoked.krl', '')}`]);
  });
  afterAll(() => site.stop());

  const history = async (...flags: readonly string[]) =>
    JSON.parse(outputOf(await site.at.run(['ssh', 'history', ...record, ...flags, '-o', 'json'])));

  test('ssh connect records its certificate', async () => {
    const ran = await site.connect(['web', '--role', 'deploy', ...record], ['echo in']);
    expect(ran).toMatchObject({ code: 0, stdout: 'in\n', stderr: '' });
    expect(await history()).toMatchObject([{ role: 'deploy', principals: [user], kind: 'user' }]);
  });

  test('ssh connect logs in while the record cannot be written, and warns afterwards', async () => {
    const env = { LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' };
    const ran = await site.connect(['web', '--role', 'deploy', ...record], ['echo in'], env);
    expect(ran).toMatchObject({ code: 0, stdout: 'in\n' });
    expect(ran.stderr).toContain('warning: cannot record certificate');
  });

  test('sshd rejects the certificates of a user after ssh revoke --user', async () => {
    site.keygen.make('mine', kinds.ed25519);
    const key = site.keygen.path('mine');
    const sign = ['ssh', 'sign', 'deploy', '--key', `${key}.pub`, '--principals', user, ...record];
    outputOf(await site.at.run(sign));
    const login = () =>
      execFileSync(
        'ssh',
        [
          '-F',
          site.keygen.path('config'),
          '-o',
          'BatchMode=yes',
          '-o',
          'IdentityAgent=none',
          '-i',
          key,
          'web',
          'echo in',
        ],
        { stdio: 'pipe' },
      ).toString();
    expect(login()).toBe('in\n');
    const list = ['--list', site.keygen.path('list.krl')];
    outputOf(await site.at.run(['ssh', 'revoke', '--user', 'root', ...record, ...list, '--yes']));
    const file = site.keygen.path('revoked.krl');
    outputOf(await site.at.run(['ssh', 'trust', '--revoked', file, ...list]));
    expect(login).toThrow('Permission denied');
  });
});
