import { chmodSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/require.ts';
import { type DoctorSite, startDoctorSite } from './doctor-site.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen', 'ssh-agent', 'ssh-add'].every(has);
const user = userInfo().username;

describe.skipIf(!programs)('ssh doctor, with a login of its own', () => {
  let site: DoctorSite;
  beforeAll(async () => {
    site = await startDoctorSite();
    await site.sshd('web');
  });
  afterAll(() => site.stop());

  test('finds nothing wrong with a certificate next to the key', async () => {
    const key = site.certified('good');
    const found = await site.doctor(['web', '--key', key]);
    expect(found).toMatchObject({ code: 0, login: 'accepted', method: 'ssh', cause: null, advice: null });
    expect(found.checks.filter(({ result }) => result === 'failed')).toEqual([]);
  });

  test.each([
    ['certificate-expired', { validity: '-2h:-1h' }],
    ['certificate-not-yet-valid', { validity: '+1h:+2h' }],
    ['principal-missing', { principals: ['somebody'] }],
    ['principals-empty', { principals: [] }],
    ['source-address', { options: ['-O', 'source-address=10.0.0.0/8'] }],
    ['critical-option', { options: ['-O', 'critical:strict@example.com=x'] }],
    ['certificate-for-hosts', { options: ['-h'] }],
  ] as const)('names %s', async (cause, certificate) => {
    const key = site.certified(cause, certificate);
    const found = await site.doctor(['web', '--key', key]);
    expect(found).toMatchObject({ code: 1, login: 'rejected', cause });
    expect(found.advice).toMatch(/`lanyard ssh sign|`--critical-option/);
  });
});
