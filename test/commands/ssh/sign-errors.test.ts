import { beforeAll, describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  errorOf,
  expectFailure,
  homeForTest,
  servicesForTest,
  words,
} from '../../support/command-tests.ts';
import { freePort, unknownHost } from '../../support/ports.ts';
import { makeKey, signing, writeKey } from '../signing.ts';

const { at, run, done, key } = signing();

/** Runs a signing that ends with a code; nothing may be written, on stdout or beside the key. */
async function rejected(argv: string, code: number, env: Record<string, string> = {}): Promise<string> {
  const files = at.list();
  const ran = await run(argv, { env });
  expect({ ...ran, stderr: '' }).toEqual({ code, stdout: '', stderr: '' });
  expect(at.list()).toEqual(files);
  expect(ran.stderr).toMatch(/^error: /);
  expect(ran.stderr).not.toMatch(/^\s+at /m);
  return ran.stderr;
}

test.each([
  ['a principal with a bidirectional override', ['--principals', 'ubuntu,a\u202eb'], 'principal "a\\u202eb"'],
  ['a principal without width', ['--principals', 'ubuntu\u200b'], 'principal "ubuntu\\u200b"'],
  ['a key ID without width', ['--key-id', 'a\u200b'], 'key ID "a\\u200b"'],
])('%s is rejected before it is sent', async (_what, flags, name) => {
  for (const path of ['ssh sign', 'ssh issue'])
    expect(
      await at.run(
        [...path.split(' '), 'deploy', ...flags, ...(path === 'ssh issue' ? ['--out', 'new'] : [])],
        { env: { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' } },
      ),
    ).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: invalid ${name}: contains a control or invisible character`),
    });
  expect(at.list().filter((file) => file.startsWith('new'))).toEqual([]);
});

describe('a signing that the role does not allow fails with the reason of the service', () => {
  beforeAll(async () => {
    await done(
      'ssh role put strict --allow-user-certificates --allowed-users ubuntu --default-user ubuntu --allowed-extensions permit-pty --allowed-critical-options force-command --max-ttl 1h --allowed-user-key-length rsa=3072,4096 --allowed-user-key-length ed25519=0',
    );
  });

  test.each([
    [
      'a principal that is not on the list',
      '--principals root',
      'root is not a valid value for valid_principals',
    ],
    [
      'one such principal among others',
      '--principals ubuntu,root',
      'root is not a valid value for valid_principals',
    ],
    [
      'an extension',
      '--extension permit-X11-forwarding',
      'extensions [permit-X11-forwarding] are not on allowed list',
    ],
    [
      'a critical option',
      '--critical-option source-address=::1/128',
      'critical options not on allowed list: [source-address]',
    ],
    ['a ttl beyond the maximum', '--ttl 61m', 'ttl is larger than maximum allowed 3600'],
    ['a key ID', '--key-id mine', 'setting key_id is not allowed by role'],
    ['a host certificate', '--cert-type host --principals h', "cert_type 'host' is not allowed by role"],
  ])('%s', async (_what, flags, message) => {
    expect(await rejected(`ssh sign strict ${flags}`, 1)).toBe(
      `error: cannot sign SSH key: the secrets service rejected the request as invalid (400)\n  ${message}\n`,
    );
  });

  test.each([
    ['a type of key', 'ecdsa256', 'key of type ecdsa is not allowed'],
    ['a length of key', 'rsa2048', 'key is of an invalid size: 2048'],
  ] as const)('%s', async (_what, type, message) => {
    makeKey(at, 'k', type);
    expect(await rejected('ssh sign strict --key k.pub', 1)).toContain(
      `public_key failed to meet the key requirements: ${message}`,
    );
  });

  test('no principal, where the role has no default', async () => {
    await done('ssh role put bare --allow-user-certificates --allowed-users *');
    expect(await rejected('ssh sign bare', 1)).toContain('empty valid principals not allowed by role');
  });

  test('a role for one-time passwords', async () => {
    await done('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8');
    expect(await rejected('ssh sign otp', 1)).toContain("cert_type 'user' is not allowed by role");
  });
});

test('an unknown role is not found', async () => {
  expect(await rejected('ssh sign missing', 3)).toBe(
    'error: role "missing" not found in ssh/\n  Unknown role: missing\nhint: Run `lanyard ssh role list` for the existing roles.\n',
  );
});

test('a mount that is not there is not found', async () => {
  expect(await rejected('ssh sign deploy --mount elsewhere', 3)).toMatch(
    /^error: cannot sign SSH key: no ssh engine is mounted at elsewhere\/ \(404\)\n {2}no handler for route "elsewhere\/sign\/deploy"/,
  );
});

describe('without permission', () => {
  test('no token at all is not authenticated', async () => {
    expect(await rejected('ssh sign deploy', 4, { LANYARD_SECRETS_TOKEN: '' })).toMatch(
      /^error: cannot sign SSH key: permission denied: no token was sent \(403\)\n {2}permission denied\nhint: .*LANYARD_SECRETS_TOKEN/,
    );
  });

  test('a wrong token is not authenticated, and is not shown', async () => {
    const text = await rejected('ssh sign deploy', 4, { LANYARD_SECRETS_TOKEN: 'hvs.wrong-one' });
    expect(text).toMatch(
      /^error: cannot sign SSH key: the token in LANYARD_SECRETS_TOKEN is not valid: .* \(403\)\n {2}permission denied\n/,
    );
    expect(text).not.toContain('hvs.wrong-one');
  });

  test('a token whose policy does not reach so far is forbidden', async () => {
    await at.run(words('api secrets POST sys/policies/acl/reader --data -'), {
      stdin: JSON.stringify({ policy: 'path "ssh/roles/*" { capabilities = ["read"] }' }),
    });
    const made = await at.run(
      words('api secrets POST auth/token/create --data - --field auth.client_token'),
      { stdin: '{"policies":["reader"]}' },
    );
    const LANYARD_SECRETS_TOKEN = made.stdout.trim();
    expect((await run('ssh role get deploy', { env: { LANYARD_SECRETS_TOKEN } })).code).toBe(0);
    const text = await rejected('ssh sign deploy', 5, { LANYARD_SECRETS_TOKEN });
    expect(text).toContain('permission denied (403): POST ssh/sign/deploy requires the capability "create"');
    expect(text).not.toContain(LANYARD_SECRETS_TOKEN);
  });

  test('a token that no header can carry is rejected locally', async () => {
    const text = await rejected('ssh sign deploy', 2, { LANYARD_SECRETS_TOKEN: 'hvs.two\nlines' });
    expect(text).not.toContain('lines\n');
    expect(text).not.toContain('hvs.two');
  });
});

describe('another state of the service', () => {
  const { at: other } = embeddedForAll();
  beforeAll(async () => {
    writeKey(other, '.ssh/id_ed25519', key);
    await other.run(
      words('ssh role put deploy --allow-user-certificates --allowed-users * --default-user u'),
    );
  });

  /** The environment of a caller that has the one capability on signing. */
  async function only(capability: string): Promise<{ env: Record<string, string> }> {
    const policy = `path "ssh/sign/*" { capabilities = ["${capability}"] }`;
    await other.run(words(`api secrets POST sys/policies/acl/${capability} --data -`), {
      stdin: JSON.stringify({ policy }),
    });
    const made = await other.run(
      words('api secrets POST auth/token/create --data - --field auth.client_token'),
      { stdin: JSON.stringify({ policies: [capability] }) },
    );
    return { env: { LANYARD_SECRETS_TOKEN: made.stdout.trim() } };
  }

  test('without a CA nothing can be signed, and a hint shows how to create one', async () => {
    expect(await other.run(words('ssh sign deploy'))).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: CA not found in ssh/\n  error creating signer: no keys configured\nhint: Run `lanyard ssh ca create` to create one.\n',
    });
  });

  test('without a CA, a token that may only update is rejected', async () => {
    expect(await other.run(words('ssh sign deploy'), await only('update'))).toMatchObject({
      code: 5,
      stdout: '',
    });
    expect(await other.run(words('ssh ca get'))).toMatchObject({ code: 3, stdout: '' });
  });

  test('without a CA, a token that may create generates one by signing, with a warning, and cannot do it twice', async () => {
    const creator = await only('create');
    expect(await other.run(words('ssh sign deploy --out -'), creator)).toMatchObject({
      code: 0,
      stderr: 'warning: the mount had no CA; one was generated with the default settings\n',
    });
    expect((await other.run(words('ssh ca get'))).stdout).toMatch(/^ssh-rsa /);
    expect(await other.run(words('ssh sign deploy --out -'), creator)).toMatchObject({ code: 5 });
    expect(await other.run(words('ssh sign deploy --out -'), await only('update'))).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('when sealed it is unavailable, without a retry', async () => {
    await other.run(words('api secrets PUT sys/seal'));
    const ran = await other.run(words('ssh sign deploy'));
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(ran.stderr).not.toContain('retrying');
    expect(ran.stderr).toMatch(/^error: .*sealed/);
    expect(other.list('.ssh')).toHaveLength(2);
  });

  test('not initialized it is unavailable', async () => {
    const fresh = homeForTest();
    await servicesForTest(fresh, { uninitialized: true });
    writeKey(fresh, '.ssh/id_ed25519', key);
    const ran = await fresh.run(words('ssh sign deploy'), { env: { LANYARD_SECRETS_TOKEN: 'hvs.any' } });
    expectFailure(ran, 8, /^error: .*not initiali[sz]ed/);
  });
});

describe('no service', () => {
  test('at the address is unreachable after short waits, with a hint how to continue', async () => {
    const ran = await run(`ssh sign deploy --address http://127.0.0.1:${await freePort()}`);
    const waits = [...ran.stderr.matchAll(/retrying(?: in ([\d.]+) s)? \(/g)].map(([, wait = 0]) =>
      Number(wait),
    );
    expect(waits).toHaveLength(2);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(3);
    expectFailure(ran, 7, /^error: cannot reach the secrets service at http:\S+: connection refused$/m);
    expect(ran.stderr).toMatch(/^hint: .*lanyard dev/m);
  });

  test('by that name is unreachable', async () => {
    const ran = await run(`ssh sign deploy --address https://${unknownHost} --timeout 5s`);
    expectFailure(ran, 7, `error: cannot reach the secrets service at https://${unknownHost}`);
  });

  test('in the settings is a usage error that suggests two remedies', async () => {
    expect(await rejected('ssh sign deploy', 2, { LANYARD_SECRETS_ADDR: '' })).toMatch(
      /^error: no address for the secrets service\nhint: .*lanyard dev.*lanyard profile put/,
    );
  });
});

describe('an invalid command line', () => {
  test.each([
    ['', 'ROLE'],
    ['deploy more', 'too many arguments'],
    ['deploy --ttl soon', 'invalid --ttl "soon": expected a duration such as 30s, 1h30m, 7d or 90 (seconds)'],
    ['deploy --ttl -5s', 'invalid --ttl "-5s": expected a duration'],
    ['deploy --cert-type robot', 'invalid --cert-type "robot": expected one of user, host'],
    ['deploy --critical-option =x', 'invalid --critical-option "=x": expected K=V'],
    [
      'deploy -o xml',
      'invalid --output "xml": expected one of text, json, jsonl, yaml, table, env, dotenv, github-env',
    ],
    ['deploy --select [', '--select'],
    ['deploy --principal x', 'Did you mean --principals?'],
  ])('"ssh sign %s" is rejected before anything is sent', async (flags, message) => {
    expect(await rejected(`ssh sign ${flags}`, 2)).toContain(message);
  });

  test('--agent with a key from standard input', async () => {
    const ran = await run('ssh sign deploy --key - --agent', { stdin: key.publicLine });
    expectFailure(ran, 2, '--agent requires the private key');
  });
});

describe('with -o json a failure', () => {
  test('is one JSON object on stderr, and stdout stays empty', async () => {
    const ran = await run('ssh sign deploy --principals root -o json');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(ran.stderr)).toEqual({
      error: {
        code: 1,
        kind: 'failure',
        message: 'cannot sign SSH key: the secrets service rejected the request as invalid (400)',
        status: 400,
        service: 'secrets',
        messages: ['root is not a valid value for valid_principals'],
        retryable: false,
      },
    });
  });

  test('of the command line is one too', async () => {
    expect(errorOf(await run('ssh sign deploy --nope -o json'), 2)).toMatchObject({ code: 2, kind: 'usage' });
  });

  test('reports what can be retried', async () => {
    const ran = await run(`ssh sign deploy -o json --quiet --address http://127.0.0.1:${await freePort()}`);
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 7, kind: 'unreachable', retryable: true });
  });
});
