import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { expectExit, words } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { has } from '../../support/require.ts';
import { makeKey, signing } from '../signing.ts';

const { at, run, done, key } = signing();
const inspect = async (name: string) => JSON.parse(await done(`ssh inspect -o json ${name}`));

describe('ssh sign, when all is well', () => {
  test('prints the certificate as text, separated by tabs in a pipe', async () => {
    const { publicLine } = keyPair('ed25519');
    at.write('k.pub', publicLine);
    const text = await done('ssh sign deploy --key k.pub', { now: new Date() });
    const rows = text.split('\n');
    expect(rows[0]).toBe('Wrote k-cert.pub.');
    const found = Object.fromEntries(rows.slice(1, -1).map((row) => row.split('\t', 2)));
    expect(Object.keys(found)).toEqual([
      'certificate',
      'principals',
      'valid from',
      'valid until',
      'extensions',
      'critical options',
      'key ID',
      'serial',
      'public key',
      'signed by',
      'signature',
    ]);
    expect(found).toMatchObject({
      certificate: 'user, ssh-ed25519-cert-v01@openssh.com',
      principals: 'ubuntu',
      'valid until': expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(in (29|30) minutes\)$/),
      extensions: 'permit-pty',
      'critical options': 'none',
      serial: expect.stringMatching(/^\d+$/),
    });
  });

  test('lays the same words out on a terminal, with colour', async () => {
    const plain = await done('ssh sign deploy --no-color', { columns: 100 });
    expect(plain).toMatch(/^principals {8}ubuntu$/m);
    expect(plain).not.toContain('\x1b');
    const coloured = await done('ssh sign deploy', { columns: 100 });
    expect(coloured.replaceAll('\x1b', 'ESC')).toMatch(/ESC\[32m\(in (29|30) minutes\)ESC\[39m/);
  });

  test('prints the complete response as JSON, and writes the certificate too', async () => {
    const response = JSON.parse(await done('ssh sign deploy -o json'));
    expect(response).toMatchObject({
      lease_id: '',
      data: { serial_number: expect.stringMatching(/^[\da-f]+$/) },
    });
    expect(at.read('.ssh/id_ed25519-cert.pub')).toBe(response.data.signed_key);
  });

  test('prints one raw value with --field, so that a script can take it', async () => {
    expect(await done('ssh sign deploy --field signed_key')).toBe(at.read('.ssh/id_ed25519-cert.pub'));
    expect(await done('ssh sign deploy --field data.serial_number')).toMatch(/^[\da-f]{1,16}\n$/);
  });

  test('warns of a certificate for any user', async () => {
    await done(
      'ssh role put any --allow-user-certificates --allowed-users * --allow-empty-principals --ttl 1h',
    );
    expectExit(await run('ssh sign any'), 0, 'the certificate has no principals: it is valid for any user');
    expectExit(await run('ssh issue any --key-type ed25519 --out any-key'), 0, 'valid for any user');
    const batch = await run('ssh sign any --batch .ssh/id_ed25519.pub');
    expectExit(batch, 0, 'warning: certificates without principals: 1, such as .ssh/id_ed25519.pub;');
    expect((await run('ssh sign deploy --batch .ssh/id_ed25519.pub')).stderr).toBe('1 signed, 0 failed\n');
    expect((await run('ssh sign any --principals ada')).stderr).not.toContain('any user');
  });

  test('prints what --select chooses', async () => {
    const serial = await done('ssh sign deploy --select data.serial_number');
    expect(JSON.parse(serial)).toMatch(/^[\da-f]{1,16}$/);
  });

  test('prints lines that a shell can evaluate with -o env', async () => {
    const lines = await done('ssh sign deploy -o env');
    const seen = execFileSync('sh', ['-c', `${lines}printf %s "$signed_key"`], { encoding: 'utf8' });
    expect(seen).toBe(at.read('.ssh/id_ed25519-cert.pub'));
  });

  test('names every member once in -o yaml and -o table', async () => {
    expect(await done('ssh sign deploy -o yaml')).toMatch(
      /^data:\n {2}serial_number: \S+\n {2}signed_key: \|\n/m,
    );
    expect(await done('ssh sign deploy -o table')).toMatch(/│ serial_number │ [\da-f]+ +│/);
  });

  test('requests what its flags specify', async () => {
    await done(
      'ssh role put open --allow-user-certificates --allowed-users * --allowed-extensions * --allow-user-key-ids',
    );
    at.write('k.pub', keyPair('ed25519').publicLine);
    await at.run([
      ...words('ssh sign open --key k.pub --principals a,b --valid-principals c --ttl 1h30m --key-id me'),
      ...words('--extension permit-pty --extension login@example.com=alice'),
      ...[
        '--critical-option',
        'force-command=echo "a, b"',
        '--critical-options',
        'source-address=10.0.0.0/8',
      ],
    ]);
    const found = await inspect('k-cert.pub');
    expect(found).toMatchObject({
      kind: 'user',
      keyId: 'me',
      principals: ['a', 'b', 'c'],
      extensions: { 'permit-pty': '', 'login@example.com': 'alice' },
      criticalOptions: { 'force-command': 'echo "a, b"', 'source-address': '10.0.0.0/8' },
      signatureValid: true,
    });
    expect(Date.parse(found.validBefore) - Date.parse(found.validAfter)).toBe((90 * 60 + 30) * 1000);
  });

  test('takes a bare number as seconds', async () => {
    at.write('k.pub', keyPair('ed25519').publicLine);
    await done('ssh sign deploy --key k.pub --ttl 90');
    const { validAfter, validBefore } = await inspect('k-cert.pub');
    expect(Date.parse(validBefore) - Date.parse(validAfter)).toBe((90 + 30) * 1000);
  });

  test('makes a host certificate', async () => {
    await done(
      'ssh role put hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains',
    );
    at.write('k.pub', keyPair('ed25519').publicLine);
    await done('ssh sign hosts --cert-type host --key k.pub --principals web1.example.com');
    expect(await inspect('k-cert.pub')).toMatchObject({ kind: 'host', principals: ['web1.example.com'] });
  });

  test.each(['rsa2048', 'ecdsa256', 'ecdsa384', 'ecdsa521', 'ed25519'] as const)(
    'signs a key of type %s',
    async (type) => {
      const { publicLine } = makeKey(at, 'k', type);
      await done('ssh sign deploy --key k.pub');
      expect(await inspect('k-cert.pub')).toMatchObject({
        key: { type: publicLine.split(' ')[0] },
        signatureValid: true,
      });
    },
  );

  test('signs on another mount', async () => {
    await at.run(words('api secrets POST sys/mounts/teams/ssh --data -'), { stdin: '{"type":"ssh"}' });
    await done('ssh ca create --mount teams/ssh --key-type ed25519');
    await done(
      'ssh role put r --mount teams/ssh --allow-user-certificates --allowed-users u --default-user u',
    );
    await done('ssh sign r --mount teams/ssh');
    const ca = await done('ssh ca public-key --mount teams/ssh');
    at.write('ca.pub', ca);
    const { fingerprint } = await inspect('ca.pub');
    expect((await inspect('.ssh/id_ed25519-cert.pub')).signingCa.fingerprint).toBe(fingerprint);
  });

  test('passes the warnings of the service on, to stderr', async () => {
    await done(
      'ssh role put templated --allow-user-certificates --allowed-users u --default-user u --default-extensions-template --default-extension login@github.com={{identity.entity.name}}',
    );
    const ran = await run('ssh sign templated -o json');
    expectExit(ran, 0, /^warning: .*login@github\.com/);
    expect(JSON.parse(ran.stdout).warnings).toHaveLength(1);
  });
});

describe('the key that is signed without --key', () => {
  test('is the ed25519 one, then the ecdsa one, then the rsa one', async () => {
    for (const name of ['id_rsa', 'id_ecdsa'])
      makeKey(at, `.ssh/${name}`, name === 'id_rsa' ? 'rsa2048' : 'ecdsa256');
    for (const name of ['id_ed25519', 'id_ecdsa', 'id_rsa']) {
      expect(await done('ssh sign deploy')).toContain(`Wrote ${at.file(`.ssh/${name}-cert.pub`)}.`);
      at.clear(`.ssh/${name}.pub`);
    }
    expect(await run('ssh sign deploy')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: no public key found .*id_\{ed25519,ecdsa,rsa\}\.pub\)\nhint: .*ssh-keygen.*--key\.\n$/,
      ),
    });
  });
});

