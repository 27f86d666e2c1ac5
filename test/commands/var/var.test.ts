import { describe, expect, test } from 'vitest';
import {
  expectExit,
  expectFailure,
  expectOutput,
  homeForAll,
  jsonLines,
  outputOf,
  quietOutputOf,
  words,
} from '../../support/command-tests.ts';
import { freePort } from '../../support/ports.ts';
import { json, serveSocket } from '../../unit/api/support.ts';
import { conflict, runAt, shelf, zeroed } from '../scheduler-shelf.ts';

const at = homeForAll();
const run = runAt(at);

/** Items that something on the way could lose or change. */
const odd = {
  'new\nline': 'one\ntwo\r\n\n',
  'a=b': '=x==',
  quotes: `'"\`$HOME \\ `,
  empty: '',
  spaces: '  # no comment ',
  emoji: '🔑é',
  control: 'nul \u0000 tab \t',
  ['__proto__']: 'polluted?',
  number: '017',
  yes: 'yes',
};

/** A variable that is locked: Nomad compares the index, and then sends a zeroed variable. */
const locked = async () => {
  const server = await shelf({
    change: ({ method, url }, response) => {
      const cas = new URL(url, server.url).searchParams.get('cas');
      if (method === 'GET' || (cas !== null && cas !== '11')) return;
      conflict(response, zeroed('app'));
    },
  });
  server.put('app', { a: '1' });
  return server;
};

const namedHcl = 'path = "app/hcl"\nnamespace = "default"\nitems {\n  user = "ann"\n}\n';

