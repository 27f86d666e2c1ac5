import { describe, expect, test } from 'vitest';
import { errorOf, expectFailure, homeForAll, words } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { serveSocket } from '../../unit/api/support.ts';
import {
  envelope,
  errors,
  noDefaultIssuer,
  playback,
  type Recorded,
  responseOf,
  routes,
} from '../openbao.ts';

// Responses of OpenBao 2.6.2, which adds an issuer where there is a CA, and makes it the default.

const at = homeForAll();
at.env.LANYARD_SECRETS_TOKEN = 'hvs.token-of-the-test';
const run = (argv: string, url: string, options?: RunOptions) =>
  at.run(words(`${argv} --address ${url}`), options);

const first = '6064c9af-8d18-51aa-dd06-ceddeb03d52e';
const second = 'a010e90c-6a9b-0b85-a843-f08ee5c784b0';
const key = (blob: string): string => `ssh-ed25519 ${blob}\n`;
const issuer = (id: string, blob: string, warnings: readonly string[] | null = null): Recorded =>
  envelope({ issuer_id: id, issuer_name: '', public_key: key(blob) }, warnings);
const issuers = (byDefault: string, ...ids: readonly string[]): Recorded =>
  envelope({
    key_info: Object.fromEntries(
      ids.map((id) => [id, { is_default: id === byDefault, issuer_name: '', public_key: key(id) }]),
    ),
    keys: ids,
  });
const help = (...names: readonly string[]): Recorded => ({
  status: 200,
  body: {
    help: `Request:        config/ca\nMatching Route: ^config/ca$\n\n## PARAMETERS\n\n${names
      .map((name) => `    ${name} (string)\n\n        Text of ${name}.\n\n`)
      .join('')}`,
    openapi: null,
    see_also: null,
  },
});

