import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  expectExit,
  homeForTest,
  servicesForTest,
  words,
} from '../../support/command-tests.ts';
import { type KeyType, keyPair } from '../../support/keys.ts';
import { sized } from '../../support/soak.ts';
import { mountCa } from '../../support/ssh-ca.ts';
import { flags, request, role } from '../certificate-cases.ts';
import { signing } from '../signing.ts';

const keyTypes: readonly KeyType[] = ['ed25519', 'rsa2048', 'ecdsa256'];

/** How the service begins to say what a rule forbids. */
const rejections: Readonly<Record<string, RegExp>> = {
  key: /public_key failed to meet the key requirements/,
  key_id: /setting key_id is not allowed/,
  cert_type: /cert_type '\w+' is not allowed/,
  valid_principals: /valid_principals|valid principals|allow any principals/,
  ttl: /ttl is larger than maximum/,
  critical_options: /critical options not on allowed list/,
  extensions: /extensions .* are not on allowed list/,
  algorithm_signer: /algorithm_signer/,
};

describe('explain and the service', () => {
  const { at } = embeddedForAll();
  beforeAll(async () => {
    await mountCa(at, 'ca-ed25519', ['--key-type', 'ed25519']);
    await mountCa(at, 'ca-rsa', ['--key-type', 'rsa', '--key-bits', '2048']);
    for (const type of keyTypes) at.write(`${type}.pub`, keyPair(type).publicLine);
  });

  test('agree on random roles and requests: whether, and by which rule not', async () => {
    const seen = { yes: 0, no: 0, depends: 0 };
    const rules = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          role,
          request,
          key: fc.constantFrom(...keyTypes),
          mount: fc.constantFrom('ca-ed25519', 'ca-rsa'),
        }),
        async (c) => {
          const put = await at.run([
            'ssh',
            'role',
            'put',
            'r',
            '--replace',
            '--mount',
            c.mount,
            ...flags(c.role),
          ]);
          if (put.code !== 0) return;
          const words = ['r', '--mount', c.mount, '--key', `${c.key}.pub`, ...flags(c.request), '-o', 'json'];
          const explained = await at.run(['ssh', 'explain', ...words]);
          const signed = await at.run(['ssh', 'sign', ...words, '--out', 'certificate']);
          const { would, judgements, certificate } = JSON.parse(explained.stdout);
          seen[would as keyof typeof seen] += 1;
          expect(explained.code).toBe(would === 'no' ? 1 : 0);
          if (would === 'no') {
            expect(signed.code).toBe(1);
            const [first] = judgements.filter(({ verdict }: { verdict: string }) => verdict === 'no');
            const isFirst = judgements[0] === first;
            rules.add(first.rule);
            if (isFirst)
              expect(JSON.parse(signed.stderr).error.messages[0]).toMatch(rejections[first.rule] ?? /^$/);
          }
          if (would !== 'yes') return;
          expect(signed, JSON.stringify(explained)).toMatchObject({ code: 0 });
          const inspected = JSON.parse(
            (await at.run(['ssh', 'inspect', 'certificate', '-o', 'json'])).stdout,
          );
          expect(inspected).toMatchObject({ kind: certificate.kind, principals: certificate.principals });
          expect(Object.keys(inspected.criticalOptions).sort()).toEqual(
            Object.keys(certificate.criticalOptions).sort(),
          );
        },
      ),
      { seed: 7, numRuns: sized(300, 120) },
    );
    expect(seen.yes).toBeGreaterThan(sized(60, 24));
    expect(seen.no).toBeGreaterThan(sized(30, 12));
    expect([...rules].sort()).toEqual(Object.keys(rejections).sort());
  });
});