describe('var put', () => {
  test('sends all items and prints no values', async () => {
    const server = await shelf();
    at.write('secret', 'from a file\n');
    at.write('empty', '');
    const ran = await run(server, 'var put app/db user=app password=@secret token=- none= blank=@empty', {
      stdin: 'typed\n',
    });
    expect(ran).toEqual({ code: 0, stdout: 'Wrote app/db (5 items, ModifyIndex 11).\n', stderr: '' });
    expect(server.writes()).toEqual(['PUT /v1/var/app/db']);
    expect(server.bodies()).toEqual([
      { Items: { user: 'app', password: 'from a file\n', token: 'typed', none: '', blank: '' } },
    ]);
    const again = await run(server, 'var put app/db a=hidden-value -o json');
    expect(JSON.parse(again.stdout)).toMatchObject({ Path: 'app/db', ModifyIndex: 12 });
    expect(again.stdout).not.toContain('hidden-value');
  });

  test.each([
    ['json', JSON.stringify({ Path: 'other', Items: odd })],
    ['json', JSON.stringify(odd)],
  ])('takes %s exactly: flat, or a complete variable', async (_format, text) => {
    const server = await shelf();
    at.write('items', text);
    expect((await run(server, 'var put app --in items')).code).toBe(0);
    expect(JSON.parse((await run(server, 'var get app -o json')).stdout).Items).toEqual(
      JSON.parse(JSON.stringify(odd)),
    );
  });

  test.each(['yaml', 'json', 'env'])('accepts the output of "var get -o %s"', async (format) => {
    const server = await shelf();
    const { control, 'a=b': _two, 'new\nline': _three, ...held } = odd;
    const items = format === 'env' ? held : odd;
    server.put('app', items);
    const stdout = outputOf(await run(server, `var get app -o ${format}`));
    expect((await run(server, 'var put copy --in -', { stdin: stdout })).code).toBe(0);
    const copied = Object.entries(server.variables.get('default copy')?.Items ?? {});
    const sorted = Object.entries(items).sort(([one], [other]) => (one < other ? -1 : 1));
    expect(copied).toEqual(sorted);
    expect(control).toBeDefined();
  });

  test('takes the path of the file if none is given', async () => {
    const server = await shelf();
    at.write('named.hcl', namedHcl);
    expect(await run(server, 'var put --in named.hcl')).toMatchObject({ code: 0 });
    expect(server.writes()).toEqual(['PUT /v1/var/app/hcl']);
    expect(await run(server, 'var put --in -', { stdin: 'items {\n  a = "1"\n}\n' })).toMatchObject({
      code: 2,
      stderr: 'error: no variable specified\nhint: Give PATH, or a file with a path and --in.\n',
    });
  });

  test('reads dotenv lines with a name "items" as dotenv, not as HCL', async () => {
    const server = await shelf();
    const lines = { stdin: 'items={"a":1}\nother=2\n' };
    expect((await run(server, 'var put app --in -', lines)).code).toBe(0);
    expect(server.bodies()[0]).toEqual({ Items: { items: '{"a":1}', other: '2' } });
    const open = { stdin: 'items={\nother=2\n' };
    expect(await run(server, 'var put app --in -', open)).toMatchObject({
      code: 2,
      stderr:
        'error: standard input, line 3, column 1: expected a name or "}"\nhint: If the file has another format, name it with --format.\n',
    });
    expect((await run(server, 'var put app --in - --format env', open)).code).toBe(0);
    expect(server.bodies()[1]).toEqual({ Items: { items: '{', other: '2' } });
  });

  test('reads a specification in HCL, and expects its ModifyIndex', async () => {
    const server = await shelf();
    const spec = (index: number): string =>
      `# A variable.\npath = "app"\nitems {\n  user = "app"\n  "pass word" = <<-END\n    two\n      lines\n    END\n}\nmodify_index = ${index}\n`;
    expect((await run(server, 'var put app --in -', { stdin: spec(0) })).code).toBe(0);
    expect(server.bodies()[0]).toEqual({ Items: { user: 'app', 'pass word': 'two\n  lines\n' } });
    at.write('app.hcl', spec(1_000_000));
    const ran = await run(server, 'var put app --in app.hcl');
    expectExit(ran, 6, 'The file has ModifyIndex 1000000; use --force to ignore it.');
    expect((await run(server, 'var put app --in app.hcl --force')).code).toBe(0);
    for (const flag of ['--merge', '--cas 1'])
      expect(await run(server, `var put app --in app.hcl --force ${flag}`)).toMatchObject({
        code: 2,
        stderr: `error: --force cannot be combined with ${flag.split(' ')[0]}\n`,
      });
  });

  test('reads plain YAML values as written, and dotenv as shells do', async () => {
    const server = await shelf();
    at.write('a.yaml', 'version: 1.10\non: yes\nhex: 0x1F\nempty:\ntext: |\n  two\n  lines\n');
    at.write('a.env', `# comment\nexport A=1 # one\nB = no\n`);
    expect((await run(server, 'var put a --in a.yaml')).code).toBe(0);
    expect(server.bodies()[0]).toEqual({
      Items: { version: '1.10', on: 'yes', hex: '0x1F', empty: '', text: 'two\nlines\n' },
    });
    expect((await run(server, 'var put a --in a.env')).stderr).toContain(
      'a.env, line 3: expected NAME=value',
    );
    at.write(
      'a.env',
      `# comment\n\nexport A=1 # one\r\nB=a b#c \nC='it'\\''s $HOME # all'\nD="x\\n\\"y\\" \\$Z" # c\nE=\nF='two\nlines'\n`,
    );
    expect((await run(server, 'var put a --in a.env --format env')).code).toBe(0);
    expect(server.bodies()[1]).toEqual({
      Items: { A: '1', B: 'a b#c', C: "it's $HOME # all", D: 'x\n"y" $Z', E: '', F: 'two\nlines' },
    });
  });

  test('accepts a key named __proto__, and a response without a body', async () => {
    const server = await shelf({
      change: ({ method }, response) => {
        if (method === 'PUT') response.writeHead(204).end();
      },
    });
    server.put('app', JSON.parse('{"__proto__": "old", "a": "1"}'));
    expect((await run(server, 'var put app __proto__=x')).stdout).toBe(
      'Wrote app (1 item).\n__proto__\tchanged\na\tremoved\n',
    );
    expect((await run(server, 'var put app __proto__=y --merge')).stdout).toBe(
      'Wrote app (2 items).\n__proto__\tchanged\n',
    );
    expect(server.seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      '{"Items":{"__proto__":"x"}}',
      '{"Items":{"__proto__":"y","a":"1"}}',
    ]);
  });

  test.each(['json', 'yaml'])(
    'checks the ModifyIndex of a file with the complete variable (%s)',
    async (format) => {
      const server = await shelf();
      server.put('app', { a: '1' });
      const { stdout } = await run(server, `var get app -o ${format}`);
      at.write(`app.${format}`, stdout);
      const line = `var put app --in app.${format}`;
      expect((await run(server, line)).code).toBe(0);
      expect(server.writes()).toEqual(['PUT /v1/var/app?cas=11']);
      // It is 12 now.
      const stale = await run(server, line);
      expectFailure(stale, 6, 'its ModifyIndex is 12, not 11\n');
      expect(stale.stderr).toContain('hint: The file has ModifyIndex 11; use --force to ignore it.');
      expect((await run(server, `${line} --cas 12`)).code).toBe(0);
      expect((await run(server, `${line} b=2 --merge`)).code).toBe(0);
      // Of another variable it says nothing.
      for (const other of ['var put other', 'var put app --namespace team'])
        expect((await run(server, `${other} --in app.${format}`)).code).toBe(0);
      expect(server.writes().slice(-2)).toEqual(['PUT /v1/var/other', 'PUT /v1/var/app?namespace=team']);
    },
  );

  test('overrides items of the file with pairs', async () => {
    const server = await shelf();
    at.write('a.json', '{"a": "1", "b": "2"}');
    await run(server, 'var put a b=3 --in a.json');
    expect(server.bodies()).toEqual([{ Items: { a: '1', b: '3' } }]);
  });

  test('accepts 16,384 bytes, and leaves more to the service, up to 64 KiB', async () => {
    const server = await shelf({
      change: ({ method, body }, response) => {
        if (method !== 'PUT' || JSON.parse(body).Items.k.length <= 16_383) return;
        response.writeHead(400).end('variables are limited to 16KiB in total size');
      },
    });
    const items = (bytes: number) => JSON.stringify({ k: 'x'.repeat(bytes - 1) });
    expect((await run(server, 'var put a --in -', { stdin: items(16_384) })).code).toBe(0);
    const more = await run(server, 'var put a --in -', { stdin: items(16_385) });
    expectFailure(more, 1, /limited to 16KiB.*Split the items/s);
    expectFailure(await run(server, 'var put a --in -', { stdin: items(65_537) }), 2, '65537 bytes of items');
    expect(server.writes()).toHaveLength(2);
  });

  test.each([
    ['var put app', 'nothing to write'],
    ['var put', 'no variable specified'],
    ['var put --in other.hcl', 'other.hcl: unknown field "k" of a variable'],
    [
      'var put --in named.hcl -n other',
      'cannot write variable "app/hcl": the file is for namespace "default"',
    ],
    ['var put a.b k=v', 'invalid variable path'],
    ['var put a//b k=v', 'empty segment'],
    ['var put /a k=v', 'empty segment'],
    ['var put a/ k=v', 'empty segment'],
    ['var put ../a k=v', 'invalid variable path'],
    [`var put ${'a'.repeat(129)} k=v`, 'invalid variable path'],
    ['var put a =v', 'KEY=VALUE'],
    ['var put a k=1 k=2', 'duplicate key "k"'],
    ['var put a --in twice.json', 'line 2: duplicate field'],
    ['var put a --in twice.yaml', 'duplicate key (line 2 column 1)'],
    ['var put a --in twice.env', 'line 2: duplicate name "a"'],
    ['var put a --in number.json', 'the value of "a" is not a string'],
    ['var put a --in nested.yaml', 'line 1: the value of "a" is not a string'],
    ['var put a --in null.yaml', 'line 1: the value of "a" is null'],
    ['var put a --in list.json', 'contains no items'],
    ['var put a --in none.json', 'has no items'],
    ['var put a --in half.json', 'unpaired surrogate'],
    ['var put a --in open.env', 'line 1: unterminated quote'],
    ['var put a --in open.hcl', 'open.hcl, line 4, column 1: expected a name or "}"'],
    [
      'var put a --in word.hcl',
      'word.hcl, line 1, column 13: expected a number, true, false or text in quotes',
    ],
    ['var put a --in number.hcl', 'number.hcl, line 2: the value of "k" is not a string'],
    ['var put a --in other.hcl', 'other.hcl: unknown field "k" of a variable'],
    ['var put a --in twice.hcl', 'twice.hcl, line 3, column 3: duplicate field "k"'],
    ['var put a --in missing', 'no such file'],
    ['var put a k=v --cas -1', 'expected an unsigned 64-bit integer'],
    ['var put a k=v --cas 1 --merge', '--merge cannot be combined with --cas'],
    ['var put a k=v --namespace *', 'expected one namespace'],
    ['var get a --namespace *', 'expected one namespace'],
    ['var get a%2Fb', 'invalid variable path'],
    ['var delete a', 'Use --yes'],
  ])('%s is rejected, and nothing is sent', async (line, message) => {
    at.write('twice.json', '{"a": "hunter22",\n"a": "2"}');
    at.write('twice.yaml', 'a: hunter22\na: 2\n');
    at.write('twice.env', 'a=hunter22\na=2\n');
    at.write('number.json', '{"a": 22}');
    at.write('nested.yaml', 'a: {b: hunter22}\n');
    at.write('null.yaml', 'a: ~\n');
    at.write('list.json', '["hunter22"]');
    at.write('none.json', '{}');
    at.write('half.json', '{"a": "hunter22 \\ud800"}');
    at.write('open.env', "a='hunter22\n");
    at.write('open.hcl', 'path = "a"\nitems {\n  k = "hunter22"\n');
    at.write('word.hcl', 'items { k = hunter22 }\n');
    // Nomad stores numbers as written, and true as 1.
    at.write('number.hcl', 'items {\n  k = true\n}\n');
    at.write('named.hcl', namedHcl);
    at.write('other.hcl', 'k = "hunter22"\n');
    at.write('twice.hcl', 'items {\n  k = "hunter22"\n  k = "2"\n}\n');
    const server = await shelf();
    const ran = await run(server, line);
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('hunter22');
    expect(server.seen).toEqual([]);
  });

  test('with --cas reports the current state and the differing items, without values', async () => {
    const server = await shelf();
    server.put('app', { same: 's1', other: 'secret-theirs', gone: 'secret-gone' });
    const ran = await run(server, 'var put app same=s1 other=secret-mine new=secret-new --cas 3');
    expectFailure(ran, 6, 'cannot write variable "app": its ModifyIndex is 11, not 3');
    for (const line of ['other: differs', 'gone: only in the stored version', 'new: only in your version'])
      expect(ran.stderr).toContain(line);
    expect(ran.stderr).not.toMatch(/secret-|same:/);
    const data = await run(server, 'var put app same=s1 --cas 3 -o json');
    expect(JSON.parse(data.stderr).error).toMatchObject({
      code: 6,
      messages: ['gone: only in the stored version', 'other: only in the stored version'],
    });
    const equal = await run(server, 'var put app same=s1 other=secret-theirs gone=secret-gone --cas 3');
    expect(equal.stderr).toContain('No items differ.');
    expect((await run(server, 'var put app a=1 --cas 0')).stderr).toContain(
      'cannot write variable "app": already exists',
    );
    expect((await run(server, 'var put none a=1 --cas 3')).stderr).toContain(
      'cannot write variable "none": not found',
    );
    expect((await run(server, 'var put app a=1 --cas 11')).code).toBe(0);
    expect((await run(server, 'var put none a=1 --cas 0')).code).toBe(0);
    const big = '18446744073709551615';
    expect((await run(server, `var put app a=1 --cas ${big}`)).code).toBe(6);
    expect(server.writes().at(-1)).toBe(`PUT /v1/var/app?cas=${big}`);
  });

  test('prints a hint for each conflict', async () => {
    const server = await shelf();
    server.put('app', { a: '1' });
    const hintOf = async (line: string, at = server) =>
      JSON.parse((await run(at, `${line} -o json`)).stderr).error.hint;
    expect(await hintOf('var put app a=2 --cas 3')).toContain('use its ModifyIndex with --cas');
    expect(await hintOf('var put none a=2 --cas 3')).toBe('Use --cas 0 to create it.');
    expect(await hintOf('var delete none --cas 3 --yes')).toContain('`lanyard var list`');
    for (const line of ['var put app a=2', 'var delete app --yes'])
      expect(await hintOf(line, await locked())).toBe(
        'Retry when the lock is released or expires. With a management token, run `lanyard var get app --field Lock.TTL` for its duration.',
      );
  });

  test('rejects a --cas of more than 64 bits', async () => {
    const server = await shelf();
    expectFailure(await run(server, 'var put app a=1 --cas 18446744073709551616'), 2);
    expect(server.seen).toEqual([]);
  });

  test('with --cas reports that the items cannot be read', async () => {
    const server = await shelf({ mayRead: false });
    server.put('app', { a: '1' });
    const ran = await run(server, 'var put app a=2 --cas 3 -o json');
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(JSON.parse(ran.stderr).error ?? JSON.parse(ran.stderr)).toMatchObject({ status: 409 });
    expect(ran.stderr).toContain('the token has no permission to read the variable');
  });

  test('verifies the result by a read if the response is lost', async () => {
    const server = await shelf({
      change: ({ method, body }, response) => {
        if (method !== 'PUT') return;
        if (JSON.parse(body).Items.a === '1') server.put('app', { a: '1' });
        response.socket?.destroy();
      },
    });
    expect((await run(server, 'var put app a=1')).stdout).toBe('Wrote app (1 item, ModifyIndex 11).\n');
    expectFailure(await run(server, 'var put app a=2'), 9, 'the stored variable differs');
    expect(server.writes()).toHaveLength(2);
  });

  test('--dry-run and --curl print the request without values', async () => {
    const server = await shelf();
    server.put('app', { b: 'stored-value' });
    for (const flags of ['', ' --merge']) {
      const stdout = quietOutputOf(await run(server, `var put app a=secret-value${flags} --dry-run`));
      expect(stdout).toContain('"a": "<redacted>"');
      const curl = await run(server, `var put app a=secret-value${flags} --curl`);
      expect(curl.stdout).toContain('--request PUT');
      expect(stdout + curl.stdout).not.toMatch(/secret-value|stored-value/);
    }
    expect((await run(server, 'var delete app --dry-run')).stdout).toContain('DELETE');
    expect(server.writes()).toEqual([]);
  });
});

