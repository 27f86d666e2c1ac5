import { describe, expect, test } from 'vitest';
import {
  expectFailure,
  homeForAll,
  homeForTest,
  outputOf,
  servicesForTest,
  words,
} from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import type { RunOptions } from '../../support/run.ts';
import { serveSocket } from '../../unit/api/support.ts';
import { envelope, errors, noDefaultIssuer, playback, responseOf, routes } from '../openbao.ts';

// Responses of OpenBao 2.6.2.

const at = homeForAll();
at.env.LANYARD_SECRETS_TOKEN = 'hvs.token-of-the-test';
const run = (argv: string, url: string, options?: RunOptions) =>
  at.run(words(`${argv} --address ${url}`), options);

const oldId = '344765d0-fbd8-f2c0-6ea5-3429ede8a546';
const newId = 'fdc4b57e-fd7d-0595-c348-6e75a165f866';
const oldKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUq+pWFfL94hJx0/gfcNqYClTILOalQ2kSoN4qq1dj+';
const newKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILqaUctBn+3hvumijFavek33PLj4QAnjkFjjg4yyjv0l';
const oldIssuer = { issuer_id: oldId, issuer_name: 'old', public_key: `${oldKey}\n` };
const newIssuer = { issuer_id: newId, issuer_name: '', public_key: `${newKey}\n` };
const list = envelope({
  key_info: {
    [oldId]: { is_default: true, issuer_name: 'old', public_key: `${oldKey}\n` },
    [newId]: { is_default: false, issuer_name: '', public_key: `${newKey}\n` },
  },
  keys: [oldId, newId],
});
const roles = envelope({
  key_info: {
    otp: { key_type: 'otp' },
    r: { issuer_ref: 'default', key_type: 'ca' },
    s: { issuer_ref: 'old', key_type: 'ca' },
    t: { issuer_ref: newId, key_type: 'ca' },
  },
  keys: ['otp', 'r', 's', 't'],
});
const existing = {
  'LIST ssh/issuers': list,
  'LIST ssh/roles': roles,
  'GET ssh/issuer/old': envelope(oldIssuer),
  [`GET ssh/issuer/${newId}`]: envelope(newIssuer),
  'GET ssh/issuer/default': envelope(oldIssuer),
  'GET ssh/issuer/nope': errors(400, 'unable to find issuer for reference: nope'),
};

