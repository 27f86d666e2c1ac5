import { statSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, errorOf, expectExit, expectFailure } from '../../support/command-tests.ts';

const { at, run, done } = embeddedForAll();
const json = async (line: string) => JSON.parse(await done(`${line} -o json`));
const dataOf = async (path: string) => (await json(`kv get ${path}`)).data.data;
let recipient = '';

beforeAll(async () => {
  const identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  at.write('key.txt', `# created: today\n# public key: ${recipient}\n${identity}\n`);
  for (const [path, version] of [
    ['plain', '1'],
    ['strict', '2'],
  ])
    await done(`secrets mount enable kv --path ${path} --version ${version}`);
  await done('kv config put strict --cas-required true');
  await done('kv put secret/app k=itself');
  await done('kv put secret/app/db user=app password=hunter1');
  await done('kv put secret/app/db user=app password=hunter2');
  await done('kv metadata put secret/app/db --custom-metadata owner=ops --max-versions 4');
  await done('kv put secret/app/big --in -', { stdin: '{"n":9007199254740993,"deep":{"x":[1,null]}}' });
  await at.run(['kv', 'put', 'secret/app/q?x=1&y#z%20', 'k=odd']);
});

describe('kv export and kv import', () => {
  test('write and read an encrypted file', async () => {
    expect(await done(`kv export secret/app app.age --recipient ${recipient}`)).toBe(
      'Wrote 4 secrets to app.age.\n',
    );
    expect(at.read('app.age')).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
    expect(at.read('app.age')).not.toContain('hunter2');
    expect(statSync(at.file('app.age')).mode & 0o777).toBe(0o600);
    const dry = await done('kv import app.age secret/restored --identity @key.txt --dry-run');
    expect(dry).toContain('4 secrets would be imported; nothing was written.\n');
    expect(dry).toContain('secret/restored/db\tcreate');
    expectFailure(await run('kv get secret/restored'), 3);
    expect(await done('kv import app.age secret/restored --identity @key.txt')).toContain(
      'Imported 4 secrets.',
    );
    expect(await dataOf('secret/restored')).toEqual({ k: 'itself' });
    expect(await dataOf('secret/restored/db')).toEqual({ user: 'app', password: 'hunter2' });
    expect((await json('kv metadata get secret/restored/db')).data).toMatchObject({
      max_versions: 4,
      custom_metadata: { owner: 'ops' },
    });
    expect(await done('kv get secret/restored/big -o json')).toContain('9007199254740993');
    expect((await at.run(['kv', 'get', 'secret/restored/q?x=1&y#z%20', '--field', 'k'])).stdout).toBe(
      'odd\n',
    );
    expect(await done('kv import app.age secret/restored --identity @key.txt')).toContain(
      'Imported 0 secrets; 4 already up to date.',
    );
  });

  test('use the exported path by default', async () => {
    await done(`kv export secret/app home.age --recipient ${recipient}`);
    await done('kv put secret/app/db user=changed');
    expectFailure(
      await run('kv import home.age --identity @key.txt'),
      6,
      'cannot overwrite secret/app/db: it already exists and differs; nothing was written',
    );
    expect(await done('kv import home.age --identity @key.txt --overwrite')).toContain(
      'Imported 1 secret; 3 already up to date.',
    );
    expect(await dataOf('secret/app/db')).toEqual({ user: 'app', password: 'hunter2' });
  });

  test('write and read a plain file, also through a pipe', async () => {
    await done('kv export secret/app plain.json --plain');
    expect(statSync(at.file('plain.json')).mode & 0o777).toBe(0o600);
    expectFailure(await run('kv export secret/app plain.json --plain'), 2, 'already exists');
    await done('kv export secret/app plain.json --plain --force');
    const stdout = await done('kv export secret/app --plain');
    expect(stdout).toBe(at.read('plain.json'));
    expect(await done('kv import - plain/copied', { stdin: stdout })).toContain('Imported 4 secrets.');
    expect(await done('kv get plain/copied/db')).toBe('user\tapp\npassword\thunter2\n');
    expect(await done('kv import plain.json strict/app')).toContain('Imported 4 secrets.');
  });

  test('keep all versions with data on request', async () => {
    await done('kv put secret/vers k=1');
    await done('kv put secret/vers k=2');
    await done(`kv export secret/vers vers.age --recipient ${recipient} --all-versions`);
    await done('kv import vers.age secret/vers2 --identity @key.txt');
    expect(await done('kv get secret/vers2 --version 1 --field k')).toBe('1\n');
    expect(await done('kv get secret/vers2 --field k')).toBe('2\n');
  });

  test('use a passphrase', async () => {
    const env = { PASS: 'correct horse battery staple', WRONG: 'x' };
    const ran = await run('kv export secret/app pass.age --passphrase env://PASS', { env });
    expectExit(ran, 0, /^$/);
    expectFailure(
      await run('kv import pass.age secret/p --passphrase env://WRONG', { env }),
      2,
      'cannot decrypt pass.age: wrong passphrase or identity',
    );
    expectExit(await run('kv import pass.age secret/p --passphrase env://PASS', { env }), 0, /^$/);
  });

  test.each([
    ['kv export secret/app x.age', 'expected --recipient, --passphrase or --plain'],
    ['kv export secret/app x.age --plain --recipient age1x', 'only one of'],
    ['kv export secret/app x.age --recipient age1x', 'invalid recipient "age1x"'],
    ['kv export secret/app x.age --passphrase hunter2', 'is not accepted on the command line'],
    ['kv import app.age', '--identity is required'],
    ['kv import app.age --identity AGE-SECRET-KEY-1X', 'is not accepted on the command line'],
  ])('reject %s', async (line, message) => {
    const ran = await run(line);
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('hunter2');
  });

  test.each([
    ['{', 'is not valid JSON'],
    ['[]', 'is not a file of "kv export"'],
    ['{"format":"lanyard-kv/1","path":"secret","secrets":[{"path":"/a","data":{}}]}', 'secrets[0]: path'],
    ['{"format":"lanyard-kv/1","path":"secret","secrets":[{"path":"../a","data":{}}]}', 'secrets[0]: path'],
    [
      '{"format":"lanyard-kv/1","path":"secret","secrets":[{"path":"a","data":"hunter2"}]}',
      'data: expected an object',
    ],
    [
      '{"format":"lanyard-kv/1","path":"secret","secrets":[{"path":"a","data":{}},{"path":"a","data":{}}]}',
      'is in the file twice',
    ],
    [
      '{"format":"lanyard-kv/1","path":"secret","secrets":[{"path":"","data":{}}]}',
      'specify a PATH below secret/',
    ],
    ['-----BEGIN AGE ENCRYPTED FILE-----\nAAAA\n', 'the file is damaged'],
  ])('reject the content %s', async (content, message) => {
    at.write('bad.json', content);
    const ran = await run('kv import bad.json --identity @key.txt');
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('hunter2');
  });

  test('reject a damaged file', async () => {
    const text = at.read('app.age');
    at.write('cut.age', text.replace(/(.{64}\n){3}(.*\n-----END)/, '$2'));
    expectFailure(await run('kv import cut.age --identity @key.txt'), 2, 'cannot decrypt cut.age');
  });

  test('fail if some secrets cannot be read, and are partial if some cannot be written', async () => {
    const policy =
      'path "secret/metadata/*" { capabilities = ["list"] }\npath "secret/data/app/db" { capabilities = ["read"] }\npath "plain/*" { capabilities = ["read"] }\npath "plain/w/db" { capabilities = ["create", "read", "update"] }';
    await at.run(['secrets', 'policy', 'put', 'weak', policy]);
    const { stdout } = await at.run([
      'secrets',
      'token',
      'create',
      '--policy',
      'weak',
      '--field',
      'client_token',
    ]);
    const weak = { env: { LANYARD_SECRETS_TOKEN: stdout.trim() } };
    expectFailure(
      await run('kv export secret/app --plain', weak),
      5,
      'cannot export secrets',
      'secret/app/big',
    );
    expectExit(await run('kv export secret/app --plain --allow-partial', weak), 0, 'left out');
    const error = errorOf(await run('kv import plain.json plain/w -o json', weak), 9);
    expect(error.message).toContain('partially applied: imported 1 of 4 secrets');
    expectFailure(await run('kv export secret/none --plain'), 3, 'no secrets found at secret/none');
  });
});
