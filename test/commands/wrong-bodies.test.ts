import { expect, test } from 'vitest';
import { homeForAll, words } from '../support/command-tests.ts';
import { serve } from '../unit/api/support.ts';

const at = homeForAll();

const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';

/** Runs a command line against a server that sends this body to every request. */
async function against(line: string, body: string, type = 'text/plain') {
  const server = await serve((_seen, response) =>
    response.writeHead(200, { 'Content-Type': type }).end(body),
  );
  const service = line.startsWith('ssh') ? 'SECRETS' : 'BOX';
  const env = {
    [`LANYARD_${service}_ADDR`]: server.url,
    [`LANYARD_${service}_TOKEN`]: 'a-token-of-this-test',
  };
  return { ...(await at.run(words(line), { env })), seen: server.seen };
}

test.each(['ssh ca public-key', 'ssh trust'])('%s takes nothing but SSH public keys', async (line) => {
  for (const body of [
    ...[
      'done',
      'ssh-ed25519',
      'ssh-ed25519 AAAA',
      `ssh-rsa ${key}`,
      `ssh-ed25519 ${key}\nnot a key`,
      '\n',
      '{}',
    ],
    '-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----',
  ]) {
    const ran = await against(line, body);
    expect(ran, body).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('unexpected response from the secrets service: status 200');
  }
  // The server does not know the method LIST, and has a key for each issuer.
  const warning = /^warning: incomplete: cannot read the other issuers of ssh\/: .* \(400\)\n$/;
  expect(await against(line, `ssh-ed25519 ${key}\n`)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(line === 'ssh trust' ? warning : /^$/),
  });
});

test('box token check takes nothing but the user of the token, or no body', async () => {
  for (const body of ['"done"', '42', '[]', '{}', '{"data":42}', '{"user":"dev"}', '{"user":{"username":1}}'])
    expect(await against('box token check', body, 'application/json'), body).toMatchObject({
      code: 1,
      stdout: '',
    });
  expect(await against('box token check', 'done')).toMatchObject({ code: 1, stdout: '' });
  const user = '{"user":{"username":"dev"}}';
  expect((await against('box token check', user, 'application/json')).stdout).toContain(
    'is valid and belongs to dev',
  );
  expect((await against('box token check', '')).code).toBe(0);
});

test('box token delete with a body that no registry sends checks whether the token is still valid', async () => {
  for (const body of ['{}', '42', '{"data":42,"auth":[]}']) {
    const ran = await against('box token delete --yes', body, 'application/json');
    expect(ran, body).toMatchObject({ code: 9, stdout: '' });
    expect(ran.seen.map(({ method }) => method)).toEqual(['DELETE', 'GET']);
  }
});