describe('var put --merge', () => {
  test('updates the given items with check-and-set, creates, and sends nothing if equal', async () => {
    const server = await shelf();
    expect((await run(server, 'var put app a=1 --merge')).code).toBe(0);
    expect((await run(server, 'var put app b=2 --merge')).code).toBe(0);
    expect(server.writes()).toEqual(['PUT /v1/var/app?cas=0', 'PUT /v1/var/app?cas=11']);
    expect(server.bodies()[1]).toEqual({ Items: { a: '1', b: '2' } });
    expect((await run(server, 'var put app b=2 --merge')).stdout).toBe('Variable app is unchanged.\n');
    expect(server.writes()).toHaveLength(2);
  });

  /** Somebody else writes before the first write that comes. */
  const raced = async (theirs: Record<string, string> | undefined) => {
    const server = await shelf({
      change: ({ method }) => {
        if (method !== 'PUT' || server.writes().length > 1) return;
        if (theirs) server.put('app', theirs);
        else server.variables.clear();
      },
    });
    server.put('app', { a: 'secret-a', b: 'secret-b' });
    return server;
  };

  test('exits with 6 after a concurrent change and lists the changes, without values', async () => {
    const server = await raced({ a: 'secret-theirs', b: 'secret-b', c: 'secret-c' });
    const ran = await run(server, 'var put app a=secret-mine --merge');
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    for (const line of ['a: both changed it', 'c: only they changed it']) expect(ran.stderr).toContain(line);
    expect(ran.stderr).not.toContain('secret-');
    expect(server.writes()).toHaveLength(1);
  });

  test('--retry-merge retries after concurrent changes to other items', async () => {
    const server = await raced({ a: 'secret-a', c: 'new' });
    expectExit(await run(server, 'var put app a=mine --retry-merge'), 0, 'merged at attempt 2');
    expect(server.bodies()[1]).toEqual({ Items: { a: 'mine', c: 'new' } });
    const same = await raced({ a: 'mine', b: 'secret-b' });
    expect((await run(same, 'var put app a=mine d=4 --retry-merge')).code).toBe(0);
  });

  test('--retry-merge fails if both changed the same item, or it was deleted', async () => {
    const server = await raced({ a: 'theirs', b: 'secret-b' });
    expect(await run(server, 'var put app a=mine --retry-merge')).toMatchObject({ code: 6, stdout: '' });
    expect(server.variables.get('default app')?.Items).toEqual({ a: 'theirs', b: 'secret-b' });
    const gone = await run(await raced(undefined), 'var put app a=mine --retry-merge');
    expectFailure(gone, 6, 'deleted concurrently');
  });

  test('prints a hint how to continue', async () => {
    const theirs = { a: 'theirs', b: 'secret-b' };
    const again = 'Run the same command again to merge with the current items';
    const once = await run(await raced(theirs), 'var put app a=mine --merge');
    expect(once.stderr).toContain(`${again}, or use --retry-merge`);
    for (const line of ['var put app a=mine --retry-merge', 'var put app c=mine --retry-merge']) {
      expectFailure(await run(await raced(line.includes('c=') ? undefined : theirs), line), 6, `${again}.`);
    }
    expect((await run(await raced(undefined), 'var put app a=mine --merge')).stderr).toContain(`${again}.`);
  });

  test('explains that a locked variable cannot be written', async () => {
    const server = await locked();
    const ran = await run(server, 'var put app a=mine --retry-merge');
    expectFailure(ran, 6, 'cannot write variable "app": locked');
    expect(server.writes()).toHaveLength(1);
  });

  test('reads the variable to explain a conflict without an index', async () => {
    const says = async (line: string, there?: Record<string, string> | 403) => {
      const server = await shelf({
        change: ({ method }, response) => {
          if (method === 'GET' && there !== 403) return;
          if (method === 'GET') response.writeHead(403).end('Permission denied');
          else conflict(response, zeroed('app'));
        },
      });
      if (typeof there === 'object') server.put('app', there);
      const ran = await run(server, line);
      expect(ran).toMatchObject({ code: 6, stdout: '' });
      return ran.stderr;
    };
    expect(await says('var put app a=2', 403)).toContain('cannot write variable "app": locked');
    expect(await says('var put app a=2 --cas 11', { a: '1' })).toContain(
      'cannot write variable "app": locked',
    );
    expect(await says('var put app a=2 --cas 7', { a: '1' })).toContain(
      'its ModifyIndex is 11, not 7\n  a: differs',
    );
    expect(await says('var put app a=2 --cas 7')).toContain('cannot write variable "app": not found');
    expect(await says('var put app a=2 --cas 7', 403)).toContain(
      'cannot write variable "app": locked, or its ModifyIndex is not 7',
    );
  });
});

