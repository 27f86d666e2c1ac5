import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type ActionsIssuer, actionsIssuer } from '../../support/actions-issuer.ts';
import { expectExit, homeForAll } from '../../support/command-tests.ts';
import { type LocalRelease, localRelease } from '../../support/release.ts';
import { services, type TestServices } from '../../support/services.ts';

// The component for GitLab, in jobs that a test plays: inputs are replaced as GitLab does, and the scripts run in a shell.

const template = readFileSync(join(import.meta.dirname, '../../../templates/lanyard.yml'), 'utf8');

interface Job {
  readonly id_tokens: Readonly<Record<string, { readonly aud: string }>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly after_script: readonly string[];
}

/** The hidden job, with the inputs in place. */
function jobOf(inputs: Readonly<Record<string, string>>): { readonly name: string; readonly job: Job } {
  const [header = '', body = ''] = template.split(/^---$/m);
  const [spec] = parseAllDocuments(header).map(
    (each) => each.toJS() as { spec: { inputs: Record<string, { default?: string }> } },
  );
  const declared = spec?.spec.inputs ?? {};
  const text = body.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    const value = inputs[name] ?? declared[name]?.default;
    if (value === undefined) throw new Error(`missing input ${name}`);
    return value;
  });
  const jobs = parseAllDocuments(text)[0]?.toJS() as Readonly<Record<string, Job>>;
  const [[name, job] = ['', {} as Job]] = Object.entries(jobs);
  return { name, job };
}

const at = homeForAll();
let running: TestServices;
let issuer: ActionsIssuer;
let release: LocalRelease;
let jobs = 0;

beforeAll(async () => {
  release = localRelease(at);
  [running, issuer] = await Promise.all([services(at), actionsIssuer()]);
  const write = async (path: string, members: object): Promise<void> => {
    expectExit(await at.run(['secrets', 'write', path, '--in', '-'], { stdin: JSON.stringify(members) }), 0);
  };
  const rules = 'path "secret/*" { capabilities = ["read"] }';
  await write('sys/policies/acl/job', { policy: rules });
  await write('sys/auth/gitlab', { type: 'jwt' });
  await write('auth/gitlab/config', {
    jwt_validation_pubkeys: [issuer.publicKey],
    bound_issuer: issuer.issuer,
  });
  await write('auth/gitlab/role/deploy', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['https://vault.example.com'],
    token_policies: ['job'],
  });
  const pairs = JSON.stringify({ password: "it's\n$HOME `x` \\ 100%", user: 'app-user' });
  expect((await at.run(['kv', 'put', 'secret/app/db', '--in', '-'], { stdin: pairs })).code).toBe(0);
});
afterAll(async () => {
  await Promise.all([running.close(), issuer.close()]);
});

/** Runs a job that extends the component. @returns the exit code and the log of all scripts */
async function play(
  script: string,
  inputs: Readonly<Record<string, string>> = {},
  shell = 'bash',
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly log: string; readonly temporary: string }> {
  jobs += 1;
  const { url } = await release.serve('/files');
  const { job } = jobOf({
    url: running.addresses.secrets,
    audience: 'https://vault.example.com',
    role: 'deploy',
    'auth-path': 'gitlab',
    version: release.version,
    'release-url': `${url}/files`,
    ...inputs,
  });
  const project = at.file(`builds/project-${jobs}`);
  mkdirSync(project, { recursive: true });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: at.path,
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PROJECT_DIR: project,
    CI_JOB_ID: String(jobs),
    ...job.variables,
    ...more,
  };
  for (const [name, { aud }] of Object.entries(job.id_tokens)) env[name] = await issuer.sign(aud);
  let log = '';
  const runShell = async (text: string): Promise<number> => {
    const child = spawn(shell, ['-e', '-c', text], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        log += chunk;
      });
    const [code] = await once(child, 'close');
    return code ?? -1;
  };
  const code = await runShell([...job.before_script, script].join('\n'));
  expect(await runShell(job.after_script.join('\n'))).toBe(0);
  expect(readdirSync(project)).toEqual([]);
  return { code, log, temporary: `${project}.tmp` };
}

