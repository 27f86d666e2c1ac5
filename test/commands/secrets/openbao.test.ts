import { describe, expect, test } from 'vitest';
import { errorOf, expectFailure, homeForAll, outputOf, words } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import type { RunOptions } from '../../support/run.ts';
import { envelope, errors, noRoute, playback, routes } from '../openbao.ts';
import { writeKey } from '../signing.ts';

// Responses of OpenBao 2.6.2.

const at = homeForAll();
at.env.LANYARD_SECRETS_TOKEN = 'root';
writeKey(at, 'id', keyPair('ed25519'));
const run = (argv: string, url: string, options?: RunOptions) =>
  at.run(words(`${argv} --address ${url}`), options);

describe('a path below no mount', () => {
  test.each([
    ['ssh sign r --key id.pub --out -', 'POST nossh/sign/r', 'sign SSH key'],
    ['ssh role get r', 'GET nossh/roles/r', 'read SSH role'],
    ['ssh ca create', 'GET nossh/config/ca', 'read CA public key'],
  ])('%s names the mount, and the line that mounts it', async (argv, route, name) => {
    const path = route.split(' ')[1] ?? '';
    const server = await playback({ [route]: noRoute(path) });
    expect(await run(`${argv} --mount nossh`, server.url)).toEqual({
      code: 3,
      stdout: '',
      stderr: [
        `error: cannot ${name}: no ssh engine is mounted at nossh/ (404)`,
        `  no handler for route "${path}". route entry not found.`,
        `hint: Run \`lanyard secrets mount enable ssh --path nossh --address ${server.url}\` to mount it.`,
        '',
      ].join('\n'),
    });
  });

  test('the line has the namespace', async () => {
    const server = await playback({ 'GET ssh/roles/r': noRoute('ssh/roles/r') });
    const ran = await run('ssh role get r -n ns1 -o json', server.url);
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      kind: 'not_found',
      hint: `Run \`lanyard secrets mount enable ssh --path ssh -n ns1 --address ${server.url}\` to mount it.`,
    });
  });

  test('without a token, a mount that does not exist is forbidden', async () => {
    const server = await playback({ 'GET ssh/public_key': errors(403, 'permission denied') });
    const ran = await run('ssh ca public-key', server.url);
    expectFailure(ran, 5, 'hint: Check that an ssh engine is mounted at ssh/.\n');
  });

  test('secrets read names the path', async () => {
    const server = await playback({ 'GET kvx/a': noRoute('kvx/a') });
    const ran = await run('secrets read kvx/a', server.url);
    expectFailure(ran, 3, 'error: cannot read: nothing is mounted at the path "kvx/a" (404)\n');
    expect(ran.stderr).toContain(
      `hint: Run \`lanyard secrets mount list --address ${server.url}\` to see what is mounted.\n`,
    );
  });
});

test('plain http to a TLS port is reported', async () => {
  const text = 'Client sent an HTTP request to an HTTPS server.\n';
  const server = await playback({
    'POST a': { status: 400, text },
    'GET sys/seal-status': { status: 400, text },
  });
  for (const argv of ['secrets write a b=c', 'secrets read sys/seal-status']) {
    expect(errorOf(await run(`${argv} -o json`, server.url), 7)).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('the secrets service expects TLS (400)'),
      hint: 'Use https:// in its address.',
    });
  }
});