describe('var get', () => {
  test('hides values in text without --reveal, and prints them in other formats', async () => {
    const server = await shelf();
    server.put('app/db', { user: 'secret-user', none: '' });
    const text = await run(server, 'var get app/db');
    expect(text.stdout).toContain('none\t(empty)\nuser\t(hidden)\n');
    expect(text.stdout).not.toContain('secret-user');
    expect((await run(server, 'var get app/db --reveal')).stdout).toContain('user\tsecret-user\n');
    expect((await run(server, 'var get app/db -o env')).stdout).toBe("none=''\nuser='secret-user'\n");
    expect((await run(server, 'var get app/db --field Items.user')).stdout).toBe('secret-user\n');
    expect(await run(server, 'var get none')).toMatchObject({ code: 3, stdout: '' });
  });

  test('prints a table on a terminal with control characters escaped', async () => {
    const server = await shelf();
    server.put('app', { user: 'a\u001b[31mb' });
    const shown = await run(server, 'var get app --reveal --no-color', { columns: 80 });
    expect(shown.stdout).toMatch(/^path +app\n.*\nKEY +VALUE\nuser +a/s);
    expect(shown.stdout).not.toContain('\u001b[31m');
    expect((await run(server, 'var get app --no-color', { columns: 80 })).stdout).toMatch(/user +\(hidden\)/);
  });

  test('keeps integers of 64 bits exact', async () => {
    const big = '18446744073709551615';
    const server = await shelf({
      change: (_seen, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(`{"Path":"a","ModifyIndex":${big},"ModifyTime":1763668800123456789,"Items":{"a":"1"}}`);
      },
    });
    const { stdout } = await run(server, 'var get a -o json');
    expect(stdout).toContain(`"ModifyIndex": ${big}`);
    expect(stdout).toContain('"ModifyTime": 1763668800123456789');
    expect((await run(server, 'var get a')).stdout).toContain('modified\t2025-11-20 20:00:00 UTC\n');
  });

  test('masks values in the log of a CI service', async () => {
    const server = await shelf();
    server.put('app', { a: 'secret-a' });
    const { stderr } = await run(server, 'var get app --field Items.a', { env: { GITHUB_ACTIONS: 'true' } });
    expect(stderr).toBe('::add-mask::secret-a\n');
  });

  test('sends the namespace and the token of the settings', async () => {
    const server = await shelf();
    server.put('app', { a: '1' }, 'team');
    expect((await run(server, 'var get app -n team')).code).toBe(0);
    const env = {
      LANYARD_SCHEDULER_ADDR: '',
      NOMAD_ADDR: server.url,
      NOMAD_TOKEN: 't',
      NOMAD_NAMESPACE: 'team',
    };
    expect((await run(server, 'var get app', { env })).code).toBe(0);
    expect(server.seen.at(-1)).toMatchObject({
      url: '/v1/var/app?namespace=team',
      headers: { 'x-nomad-token': 't' },
    });
  });
});