describe('ssh ca create on a service with several issuers', () => {
  test('creates the first CA, and confirms that it is the only issuer', async () => {
    const server = await playback({
      'GET ssh/config/ca': noDefaultIssuer,
      'LIST ssh/issuers': [errors(404), issuers(first, first)],
      'POST ssh/config/ca': issuer(first, 'AAAA'),
    });
    expect(await run('ssh ca create --key-type ed25519', server.url)).toEqual({
      code: 0,
      stdout: 'Created the CA. Its public key:\nssh-ed25519 AAAA\n',
      stderr: '',
    });
    expect(routes(server)).toEqual([
      'GET ssh/config/ca',
      'LIST ssh/issuers',
      'POST ssh/config/ca',
      'LIST ssh/issuers',
    ]);
  });

  test.each(['', '--dry-run', '--curl', '-o json'])(
    'is a conflict where there is a CA, and sends no change (%s)',
    async (flag) => {
      const server = await playback({ 'GET ssh/config/ca': issuer(first, 'AAAA') });
      const ran = await run(`ssh ca create ${flag}`, server.url);
      expectFailure(ran, 6, 'cannot create CA: ssh/ already has a CA', 'Its public key: ssh-ed25519 AAAA');
      expect(routes(server)).toEqual(['GET ssh/config/ca']);
    },
  );

  test('reads the public key if the token may not read the CA', async () => {
    const server = await playback({
      'GET ssh/config/ca': errors(403, '1 error occurred:\n\t* permission denied\n\n'),
      'GET ssh/public_key': {
        status: 200,
        text: key('AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'),
      },
    });
    expect(await run('ssh ca create', server.url)).toMatchObject({ code: 6, stdout: '' });
    expect(routes(server)).toEqual(['GET ssh/config/ca', 'GET ssh/public_key']);
    expect(server.seen[1]?.headers).not.toHaveProperty('x-vault-token');
  });

  test('is forbidden where neither can be read', async () => {
    const denied = errors(403, '1 error occurred:\n\t* permission denied\n\n');
    const server = await playback({ 'GET ssh/config/ca': denied, 'GET ssh/public_key': denied });
    expect(await run('ssh ca create', server.url)).toMatchObject({ code: 5, stdout: '' });
    expect(routes(server)).toEqual(['GET ssh/config/ca', 'GET ssh/public_key']);
  });

  test('reports another CA that was created at the same time, and which is the default', async () => {
    const server = await playback({
      'GET ssh/config/ca': noDefaultIssuer,
      'LIST ssh/issuers': [errors(404), issuers(second, first, second)],
      'POST ssh/config/ca': issuer(first, 'AAAA'),
    });
    expect(errorOf(await run('ssh ca create -o json', server.url), 9)).toMatchObject({
      kind: 'unknown',
      retryable: false,
      message: 'another CA was created or deleted in ssh/ at the same time',
      messages: [
        `Created here: issuer ${first}`,
        `Created at the same time: issuer ${second}`,
        `Default issuer: ${second}`,
      ],
    });
  });

  test('shows the CA that it created where the issuers cannot be listed any more, with a warning', async () => {
    const sent: string[] = [];
    const { url } = await serveSocket((socket, text) => {
      const route = text.slice(0, text.indexOf(' HTTP/')).replace(' /v1/', ' ');
      sent.push(route);
      if (route.startsWith('GET')) return void socket.write(responseOf(noDefaultIssuer));
      if (route.startsWith('POST')) return void socket.write(responseOf(issuer(first, 'AAAA')));
      if (sent.includes('POST ssh/config/ca')) return void socket.destroy();
      socket.write(responseOf(errors(404)));
    });
    const ran = await run('ssh ca create', url, { env: { LANYARD_SECRETS_MAX_RETRIES: '0' } });
    expect(ran).toMatchObject({ code: 0, stdout: 'Created the CA. Its public key:\nssh-ed25519 AAAA\n' });
    expect(ran.stderr).toContain(
      'warning: cannot check whether another CA was created in ssh/ at the same time: ',
    );
    expect(sent.filter((route) => route.startsWith('POST'))).toHaveLength(1);
  });

  test('reports that it cannot check for another CA if the list is forbidden afterwards', async () => {
    const server = await playback({
      'GET ssh/config/ca': noDefaultIssuer,
      'LIST ssh/issuers': [errors(404), errors(403, '1 error occurred:\n\t* permission denied\n\n')],
      'POST ssh/config/ca': issuer(first, 'AAAA'),
    });
    expect(await run('ssh ca create', server.url)).toEqual({
      code: 0,
      stdout: 'Created the CA. Its public key:\nssh-ed25519 AAAA\n',
      stderr:
        'warning: cannot check whether another CA was created in ssh/ at the same time: the service does not list the issuers\n',
    });
  });

  test('accepts issuers that are not the default', async () => {
    const server = await playback({
      'GET ssh/config/ca': noDefaultIssuer,
      'LIST ssh/issuers': [issuers('', second), issuers(first, second, first)],
      'POST ssh/config/ca': issuer(first, 'AAAA'),
    });
    expect(await run('ssh ca create', server.url)).toMatchObject({ code: 0, stderr: '' });
  });

  test.each(['--managed-key-name m', '--managed-key-id 1234'])(
    '%s fails before anything is changed where the help does not list it',
    async (flag) => {
      const server = await playback({
        'GET ssh/config/ca': noDefaultIssuer,
        'GET ssh/config/ca?help=1': help('generate_signing_key', 'issuer_name', 'key_bits', 'key_type'),
      });
      expect(await run(`ssh ca create ${flag}`, server.url)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: cannot create CA: the service does not support managed keys\n',
      });
      expect(routes(server)).not.toContain('POST ssh/config/ca');
    },
  );

  test('--managed-key-name sends the request where the help lists it', async () => {
    const server = await playback({
      'GET ssh/config/ca': errors(400, "keys haven't been configured yet"),
      'GET ssh/config/ca?help=1': help('generate_signing_key', 'managed_key_id', 'managed_key_name'),
      'POST ssh/config/ca': { status: 204 },
    });
    expect(await run('ssh ca create --managed-key-name m', server.url)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toEqual({ managed_key_name: 'm' });
  });

  test('--managed-key-name ignored by the service fails, and reports what was created', async () => {
    const ignored = 'Endpoint ignored these unrecognized parameters: [managed_key_name]';
    const server = await playback({
      'GET ssh/config/ca': noDefaultIssuer,
      'GET ssh/config/ca?help=1': errors(403, 'permission denied'),
      'POST ssh/config/ca': issuer(second, 'BBBB', [ignored]),
    });
    expect(await run('ssh ca create --managed-key-name m', server.url)).toEqual({
      code: 9,
      stdout: '',
      stderr: [
        `warning: ${ignored}`,
        'error: the service ignored --managed-key-name and generated a key pair of its own for the CA',
        '  The CA in ssh/: ssh-ed25519 BBBB',
        `hint: Run \`lanyard ssh ca delete --address ${server.url}\` to delete it; the service does not support managed keys.`,
        '',
      ].join('\n'),
    });
  });
});

