import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, jsonLines } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';

const { at } = embeddedForAll();
const run = (line: string | readonly string[], options?: RunOptions) =>
  at.run(typeof line === 'string' ? line.split(' ') : line, options);

/** Runs a line that has to succeed, and gives what it writes. */
async function done(line: string | readonly string[], options?: RunOptions): Promise<string> {
  const ran = await run(line, options);
  expect(ran, String(line)).toMatchObject({ code: 0 });
  return ran.stdout;
}

const odd = {
  'new\nline=': 'one\r\n\n',
  quotes: `'"\``,
  emoji: '🔑é',
  nul: '\u0000',
  empty: '',
  '': 'without a name',
  ['__proto__']: 'own',
  random: randomBytes(3000).toString('base64'),
};

describe('with the embedded scheduler', () => {
  test('items with special characters are returned exactly, with encryption', async () => {
    await done('var put odd/items --in -', { stdin: JSON.stringify(odd) });
    const { Items } = JSON.parse(await done('var get odd/items -o json'));
    expect(Object.entries(Items).sort()).toEqual(Object.entries(odd).sort());
    expect(await done('var get odd/items --field Items.emoji')).toBe('🔑é\n');
  });

  test('accepts 16,384 bytes of items and rejects one more with a message', async () => {
    const items = (bytes: number) =>
      JSON.stringify({ k: 'é'.repeat((bytes - 2) / 2) + 'x'.repeat((bytes - 2) % 2), l: '' });
    await done('var put large --in -', { stdin: items(16_384) });
    const more = await run('var put large --in -', { stdin: items(16_385) });
    expectFailure(more, 1, /variables are limited to 16KiB in total size.*Split the items/s);
  });

  test('check-and-set: the next write expects the index of the previous one', async () => {
    const index = (await done('var put guarded a=1 --cas 0 --field ModifyIndex')).trim();
    expect(await run('var put guarded a=2 --cas 0')).toMatchObject({ code: 6, stdout: '' });
    expect(await run(`var put guarded a=2 --cas ${index}`)).toMatchObject({ code: 0 });
    expectFailure(await run(`var delete guarded --cas ${index} --yes`), 6, `not ${index}\n`);
    await done('var delete guarded --yes');
    expect(await run('var get guarded')).toMatchObject({ code: 3, stdout: '' });
  });

  test('a locked variable is a conflict', async () => {
    await done('var put locked a=1');
    await done('api scheduler PUT var/locked?lock-acquire --data -', {
      stdin: '{"Lock":{"TTL":"15s"},"Items":{"a":"1"}}',
    });
    const index = (await done('var get locked --field ModifyIndex')).trim();
    for (const line of [
      'var put locked a=2',
      `var put locked a=2 --cas ${index}`,
      'var put locked a=2 --merge',
      'var put locked a=2 --retry-merge',
      'var delete locked --yes',
      `var delete locked --yes --cas ${index}`,
    ]) {
      const ran = await run(line);
      expect(ran).toMatchObject({ code: 6, stdout: '' });
      expect(ran.stderr, line).toContain('variable "locked": locked');
    }
    expect((await run('var put locked a=2 --cas 1')).stderr).toContain(
      `its ModifyIndex is ${index}, not 1\n`,
    );
  });

  test('six concurrent merges succeed and report their attempts', async () => {
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => run(`var put six k${n}=v${n} --merge --retry-merge`)),
    );
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(all.some(({ stderr }) => stderr.includes('merged at attempt'))).toBe(true);
    expect(Object.keys(JSON.parse(await done('var get six -o json')).Items)).toHaveLength(6);
  });

  test('lists page by page, filtered, across namespaces', async () => {
    await done('namespace put lists');
    for (const name of ['a/1', 'a/2', 'b/1']) await done(`var put ${name} k=v -n lists`);
    await done('var put a/1 k=v');
    expect(await done('var list -n lists --prefix a/ --all --per-page 1 --select [].Path')).toContain(
      '"a/2"',
    );
    const lines = await done([
      ...['var', 'list', '--namespace', '*', '--all', '--per-page', '1', '-o', 'jsonl'],
      ...['--filter', 'VariableMetadata.Path contains "a/" and VariableMetadata.Namespace != "nowhere"'],
    ]);
    const found = jsonLines(lines);
    expect(found.map(({ Namespace, Path }) => `${Namespace} ${Path}`)).toEqual([
      'default a/1',
      'lists a/1',
      'lists a/2',
    ]);
    const documented = ['--prefix', 'a/', '--filter', 'VariableMetadata.Path contains "1"'];
    expect(await done(['var', 'list', '-n', 'lists', ...documented, '--select', '[].Path'])).toContain('a/1');
    // As Nomad.
    const short = await run(['var', 'list', '--filter', '"/Path" == "a/1"']);
    expectFailure(short, 1, `hint: Use full field names: --filter '"/VariableMetadata/Path" == "a/1"'\n`);
    expectFailure(await run(['var', 'list', '--filter', 'Path ==']), 1, 'filter expression');
  });

  test('creates and changes namespaces, and prints errors of the service', async () => {
    await done(['namespace', 'put', 'team', '--description', 'the shop', '--meta', 'owner=x']);
    await done('namespace put team --meta owner=y');
    expect(JSON.parse(await done('namespace get team -o json'))).toMatchObject({
      Description: 'the shop',
      Meta: { owner: 'y' },
    });
    await done('var put app a=1 -n team');
    expectFailure(await run('namespace delete team --yes'), 6, 'has variables associated with it');
    await done('var delete app -n team --yes');
    await done('namespace delete team --yes');
    expect(await run('namespace get team')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('namespace delete team --yes')).toMatchObject({ code: 3, stdout: '' });
    expect(await done('namespace list')).toContain('default\tDefault shared namespace');
    expectFailure(await run('var put app a=1 -n none'), 3, 'namespace "none" not found');
  });

  test('export and import of a directory leave no differences', async () => {
    await done('namespace put folder');
    await done('var put app/odd --in - -n folder', { stdin: JSON.stringify(odd) });
    await done('var put app k=v -n folder');
    await done('var export out -n folder --format yaml');
    await done('namespace put copy');
    expect(await done('var import out -n copy --dry-run')).toContain('Variable app/odd would be created.');
    await done('var import out -n copy');
    await done('var diff -n folder --with-namespace copy');
    await done('var diff -n copy --with out');
    await done('var put app k=w new= -n copy --merge');
    expect(await run('var diff -n folder --with-namespace copy')).toMatchObject({
      code: 10,
      stdout: 'app\tk\tchanged\napp\tnew\tadded\n',
    });
  });

  test('run passes items to a command', async () => {
    await done('var put env/app db-url=postgres://x');
    const script = `test "$DB_URL" = postgres://x && exit 33`;
    expect((await run(['run', '--var', 'env/app', '--upper', '--', 'sh', '-c', script])).code).toBe(33);
  });
});

