import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectFailure,
  homeForEach,
  outputOf,
  servicesForEach,
  storedTokens,
} from '../../support/command-tests.ts';
import { freePort } from '../../support/ports.ts';
import { type Provider, provider } from '../../support/provider.ts';
import type { Ran, RunOptions } from '../../support/run.ts';

const at = homeForEach();
const running = servicesForEach(at);
let people: Provider;
let port: number;
let root: string;
const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);
const redirectUri = (): string => `http://localhost:${port}/oidc/callback`;
const stored = () => storedTokens(at);
async function manage(path: string, body: object): Promise<void> {
  const ran = await run(`api registry PUT ${path} --data - --address ${running.addresses.registry}`, {
    stdin: JSON.stringify(body),
    env: { LANYARD_REGISTRY_TOKEN: root },
  });
  expect(ran.code, ran.stderr).toBe(0);
}

beforeEach(async () => {
  port = await freePort();
  people = await provider([redirectUri()], { alice: { groups: ['ops'] }, bob: { groups: ['dev'] } });
  root = (await run('acl bootstrap --field SecretID')).stdout.trim();
  await manage('acl/auth-method', {
    Name: 'corp',
    Type: 'oidc',
    MaxTokenTTL: '1h',
    Config: {
      OIDCDiscoveryURL: people.issuer,
      OIDCClientID: people.clientId,
      OIDCClientSecret: people.clientSecret,
      AllowedRedirectURIs: [redirectUri()],
      ListClaimMappings: { groups: 'groups' },
    },
  });
  await manage('acl/binding-rule', {
    AuthMethod: 'corp',
    BindType: 'service',
    BindName: 'web',
    Selector: 'ops in list.groups',
  });
  delete at.env.LANYARD_REGISTRY_ADDR;
  await run(`profile put dev registry.address=${running.addresses.registry}`);
});

interface Waiting {
  /** The authorization URL that the command says. */
  readonly url: string;
  readonly ended: Promise<Ran>;
}

/** Starts a login in the browser, up to where a person has to open the address. */
async function waiting(more = ''): Promise<Waiting> {
  let said = '';
  const ended = at.run(`acl login --method corp --oidc --callback-port ${port}${more}`.split(' '), {
    onStderr: (text) => {
      said += text;
    },
  });
  await expect.poll(() => /^ {2}(http\S+)$/m.exec(said)?.[1]).toBeDefined();
  return { url: /^ {2}(http\S+)$/m.exec(said)?.[1] ?? '', ended };
}

describe('acl login --oidc', () => {
  test('opens the browser for the login, and stores the token', async () => {
    const { url, ended } = await waiting();
    expect(new URL(url).origin).toBe(people.issuer);
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(redirectUri());
    const back = await people.signIn(url, 'alice');
    const page = await fetch(back);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Lanyard received the response of the provider.');
    const ran = await ended;
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(
      /^Logged in with auth method corp, until \S+ \S+ UTC, with service identity web\.\nStored the token with profile dev, in a file\.\n$/,
    );
    expect(ran.stderr).toContain(
      `Open this URL in a browser that can reach http://localhost:${port} on this machine:`,
    );
    const self = JSON.parse((await run('api registry GET acl/token/self -o json')).stdout);
    expect(self).toMatchObject({ AuthMethod: 'corp' });
    expect((await run('acl logout')).stdout).toBe('The token of profile dev was deleted and removed.\n');
    await expect(fetch(back)).rejects.toThrow();
  });

  test('ignores requests that are not from this login', async () => {
    const { url, ended } = await waiting(' --no-store --meta from=test -o json');
    expect((await fetch(`${redirectUri()}?state=forged&code=forged`)).status).toBe(400);
    await fetch(await people.signIn(url, 'alice'));
    const stdout = outputOf(await ended);
    expect(JSON.parse(stdout)).toMatchObject({
      Description: expect.stringContaining('{"from":"test"}'),
      ServiceIdentities: [{ ServiceName: 'web' }],
    });
  });

  test('of a user whom no binding rule matches is rejected', async () => {
    const { url, ended } = await waiting();
    await fetch(await people.signIn(url, 'bob'));
    expectFailure(await ended, 5, 'auth method "corp" grants no permissions (403)');
    expect(stored()).toBe('');
  });
});

describe('acl oidc', () => {
  const halves = async (login: string, nonce: string): Promise<{ state: string; code: string }> => {
    const ran = await run(
      `acl oidc auth-url --method corp --redirect-uri ${redirectUri()} --client-nonce env://NONCE`,
      { env: { NONCE: nonce } },
    );
    expect(ran.code, ran.stderr).toBe(0);
    const back = await people.signIn(ran.stdout.trim(), login);
    return { state: back.searchParams.get('state') ?? '', code: back.searchParams.get('code') ?? '' };
  };

  test('prints the authorization URL, and exchanges the code for a token', async () => {
    const { state, code } = await halves('alice', 'mine');
    const ran = await run(
      `acl oidc callback --method corp --state ${state} --code - --client-nonce env://NONCE`,
      { stdin: code, env: { NONCE: 'mine' } },
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('Logged in with auth method corp');
    expect((await run('api registry GET acl/token/self')).code).toBe(0);
  });

  test.each([
    ['another nonce', 'other', undefined],
    ['another state', 'mine', 'no-such-state'],
  ])('with %s changes nothing', async (_what, nonce, otherState) => {
    const { state, code } = await halves('alice', 'mine');
    const ran = await run(
      `acl oidc callback --method corp --state ${otherState ?? state} --code - --client-nonce env://NONCE --no-store`,
      { stdin: code, env: { NONCE: nonce } },
    );
    expectFailure(ran, 5, 'cannot finish login: permission denied (403)');
    expect(ran.stderr).not.toContain(code);
  });

  test('gives the token as data', async () => {
    const { state, code } = await halves('alice', 'mine');
    const ran = await run(
      `acl oidc callback --method corp --state ${state} --code - --client-nonce env://NONCE --no-store -o json`,
      { stdin: code, env: { NONCE: 'mine' } },
    );
    expect(JSON.parse(ran.stdout)).toMatchObject({ AuthMethod: 'corp' });
  });

  test('gives the address as data', async () => {
    const ran = await run(`acl oidc auth-url --method corp --redirect-uri ${redirectUri()} -o json`);
    expect(JSON.parse(ran.stdout)).toEqual({ AuthURL: expect.stringContaining(people.issuer) });
  });

  test.each([
    ['none', redirectUri, 3],
    ['corp', () => 'http://elsewhere.example.com/', 1],
  ])('rejects a redirect URI that auth method %s does not allow', async (method, uri, code) => {
    expectFailure(await run(`acl oidc auth-url --method ${method} --redirect-uri ${uri()}`), code);
  });
});
