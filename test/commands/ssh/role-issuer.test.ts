import { describe, expect, test } from 'vitest';
import { embeddedForAll, errorOf, expectFailure, quietOutputOf, words } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { envelope, errors, noRoute, playback, type Recorded, routes, sshRole } from '../openbao.ts';

const { at, running } = embeddedForAll();
const run = (argv: string, url: string, options?: RunOptions) =>
  at.run(words(`${argv} --address ${url}`), options);

const role = (more: Readonly<Record<string, unknown>> = {}): Recorded =>
  sshRole({
    allow_commas_in_identity_templates: true,
    issuer_ref: 'two',
    max_ttl: 172800,
    ttl: 86400,
    ...more,
  });
const help = (...names: readonly string[]): Recorded => ({
  status: 200,
  body: {
    help: `## PARAMETERS\n\n${names.map((name) => `    ${name} (string)\n\n        Text.\n\n`).join('')}`,
    openapi: null,
  },
});
const done: Recorded = { status: 204 };
const denied = errors(403, '1 error occurred:\n\t* permission denied\n\n');
const put = 'ssh role put r --allow-user-certificates';

describe('ssh role put on a service with several issuers', () => {
  test('keeps the issuer, and fields without a flag', async () => {
    const stored = { a_new_field: { on: true }, allow_bare_domains: true };
    const server = await playback({
      'GET ssh/roles/r': [role(stored), role({ ...stored, allowed_users: 'bob' })],
      'POST ssh/roles/r': done,
    });
    expect(await run(`${put} --allowed-users bob`, server.url)).toEqual({
      code: 0,
      stdout: 'Updated role r.\nallowed_users\t"*"\t"bob"\n',
      stderr: '',
    });
    const { data } = role(stored).body as { data: object };
    expect(JSON.parse(server.seen[1]?.body ?? '')).toEqual({ ...data, allowed_users: 'bob' });
  });

  test('sends its flags, and confirms that the service has them', async () => {
    const server = await playback({
      'GET ssh/roles/r?help=1': help('allowed_users', 'issuer_ref', 'allow_commas_in_identity_templates'),
      'GET ssh/roles/r': role(),
      'POST ssh/roles/r': done,
    });
    const flags = '--issuer-ref three --allow-commas-in-identity-templates';
    expect(await run(`${put} ${flags} -o json`, server.url)).toEqual({
      code: 0,
      stdout: expect.stringContaining('"created": false'),
      stderr: '',
    });
    expect(JSON.parse(server.seen.find(({ body }) => body !== '')?.body ?? '')).toMatchObject({
      key_type: 'ca',
      allow_user_certificates: true,
      ttl: 86400,
      issuer_ref: 'three',
      allow_commas_in_identity_templates: true,
    });
    expect(routes(server)).toEqual([
      'GET ssh/roles/r?help=1',
      'GET ssh/roles/r',
      'POST ssh/roles/r',
      'GET ssh/roles/r',
    ]);
  });

  test('fails where the token may not read the role, except with --replace', async () => {
    const server = await playback({ 'GET ssh/roles/r': denied, 'POST ssh/roles/r': done });
    expect(await run(put, server.url)).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'error: cannot update role "r": permission denied to read its current fields (403)\n  permission denied\nhint: Use a token with the read capability for ssh/roles/r, or --replace to reset all fields that are not given.\n',
    });
    expect(await run(`${put} --replace`, server.url)).toEqual({
      code: 0,
      stdout: 'Wrote role r.\nIts changes are unknown: the current values could not be read before.\n',
      stderr: '',
    });
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toEqual({
      key_type: 'ca',
      allow_user_certificates: true,
    });
  });

  test.each(['--dry-run', '--curl'])('%s shows the request with the kept fields', async (flag) => {
    const server = await playback({ 'GET ssh/roles/r': role() });
    expect(quietOutputOf(await run(`${put} --ttl 1h ${flag}`, server.url))).toMatch(/"issuer_ref": ?"two"/);
    expect(routes(server)).toEqual(['GET ssh/roles/r']);
    expect(await run(`${put} ${flag}`, 'http://127.0.0.1:9')).toMatchObject({ code: 7, stdout: '' });
  });

  test('a mount that does not exist is not found', async () => {
    const server = await playback({ 'GET ssh/roles/r': noRoute('ssh/roles/r') });
    expect(await run(put, server.url)).toMatchObject({ code: 3, stdout: '' });
    expect(routes(server)).toEqual(['GET ssh/roles/r']);
  });
});

