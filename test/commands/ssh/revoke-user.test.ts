import { execFileSync } from 'node:child_process';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, outputOf } from '../../support/command-tests.ts';
import { has } from '../../support/require.ts';
import { makeKey, signing } from '../signing.ts';

const { at, run, done } = signing();
const record = '--record registry:ssh/record';
const list = '--list revoked.krl';
const password = 'correct-horse-battery';

/** Tokens of users with a login of their own. */
const tokens: Record<string, string> = {};

beforeAll(async () => {
  await done('secrets auth enable userpass');
  await done('secrets policy put signer -', {
    stdin: 'path "ssh/sign/*" { capabilities = ["update"] } path "old/sign/*" { capabilities = ["update"] }',
  });
  for (const name of ['ada', 'bob']) {
    await done(`secrets write auth/userpass/users/${name} password=- token_policies=signer`, {
      stdin: password,
    });
    const login = `secrets login --method userpass --username ${name} --password - --no-store --field token`;
    tokens[name] = (await run(login, { stdin: password })).stdout.trim();
  }
});

beforeEach(async () => {
  await run('registry kv delete ssh/ --recursive --yes');
  at.clear('revoked.krl');
});

/** Signs a key as a user; gives the certificate's file. */
async function sign(user: string, name: string, flags = ''): Promise<string> {
  makeKey(at, name, 'ed25519');
  const env = { LANYARD_SECRETS_TOKEN: tokens[user] ?? '' };
  const ran = await run(`ssh sign deploy --key ${name}.pub --principals ubuntu ${record} ${flags}`, { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: '' });
  return `${name}-cert.pub`;
}

/** Whether OpenSSH finds a certificate in the list. */
function isRevoked(file: string): boolean {
  try {
    execFileSync('ssh-keygen', ['-Q', '-f', at.file('revoked.krl'), at.file(file)], { stdio: 'pipe' });
    return false;
  } catch (error) {
    expect(String((error as { stdout?: Buffer }).stdout)).toContain('REVOKED');
    return true;
  }
}

describe('ssh revoke --user', () => {
  test.skipIf(!has('ssh-keygen'))(
    'revokes the valid certificates of one user, for ssh-keygen -Q',
    async () => {
      const mine = [await sign('ada', 'one'), await sign('ada', 'two')];
      const others = await sign('bob', 'three');
      const ran = await run(`ssh revoke --user ada ${record} ${list} --yes`);
      outputOf(ran);
      expect(ran.stderr).toMatch(
        /^The record begins at .* UTC\. Certificates that were signed before then, or not with Lanyard, are not in it\.\nserial \d+, role deploy, ubuntu, signed .* UTC, valid until .* UTC\nserial \d+, .*\n$/,
      );
      expect(mine.map(isRevoked)).toEqual([true, true]);
      expect(isRevoked(others)).toBe(false);
      // Again: everything is revoked already.
      expect((await run(`ssh revoke --user ada ${record} ${list}`)).stdout).toMatch(
        /^Already revoked: serial/,
      );
    },
  );

  test('prompts, and changes nothing in a dry run', async () => {
    await sign('ada', 'one');
    expectFailure(await run(`ssh revoke --user ada ${record} ${list}`), 2, 'cannot prompt for confirmation');
    outputOf(await run(`ssh revoke --user ada ${record} ${list} --dry-run`));
    expect(at.list()).not.toContain('revoked.krl');
  });

  test('skips expired certificates, and says so if all have expired', async () => {
    await sign('ada', 'one', '--ttl 5m');
    const later = new Date(Date.now() + 3_600_000);
    const ran = await run(`ssh revoke --user ada ${record} ${list} --yes`, { now: later });
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toContain('All certificates of user ada have expired: 1.');
    expect(at.list()).not.toContain('revoked.krl');
  });

  test('fails for a user without certificates, and names users that have some', async () => {
    await sign('ada', 'one');
    expectFailure(
      await run(`ssh revoke --user eve ${record} ${list} --yes`),
      3,
      'no certificates of user "eve" found',
      'Users are userpass-ada.',
    );
  });

  test('finds the CA of each certificate, also of another mount', async () => {
    await done('secrets mount enable ssh --path old');
    await done('ssh ca create --key-type ed25519 --mount old');
    await done('ssh role put deploy --mount old --allow-user-certificates --allowed-users ubuntu --ttl 30m');
    await sign('ada', 'one');
    const other = await sign('ada', 'two', '--mount old');
    const ran = await run(`ssh revoke --user ada ${record} ${list} --yes -o json`);
    const { changed } = JSON.parse(outputOf(ran));
    const { signingCa, serial } = JSON.parse(await done(`ssh inspect ${other} -o json`));
    expect(changed).toHaveLength(2);
    expect(changed).toContainEqual(
      expect.objectContaining({ by: 'serial', value: serial, ca: signingCa.fingerprint }),
    );
    // The CA of a mount that is gone is not guessed.
    const key = await done('ssh ca public-key --mount old');
    await done('secrets mount disable old --yes');
    at.clear('revoked.krl');
    expectFailure(
      await run(`ssh revoke --user ada ${record} ${list} --yes`),
      3,
      `cannot revoke: the public key of CA ${signingCa.fingerprint} not found`,
      '--ca FILE',
    );
    expect(at.list()).not.toContain('revoked.krl');
    at.write('old-ca.pub', key);
    outputOf(await run(`ssh revoke --user ada ${record} ${list} --ca old-ca.pub --yes`));
    at.clear('revoked.krl');
    const any = await run(`ssh revoke --user ada ${record} ${list} --ca any --yes -o json`);
    expect(JSON.parse(outputOf(any)).changed).toMatchObject([{ ca: 'any' }, { ca: 'any' }]);
  });

  test.each([
    ['--user ada --serial 5', '--user cannot be combined with FILE, --serial, --key-id or --fingerprint'],
    ['--serial 5 --record registry:ssh/record', '--record and --audit-log require --user'],
    ['--user ada', 'no record of signed certificates in the settings'],
  ])('rejects "%s"', async (flags, message) => {
    expectFailure(await run(`ssh revoke ${flags} ${list} --yes`), 2, message);
  });
});
