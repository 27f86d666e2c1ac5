import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, outputOf, servicesForAll } from '../support/command-tests.ts';
import type { RunOptions } from '../support/run.ts';
import { serve } from '../unit/api/support.ts';

// What goes through the command line comes back exactly as it was: through the embedded services, and numbers larger
// than a JavaScript number holds from a server that sends such.

const at = homeForAll();
const running = servicesForAll(at);

/** What a line that has to succeed writes. */
async function done(argv: string | readonly string[], options?: RunOptions): Promise<string> {
  const ran = await at.run(typeof argv === 'string' ? argv.split(' ') : argv, options);
  expect(ran, String(argv)).toMatchObject({ code: 0 });
  return ran.stdout;
}

type Items = { readonly [name: string]: string };

/** Names and values, their order aside. */
const sorted = (items: Items) => Object.entries(items).sort(([one], [other]) => (one < other ? -1 : 1));

/** The items of a variable, as JSON has them. */
const itemsAt = async (path: string): Promise<Items> =>
  JSON.parse(await done(['var', 'get', path, '-o', 'json'])).Items;

/** Values that something on the way could lose or change, but for NUL, which no argument of a program holds. */
const values = [
  ...['one\ntwo', '\n', '\r\n', 'ends\n\n', '=', 'a=b==', `'`, '"', '`', '$HOME $(y) \\n', '  ', '\t'],
  ...[
    '🔑👩‍👩‍👧é',
    'e\u0301',
    '\u2028\uFEFF',
    '__proto__',
    'null',
    '017',
    '-',
    '\u001b[31m',
    '# no',
    ': [{&*!|>%@',
  ],
];
const keys = ['__proto__', 'constructor', 'a.b', 'a/b', '🔑', 'with space', "'", '"', 'new\nline', '0', '-'];

describe('items of a variable are exact', () => {
  test('given as KEY=VALUE, KEY=@FILE and KEY=-', async () => {
    const given = Object.fromEntries(values.map((value, n) => [`k${n}`, value]));
    // A value that begins so is a source.
    const words = Object.entries(given).filter(([, value]) => !/^(@|-$)/.test(value));
    await done(['var', 'put', 'exact/words', ...words.map(([key, value]) => `${key}=${value}`)]);
    expect(sorted(await itemsAt('exact/words'))).toEqual(sorted(Object.fromEntries(words)));

    const held = { ...given, nul: '\u0000a\u0000' };
    const files = Object.entries(held).map(([key, value]) => [key, at.write(`values/${key}`, value)]);
    await done(['var', 'put', 'exact/files', ...files.map(([key, file]) => `${key}=@${file}`)]);
    expect(sorted(await itemsAt('exact/files'))).toEqual(sorted(held));

    // One line end at the end of standard input is the terminal's.
    await done(['var', 'put', 'exact/stdin', 'k=-'], { stdin: `${values.join('')}\u0000\n` });
    expect(await itemsAt('exact/stdin')).toEqual({ k: `${values.join('')}\u0000` });
  });

  test.each(keys)('named %j, and --field prints a value unchanged', async (key) => {
    const items = Object.fromEntries([[key, `=${key}\u0000\n'"🔑`]]);
    await done('var put exact/key --in -', { stdin: JSON.stringify(items) });
    expect(sorted(await itemsAt('exact/key'))).toEqual(sorted(items));
    const members = JSON.parse(await done(['var', 'get', 'exact/key', '--select', 'Items', '-o', 'json']));
    expect(sorted(members)).toEqual(sorted(items));
    if (/^[\w🔑-]+$/u.test(key))
      expect(await done(['var', 'get', 'exact/key', '--field', `Items.${key}`])).toBe(`${items[key]}\n`);
  });

  test.each(['json', 'yaml'])('whatever they are, in and out as %s', async (format) => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...values, '\u0000'));
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }),
      fc.constantFrom(...keys),
    );
    const some = fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(some, async (entries) => {
        const items = Object.fromEntries(entries);
        fc.pre(Object.keys(items).every((key) => key !== 'Items'));
        await done('var put exact/any --in - --format json', { stdin: JSON.stringify(items) });
        const shown = await done(['var', 'get', 'exact/any', '-o', format]);
        await done(`var put exact/again --in - --format ${format}`, { stdin: shown });
        expect(sorted(await itemsAt('exact/again'))).toEqual(sorted(items));
      }),
      { numRuns: 25 },
    );
  });

  test('up to 16,384 bytes of names and values; one more byte leaves the existing variable unchanged', async () => {
    // Two names of two bytes and of three.
    const items = (bytes: number) => ({ é: '🔑'.repeat(2000), key: `${'\u0000'.repeat(bytes - 8005)}` });
    await done('var put exact/large --in -', { stdin: JSON.stringify(items(16_383)) });
    await done('var put exact/large --in -', { stdin: JSON.stringify(items(16_384)) });
    const whole = await itemsAt('exact/large');
    expect(whole).toEqual(items(16_384));
    for (const line of ['var put exact/large --in -', 'var put exact/large --merge --in -']) {
      const ran = await at.run(line.split(' '), { stdin: JSON.stringify(items(16_385)) });
      expect(ran, line).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toContain('limited to 16KiB');
    }
    expect((await at.run('var put exact/large more= --merge'.split(' '))).code).toBe(1);
    expect(await itemsAt('exact/large')).toEqual(whole);
  });
});