describe('with access control on', () => {
  const { at: own } = embeddedForAll();
  let root: string;
  /** A token that may do what the rules say. */
  const tokenFor = async (capabilities: string) => {
    const env = { LANYARD_SCHEDULER_TOKEN: root };
    const Rules = `namespace "default" { variables { path "app/*" { capabilities = [${capabilities}] } } }`;
    const name = `p${randomBytes(4).toString('hex')}`;
    await own.run(['api', 'scheduler', 'PUT', `acl/policy/${name}`, '--data', '-'], {
      env,
      stdin: JSON.stringify({ Name: name, Rules }),
    });
    const made = await own.run(
      ['api', 'scheduler', 'PUT', 'acl/token', '--data', '-', '--field', 'SecretID'],
      { env, stdin: JSON.stringify({ Type: 'client', Policies: [name] }) },
    );
    return { LANYARD_SCHEDULER_TOKEN: made.stdout.trim() };
  };
  beforeAll(async () => {
    root = (await own.run('api scheduler PUT acl/bootstrap --field SecretID'.split(' '))).stdout.trim();
  });
  const as = (env: Record<string, string>, line: string) => own.run(line.split(' '), { env });

  test('reports a missing token, an invalid one and one without permission', async () => {
    expect((await as({}, 'var put app/x a=1')).code).toBe(4);
    expect(
      (await as({ LANYARD_SCHEDULER_TOKEN: 'b2b3c1f0-0000-4000-8000-000000000000' }, 'var put app/x a=1'))
        .code,
    ).toBe(4);
    const reader = await tokenFor('"list", "read"');
    expect((await as(reader, 'var put app/x a=1')).code).toBe(5);
    expect((await as(reader, 'var put elsewhere a=1')).code).toBe(5);
    expect((await as(reader, 'namespace put x')).code).not.toBe(0);
    expect((await as({ LANYARD_SCHEDULER_TOKEN: root }, 'var put app/x a=1')).code).toBe(0);
    expect((await as(reader, 'var get app/x --field Items.a')).stdout).toBe('1\n');
  });

  test('reports a conflict without items if the token cannot read', async () => {
    const writer = await tokenFor('"write"');
    expect((await as({ LANYARD_SCHEDULER_TOKEN: root }, 'var put app/y a=secret-a')).code).toBe(0);
    const ran = await as(writer, 'var put app/y a=2 --cas 1');
    expectFailure(ran, 6, 'the token has no permission to read the variable');
    expect(ran.stderr).not.toContain('secret-a');
    expect((await as(writer, 'var put app/y a=2')).code).toBe(0);
    expect((await as(writer, 'var get app/y')).code).toBe(5);
  });

  test('status distinguishes a valid token from an invalid one', async () => {
    const token = async (value: string) => {
      const { stdout } = await as({ LANYARD_SCHEDULER_TOKEN: value }, 'status -o json');
      return (JSON.parse(stdout) as { service: string; token: string }[]).find(
        ({ service }) => service === 'scheduler',
      );
    };
    expect(await token(root)).toMatchObject({ token: 'valid', tokenValidUntil: null });
    expect(await token('b2b3c1f0-0000-4000-8000-000000000000')).toMatchObject({ token: 'not accepted' });
  });
});