describe('var list', () => {
  test('lists paths without items, and notes the next page', async () => {
    const server = await shelf();
    for (const path of ['a', 'b', 'c']) server.put(path, { k: 'v' });
    server.put('d', { k: 'v' }, 'team');
    expect((await run(server, 'var list')).stdout).toBe(
      'default\ta\t-\t11\ndefault\tb\t-\t12\ndefault\tc\t-\t13\n',
    );
    const page = await run(server, 'var list --per-page 2');
    expect(page.stderr).toBe('More variables exist: use --next-token default.c or --all.\n');
    expect((await run(server, 'var list --per-page 2 --next-token default.c -o json')).stdout).toContain(
      '"Path": "c"',
    );
    expect(JSON.parse((await run(server, 'var list --all --per-page 1 -o json')).stdout)).toHaveLength(3);
    const all = await run(server, [
      ...words('var list --all --per-page 1 -o jsonl --namespace * --filter'),
      'Path == "x"',
    ]);
    expect(jsonLines(all.stdout).map((each) => each.Path)).toEqual(['a', 'b', 'c', 'd']);
    expect(server.seen.at(-1)?.url).toContain('filter=Path+%3D%3D+%22x%22');
    expect((await run(server, 'var list --prefix z')).stdout).toBe('');
  });

  test.each([
    ['Path contains "db"', 'Path', `--filter 'VariableMetadata.Path contains "db"'`],
    [
      'VariableMetadata.Namespace != "Path" and ("it\'s" in Path or ModifyIndex == 3)',
      'ModifyIndex',
      `--filter 'VariableMetadata.Namespace != "Path" and ("it'\\''s" in VariableMetadata.Path or VariableMetadata.ModifyIndex == 3)'`,
    ],
    [
      '"/Path" == "/Path" and ("x" in "/Path" or "/Path" contains "/Namespace")',
      'Path',
      `--filter '"/VariableMetadata/Path" == "/Path" and ("x" in "/VariableMetadata/Path" or "/VariableMetadata/Path" contains "/Namespace")'`,
    ],
    ['VariableMetadata.Nope == 1', 'VariableMetadata/Nope', 'Valid fields: VariableMetadata.Namespace, '],
  ])('corrects a filter that Nomad rejects: %s', async (filter, selector, hint) => {
    const text = `failed to read result page: error finding value in datum: /${selector} at part 0: couldn't find key: struct field with name "x"`;
    const server = await shelf({
      change: (_seen, response) =>
        response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text),
    });
    expectFailure(await run(server, ['var', 'list', '--filter', filter]), 1, hint);
  });

  test('prints each page of -o jsonl when it arrives', async () => {
    const server = await shelf({
      change: ({ url }, response) => {
        if (url.includes('next_token')) response.writeHead(500).end('broken');
      },
    });
    for (const path of ['a', 'b']) server.put(path, { k: 'v' });
    const ran = await run(server, 'var list --all --per-page 1 -o jsonl');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('"Path":"a"');
  });

  test('fails if a service returns the same page again', async () => {
    const server = await shelf({
      change: (_seen, response) => {
        response.setHeader('X-Nomad-NextToken', 'default.a');
        json(response, [{ Path: 'a' }]);
      },
    });
    expect(await run(server, 'var list --all')).toMatchObject({ code: 1, stdout: '' });
    expect(server.seen).toHaveLength(2);
  });
});

