import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure, words } from '../../support/command-tests.ts';
import { services, type TestServices } from '../../support/services.ts';
import { editing, keptIn } from '../editing.ts';
import { playback, sshRole } from '../openbao.ts';

const { at, leftovers, editor } = editing();
let running: TestServices;
const run = (line: string, env: Record<string, string> = {}) => at.run(words(line), { env });
const role = async (name: string, mount = 'ssh') =>
  JSON.parse((await run(`ssh role get ${name} --mount ${mount} -o json`)).stdout).data;
const edit = (script: string, flags = '') => run(`ssh role edit deploy ${flags}`, editor(script));

beforeAll(async () => {
  running = await services(at);
  await run('secrets mount enable ssh --path users');
  return () => running.close();
});
afterEach(async () => {
  for (const [name, mount] of [
    ['deploy', 'ssh'],
    ['copy', 'ssh'],
    ['deploy', 'users'],
  ])
    await run(`ssh role delete ${name} --mount ${mount} --yes`);
});
const create = () =>
  run(
    'ssh role put deploy --allow-user-certificates --allowed-users ada,bob --default-user ada --default-extension permit-pty --allowed-critical-options force-command --ttl 30m --max-ttl 1h --key-id-format k-{{token_display_name}}',
  );

describe('ssh role copy', () => {
  test('copies every field, on the same mount and to another', async () => {
    await create();
    expect(await run('ssh role copy deploy copy')).toMatchObject({ code: 0, stdout: 'Created role copy.\n' });
    expect(await role('copy')).toEqual(await role('deploy'));
    expect((await run('ssh role copy deploy deploy --to-mount users')).code).toBe(0);
    expect(await role('deploy', 'users')).toEqual(await role('deploy'));
  });

  test('fails if the target exists, and changes nothing', async () => {
    await create();
    await run('ssh role put copy --allow-user-certificates --allowed-users eve');
    const before = await role('copy');
    const ran = await run('ssh role copy deploy copy');
    expectFailure(
      ran,
      6,
      /cannot copy role "deploy": role "copy" already exists in ssh\/\nhint: .*ssh role edit copy/,
    );
    expect(await role('copy')).toEqual(before);
  });

  test('fails without the source or the mount', async () => {
    expectFailure(await run('ssh role copy none copy'), 3, 'role "none" not found in ssh/');
    await create();
    expect((await run('ssh role copy deploy copy --to-mount nowhere')).code).not.toBe(0);
  });

  test('writes nothing in a dry run', async () => {
    await create();
    const ran = await run('ssh role copy deploy copy --dry-run -o json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ body: { allowed_users: 'ada,bob', max_ttl: '1h0m0s' } });
    expect((await run('ssh role get copy')).code).toBe(3);
  });
});

describe('ssh role edit', () => {
  test('edits the role as YAML and shows what changed', async () => {
    await create();
    const ran = await edit(`sed -i '/- bob/d; s/^ttl: .*/ttl: 10m/' "$1"`);
    expect(ran.stdout).toBe('Updated role deploy.\nallowed_users\t"ada,bob"\t"ada"\nttl\t"30m0s"\t"10m0s"\n');
    expect(ran.code, ran.stderr).toBe(0);
    expect(at.read('seen')).toMatch(/^# SSH role "deploy"\. If the text is unchanged or empty/);
    expect(at.read('modes')).toBe('600\n700\n');
    expect(await role('deploy')).toMatchObject({ allowed_users: 'ada', default_user: 'ada' });
    expect(leftovers()).toEqual([]);
  });

  test('edits durations, which OpenBao returns as numbers of seconds', async () => {
    const before = sshRole({ ttl: 86400, max_ttl: 172800, not_before_duration: 30 });
    const after = sshRole({ ttl: 43200, max_ttl: 172800, not_before_duration: 30 });
    const server = await playback({
      'GET ssh/roles/deploy': [before, before, after],
      'POST ssh/roles/deploy': { status: 204 },
    });
    const ran = await edit(`sed -i 's/^ttl: 24h0m0s$/ttl: 12h/' "$1"`, `--address ${server.url}`);
    expect(ran.code, ran.stderr).toBe(0);
    const written = server.seen.find(({ body }) => body !== '')?.body ?? '';
    expect(JSON.parse(written)).toMatchObject({ ttl: '12h', max_ttl: '48h0m0s', not_before_duration: '30s' });
  });

  test.each([
    ['does not change the text', 'true'],
    ['empties the text', ': > "$1"'],
    ['changes only the formatting', `sed -i 's/default_user: ada/default_user: "ada"/' "$1"`],
  ])('writes nothing when the editor %s', async (_what, script) => {
    await create();
    const before = await role('deploy');
    expect(await edit(script)).toEqual({ code: 0, stdout: 'Role deploy is unchanged.\n', stderr: '' });
    expect(await role('deploy')).toEqual(before);
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['an unknown field', `echo 'alowed_users: x' >> "$1"`, 2, 'unknown field'],
    [
      'a wrong type',
      `sed -i 's/allow_user_certificates: true/allow_user_certificates: [1]/' "$1"`,
      2,
      'allow_user_certificates',
    ],
    [
      'another type',
      `sed -i 's/key_type: ca/key_type: otp/' "$1"`,
      6,
      'cannot change the type of a role from ca',
    ],
    ['no YAML', `echo '}{' > "$1"`, 2, 'the edited text'],
  ])('saves a text with %s and writes nothing', async (_what, script, code, message) => {
    await create();
    const before = await role('deploy');
    const ran = await edit(script);
    expectFailure(ran, code, message);
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).not.toBe('');
    expect(ran.stderr).toContain('lanyard ssh role edit deploy --mount ssh');
    expect(await role('deploy')).toEqual(before);
  });

  test('writes nothing over a concurrent change, and saves the text', async () => {
    await create();
    const url = running.addresses.secrets;
    const ran = await edit(
      `sed -i 's/^ttl: .*/ttl: 10m/' "$1"; curl -s -X POST -H 'X-Vault-Token: ${running.rootToken}' -d '{"key_type":"ca","allow_user_certificates":true,"allowed_users":"eve"}' ${url}/v1/ssh/roles/deploy`,
    );
    expectFailure(ran, 6, 'changed concurrently; nothing was written');
    expect(await role('deploy')).toMatchObject({ allowed_users: 'eve' });
  });

  test('fails for a role that does not exist', async () => {
    expectFailure(await edit('true'), 3, 'role "deploy" not found in ssh/');
  });
});
