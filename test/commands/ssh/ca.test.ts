import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  embeddedForAll,
  expectExit,
  expectFailure,
  expectOutput,
  quietOutputOf,
} from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { serveSocket } from '../../unit/api/support.ts';
import { makeKey, writeKey } from '../signing.ts';

const { at, run } = embeddedForAll();
const publicKey = async (): Promise<string> => (await run('ssh ca public-key')).stdout;

beforeEach(async () => {
  await run('ssh ca delete --yes');
});

describe('ssh ca create', () => {
  test('rejects a type or size that does not fit the given key pair', async () => {
    const pair = keyPair('ecdsa256');
    writeKey(at, 'handed', pair);
    const create = (flags: string) =>
      run(`ssh ca create --private-key handed --public-key handed.pub ${flags}`);
    for (const [flags, text] of [
      ['--key-type ed25519', '--key-type ed25519 does not match the key pair, which is ecdsa-sha2-nistp256'],
      ['--key-type rsa', '--key-type rsa does not match the key pair'],
      ['--key-type ecdsa-sha2-nistp384', 'does not match the key pair'],
      ['--key-type ec --key-bits 384', '--key-bits 384 does not match the key pair, which has 256'],
    ] as const) {
      expectFailure(await create(flags), 2, text);
    }
    expect(await create('--key-type ec --key-bits 256')).toMatchObject({ code: 0, stderr: '' });
  });

  test('a snapshot and a managed key have names', async () => {
    for (const line of [
      'ssh ca get --snapshot=',
      'ssh ca create --managed-key-name=',
      'ssh ca create --managed-key-id=',
    ])
      expect(await run(line)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(' must not be empty'),
      });
  });

  test('the public key as YAML is the text', async () => {
    await run('ssh ca create --key-type ed25519');
    const { stdout } = await run('ssh ca public-key -o yaml');
    expect(stdout).toMatch(/^"ssh-ed25519 \S+\\n"\n$/);
    expect(parse(stdout)).toBe(await publicKey());
  });

  test.each([
    ['--key-type ed25519', 'ssh-ed25519'],
    ['--key-type ssh-ed25519', 'ssh-ed25519'],
    ['--key-type ec', 'ecdsa-sha2-nistp256'],
    ['--key-type ec --key-bits 384', 'ecdsa-sha2-nistp384'],
    ['--key-type ecdsa-sha2-nistp521', 'ecdsa-sha2-nistp521'],
    ['--key-type rsa --key-bits 2048', 'ssh-rsa'],
  ])('%s makes a pair, and shows the public key', async (flags, type) => {
    const stdout = quietOutputOf(await run(`ssh ca create ${flags}`));
    const line = await publicKey();
    expect(line).toMatch(new RegExp(`^${type} \\S+\\n$`));
    expect(stdout).toBe(`Created the CA. Its public key:\n${line}`);
  });

  test('without flags makes an RSA pair of 4096 bits', async () => {
    expect((await run('ssh ca create')).code).toBe(0);
    at.write('ca.pub', await publicKey());
    const { stdout } = await run('ssh inspect ca.pub -o json');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'ssh-rsa', bits: 4096 });
  });

  test('gives the public key as one value', async () => {
    expect((await run('ssh ca create --key-type ed25519 --field public_key')).stdout).toBe(await publicKey());
  });

  test('takes a pair of the user, and shows nothing of its private half', async () => {
    const pair = makeKey(at, 'ca', 'ed25519');
    const ran = await run('ssh ca create --private-key ca --public-key ca.pub --verbose');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Created the CA.') });
    expect(ran.stderr).not.toContain(pair.privatePem.split('\n')[1]);
    expect((await publicKey()).split(' ')[1]?.trim()).toBe(pair.publicLine.split(' ')[1]);
  });

  test('takes the private half from standard input', async () => {
    const pair = makeKey(at, 'ca', 'ecdsa256');
    expectExit(await run('ssh ca create --private-key - --public-key ca.pub', { stdin: pair.privatePem }), 0);
    expect(await publicKey()).toMatch(/^ecdsa-sha2-nistp256 /);
  });

  test('is a conflict if a CA exists, and keeps it', async () => {
    await run('ssh ca create --key-type ed25519');
    const line = await publicKey();
    expect(await run('ssh ca create --key-type ec')).toEqual({
      code: 6,
      stdout: '',
      stderr: `error: cannot create CA: ssh/ already has a CA\n  Its public key: ${line}hint: Run \`lanyard ssh ca rotate start\` to replace it without rejected logins.\n`,
    });
    expect(await publicKey()).toBe(line);
  });

  test.each([
    ['--key-type dsa', 'invalid --key-type "dsa": expected one of'],
    ['--key-bits many', 'invalid --key-bits "many": expected a non-negative integer'],
    ['--private-key ca', '--private-key and --public-key must be used together'],
    ['--public-key ca.pub', '--private-key and --public-key must be used together'],
    ['--private-key ca --public-key other.pub', 'other.pub is not the public key of ca'],
    ['--private-key ca.pub --public-key ca.pub', 'ca.pub'],
    ['--private-key none --public-key ca.pub', 'no such file'],
    ['--private-key ca --public-key ca', 'private key'],
  ])('%s is rejected before anything is sent', async (flags, message) => {
    makeKey(at, 'ca', 'ed25519');
    writeKey(at, 'other', keyPair('ed25519'));
    expectFailure(await run(`ssh ca create ${flags} --address http://127.0.0.1:9`), 2, message);
  });

  test.each([
    ['--key-type ec --key-bits 200'],
    ['--key-type rsa --key-bits 512'],
    ['--managed-key-name vault'],
    ['--managed-key-id 1234'],
  ])('%s fails with the reason of the service, and there is still no CA', async (flags) => {
    expectFailure(await run(`ssh ca create ${flags}`), 1, /^error: cannot submit CA information: .*\n {2}\S/);
    expect((await run('ssh ca get')).code).toBe(3);
  });
});