describe('var delete', () => {
  test.each(['{Index}', '204'] as const)('deletes with the response %s', async (deleted) => {
    const server = await shelf({ deleted });
    server.put('app', { a: '1' });
    expectOutput(await run(server, 'var delete app --yes'), 'Deleted variable app.\n');
    expect(server.variables.size).toBe(0);
  });

  test('reports a missing variable and sends nothing', async () => {
    const server = await shelf();
    expectFailure(await run(server, 'var delete none --yes'), 3, 'variable "none" not found');
    expect(server.writes()).toEqual([]);
  });

  test('does not require permission to read', async () => {
    const server = await shelf({
      change: ({ method, url }, response) => {
        if (method !== 'GET') return;
        // Every token may read itself.
        if (url.startsWith('/v1/acl/token/self')) response.end(JSON.stringify({ AccessorID: 'a1' }));
        else response.writeHead(403).end('Permission denied');
      },
    });
    server.put('app', { a: '1' });
    const env = { LANYARD_SCHEDULER_TOKEN: 'a-token-of-this-test' };
    expect((await run(server, 'var delete app --yes', { env })).code).toBe(0);
  });

  test('prompts for confirmation, and reports a conflict', async () => {
    const server = await shelf();
    server.put('app', { a: '1' });
    const prompted = await run(server, 'var delete app', { typed: 'n\n', columns: 80 });
    expectFailure(prompted, 1, 'Delete variable "app" in namespace "default"? This cannot be undone.');
    const ran = await run(server, 'var delete app --cas 3 --yes');
    expectFailure(ran, 6, 'cannot delete variable "app": its ModifyIndex is 11, not 3');
    expect((await run(server, 'var delete app --cas 11 --yes')).code).toBe(0);
  });

  test('verifies the result by a read if the response is lost', async () => {
    let isThere = true;
    const server = await serveSocket((socket, request) => {
      if (request.startsWith('DELETE')) {
        isThere = false;
        return void socket.destroy();
      }
      if (isThere) {
        const body = '{"Namespace":"default","Path":"app","Items":{"a":"1"},"ModifyIndex":1}';
        const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
        return void socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
      }
      socket.end(
        'HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 18\r\n\r\nvariable not found',
      );
    });
    expect((await run(server, 'var delete app --yes')).stdout).toBe('Deleted variable app.\n');
  });
});

