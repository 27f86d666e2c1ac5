import { existsSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, words } from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';
import { leasingService } from '../leasing-service.ts';

const { at } = embeddedForAll();
const creds = (line: string, env: Readonly<Record<string, string>> = {}) =>
  at.run(words(`secrets creds ${line}`), { env });
beforeAll(async () => {
  await at.run(words('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8'));
});

const certificate = {
  ca_chain: ['-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----'],
  certificate: '-----BEGIN CERTIFICATE-----\nTEVBRg==\n-----END CERTIFICATE-----',
  expiration: 4_102_444_800,
  issuing_ca: '-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----',
  private_key: '-----BEGIN RSA PRIVATE KEY-----\nS0VZ\n-----END RSA PRIVATE KEY-----',
  private_key_type: 'rsa',
  serial_number: '2d:13',
};

describe('secrets creds', () => {
  test('generates credentials by role, with their lease', async () => {
    const ran = await creds('ssh/otp ip=10.1.2.3 -o json');
    const { data, lease_id: lease } = JSON.parse(ran.stdout);
    expect(ran.code).toBe(0);
    expect(data).toMatchObject({ username: 'ubuntu', ip: '10.1.2.3', key_type: 'otp' });
    expect(lease).toMatch(/^ssh\/creds\/otp\//);
    const text = await creds('/ssh/creds/otp/ ip=10.1.2.3');
    expect(text.stdout).toMatch(/^key\t\S{36}$/m);
    expect(text.stdout).toMatch(/^lease\tssh\/creds\/otp\/\S+\nexpires in\t.+\nrenewable\tno$/m);
  });

  test('prints fields, and variables for a shell', async () => {
    const { env } = await leasingService();
    expect((await creds('database/app --field password', env)).stdout).toBe('secret-app-1\n');
    expect((await creds('database/app --field lease_id', env)).stdout).toBe('database/creds/app/lease-2\n');
    expect((await creds('database/app -o env --env-prefix DB_', env)).stdout).toBe(
      "DB_username='user-app-3'\nDB_password='secret-app-3'\n",
    );
    const ran = await creds('database/app -o env --out db.env', env);
    expect(ran).toMatchObject({ code: 0 });
    expect(statSync(at.file('db.env')).mode & 0o777).toBe(0o600);
  });

  test('sends the request of each engine', async () => {
    const requests: string[] = [];
    const types: Readonly<Record<string, string>> = {
      k8s: 'kubernetes',
      cloud: 'aws',
      tls: 'pki',
      own: 'acme',
    };
    const server = await serve(({ method, url, body }, response) => {
      const [, mount] = /^\/v1\/sys\/internal\/ui\/mounts\/(\w+)\//.exec(url) ?? [];
      if (mount !== undefined) {
        return types[mount] === undefined
          ? json(response, { errors: ['preflight capability check returned 403, please ensure'] }, 403)
          : json(response, { data: { path: `${mount}/`, type: types[mount], options: null } });
      }
      if (url.startsWith('/v1/sys/')) return json(response, { errors: ['permission denied'] }, 403);
      requests.push(`${method} ${url.slice(4)} ${body}`.trim());
      json(response, { lease_id: '', renewable: false, lease_duration: 0, data: { a: 'b' } });
    });
    const env = { LANYARD_SECRETS_ADDR: server.url };
    const lines = [
      'cloud/deploy',
      'cloud/deploy role_arn=arn --ttl 15m',
      'k8s/deploy kubernetes_namespace=web',
      'tls/web --common-name web.example.com --alt-names a.example.com,b.example.com --ttl 24h',
      'cloud/sts/deploy',
      'own/creds/app',
      'hidden/creds/app',
      'hidden/issue/app x=y',
    ];
    for (const line of lines) expect([line, (await creds(line, env)).code]).toEqual([line, 0]);
    expect(requests).toEqual([
      'GET cloud/creds/deploy',
      'POST cloud/creds/deploy {"role_arn":"arn","ttl":"15m"}',
      'POST k8s/creds/deploy {"kubernetes_namespace":"web"}',
      'POST tls/issue/web {"common_name":"web.example.com","alt_names":"a.example.com,b.example.com","ttl":"24h"}',
      'GET cloud/sts/deploy',
      'GET own/creds/app',
      'GET hidden/creds/app',
      'POST hidden/issue/app {"x":"y"}',
    ]);
    expectFailure(await creds('own/app', env), 2, 'the type acme of the engine at own/ is not known');
    expectFailure(
      await creds('hidden/app', env),
      2,
      'cannot find the type of the engine of "hidden/app": permission denied',
    );
  });

  test('writes a certificate with its chain and its key, and replaces them with --force', async () => {
    const service = await leasingService({ certificate });
    const line = 'pki/web --common-name web.example.com --cert-out web.crt --key-out web.key';
    const ran = await creds(line, service.env);
    expect(ran.stdout).toMatch(/^Wrote \S*web\.key and \S*web\.crt\.\nexpires in\t/);
    expect(ran.stdout).not.toContain('PRIVATE KEY');
    expect(at.read('web.crt')).toBe(`${certificate.certificate}\n${certificate.ca_chain[0]}\n`);
    expect(at.read('web.key')).toBe(`${certificate.private_key}\n`);
    expect(statSync(at.file('web.key')).mode & 0o777).toBe(0o600);
    const sent = service.seen.length;
    expectFailure(await creds(line, service.env), 2, 'already exists');
    expect(service.seen).toHaveLength(sent);
    expect((await creds(`${line} --force`, service.env)).code).toBe(0);
  });

  test('names the lease of credentials that have no certificate to write', async () => {
    const { env, valid } = await leasingService();
    const ran = await creds('database/app --cert-out none.crt', env);
    expectFailure(ran, 1, 'cannot write the files: the response has no certificate');
    expect(ran.stderr).toContain(`until their lease ends: ${valid()[0]}`);
    expect(existsSync(at.file('none.crt'))).toBe(false);
  });

  test.each([
    ['database/none', 3, 'role "none" not found (database/creds/none)'],
    ['secret/app', 2, 'the engine at secret/ has no credentials: its type is kv'],
    ['nowhere/app', 3, 'no secrets engine is mounted at nowhere/'],
    ['ssh', 2, 'missing role after "ssh/"'],
    ['ssh/none ip=10.1.2.3', 3, 'role "none" not found (ssh/creds/none)'],
    ['ssh/otp', 1, 'cannot generate credentials'],
    ['ssh/otp ip=10.1.2.3 ttl=1h --ttl 1h', 2, 'ttl is given twice: as a flag and as ttl='],
  ])('fails for %s', async (line, code, message) => {
    const env = line.startsWith('database') ? (await leasingService()).env : {};
    expectFailure(await creds(line, env), code, message);
  });

  test('shows the request of a dry run and sends it not', async () => {
    const service = await leasingService();
    const ran = await creds('database/app --dry-run', service.env);
    expect(ran.stdout).toContain('/v1/database/creds/app');
    const issue = await creds(
      'pki/web --common-name web.example.com --key-out dry.key --dry-run',
      service.env,
    );
    expect(issue.stdout).toContain('web.example.com');
    expect(issue.stdout).toContain('dry.key would be written.');
    expect(service.requests().filter((one) => !one.includes('internal/ui'))).toEqual([]);
    expect(existsSync(at.file('dry.key'))).toBe(false);
  });

  test('does not send a request twice whose response was lost', async () => {
    const server = await serve(({ url }, response) => {
      if (url.includes('internal/ui'))
        return json(response, { data: { path: 'database/', type: 'database', options: null } });
      response.destroy();
    });
    const ran = await creds('database/app', { LANYARD_SECRETS_ADDR: server.url });
    expect(ran.code).toBe(9);
    expect(server.seen.filter(({ url }) => url.endsWith('/creds/app'))).toHaveLength(1);
  });
});
