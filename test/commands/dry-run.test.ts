import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputOf, quietOutputOf, words } from '../support/command-tests.ts';
import { keyPair } from '../support/keys.ts';
import { shell } from '../support/process.ts';
import { has } from '../support/require.ts';
import { type Home, home, type Ran, type RunOptions } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';
import { writeKey } from './signing.ts';

/** A home with services of its own, a CA where one is wanted, and a key. */
interface Place {
  readonly at: Home;
  readonly services: TestServices;
  run(argv: string, options?: RunOptions): Promise<Ran>;
}

const places: Place[] = [];
async function place(ca: boolean): Promise<Place> {
  const at = home();
  const running = await services(at);
  const run: Place['run'] = (argv, options) => at.run(words(argv), options);
  places.push({ at, services: running, run });
  writeKey(at, '.ssh/id_ed25519', keyPair('ed25519'));
  writeKey(at, 'ca', keyPair('ed25519'));
  at.write(
    'role.json',
    '{"key_type":"ca","allow_user_certificates":true,"allowed_users":"it\'s $HOME `id` \\" \\\\"}',
  );
  if (ca) await run('ssh ca create --key-type ed25519');
  await run('ssh role put otp --key-type otp --default-user u --cidr-list 10.0.0.0/8');
  await run('ssh role put there --allow-user-certificates --allowed-users u --default-user u');
  return { at, services: running, run };
}
afterAll(async () => {
  for (const { at, services: running } of places) {
    await running.close();
    at.remove();
  }
});

/** All that a service could have been changed in, and all files. */
async function state({ at, run }: Place): Promise<unknown> {
  const roles = JSON.parse((await run('ssh role list -o json')).stdout).data.keys as string[];
  return {
    ca: (await run('ssh ca get')).stdout,
    roles: await Promise.all(roles.map(async (name) => [name, (await run(`ssh role get ${name}`)).stdout])),
    anywhere: (await run('ssh zero-address get')).stdout,
    files: at.list(),
  };
}

/** Command lines that write; `ca`: there must be a CA before. Every command: test/changes/changes.test.ts. */
const writing: readonly { readonly argv: string; readonly ca: boolean; readonly sends: string }[] = [
  { argv: 'ssh ca create --key-type ed25519', ca: false, sends: 'POST /v1/ssh/config/ca' },
  { argv: 'ssh ca delete', ca: true, sends: 'DELETE /v1/ssh/config/ca' },
  {
    argv: "ssh role put new --allow-user-certificates --allowed-users it's,$HOME,`id`,é --default-extension a@b=c --ttl 5m",
    ca: false,
    sends: 'POST /v1/ssh/roles/new',
  },
  { argv: 'ssh role delete there', ca: false, sends: 'DELETE /v1/ssh/roles/there' },
  { argv: 'ssh sign there', ca: true, sends: 'POST /v1/ssh/sign/there' },
  {
    argv: 'ssh issue there --key-type ed25519 --out made',
    ca: true,
    sends: 'POST /v1/ssh/issue/there',
  },
  { argv: 'ssh creds otp --ip 10.0.0.1', ca: false, sends: 'POST /v1/ssh/creds/otp' },
  { argv: 'ssh zero-address put otp', ca: false, sends: 'POST /v1/ssh/config/zeroaddress' },
  { argv: 'ssh zero-address delete', ca: false, sends: 'DELETE /v1/ssh/config/zeroaddress' },
  { argv: 'ssh tidy', ca: false, sends: 'DELETE /v1/ssh/tidy/dynamic-keys' },
  { argv: 'api secrets POST ssh/roles/raw --data @role.json', ca: false, sends: 'POST /v1/ssh/roles/raw' },
  { argv: 'api secrets LIST ssh/roles', ca: false, sends: 'LIST /v1/ssh/roles' },
];

test.each([
  ['ssh verify env://OTP', 'POST /v1/ssh/verify'],
  ['ssh ca recover --snapshot abc', 'RECOVER /v1/ssh/config/ca'],
])('%s shows its request, without its secret', async (argv, sends) => {
  const here = await place(false);
  const secret = 'a-secret-of-one-time';
  for (const flag of ['--dry-run', '--curl']) {
    const stdout = outputOf(await here.run(`${argv} ${flag}`, { env: { OTP: secret } }));
    for (const part of sends.split(' ')) expect(stdout).toContain(part);
    expect(stdout).not.toContain(secret);
  }
});