describe('errors of the service', () => {
  const lines = [
    ...[
      'var list',
      'var get app',
      'var put app a=secret-value',
      'var delete app --yes',
      'var put app a=1 --merge',
    ],
    ...['namespace list', 'namespace get x', 'namespace put x --description d', 'namespace delete x --yes'],
  ];
  const sentFirst = ['var put app a=secret-value', 'namespace delete x --yes'];
  const env = { LANYARD_SCHEDULER_TOKEN: 'a-token-of-this-test' };
  test.each([
    [403, 'Permission denied', {}, 4],
    // The service does not know the token either.
    [403, 'Permission denied', env, 4],
    [500, 'rpc error: no leader', env, 1],
    [400, 'invalid path', env, 1],
    [429, 'slow down', env, 8],
    [503, 'down', env, 8],
  ])('%i %s is one exit code for every command', async (status, text, env, code) => {
    const server = await shelf({
      change: (_seen, response) => {
        const type = text.startsWith('<') ? 'text/html' : 'text/plain';
        response.writeHead(status, { 'Content-Type': type, 'Retry-After': '0' }).end(text);
      },
    });
    for (const line of lines) {
      const ran = await run(server, line, { env, random: (length) => new Uint8Array(length) });
      // The 503 may come from a gateway that lost the response to a write.
      const isOpen = status === 503 && sentFirst.includes(line);
      expect({ line, code: ran.code, stdout: ran.stdout }).toEqual({
        line,
        code: isOpen ? 9 : code,
        stdout: '',
      });
      expect(ran.stderr).not.toMatch(/secret-value|a-token-of/);
    }
  });

  test.each(lines)('an invalid response to "%s" leaves the result of the write unknown', async (line) => {
    const server = await shelf({
      change: (_seen, response) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>a login page</html>'),
    });
    const ran = await run(server, line, { env, random: (length) => new Uint8Array(length) });
    const code = server.writes().length > 0 ? 9 : 1;
    expectFailure(ran, code, 'unexpected response');
    expect(ran.stderr).not.toMatch(/secret-value|a-token-of/);
  });

  test('an unavailable service is unreachable', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    for (const line of lines)
      expect((await run({ url }, line, { random: (length) => new Uint8Array(length) })).code).toBe(7);
  });
});