describe('ssh ca create with a lost response', () => {
  const noCa =
    'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"errors":[]}';

  test('is settled by reading back, when it was the pair of the user', async () => {
    const pair = makeKey(at, 'ca', 'ed25519');
    const [type, blob] = pair.publicLine.split(' ');
    const body = JSON.stringify({ data: { public_key: `${type} ${blob}\n` } });
    let created = false;
    const server = await serveSocket((socket, request) => {
      if (request.startsWith('GET') && !created) socket.write(noCa);
      else if (request.startsWith('GET'))
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      else {
        created = true;
        socket.destroy();
      }
    });
    const ran = await run(`ssh ca create --private-key ca --public-key ca.pub --address ${server.url}`);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Created the CA.') });
    expect(ran.stderr).toContain('warning: the response was lost, but the CA was created');
    const sent = server.seen.filter(({ url }) => url !== '/v1/sys/leader');
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  test('is "outcome unknown" else, and is not sent twice', async () => {
    let created = false;
    const server = await serveSocket((socket, request) => {
      created ||= request.startsWith('POST');
      if (created) socket.destroy();
      else socket.end(noCa);
    });
    const ran = await run(`ssh ca create --key-type ed25519 --address ${server.url}`);
    expectFailure(ran, 9, /^error: submit CA information: outcome unknown/m);
    expect(ran.stderr).toMatch(/^hint: Check the current state/m);
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('ssh ca get and ssh ca public-key', () => {
  test('show the public key; the second needs no token and sends none', async () => {
    await run('ssh ca create --key-type ed25519');
    const line = await publicKey();
    expect(await run('ssh ca get')).toEqual({ code: 0, stdout: line, stderr: '' });
    expect((await run('ssh ca get', { columns: 40 })).stdout).toBe(line);
    expect((await run('ssh ca get --field public_key')).stdout).toBe(line);
    expect(JSON.parse((await run('ssh ca get -o json')).stdout).data).toEqual({ public_key: line });
    expect(JSON.parse((await run('ssh ca public-key -o json')).stdout)).toBe(line);
    expectOutput(await run('ssh ca public-key', { env: { LANYARD_SECRETS_TOKEN: '' } }), line);
    expect((await run('ssh ca get', { env: { LANYARD_SECRETS_TOKEN: '' } })).code).toBe(4);
  });

  test.each([
    ['get', "  keys haven't been configured yet\n"],
    ['public-key', ''],
  ])('%s fails without a CA and hints how to create one', async (verb, message) => {
    expect(await run(`ssh ca ${verb}`)).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: CA not found in ssh/\n${message}hint: Run \`lanyard ssh ca create\` to create one.\n`,
    });
  });

  test('--snapshot names a snapshot that is not loaded', async () => {
    expectFailure(await run('ssh ca get --snapshot abc'), 3, 'snapshot "abc" is not loaded');
  });

  test('--out writes a new file, for its owner alone', async () => {
    await run('ssh ca create --key-type ed25519');
    const ran = await run('ssh ca get --out trusted');
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: 'Wrote trusted.\n' });
    expect(at.read('trusted')).toBe(await publicKey());
    expect(await run('ssh ca get --out trusted')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('ssh ca delete', () => {
  test('prompts on a terminal, and does nothing unless confirmed', async () => {
    await run('ssh ca create --key-type ed25519');
    for (const typed of ['n\n', '\n', 'maybe\n']) {
      const ran = await run('ssh ca delete', { columns: 80, typed });
      expectFailure(ran, 1, 'Delete the CA key pair of ssh/? This cannot be undone. [y/N]');
      expect(ran.stderr).toContain('not confirmed; nothing was done');
    }
    expect((await run('ssh ca get')).code).toBe(0);
    expect((await run('ssh ca delete --no-color', { columns: 80, typed: 'y\n' })).code).toBe(0);
    expect((await run('ssh ca get')).code).toBe(3);
  });

  test('requires --yes without a terminal, and with --no-input', async () => {
    await run('ssh ca create --key-type ed25519');
    for (const ran of [await run('ssh ca delete'), await run('ssh ca delete --no-input', { columns: 80 })]) {
      expectFailure(ran, 2, 'Use --yes to skip the prompt.');
    }
    expectOutput(await run('ssh ca delete --yes'), 'Deleted the CA of ssh/.\n');
  });
});