describe.each(writing)('$argv', ({ argv, ca, sends }) => {
  let here: Place;
  beforeAll(async () => {
    here = await place(ca);
  });

  test.each(['--dry-run', '--curl'])(
    '%s shows the request, without the token, and changes nothing',
    async (flag) => {
      const before = await state(here);
      const stdout = quietOutputOf(await here.run(`${argv} ${flag}`));
      const [method, path] = sends.split(' ');
      expect(stdout).toContain(
        flag === '--curl'
          ? `--request ${method} `
          : `\nrequest\t${method} ${here.services.addresses.secrets}${path}\n`,
      );
      expect(stdout).toContain(path);
      expect(stdout).toContain('$LANYARD_SECRETS_TOKEN');
      expect(stdout).not.toContain(here.services.rootToken);
      expect(await state(here)).toEqual(before);
    },
  );

  test('--dry-run -o json is the request as data', async () => {
    const request = JSON.parse((await here.run(`${argv} --dry-run -o json`)).stdout);
    expect(request).toMatchObject({
      service: 'secrets',
      method: sends.split(' ')[0],
      url: here.services.addresses.secrets + sends.split(' ')[1],
      headers: { 'X-Secrets-Token': '$LANYARD_SECRETS_TOKEN', 'X-Secrets-Request': 'true' },
    });
  });

  test.skipIf(!has('curl'))('the line of --curl, run by sh, does what the command does', async () => {
    const other = await place(ca);
    const line = (await here.run(`${argv} --curl`)).stdout;
    const sent = await shell(here.at, `${line.trimEnd()} --silent --show-error --fail-with-body`);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect((await other.run(`${argv} --yes`)).code).toBe(0);
    expect(comparable(await state(here))).toEqual(comparable(await state(other)));
  });
});

/** Keys that were made differ between two services, and the curl line writes no file: their kinds are compared. */
const comparable = (found: unknown): unknown =>
  JSON.parse(
    JSON.stringify(found, (name, value: unknown) => {
      if (name === 'files') return undefined;
      return name === 'ca' ? String(value).split(' ')[0] : value;
    }),
  );