describe('ssh issuer list', () => {
  test('shows names, the default and fingerprints', async () => {
    const server = await playback(existing);
    const rows = (await run('ssh issuer list', server.url)).stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').slice(0, 3))).toEqual([
      [oldId, 'old', 'yes'],
      [newId, '-', 'no'],
    ]);
    for (const row of rows) expect(row).toMatch(/\tSHA256:[\w+/]{43}$/);
    const { stdout } = await run('ssh issuer list -o json', server.url);
    expect(JSON.parse(stdout)).toEqual(list.body);
  });

  test('is empty without issuers', async () => {
    const server = await playback({});
    expect(await run('ssh issuer list', server.url)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('ssh issuer get', () => {
  test('shows the default issuer, or the named one', async () => {
    const server = await playback(existing);
    expect((await run('ssh issuer get', server.url)).stdout).toBe(
      `name\told\nID\t${oldId}\npublic key\t${oldKey}\n`,
    );
    expect((await run(`ssh issuer get ${newId} --field public_key`, server.url)).stdout.trim()).toBe(newKey);
  });

  test.each([
    ['nope', 'issuer "nope" not found in ssh/', 'ssh issuer list'],
    ['', 'ssh/ has no default issuer', 'ssh issuer use'],
  ])('"%s" is not found', async (reference, message, hint) => {
    const server = await playback({ ...existing, 'GET ssh/issuer/default': noDefaultIssuer });
    expectFailure(await run(`ssh issuer get ${reference}`.trim(), server.url), 3, message, hint);
  });
});

describe('ssh issuer import', () => {
  test('generates a key pair with a name in the path', async () => {
    const server = await playback({ 'POST ssh/issuers/import/old': envelope(oldIssuer) });
    expect(await run('ssh issuer import old --key-type ed25519', server.url)).toEqual({
      code: 0,
      stdout: `Generated issuer "old" (${oldId}) in ssh/. Its public key:\n${oldKey}\n`,
      stderr: '',
    });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ key_type: 'ed25519' });
  });

  test('imports a key pair and makes it the default after a prompt that names the roles', async () => {
    const pair = keyPair('ed25519');
    at.write('ca', pair.privatePem);
    at.write('ca.pub', pair.publicLine);
    const server = await playback({ ...existing, 'POST ssh/issuers/import': envelope(newIssuer) });
    const line = 'ssh issuer import --private-key ca --public-key ca.pub --default';
    const prompted = await run(line, server.url, { columns: 200, typed: 'n\n' });
    expectFailure(prompted, 1, `Replace the default issuer "old" (${oldId}) of ssh/?`);
    expect(prompted.stderr).toContain('Roles that sign with it: r.');
    expect(routes(server)).not.toContain('POST ssh/issuers/import');
    expect((await run(`${line} --yes`, server.url)).stdout).toContain(`Imported issuer ${newId} in ssh/.`);
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toMatchObject({
      generate_signing_key: false,
      set_default: true,
    });
    expect(outputOf(await run(`${line} --dry-run`, server.url))).not.toContain('PRIVATE KEY');
  });

  test.each(['default', 'a/b', '-x', 'a\u00e9'])('rejects the name "%s" before a request', async (name) => {
    const server = await playback({});
    expect(await at.run(['ssh', 'issuer', 'import', '--address', server.url, '--', name])).toMatchObject({
      code: 2,
    });
    expect(routes(server)).toEqual([]);
  });

  test('is a conflict if the name is taken', async () => {
    const server = await playback({
      'POST ssh/issuers/import/old': errors(400, 'issuer name already in use'),
    });
    expectFailure(await run('ssh issuer import old', server.url), 6, 'issuer "old" already exists in ssh/');
  });

  /** Loses the response to every write. */
  const losing = (existing: object) =>
    serveSocket((socket, text) =>
      text.startsWith('POST') ? socket.destroy() : socket.write(responseOf(envelope(existing))),
    );

  test('verifies an import whose response was lost by its public key', async () => {
    const pair = keyPair('ed25519');
    at.write('ca', pair.privatePem);
    at.write('ca.pub', pair.publicLine);
    const stored = (public_key: string) => ({
      keys: [newId],
      key_info: { [newId]: { issuer_name: 'new', is_default: false, public_key } },
    });
    const line = 'ssh issuer import new --private-key ca --public-key ca.pub';
    const { url } = await losing(stored(pair.publicLine));
    expect(await run(line, url)).toEqual({
      code: 0,
      stdout: 'Imported the issuer into ssh/.\n',
      stderr: 'warning: the response was lost, but the issuer was imported\n',
    });
    const other = await losing(stored(oldKey));
    for (const each of [line, 'ssh issuer import new']) {
      expectFailure(await run(each, other.url), 9, `the issuers of ssh/ are now "new" (${newId})`);
    }
  });
});

describe('ssh issuer use', () => {
  const set = envelope({ default: newId }, [`Previous default (${oldId}) has been updated`]);

  test('prompts before it replaces the default, with the names of the roles', async () => {
    const server = await playback({ ...existing, 'POST ssh/config/issuers': set });
    const prompted = await run(`ssh issuer use ${newId}`, server.url, { columns: 300, typed: 'n\n' });
    expect(prompted).toMatchObject({ code: 1, stdout: '' });
    expect(prompted.stderr).toContain(
      `Replace the default issuer "old" (${oldId}) of ssh/ with ${newId}? Roles that sign with it: r. Hosts must trust the public key of the new one. [y/N]`,
    );
    expect(await run(`ssh issuer use ${newId} --yes`, server.url)).toEqual({
      code: 0,
      stdout: `Issuer ${newId} is now the default of ssh/.\n`,
      stderr: `warning: Previous default (${oldId}) has been updated\n`,
    });
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toEqual({ default: newId });
  });

  test('does not ask if there is no default, and sends nothing if it is the default already', async () => {
    const first = await playback({
      ...existing,
      'GET ssh/issuer/default': noDefaultIssuer,
      'POST ssh/config/issuers': set,
    });
    expect((await run(`ssh issuer use ${newId}`, first.url)).code).toBe(0);
    const server = await playback(existing);
    expect((await run('ssh issuer use old', server.url)).stdout).toBe(
      `Issuer "old" (${oldId}) is already the default of ssh/.\n`,
    );
    expect(routes(server)).toEqual(['GET ssh/issuer/old', 'GET ssh/issuer/default']);
  });

  test('continues if the token may not list roles', async () => {
    const server = await playback({
      ...existing,
      'LIST ssh/roles': errors(403, '1 error occurred:\n\t* permission denied\n\n'),
    });
    const prompted = await run(`ssh issuer use ${newId}`, server.url, { columns: 300, typed: 'n\n' });
    expect(prompted.stderr).toContain('The token cannot list the roles that sign with it.');
  });
});

describe('ssh issuer delete', () => {
  test.each([
    ['old', oldId, 'Delete the default issuer "old"', 'Roles that sign with it: r, s.'],
    [newId, newId, `Delete issuer ${newId}`, 'Roles that sign with it: t.'],
  ])('%s: asks, names the roles and deletes by ID', async (reference, id, question, affected) => {
    const server = await playback({ ...existing, [`DELETE ssh/issuer/${id}`]: { status: 204 } });
    const prompted = await run(`ssh issuer delete ${reference}`, server.url, { columns: 300, typed: 'n\n' });
    expectFailure(prompted, 1, question, `with its private key? ${affected} This cannot be undone.`);
    expect((await run(`ssh issuer delete ${reference} --dry-run`, server.url)).stdout).toContain(
      `DELETE ${server.url}/v1/ssh/issuer/${id}`,
    );
    expect(routes(server)).not.toContain(`DELETE ssh/issuer/${id}`);
    expect((await run(`ssh issuer delete ${reference} --yes`, server.url)).stdout).toContain(
      'Deleted issuer ',
    );
  });

  test('is not found if the issuer does not exist: the service would report success', async () => {
    const server = await playback({ ...existing, 'DELETE ssh/issuer/nope': { status: 204 } });
    expect(await run('ssh issuer delete nope --yes', server.url)).toMatchObject({ code: 3, stdout: '' });
    expect(routes(server)).toEqual(['GET ssh/issuer/nope']);
  });

  test('verifies a deletion whose response was lost', async () => {
    let isDeleted = false;
    const { url } = await serveSocket((socket, text) => {
      const path = text.split(' ')[1] ?? '';
      if (text.startsWith('DELETE')) {
        isDeleted = true;
        return void socket.destroy();
      }
      if (path.endsWith('/roles')) return void socket.write(responseOf(roles));
      const missing = errors(400, `unable to find issuer for reference: ${newId}`);
      socket.write(
        responseOf(
          path.endsWith('/default') ? envelope(oldIssuer) : isDeleted ? missing : envelope(newIssuer),
        ),
      );
    });
    expect(await run(`ssh issuer delete ${newId} --yes`, url)).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a service with a single CA does not support issuers', async () => {
  const embedded = homeForTest();
  await servicesForTest(embedded);
  for (const line of ['list', 'get', 'get x', 'import', 'import x', 'use x', 'delete x --yes']) {
    const ran = await embedded.run(['ssh', 'issuer', ...line.split(' ')]);
    expect(ran, line).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('error: ssh/ does not support issuers: the engine has a single CA');
    expect(ran.stderr).toContain('hint: Use `lanyard ssh ca get`');
  }
});