describe('ssh explain', () => {
  const { at: own, run, done } = signing();

  test('shows what a role would sign', async () => {
    const text = await done('ssh explain deploy --ttl 10m');
    expect(text).toContain('would sign this');
    expect(text).toMatch(/\nfor\tuser ubuntu\nvalid for\t10m0s\nextensions\tpermit-pty\n/);
  });

  test('lists every reason for a rejection, and each fix, and exits with code 1', async () => {
    const ran = await run(
      'ssh explain deploy --principals root --extension permit-X11-forwarding --key-id me',
    );
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toContain('would reject this request');
    for (const text of [
      'root is not allowed',
      'ubuntu, admin',
      'permit-X11-forwarding',
      'allow_user_key_ids',
    ]) {
      expect(ran.stdout).toContain(text);
    }
  });

  test('warns when requested critical options drop the force-command of the role', async () => {
    await done(
      'ssh role put forced --allow-user-certificates --allowed-users u --default-user u --default-critical-option force-command=/bin/true',
    );
    const warned = /^warning: the certificate has no force-command: .* defaults of role "forced"/m;
    const option = '--critical-option source-address=10.0.0.0/8';
    const explained = await run(`ssh explain forced ${option} -o json`);
    expectExit(explained, 0, warned);
    expect(JSON.parse(explained.stdout).warnings).toEqual([expect.stringContaining('no force-command')]);
    expectExit(await run(`ssh sign forced ${option} --out forced-cert.pub`), 0, warned);
    for (const quiet of ['', '--critical-option force-command=/bin/false'])
      for (const line of [`ssh explain forced ${quiet}`, `ssh sign forced ${quiet} --out forced-cert.pub`])
        expect((await run(line.trim().replaceAll('  ', ' '))).stderr, line).toBe('');
    // Who may sign and not read the role is told nothing, and has the certificate.
    const stdin = JSON.stringify({ policy: 'path "ssh/sign/*" { capabilities = ["update"] }' });
    await done('api secrets PUT sys/policies/acl/signs --data -', { stdin });
    const made = await done('api secrets POST auth/token/create --data - -o json', {
      stdin: JSON.stringify({ policies: ['signs'] }),
    });
    const env = { LANYARD_SECRETS_TOKEN: JSON.parse(made).auth.client_token };
    expect(await run(`ssh sign forced ${option} --out forced-cert.pub`, { env })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('signs nothing, and needs no key', async () => {
    own.clear('.ssh');
    const before = own.list();
    await done('ssh explain deploy');
    expect(own.list()).toEqual(before);
    await done(
      'ssh role put picky --allow-user-certificates --allowed-users * --default-user u --allowed-user-key-length rsa=4096',
    );
    expect(JSON.parse((await run('ssh explain picky -o json')).stdout)).toMatchObject({ would: 'depends' });
  });

  test('names what depends on the identity of the token', async () => {
    await own.run([
      ...['ssh', 'role', 'put', 'own', '--allow-user-certificates', '--allowed-users-template'],
      ...['--allowed-users', '{{identity.entity.name}}'],
    ]);
    const { would, judgements } = JSON.parse(await done('ssh explain own --principals bob -o json'));
    expect(would).toBe('depends');
    expect(judgements).toMatchObject([{ rule: 'valid_principals', verdict: 'depends' }]);
  });

  test('names default extensions whose value comes from the identity, and does not show the template', async () => {
    await own.run([
      ...['ssh', 'role', 'put', 'login', '--allow-user-certificates', '--allowed-users', 'u'],
      ...['--default-user', 'u', '--default-extension', 'permit-pty', '--default-extensions-template'],
      ...['--default-extension', 'login@example.com={{identity.entity.name}}'],
    ]);
    const { would, judgements, certificate } = JSON.parse(await done('ssh explain login -o json'));
    expect(would).toBe('depends');
    expect(judgements).toMatchObject([
      { rule: 'extensions', why: expect.stringContaining('login@example.com') },
    ]);
    expect(certificate.extensions).toEqual({ 'permit-pty': '' });
  });

  test('a role that is not there is exit code 3', async () => {
    expect(await run('ssh explain missing')).toMatchObject({ code: 3, stdout: '' });
  });
});

test('reports that a role of type otp signs nothing', async () => {
  const at = homeForTest();
  await servicesForTest(at);
  await at.run(words('ssh role put otp --key-type otp --default-user u --cidr-list 10.0.0.0/8'));
  const ran = await at.run(['ssh', 'explain', 'otp', '-o', 'json']);
  expect(ran).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(ran.stdout).judgements).toEqual([
    {
      rule: 'key_type',
      verdict: 'no',
      why: 'the role has key type otp and does not sign keys',
      remedy: 'Run `lanyard ssh creds` for a one-time password.',
    },
  ]);
});
