import { describe, expect, test } from 'vitest';
import { expectExit, homeForEach, words } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { file, secureServer, skip, useCertificates } from '../unit/api/certificates.ts';

const at = homeForEach();
useCertificates();
describe.skipIf(skip)('TLS (openssl)', () => {
  const env = (url: string): Record<string, string> => ({ VAULT_ADDR: url, VAULT_TOKEN: 'hvs.t' });
  const call = (more: Record<string, string>, flags = ''): Promise<Ran> =>
    at.run(words(`api secrets GET x ${flags}`), { env: more });

  test('a certificate of an unknown authority is unreachable; VAULT_CACERT and a profile name the authority', async () => {
    const { url } = await secureServer('loopback');
    expect(await call(env(url))).toMatchObject({ code: 7, stdout: '' });
    expect(await call({ ...env(url), VAULT_CACERT: file('ca.pem') })).toMatchObject({ code: 0, stderr: '' });
    await at.run(
      words(`profile put p secrets.address=${url} secrets.ca-cert=${file('ca.pem')} secrets.token=-`),
      { stdin: 'hvs.t' },
    );
    expect((await call({})).code).toBe(0);
  });

  test('a client certificate is shown', async () => {
    const { url } = await secureServer('loopback', true);
    const ran = await call({
      ...env(url),
      VAULT_CACERT: file('ca.pem'),
      LANYARD_SECRETS_CLIENT_CERT: file('client.pem'),
      LANYARD_SECRETS_CLIENT_KEY: file('client.key'),
    });
    expect(JSON.parse(ran.stdout)).toEqual({ ok: true, client: 'client' });
  });

  test('--skip-verify warns, also with --quiet', async () => {
    const { url } = await secureServer('named');
    const ran = await call(env(url), '--skip-verify --quiet');
    expectExit(ran, 0, /^warning: the certificate of the secrets service is not verified/);
  });
});