describe('standard input and output', () => {
  test('--key - reads the key, and the certificate goes to standard output', async () => {
    const before = at.list();
    const { code, stdout, stderr } = await run('ssh sign deploy --key -', { stdin: key.publicLine });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ssh-ed25519-cert-v01@openssh\.com \S+\n$/);
    expect(at.list()).toEqual(before);
  });

  test('--out - prints the certificate and writes nothing', async () => {
    const before = at.list();
    expect(await done('ssh sign deploy --out -')).toMatch(/^ssh-ed25519-cert-v01@openssh\.com \S+\n$/);
    expect(at.list()).toEqual(before);
  });

  test('--key - with --out FILE writes the file', async () => {
    await done('ssh sign deploy --key - --out c.pub', { stdin: key.publicLine });
    expect((await inspect('c.pub')).what).toBe('certificate');
  });

  test('what --out - prints on a terminal is the certificate alone', async () => {
    expect(await done('ssh sign deploy --out -', { columns: 80 })).toMatch(
      /^ssh-ed25519-cert-v01@\S+ \S+\n$/,
    );
  });
});

describe.skipIf(!has('ssh-keygen'))('ssh-keygen', () => {
  test('reads the certificate, and agrees', async () => {
    const text = await done('ssh sign deploy');
    const listing = execFileSync('ssh-keygen', ['-L', '-f', at.file('.ssh/id_ed25519-cert.pub')], {
      encoding: 'utf8',
    });
    expect(listing).toContain('Type: ssh-ed25519-cert-v01@openssh.com user certificate');
    expect(listing).toContain(`Serial: ${/^serial\t(\d+)$/m.exec(text)?.[1]}`);
    expect(listing).toMatch(/Principals:\s+ubuntu\n/);
  });
});