describe('ssh ca get on a service without snapshots', () => {
  test('--snapshot fails, and does not show the key of now', async () => {
    const ignored = 'Endpoint ignored these unrecognized parameters: [read_snapshot_id]';
    const server = await playback({
      'GET ssh/config/ca?read_snapshot_id=abc': issuer(first, 'AAAA', [ignored]),
    });
    expect(await run('ssh ca get --snapshot abc', server.url)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: cannot read the CA from snapshot "abc": the service does not support snapshots\n  ${ignored}\n`,
    });
  });
});

test('ssh ca recover fails on a service without snapshots', async () => {
  const server = await playback({ 'RECOVER ssh/config/ca': errors(405) });
  expect(await run('ssh ca recover --snapshot abc --yes', server.url)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: cannot recover the CA from snapshot "abc": the service does not support snapshots\n',
  });
});

describe('ssh ca delete on a service with several issuers', () => {
  const deleted = envelope(null, ['Deleted 2 issuers, including default issuer if configured.']);

  test('reports the number of deleted issuers, in its prompt and in its result', async () => {
    const server = await playback({
      'LIST ssh/issuers': issuers(first, first, second),
      'DELETE ssh/config/ca': deleted,
    });
    const rejected = await run('ssh ca delete', server.url, { columns: 120, typed: 'n\n' });
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toContain(
      'Delete the CA of ssh/ with all of its 2 issuers? This cannot be undone. [y/N]',
    );
    expect(routes(server)).toEqual(['LIST ssh/issuers']);
    expect(await run('ssh ca delete --yes', server.url)).toEqual({
      code: 0,
      stdout: 'Deleted the CA of ssh/ and its 2 issuers.\n',
      stderr: 'warning: Deleted 2 issuers, including default issuer if configured.\n',
    });
    const shown = await run('ssh ca delete --yes -o json', server.url);
    expect(JSON.parse(shown.stdout)).toEqual(deleted.body);
  });

  test.each(['--dry-run', '--curl'])('%s shows the request, also without a token', async (flag) => {
    const server = await playback({ 'LIST ssh/issuers': issuers(first, first, second) });
    for (const token of ['t0ken-of-the-test', '']) {
      const ran = await run(`ssh ca delete ${flag}`, server.url, { env: { LANYARD_SECRETS_TOKEN: token } });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toContain('DELETE');
    }
    expect(routes(server)).toEqual(['LIST ssh/issuers', 'LIST ssh/issuers']);
  });

  test('continues if the token may not list issuers', async () => {
    const server = await playback({
      'LIST ssh/issuers': errors(403, '1 error occurred:\n\t* permission denied\n\n'),
      'DELETE ssh/config/ca': deleted,
    });
    expect(await run('ssh ca delete --yes', server.url)).toMatchObject({
      code: 0,
      stdout: 'Deleted the CA of ssh/.\n',
    });
  });
});

describe('ssh ca public-key and ssh trust without a CA', () => {
  test.each(['ssh ca public-key', 'ssh ca get', 'ssh trust --hosts *'])('%s: not found', async (argv) => {
    const server = await playback({
      'GET ssh/public_key': noDefaultIssuer,
      'GET ssh/config/ca': noDefaultIssuer,
    });
    expect(await run(argv, server.url)).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: CA not found in ssh/\n  no default issuer currently configured\nhint: Run \`lanyard ssh ca create --address ${server.url}\` to create one.\n`,
    });
  });
});