describe('text of accounts is exact', () => {
  const method = 'ampw_1234567890';
  const as = (env: Readonly<Record<string, string>> = {}) => ({
    env: { LANYARD_ACCOUNTS_TOKEN: running.embedded.accountsToken, ...env },
  });
  // As in Boundary: the space around a description is removed, an empty one is none, an unprintable one is rejected.
  test('in descriptions that are printable, but for the space around them', async () => {
    const create = `account create --auth-method ${method} --login-name described --no-password --field id`;
    const id = (await done(create, as())).trim();
    for (const text of values.filter((value) => value !== 'null')) {
      const line = ['account', 'update', id, '--description', text];
      if (/\p{C}(?<![\r\n\t])/u.test(text.trim())) {
        expect((await at.run(line, as())).stderr).toContain('Description contains unprintable characters');
        continue;
      }
      await done(line, as());
      const { description } = JSON.parse(await done(`account get ${id} -o json`, as()));
      expect(description).toBe(text.trim() || undefined);
    }
  });

  test.each([
    'a=b "quoted" \'twice\' $HOME',
    '🔑🔑🔑🔑 grüße',
    '  spaces around  ',
    '__proto__',
    'two\nlines of it',
  ])('in the password %j, which logs in, and nothing like it does', async (password) => {
    const login = `pw-${Buffer.from(password).toString('hex').slice(0, 12)}`;
    const create = `account create --auth-method ${method} --login-name ${login} --password env://PW`;
    await done(create, as({ PW: password }));
    const logIn = (PW: string) =>
      at.run(
        `account login --auth-method ${method} --login-name ${login} --password env://PW --no-store`.split(
          ' ',
        ),
        { env: { PW } },
      );
    expect(await logIn(password)).toMatchObject({ code: 0 });
    expect(await logIn(`${password} `)).toMatchObject({ code: 4 });
  });
});

describe('numbers beyond 2^53 are exact', () => {
  const index = '18446744073709551615';
  const time = '1763668800123456789';
  const metadata = `"CreateIndex":9007199254740993,"ModifyIndex":${index},"CreateTime":${time},"ModifyTime":${time}`;
  const variable = `{"Namespace":"default","Path":"a",${metadata},"Items":{"k":"v"}}`;
  const namespace =
    '{"Name":"n","Description":"","CreateIndex":9007199254740993,"ModifyIndex":18446744073709551615}';
  const account =
    '{"id":"acctoidc_1234567890","type":"oidc","version":1,"auth_method_id":"amoidc_1234567890","attributes":{"subject":"s","token_claims":{"n":18446744073709551615,"f":9007199254740993}}}';

  /** A server that answers so, whatever it is asked, and a way to run a line against it. */
  async function answering(body: string, status = 200) {
    const server = await serve((_seen, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
    const env = {
      LANYARD_SCHEDULER_ADDR: server.url,
      LANYARD_ACCOUNTS_ADDR: server.url,
      LANYARD_ACCOUNTS_TOKEN: 'at_1234567890_s3cret',
    };
    return { server, run: (line: string) => at.run(line.split(' '), { env }) };
  }

  test.each([
    ['var get a -o json', variable],
    ['var get a -o yaml --select @', variable],
    ['var put a k=w -o json', variable],
    ['var list -o json', `[${variable}]`],
    ['var list -o jsonl', `[${variable}]`],
    ['var list --all -o yaml', `[${variable}]`],
    ['namespace get n -o json', namespace],
    ['namespace list -o json', `[${namespace}]`],
    ['account get acctoidc_1234567890 -o json', account],
    [
      'account list --auth-method amoidc_1234567890 -o json',
      `{"items":[${account}],"response_type":"complete"}`,
    ],
  ])('in %s', async (line, body) => {
    const { run } = await answering(body);
    const stdout = outputOf(await run(line));
    for (const [, name = '', digits = ''] of body.matchAll(/"(\w+)":(\d{16,})/g))
      expect(stdout).toMatch(new RegExp(`${name}"?: ?${digits}\\b`));
  });

  test('with --field and --select', async () => {
    const { run } = await answering(variable);
    expect((await run('var get a --field ModifyIndex')).stdout).toBe(`${index}\n`);
    expect((await run('var get a --select ModifyTime')).stdout).toBe(`${time}\n`);
  });

  test('as the index that a change is guarded with', async () => {
    const { server, run } = await answering(variable);
    expect((await run('var put a k=w --merge')).code).toBe(0);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toContain(`PUT /v1/var/a?cas=${index}`);
  });

  test('shown by a conflict', async () => {
    const { run } = await answering(variable, 409);
    const ran = await run('var put a k=w --cas 18446744073709551614');
    expectFailure(ran, 6, `its ModifyIndex is ${index}, not 18446744073709551614`);
  });

  test('and times as the embedded scheduler has them, to the nanosecond', async () => {
    await done('var put exact/time k=v');
    const wire = await (await fetch(`${running.addresses.scheduler}/v1/var/exact/time`)).text();
    const [, sent] = /"ModifyTime":(\d{19})/.exec(wire) ?? [];
    expect(sent).toBeDefined();
    for (const line of ['var get exact/time -o json', 'var list --prefix exact/time -o json'])
      expect(await done(line)).toContain(`"ModifyTime": ${sent}`);
  });
});
