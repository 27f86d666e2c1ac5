import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ActionsIssuer, actionsIssuer } from '../../support/actions-issuer.ts';
import { expectExit, homeForAll } from '../../support/command-tests.ts';
import { type ActionStep, type Job, startJob } from '../../support/github-runner.ts';
import { type LocalRelease, localRelease } from '../../support/release.ts';
import { services, type TestServices } from '../../support/services.ts';
import { serve } from '../../unit/api/support.ts';

// The action of this repository, in a job that a test plays: an install from a local release, an OIDC login at a local
// issuer, the embedded services.

const directory = join(import.meta.dirname, '../../..');
const at = homeForAll();
let running: TestServices;
let issuer: ActionsIssuer;
let release: LocalRelease;
let version: string;
let archive: string;
let checksum: string;
const pem = '-----BEGIN KEY-----\n100%-of-it\n  indented\n-----END KEY-----\n';

async function write(path: string, members: object): Promise<void> {
  expectExit(await at.run(['secrets', 'write', path, '--in', '-'], { stdin: JSON.stringify(members) }), 0);
}

beforeAll(async () => {
  release = localRelease(at);
  ({ version, archive, checksum } = release);
  [running, issuer] = await Promise.all([services(at), actionsIssuer()]);
  const rules = 'path "secret/*" { capabilities = ["read"] }';
  await write('sys/policies/acl/job', { policy: rules });
  for (const type of ['jwt', 'approle', 'userpass']) await write(`sys/auth/${type}`, { type });
  await write('auth/jwt/config', { jwt_validation_pubkeys: [issuer.publicKey], bound_issuer: issuer.issuer });
  await write('auth/jwt/role/deploy', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['https://vault.example.com'],
    token_policies: ['job'],
  });
  await write('auth/userpass/users/bob', { password: 'pass%word-1', token_policies: ['job'] });
  for (const [path, pairs] of [
    ['secret/app/db', { user: 'app-user', password: 'hunter22' }],
    ['secret/app/tls', { key: pem, odd: 'a\nEVIL=1\n::set-output name=x::y' }],
  ] as const)
    expect((await at.run(['kv', 'put', path, '--in', '-'], { stdin: JSON.stringify(pairs) })).code).toBe(0);
});
beforeEach(() => {
  issuer.requests.length = 0;
  issuer.tokens.length = 0;
});
afterAll(async () => {
  await Promise.all([running.close(), issuer.close()]);
});

const newJob = (env: Readonly<Record<string, string>> = {}): Job =>
  startJob({ PATH: process.env.PATH ?? '', HOME: at.path, ...env });

/** Runs the action with the login of a job, and what else is given. */
async function use(
  job: Job,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = issuer.env,
): Promise<ActionStep> {
  const { url } = await release.serve('/files');
  const defaults = {
    url: running.addresses.secrets,
    method: 'jwt',
    role: 'deploy',
    jwtGithubAudience: 'https://vault.example.com',
    releaseUrl: `${url}/files`,
  };
  return job.action(directory, { ...defaults, ...inputs }, env);
}

/** The policies of a token; undefined: the service does not accept it. */
async function policiesOf(token: string): Promise<readonly string[] | undefined> {
  const env = { LANYARD_SECRETS_TOKEN: token };
  const ran = await at.run(['secrets', 'token', 'self', '-o', 'json'], { env });
  return ran.code === 0 ? JSON.parse(ran.stdout).policies : undefined;
}