describe('kv', () => {
  const mount = envelope({ path: 'secret/', type: 'kv', options: { version: '2' } });
  const metadata = {
    created_time: '2026-11-22T03:54:10.2054613Z',
    custom_metadata: null,
    deletion_time: '',
    destroyed: false,
    version: 1,
  };

  test('get of a version whose data is null shows its metadata', async () => {
    const server = await playback({
      'GET sys/internal/ui/mounts/secret/n': mount,
      'GET secret/data/n': envelope({ data: null, metadata }),
    });
    expect(await run('kv get secret/n', server.url)).toEqual({
      code: 0,
      stdout:
        'This version has no data (null).\ncreated_time\t2026-11-22 03:54:10 UTC\ncustom_metadata\t-\ndeletion_time\t-\ndestroyed\tfalse\nversion\t1\n',
      stderr: '',
    });
    const { stdout } = await run('kv get secret/n -o json', server.url);
    expect(JSON.parse(stdout).data).toEqual({ data: null, metadata });
    expect((await run('kv get secret/n --field data.metadata.version', server.url)).stdout).toBe('1\n');
    expect(await run('kv get secret/n --field password', server.url)).toMatchObject({ code: 3, stdout: '' });
    expect((await run('kv get secret/n -o env', server.url)).code).toBe(0);
  });

  test('looks up once if the service does not know the token', async () => {
    const server = await playback({
      'GET sys/internal/ui/mounts/secret/app/db': errors(403, 'permission denied'),
      'GET auth/token/lookup-self': errors(403, 'permission denied'),
    });
    expect(await run('kv get secret/app/db', server.url)).toMatchObject({ code: 4, stdout: '' });
    expect(routes(server)).toEqual([
      'GET sys/internal/ui/mounts/secret/app/db',
      'GET auth/token/lookup-self',
    ]);
  });

  test('looks into one namespace at most that the service does not confirm', async () => {
    const hidden = errors(
      403,
      'preflight capability check returned 403, please ensure client\'s policies grant access to path "secret/app/db/"',
    );
    const denied = errors(403, '1 error occurred:\n\t* permission denied\n\n');
    const server = await playback({
      'GET sys/internal/ui/mounts/secret/app/db': hidden,
      'GET secret/sys/internal/ui/mounts/app/db': denied,
      'GET sys/mounts': denied,
    });
    const ran = await run('kv get secret/app/db', server.url);
    expectFailure(ran, 5, 'preflight capability check returned 403');
    expect(routes(server)).toEqual([
      'GET sys/internal/ui/mounts/secret/app/db',
      'GET secret/sys/internal/ui/mounts/app/db',
      'GET sys/mounts',
    ]);
  });
});

test('a write with warnings only is reported as done', async () => {
  const warning =
    'Upgrading mount from version 0 to version 0. This mount will be unavailable for a brief period and will resume service shortly.';
  const server = await playback({ 'POST sys/mounts/t-kv1/tune': envelope(null, [warning]) });
  expect(await run('secrets write sys/mounts/t-kv1/tune options=version=2', server.url)).toEqual({
    code: 0,
    stdout: 'Wrote to sys/mounts/t-kv1/tune.\n',
    stderr: `warning: ${warning}\n`,
  });
});

test('ssh role get shows durations with their unit', async () => {
  const server = await playback({
    'GET ssh/roles/r': envelope({
      key_type: 'ca',
      max_ttl: 3600,
      ttl: 1800,
      not_before_duration: 30,
      port: 22,
    }),
  });
  const { stdout } = await run('ssh role get r', server.url);
  expect(stdout).toContain('max_ttl\t1h0m0s\nttl\t30m0s\nnot_before_duration\t30s\nport\t22\n');
  expect(JSON.parse((await run('ssh role get r -o json', server.url)).stdout).data.ttl).toBe(1800);
});

describe('durations with days', () => {
  test('are sent as hours', async () => {
    const ran = await run('ssh sign r --key id.pub --ttl 1d -o json --dry-run', 'http://127.0.0.1:9');
    expect(JSON.parse(ran.stdout).body.ttl).toBe('24h');
    const role = await run(
      'ssh role put r --allow-user-certificates --ttl 1d12h --max-ttl 2d --replace -o json --dry-run',
      'http://127.0.0.1:9',
    );
    expect(JSON.parse(role.stdout).body).toMatchObject({ ttl: '36h', max_ttl: '48h' });
  });

  test('that are invalid are a usage error', async () => {
    const ran = await run('ssh sign r --key id.pub --ttl 1d-1h', 'http://127.0.0.1:9');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(
      'invalid --ttl "1d-1h": expected a duration such as 30s, 1h30m, 7d or 90 (seconds)',
    );
  });
});