describe('ssh role put --issuer-ref on a service with one CA', () => {
  const flags = '--issuer-ref two';

  test('fails before anything is written where the help does not list it', async () => {
    const server = await playback({ 'GET ssh/roles/r?help=1': help('allowed_users', 'key_type') });
    expect(await run(`${put} ${flags}`, server.url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: cannot write role r: the service does not support --issuer-ref\n',
    });
    expect(routes(server)).toEqual(['GET ssh/roles/r?help=1']);
  });

  test('fails with the reason of the embedded service', async () => {
    const ran = await run(`${put} ${flags}`, running.addresses.secrets);
    expectFailure(ran, 1, 'issuer_ref is not supported: a mount has one CA');
    expect((await run('ssh role get r', running.addresses.secrets)).code).toBe(3);
  });

  test('fails after the write if only the role shows that the setting was ignored', async () => {
    const { issuer_ref: _, ...other } = (role().body as { data: Record<string, unknown> }).data;
    const server = await playback({
      'GET ssh/roles/r?help=1': denied,
      'GET ssh/roles/r': [errors(404), envelope(other)],
      'POST ssh/roles/r': done,
    });
    expect(errorOf(await run(`${put} ${flags} -o json`, server.url), 9)).toMatchObject({
      kind: 'unknown',
      message: 'role r was written, but the service does not support --issuer-ref',
    });
  });

  test('fails if a warning reports that it was ignored', async () => {
    const ignored = 'Endpoint ignored these unrecognized parameters: [issuer_ref]';
    const server = await playback({
      'GET ssh/roles/r?help=1': denied,
      'GET ssh/roles/r': errors(404),
      'POST ssh/roles/r': envelope(null, [ignored]),
    });
    const ran = await run(`${put} ${flags}`, server.url);
    expectFailure(ran, 9, `warning: ${ignored}\nerror: role r was written, but`);
  });

  test('is not for roles of one-time passwords', async () => {
    const ran = await run(
      'ssh role put o --key-type otp --default-user u --issuer-ref two',
      'http://127.0.0.1:9',
    );
    expect(ran).toMatchObject({ code: 2, stdout: '' });
  });

  test.each([
    ['issuer_ref=two', 'issuer_ref is not supported: a mount has one CA'],
    ['allow_commas_in_identity_templates=true', 'allow_commas_in_identity_templates is not supported'],
  ])('the embedded service rejects %s by name', async (member, message) => {
    const write = `secrets write ssh/roles/other key_type=ca allow_user_certificates=true`;
    expectFailure(await run(`${write} ${member}`, running.addresses.secrets), 1, message);
    const defaults = 'issuer_ref=default allow_commas_in_identity_templates=false';
    expect((await run(`${write} ${defaults}`, running.addresses.secrets)).code).toBe(0);
  });
});

describe('ssh explain of a role that names an issuer', () => {
  test('looks at the key of that issuer', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICqMKOe4J91TVZZyf+NHPN7jTqy2DUj7wADtpcW2TJl9\n';
    const server = await playback({
      'GET ssh/roles/r': role({ algorithm_signer: 'rsa-sha2-512' }),
      'GET ssh/issuer/two/public_key': { status: 200, text: key },
    });
    const ran = await run('ssh explain r --principals a', server.url);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(
      'algorithm_signer rsa-sha2-512 requires an RSA CA, but the CA is ssh-ed25519',
    );
    expect(routes(server)).toContain('GET ssh/issuer/two/public_key');
  });

  test('has no CA where the issuer does not exist', async () => {
    const server = await playback({
      'GET ssh/roles/r': role({ issuer_ref: 'nosuch' }),
      'GET ssh/issuer/nosuch/public_key': errors(400, 'unable to find issuer for reference: nosuch'),
    });
    const ran = await run('ssh explain r --principals a', server.url);
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('CA not found') });
  });
});