describe('action.yml', () => {
  const { name, description, inputs, outputs, runs } = parse(
    readFileSync(join(directory, 'action.yml'), 'utf8'),
  ) as Record<string, Record<string, { description?: string; default?: unknown; required?: unknown }>>;

  test('has the form of an action', () => {
    expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
    expect(runs).toEqual({ using: 'node24', main: 'action/main.js', post: 'action/post.js' });
    for (const file of ['main', 'post']) expect(existsSync(join(directory, `action/${file}.js`))).toBe(true);
    for (const each of Object.values({ ...inputs, ...outputs }))
      expect(each.description).toMatch(/^[A-Z].*\.$/s);
    // Numbers and booleans would be texts of YAML.
    for (const each of Object.values(inputs ?? {}))
      expect(['string', 'undefined']).toContain(typeof each.default);
  });

  test('declares the inputs that the action reads, and the guide describes each', () => {
    const source = readFileSync(join(directory, 'action/main.js'), 'utf8');
    const guide = readFileSync(join(directory, 'docs/guides/ci-github.md'), 'utf8');
    for (const input of Object.keys(inputs ?? {})) {
      expect(source, input).toContain(`'${input}'`);
      expect(guide, input).toContain(`\`${input}\``);
    }
    const read = [...source.matchAll(/\b(?:input|flag|requiredInput|secretOf)\('(\w+)'/g)].map(
      ([, each]) => each,
    );
    expect(read.filter((each) => !Object.hasOwn(inputs ?? {}, each ?? ''))).toEqual([]);
  });
});

describe('the action', () => {
  test('installs, logs in, and sets outputs; later steps get them', async () => {
    const job = newJob();
    const step = await use(job, {
      secrets:
        'secret/data/app/db user | DB_USER ; secret/data/app/db password ; secret/data/app/tls * | TLS_',
    });
    expect(step.code, job.log.text).toBe(0);
    expect(Object.fromEntries(step.outputs)).toEqual({
      version,
      DB_USER: 'app-user',
      password: 'hunter22',
      TLS_key: pem,
      TLS_odd: 'a\nEVIL=1\n::set-output name=x::y',
    });
    expect([...job.env]).toEqual([]);
    const later = await job.shell('lanyard --version; echo "$PASSWORD"; printf "%s" "$KEY" | base64 -w0', {
      PASSWORD: step.outputs.get('password') ?? '',
      KEY: step.outputs.get('TLS_key') ?? '',
    });
    expect(later.code).toBe(0);
    expect(job.log.text).toMatch(/^\d+\.\d+\.\d+$/m);
    expect(job.log.text).not.toMatch(/hunter22|app-user|100%-of-it|indented|EVIL/);
    expect(job.log.text).not.toContain(Buffer.from(pem).toString('base64'));
    for (const token of issuer.tokens) expect(job.log.text).not.toContain(token);
    expect((await step.post()).code).toBe(0);
  });

  test('masks every line before a value is in any file', async () => {
    const job = newJob();
    const step = await use(job, { kv: 'secret/app/tls', exportEnv: 'true', outputToken: 'true' });
    expect(step.code, job.log.text).toBe(0);
    for (const line of [...pem.split('\n').filter(Boolean), 'EVIL=1', '::set-output name=x::y'])
      expect(job.log.masks(line), line).toBe(true);
    expect(job.env.get('KEY')).toBe(pem);
    expect((await job.shell('printf "%s\\n" "$KEY" "$ODD"')).code).toBe(0);
    expect(job.log.text).not.toMatch(/BEGIN KEY|100%|indented|EVIL|set-output/);
    expect(job.log.masks(step.outputs.get('vault_token') ?? '-')).toBe(true);
  });

  test('revokes the token of the login at the end of the job, and removes its files', async () => {
    const job = newJob();
    const step = await use(job, { outputToken: 'true', exportToken: 'true', kv: 'secret/app/db user' });
    expect(step.code, job.log.text).toBe(0);
    const token = step.outputs.get('vault_token') ?? '';
    expect(job.env.get('VAULT_TOKEN')).toBe(token);
    expect(job.env.get('LANYARD_SECRETS_TOKEN')).toBe(token);
    expect(await policiesOf(token)).toContain('job');
    expect((await step.post()).code, job.log.text).toBe(0);
    expect(await policiesOf(token)).toBeUndefined();
    expect(readdirSync(job.temp).filter((name) => name.startsWith('lanyard'))).toEqual([]);
    expect(job.log.text).not.toContain(token);
  });

  test('does not revoke the token with revoke: false, or a token from an input', async () => {
    const job = newJob();
    const kept = await use(job, { outputToken: 'true', revoke: 'false' });
    await kept.post();
    expect(await policiesOf(kept.outputs.get('vault_token') ?? '')).toContain('job');
    const given = await use(job, { method: 'token', token: running.rootToken, kv: 'secret/app/db user' });
    expect(given.code, job.log.text).toBe(0);
    await given.post();
    expect(await policiesOf(running.rootToken)).toContain('root');
    expect(job.log.text).not.toContain(running.rootToken);
  });

  test('uses no setting of the job for the service: neither a token of another step nor a profile', async () => {
    const job = newJob();
    const env = {
      ...issuer.env,
      LANYARD_PROFILE: 'other',
      LANYARD_SECRETS_TOKEN: 'other-token',
      LANYARD_SECRETS_NAMESPACE: 'other',
      VAULT_NAMESPACE: 'other',
      VAULT_SKIP_VERIFY: 'maybe',
      VAULT_CACERT: '/missing.pem',
    };
    const step = await use(job, { kv: 'secret/app/db user', outputToken: 'true' }, env);
    expect(step.code, job.log.text).toBe(0);
    expect(step.outputs.get('user')).toBe('app-user');
    expect((await step.post()).code).toBe(0);
    expect(await policiesOf(step.outputs.get('vault_token') ?? '')).toBeUndefined();
  });

  test('logs in with the other methods', async () => {
    await write('auth/approle/role/ci', { token_policies: ['job'] });
    const fieldOf = async (argv: string): Promise<string> => (await at.run(argv.split(' '))).stdout.trim();
    const inputs = {
      roleId: await fieldOf('secrets read auth/approle/role/ci/role-id --field role_id'),
      secretId: await fieldOf('secrets write auth/approle/role/ci/secret-id --field secret_id'),
    };
    const job = newJob();
    for (const login of [
      { method: 'approle', ...inputs },
      { method: 'userpass', username: 'bob', password: 'pass%word-1' },
    ]) {
      const step = await use(job, { ...login, kv: 'secret/app/db user' }, {});
      expect(step.code, job.log.text).toBe(0);
      expect(step.outputs.get('user')).toBe('app-user');
    }
    expect(job.log.text).not.toContain(inputs.secretId);
    expect(job.log.text).not.toContain('pass%word-1');
  });
});

describe('the plan', () => {
  /** A set of one secret in the directory of a job. */
  function writeState({ workspace }: Job, user: string): void {
    mkdirSync(join(workspace, 'state'));
    const documents = [
      { kind: 'Set', metadata: { name: 'app', id: 'actionset1' }, spec: { record: 'file:record.lock' } },
      {
        kind: 'secrets.kv',
        metadata: { mount: 'secret', name: 'app/db', allowLiteral: true },
        spec: { data: { user, password: 'hunter22' } },
      },
    ];
    for (const [index, document] of documents.entries())
      writeFileSync(
        join(workspace, `state/${index}.json`),
        JSON.stringify({ apiVersion: 'lanyard/v1', ...document }),
      );
  }

  test('is in a file and in the summary, and differences do not fail the step', async () => {
    const job = newJob();
    writeState(job, 'other-user');
    const step = await use(job, { plan: 'state', planFlags: '--adopt  --service secrets' });
    expect(step.code, job.log.text).toBe(0);
    const file = step.outputs.get('plan_file') ?? '';
    const markdown = readFileSync(file, 'utf8');
    expect(markdown).toContain('## Plan for set `app`\n');
    expect(markdown).toContain('- **update** `secret/app/db` (`adopted`)\n');
    expect(markdown).toContain('  ! data.user (secret changed)\n');
    expect(step.summary).toBe(`${markdown}\n`);
    expect(step.outputs.get('plan_changes')).toBe('true');
    expect(`${job.log.text}${markdown}`).not.toMatch(/hunter22|(app|other)-user/);
    expect((await job.shell('test -s "$FILE"', { FILE: file })).code).toBe(0);
    expect((await step.post()).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  test('without differences, and with the services of the environment', async () => {
    const job = newJob();
    writeState(job, 'app-user');
    const env = {
      LANYARD_SECRETS_ADDR: running.addresses.secrets,
      LANYARD_SECRETS_TOKEN: running.rootToken,
    };
    const step = await use(job, { url: '', plan: '\n  state\n' }, env);
    expect(step.code, job.log.text).toBe(0);
    expect(step.outputs.get('plan_changes')).toBe('false');
    expect(step.summary).toContain('**Plan:** 0 to create, 0 to update, 0 to delete, 1 to adopt');
    expect((await step.post()).code).toBe(0);
    expect(readdirSync(job.temp).filter((name) => name.startsWith('lanyard'))).toEqual([]);
  });

  test.each([
    [{ plan: 'missing' }, 2, 'cannot read missing: no such file or directory'],
    [{ plan: '--version' }, 2, 'cannot read --version: no such file or directory'],
    [{ plan: 'state', planFlags: '--prun' }, 2, 'unknown flag "--prun" (Did you mean --prune?)'],
    [{ plan: 'state', planFlags: '-ojson' }, 1, 'invalid input planFlags: -ojson is not supported'],
    [{ plan: 'state', url: 'http://127.0.0.1:9' }, 7, 'connection refused'],
  ])('%s ends the step', async (inputs, code, message) => {
    const job = newJob();
    writeState(job, 'app-user');
    const step = await use(job, inputs);
    expect([step.code, job.log.text]).toEqual([code, expect.stringContaining(message)]);
    expect([...step.outputs.keys()]).not.toContain('plan_file');
    expect(step.summary).toBe('');
  });
});

describe('a failure of the action', () => {
  const secretTexts = /hunter22|app-user|100%-of-it/;

  test.each([
    ['a wrong audience', { jwtGithubAudience: 'elsewhere' }, 4, 'cannot log in'],
    ['a role that does not exist', { role: 'missing' }, 3, 'role "missing" not found'],
    [
      'a secret that does not exist',
      { kv: 'secret/app/db; secret/missing' },
      3,
      'secret "secret/missing" not found',
    ],
    [
      'a name that changes how programs run',
      { kv: 'secret/app/db user | PATH', exportEnv: 'true' },
      2,
      'PATH',
    ],
    ['a method that is not supported', { method: 'github' }, 1, 'unsupported method "github"'],
    ['a missing input', { method: 'approle' }, 1, 'missing input roleId'],
    ['a flag that is neither true nor false', { exportEnv: 'yes' }, 1, 'invalid input exportEnv'],
    ['a secret that may not be read', { kv: '', secrets: 'sys/auth x' }, 5, 'GET sys/auth requires'],
    ['an address that is not reached', { url: 'http://127.0.0.1:9' }, 7, 'connection refused'],
  ])('%s ends the step, and nothing secret is shown or set', async (_, inputs, code, message) => {
    const job = newJob();
    const step = await use(job, { kv: 'secret/app/db', ...inputs });
    expect(step.code, job.log.text).toBe(code);
    // The annotation has the cause, which the log has too.
    expect(job.log.text).toMatch(
      new RegExp(`^(::error::|\\[error\\]).*${message.replaceAll(/[()]/g, '.')}`, 'm'),
    );
    expect(job.log.text).not.toMatch(secretTexts);
    for (const token of [...issuer.tokens, issuer.requestToken]) expect(job.log.text).not.toContain(token);
    expect([...step.outputs.keys()].filter((name) => name !== 'version')).toEqual([]);
    expect([...job.env]).toEqual([]);
    expect((await step.post()).code).toBe(0);
    expect(job.log.text).not.toContain('could not be revoked');
    expect(readdirSync(job.temp).filter((name) => name.startsWith('lanyard'))).toEqual([]);
  });

  test('names the missing permission for OIDC tokens', async () => {
    const job = newJob();
    expect((await use(job, { kv: 'secret/app/db' }, {})).code).toBe(2);
    expect(job.log.text).toContain('Add "permissions: id-token: write"');
  });

  test('of the revocation is a warning', async () => {
    const job = newJob();
    const step = await use(job, { outputToken: 'true' });
    const token = step.outputs.get('vault_token') ?? '';
    const env = { LANYARD_SECRETS_TOKEN: token };
    expect((await at.run(['secrets', 'token', 'revoke', '--self', '--yes'], { env })).code).toBe(0);
    expect((await step.post()).code).toBe(0);
    expect(job.log.text).toContain('::warning::The token could not be revoked');
  });
});

describe('the installation', () => {
  const installOnly = { url: '', method: 'token', role: '', jwtGithubAudience: '' };

  test('uses the tool cache of the runner', async () => {
    const job = newJob();
    expect((await use(job, installOnly)).code, job.log.text).toBe(0);
    const [path = ''] = job.paths;
    expect(path.startsWith(join(job.toolCache, 'lanyard', version))).toBe(true);
    // Another step downloads nothing.
    const again = await use(job, { ...installOnly, releaseUrl: 'https://127.0.0.1:9' });
    expect(again.code, job.log.text).toBe(0);
    expect(job.paths).toEqual([path, path]);
  });

  test('rejects an archive with another checksum', async () => {
    const job = newJob();
    const { url } = await release.serve('/files', `${'0'.repeat(64)}  ${archive}\n`);
    expect((await use(job, { ...installOnly, releaseUrl: `${url}/files` })).code).toBe(1);
    expect(job.log.text).toContain(`wrong checksum of ${archive}`);
    expect(existsSync(join(job.toolCache, 'lanyard'))).toBe(false);
    expect(job.paths).toEqual([]);
  });

  test('a given checksum takes precedence, also over the tool cache', async () => {
    const job = newJob();
    const { url } = await release.serve('/files', `${'0'.repeat(64)}  ${archive}\n`);
    const pinned = { ...installOnly, releaseUrl: `${url}/files`, checksum };
    expect((await use(job, pinned)).code, job.log.text).toBe(0);
    expect((await use(job, { ...pinned, checksum: 'f'.repeat(64) })).code).toBe(1);
    expect(job.log.text).toContain(`expected ${'f'.repeat(64)}`);
    expect((await use(job, pinned)).code).toBe(0);
  });

  test('without a tool cache of the runner, uses no directory with a known name', async () => {
    const job = newJob();
    const env = { RUNNER_TOOL_CACHE: '', TMPDIR: job.temp };
    for (const _ of [1, 2]) expect((await use(job, installOnly, env)).code, job.log.text).toBe(0);
    expect(new Set(job.paths).size).toBe(2);
  });

  test('follows no redirect to plain http', async () => {
    const job = newJob();
    const { url } = await release.serve('/files');
    const redirecting = await serve((_, response) =>
      response.writeHead(302, { Location: `${url}/files/SHA256SUMS` }).end(),
    );
    expect((await use(job, { ...installOnly, releaseUrl: redirecting.url })).code).toBe(1);
    expect(job.log.text).toContain('redirected to an address that is not https');
  });

  test('an incomplete copy in the tool cache is not used', async () => {
    const job = newJob();
    const program = join(job.toolCache, 'lanyard', version, process.arch, 'bin', 'lanyard');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '#!/bin/sh\nexit 9\n', { mode: 0o755 });
    expect((await use(job, { ...installOnly, url: '' })).code).toBe(0);
    expect(readFileSync(program, 'utf8')).toContain('exec');
  });

  test.each([
    [{ version: '../../evil' }, 'invalid input version'],
    [{ version: '9.9.9' }, 'SHA256SUMS of the release has no lanyard-9.9.9'],
    [{ version: '9.9.9', checksum: 'f'.repeat(64) }, 'status 404'],
    [{ checksum: 'abc' }, 'invalid input checksum'],
    [{ releaseUrl: 'http://example.com/files' }, 'expected an https URL'],
    [{ releaseUrl: '' }, 'missing input releaseUrl'],
  ])('rejects %s', async (inputs, message) => {
    const job = newJob();
    expect((await use(job, { ...installOnly, ...inputs })).code).toBe(1);
    expect(job.log.text).toContain(message);
  });

  test('takes the release from the repository of the action', async () => {
    const job = newJob();
    const { url } = await release.serve(`/octo-org/lanyard/releases/download/v${version}`, '');
    const env = { GITHUB_ACTION_REPOSITORY: 'octo-org/lanyard', GITHUB_SERVER_URL: url };
    expect((await use(job, { ...installOnly, releaseUrl: '', checksum }, env)).code, job.log.text).toBe(0);
  });
});