test('has the form of a component', () => {
  const { name, job } = jobOf({
    url: 'https://vault.example.com',
    audience: 'a',
    version: '1.2.3',
    'release-url': 'https://r',
  });
  expect(name).toBe('.lanyard');
  expect(Object.keys(job)).toEqual(['id_tokens', 'variables', 'before_script', 'after_script']);
  expect(job.id_tokens).toEqual({ LANYARD_ID_TOKEN: { aud: 'a' } });
  expect(Object.values(job.variables).every((value) => typeof value === 'string')).toBe(true);
  // Inputs are passed as variables, not as parts of a script.
  expect(template.split(/^ {2}before_script:$/m)[1]).not.toContain('$[[');
  expect(() => jobOf({})).toThrow('missing input');
});

describe('a job', () => {
  test.each(['bash', 'sh'])(
    'logs in, gets variables, and its token is revoked afterwards (%s)',
    async (shell) => {
      const script = `
      [ "$PASSWORD" = "$(printf '%s' "it's"; printf '\\n%s' '$HOME \`x\` \\ 100%')" ] || exit 21
      [ "$DB_USER" = app-user ] || exit 22
      [ -z "\${LANYARD_SECRETS_TOKEN:-}" ] || exit 23
      lanyard secrets token self --field accessor > "$CI_PROJECT_DIR.tmp/accessor"`;
      const ran = await play(
        script,
        { kv: 'secret/app/db password;', secrets: 'secret/data/app/db user | DB_USER' },
        shell,
      );
      expect(ran.code, ran.log).toBe(0);
      expect(ran.log).not.toMatch(/app-user|it's|100%/);
      for (const token of issuer.tokens) expect(ran.log).not.toContain(token);
      const accessor = readFileSync(join(ran.temporary, 'accessor'), 'utf8').trim();
      expect(ran.log).toContain('was revoked and removed');
      expect((await at.run(['secrets', 'token', 'lookup', '--accessor', accessor])).code).toBe(3);
      expect(readdirSync(ran.temporary)).toEqual(['accessor']);
    },
  );

  test('may use Lanyard without variables', async () => {
    const script = `lanyard run --kv secret/app/db -- sh -c '[ "$user" = app-user ]'`;
    const ran = await play(script);
    expect(ran.code, ran.log).toBe(0);
  });

  test('uses its inputs, also if the job has settings of other tools', async () => {
    const ran = await play('[ "$USER" = app-user ]', { kv: 'secret/app/db user' }, 'sh', {
      VAULT_ADDR: 'http://127.0.0.1:9',
      VAULT_TOKEN: 'other-token',
      LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9',
      LANYARD_SECRETS_TOKEN: 'other-token',
    });
    expect(ran.code, ran.log).toBe(0);
    expect(ran.log).toContain('was revoked and removed');
    expect(readdirSync(ran.temporary)).toEqual([]);
  });

  test('a value cannot set a variable of the component', async () => {
    const pairs = JSON.stringify({ lanyard_dir: at.file('elsewhere') });
    expect((await at.run(['kv', 'put', 'secret/app/evil', '--in', '-'], { stdin: pairs })).code).toBe(0);
    at.write('elsewhere/values', 'kept');
    const ran = await play('echo script ran', { kv: 'secret/app/evil **' });
    expect(ran.code).not.toBe(0);
    expect(ran.log).toContain('would set lanyard_dir');
    expect(ran.log).not.toContain('script ran');
    expect(at.read('elsewhere/values')).toBe('kept');
  });

  test.each([
    ['another audience', { audience: 'elsewhere' }, 'cannot log in'],
    ['a secret that does not exist', { kv: 'secret/missing' }, 'secret "secret/missing" not found'],
    ['another checksum', { checksum: '0'.repeat(64) }, 'wrong checksum'],
    ['another version', { version: '9.9.9' }, '404'],
    ['a release at another host', { 'release-url': 'http://127.0.0.1:80@example.com' }, 'must not contain'],
    ['a release over plain http', { 'release-url': 'http://example.com' }, 'release-url is not an https URL'],
  ])('fails with %s, before its script, and leaves nothing', async (_, inputs, message) => {
    const ran = await play('echo script ran', inputs);
    expect(ran.code).not.toBe(0);
    expect(ran.log).toContain(message);
    expect(ran.log).not.toContain('script ran');
    expect(ran.log).not.toMatch(/app-user/);
    expect(existsSync(ran.temporary) && readdirSync(ran.temporary)).toEqual([]);
  });
});
