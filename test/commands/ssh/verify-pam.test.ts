import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/command-tests.ts';
import { signing } from '../signing.ts';

const { run, done } = signing();

beforeAll(() => done('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 0.0.0.0/0,::/0'));

const password = async (ip = '192.0.2.7'): Promise<string> =>
  (await done(`ssh creds otp --ip ${ip} --field key`)).trim();
const env = { PAM_USER: 'ubuntu', PAM_RHOST: '198.51.100.1' };
const ask = (stdin: string, flags = '--ip 192.0.2.7', more: Record<string, string> = env) =>
  run(`ssh verify --pam ${flags}`, { stdin, env: more });

describe('ssh verify --pam', () => {
  test.each(['\0', '', '\n', '\0left over'])('reads a password that ends with %j', async (end) => {
    const otp = await password();
    expect(await ask(`${otp}${end}`)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'accepted "ubuntu" from "198.51.100.1"\n',
    });
    const again = await ask(`${otp}${end}`);
    expectFailure(again, 1, 'rejected "ubuntu" from "198.51.100.1": invalid one-time password');
    expect(again.stderr).not.toContain(otp);
  });

  test.each([
    ['', 'no password: none was typed, or pam_exec has no expose_authtok'],
    ['\0', 'no password was typed'],
    ['\n', 'no password was typed'],
  ])('rejects the empty password %j', async (stdin, cause) => {
    const stderr = `rejected "ubuntu" from "198.51.100.1": ${cause}\n`;
    expect(await ask(stdin)).toEqual({ code: 1, stdout: '', stderr });
  });

  test.each([
    ['2001:db8::7', '2001:0db8:0:0::7'],
    ['2001:db8::7', '2001:db8::/32'],
    ['192.0.2.7', '::1,192.0.2.0/29'],
  ])('an address %s is in %s', async (ip, blocks) => {
    expect(await ask(await password(ip), `--allowed-cidr ${blocks}`)).toMatchObject({ code: 0 });
  });

  test('an address that is not named is another host’s', async () => {
    for (const blocks of ['192.0.2.8/29', '2001:db8::/32', '192.0.2.70']) {
      expect(await ask(await password(), `--allowed-cidr ${blocks}`)).toMatchObject({ code: 1 });
    }
  });

  test('the verification text of a service is not a password', async () => {
    const said = 'the text is not a one-time password';
    expectFailure(await ask('verify-echo-request'), 1, said);
    const ran = await run('ssh verify -', { stdin: 'verify-echo-request\n' });
    expect(ran).toEqual({ code: 5, stdout: '', stderr: `error: ${said}\n` });
  });

  test('an invalid block rejects the login before the password is consumed', async () => {
    const otp = await password();
    for (const block of ['10.0.0.0/33', 'web1', '10.0.0/8', '/8']) {
      expect(await ask(otp, `--allowed-cidr ${block}`)).toMatchObject({ code: 1 });
    }
    expect(await ask(otp)).toMatchObject({ code: 0 });
  });

  test('without a user, and with a user of unusual characters, the login is rejected', async () => {
    expect(await ask(await password(), '--ip 192.0.2.7', {})).toMatchObject({ code: 1 });
    const odd = await ask(await password(), '--ip 192.0.2.7', { PAM_USER: 'ubuntu\naccepted "x"' });
    expect(odd).toMatchObject({ code: 1 });
    expect(odd.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('a dry run rejects the login', async () => {
    const otp = await password();
    for (const flag of ['--dry-run', '--curl']) {
      expect(await ask(otp, `--ip 192.0.2.7 ${flag}`)).toMatchObject({ code: 1 });
    }
  });

  test('an unreachable service rejects the login', async () => {
    expect(await ask(await password(), '--address http://127.0.0.1:1')).toMatchObject({ code: 1 });
  });

  test('takes the password from nowhere else', async () => {
    expect(await run('ssh verify --pam env://OTP', { env })).toMatchObject({ code: 2 });
    expect(await run('ssh verify - --ip 192.0.2.7', { env, stdin: 'x' })).toMatchObject({ code: 2 });
  });
});