describe('messages of the service', () => {
  test('keep a word that is also the token', async () => {
    const message = 'root is not a valid value for valid_principals';
    const server = await playback({ 'POST ssh/sign/r': errors(400, message) });
    const ran = await run('ssh sign r --key id.pub --out - --principals root', server.url);
    expectFailure(ran, 1, `  ${message}\n`);
  });

  test('keep words of a body from a file, and hide what may be a secret', async () => {
    at.write('mount.json', '{"type":"nosuchthing","other":"Sup3rS3cret","password":"plainword"}');
    const server = await playback({
      'POST sys/mounts/x': errors(
        400,
        'plugin not found in the catalog: nosuchthing',
        'bad Sup3rS3cret, bad plainword',
      ),
    });
    const ran = await run('secrets write sys/mounts/x --in mount.json', server.url);
    expectFailure(ran, 1, 'plugin not found in the catalog: nosuchthing\n');
    expect(ran.stderr).toContain('bad <redacted>, bad <redacted>\n');
    const shown = await run('secrets write sys/mounts/x --in mount.json --dry-run', server.url);
    expect(shown.stdout).not.toContain('nosuchthing');
  });
});

describe('ssh explain and the lifetimes of the mount', () => {
  const role = (more: Readonly<Record<string, unknown>> = {}) =>
    envelope({
      key_type: 'ca',
      allow_user_certificates: true,
      allowed_users: '*',
      max_ttl: 0,
      ttl: 0,
      ...more,
    });
  const lifetimes = { default_lease_ttl: 1800, max_lease_ttl: 3600 };
  const key = { status: 200, text: keyPair('ed25519').publicLine };
  const denied = errors(403, '1 error occurred:\n\t* permission denied\n\n');

  test.each([
    ['the tune of the mount', { 'GET sys/mounts/ssh/tune': envelope(lifetimes) }],
    [
      'what every token may see of it',
      {
        'GET sys/mounts/ssh/tune': denied,
        'GET sys/internal/ui/mounts/ssh': envelope({ path: 'ssh/', type: 'ssh', config: lifetimes }),
      },
    ],
  ])('reads %s', async (_what, responses) => {
    const server = await playback({ 'GET ssh/roles/r': role(), 'GET ssh/public_key': key, ...responses });
    const rejected = await run('ssh explain r --principals a --ttl 5h', server.url);
    expect(rejected).toMatchObject({ code: 1, stderr: '' });
    expect(rejected.stdout).toContain('5h exceeds the maximum of 1h0m0s');
    const { stdout } = await run('ssh explain r --principals a -o json', server.url);
    expect(JSON.parse(stdout)).toMatchObject({ would: 'yes', certificate: { ttl: '30m0s' } });
  });

  test('reports them as unknown without permission to read them', async () => {
    const server = await playback({
      'GET ssh/roles/r': role(),
      'GET ssh/public_key': key,
      'GET sys/mounts/ssh/tune': denied,
      'GET sys/internal/ui/mounts/ssh': denied,
    });
    const stdout = outputOf(await run('ssh explain r --principals a --ttl 5h -o json', server.url));
    expect(JSON.parse(stdout)).toMatchObject({
      would: 'depends',
      judgements: [{ rule: 'ttl', why: 'the max_lease_ttl of the mount is unknown' }],
    });
    expect(JSON.parse((await run('ssh explain r --principals a -o json', server.url)).stdout).would).toBe(
      'yes',
    );
  });

  test('does not look up if the role has its own lifetimes', async () => {
    const server = await playback({
      'GET ssh/roles/r': role({ ttl: 60, max_ttl: 172_800 }),
      'GET ssh/public_key': key,
    });
    const ran = await run('ssh explain r --principals a --ttl 5h', server.url);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('would sign this') });
    expect(routes(server)).toHaveLength(2);
  });
});