describe('a command that reads', () => {
  test.skipIf(!has('curl'))('has a curl line that gives what -o json gives', async () => {
    const here = await place(true);
    for (const argv of [
      'ssh role get there',
      'ssh role list',
      'ssh ca get',
      'api secrets GET ssh/roles/there',
    ]) {
      const { stdout } = await here.run(`${argv} --curl`);
      const sent = await shell(here.at, `${stdout.trimEnd()} --silent`);
      const { data } = JSON.parse((await here.run(`${argv} -o json`)).stdout);
      expect(JSON.parse(sent.stdout).data).toEqual(data);
    }
    const { stdout } = await here.run('ssh ca public-key --curl --select length(@)');
    expect(stdout).not.toContain('Token');
    expect((await shell(here.at, `${stdout.trimEnd()} -s`)).stdout).toBe(
      (await here.run('ssh ca get')).stdout,
    );
  });

  test('has no --dry-run', async () => {
    const here = await place(false);
    expect(await here.run('ssh role list --dry-run')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('apply', () => {
  const set = `apiVersion: lanyard/v1
kind: Set
metadata: {name: planned, id: planned000}
spec: {record: 'file:.record.json'}
---
apiVersion: lanyard/v1
kind: secrets.kv
metadata: {mount: secret, name: planned}
spec: {data: {password: {valueFrom: 'env://PASSWORD'}}}
`;

  test('--dry-run shows the plan, without values, and changes nothing', async () => {
    const here = await place(false);
    here.at.write('state/set.yaml', set);
    const env = { PASSWORD: 'a-secret-of-the-file' };
    const before = await state(here);
    const plan = await here.run('plan state -o json', { env });
    for (const argv of ['apply state --dry-run', 'apply state --yes --dry-run']) {
      const ran = await here.run(`${argv} -o json`, { env });
      expect([ran.code, ran.stderr]).toEqual([10, '']);
      expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(plan.stdout));
      expect(ran.stdout).not.toContain(env.PASSWORD);
    }
    expect((await here.run('apply state --dry-run', { env })).stdout).toContain(
      '+ secrets.kv secret/planned',
    );
    expect((await here.run('kv get secret/planned')).code).toBe(3);
    expect(await state(here)).toEqual(before);
  });
});

describe('what a dry run shows', () => {
  test('is no private key', async () => {
    const here = await place(false);
    const secret = here.at.read('ca').split('\n')[1] ?? 'none';
    for (const flag of ['--dry-run', '--curl', '--dry-run -o json']) {
      const ran = await here.run(`ssh ca create --private-key ca --public-key ca.pub ${flag}`);
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain('<redacted>');
      expect(ran.stdout + ran.stderr).not.toContain(secret);
    }
  });

  test('is rejected like the request itself', async () => {
    const here = await place(false);
    for (const flag of ['--dry-run', '--curl']) {
      expect((await here.run(`ssh sign .. ${flag}`)).code).toBe(2);
      expect((await here.run(`ssh sign there --ttl never ${flag}`)).code).toBe(2);
      expect((await here.run(`ssh sign there --key none ${flag}`)).code).toBe(2);
    }
  });

  test('needs neither a token nor a reachable service', async () => {
    const here = await place(false);
    const env = { LANYARD_SECRETS_TOKEN: '', LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' };
    for (const flag of ['--dry-run', '--curl'])
      expect((await here.run(`ssh sign there ${flag}`, { env })).stdout).toContain(
        'http://127.0.0.1:9/v1/ssh/sign/there',
      );
  });

  test('goes past a proxy of the environment, which Lanyard does not take', async () => {
    const here = await place(false);
    const env = { HTTPS_PROXY: 'http://proxy.example.com:3128' };
    expect((await here.run('ssh role get there --curl', { env })).stdout).toContain(" --noproxy '*' ");
    expect((await here.run('ssh role get there --curl')).stdout).not.toContain('noproxy');
  });

  test('has the header prefix, the namespace and the TLS settings of the endpoint', async () => {
    const here = await place(false);
    const { stdout } = await here.run('ssh role get there --curl -n team', {
      env: {
        LANYARD_SECRETS_ADDR: '',
        VAULT_ADDR: 'https://secrets.example.com',
        VAULT_CACERT: '/etc/ca file.pem',
        VAULT_SKIP_VERIFY: '1',
      },
    });
    expect(stdout).toContain("-H 'X-Vault-Namespace: team'");
    expect(stdout).toContain('-H "X-Vault-Token: $LANYARD_SECRETS_TOKEN"');
    expect(stdout).toContain("--cacert '/etc/ca file.pem' --insecure");
    expect(stdout).toMatch(/https:\/\/secrets\.example\.com\/v1\/ssh\/roles\/there\n$/);
  });
});

describe('the token of a curl line', () => {
  const elsewhere = (variable: string) => `-H "X-Registry-Token: ${variable}"`;

  test('is the variable that it came from', async () => {
    const here = await place(false);
    for (const name of ['CONSUL_HTTP_TOKEN', 'LANYARD_REGISTRY_TOKEN']) {
      const { stdout } = await here.run('query list --curl', { env: { [name]: 't' } });
      expect(stdout).toMatch(/^curl /);
      expect(stdout).toContain(elsewhere(`$${name}`));
    }
    const { url, ...env } = { url: here.services.addresses.registry, T0: 't' };
    await here.run(`profile put p registry.address=${url} registry.token=env://T0`);
    const { stdout } = await here.run('query list --curl -p p', {
      env: { ...env, LANYARD_REGISTRY_ADDR: '' },
    });
    expect(stdout).toContain(elsewhere('$T0'));
    await here.run(`profile put s registry.address=${url} registry.token=-`, { stdin: 't' });
    expect(
      (await here.run('acl logout --dry-run -p s', { env: { LANYARD_REGISTRY_ADDR: '' } })).stdout,
    ).toContain(`\${LANYARD_REGISTRY_TOKEN:?}`);
  });

  test.skipIf(!has('curl'))('is prompted for by the shell if it came from no variable', async () => {
    const here = await place(false);
    const url = here.services.addresses.registry;
    here.at.write('token.txt', 't');
    await here.run(
      `profile put f registry.address=${url} registry.token=file://${here.at.file('token.txt')}`,
    );
    const env = { LANYARD_REGISTRY_ADDR: '' };
    const { stdout } = await here.run('query list --curl -p f', { env });
    expect(stdout).toMatch(/^# set LANYARD_REGISTRY_TOKEN to the token in the file .*token\.txt\ncurl /);
    expect(stdout).toContain(elsewhere(`\${LANYARD_REGISTRY_TOKEN:?}`));
    const pasted = await shell(here.at, stdout);
    expect(pasted.code).not.toBe(0);
    expect(pasted.stderr).toContain('LANYARD_REGISTRY_TOKEN');
    // That the registry knows no such token shows that it was sent.
    const filled = await shell(here.at, `LANYARD_REGISTRY_TOKEN=t; ${stdout.split('\n')[1]} --silent`);
    expect(filled).toMatchObject({ code: 0, stdout: expect.stringMatching(/ACL not found$/) });
  });
});
