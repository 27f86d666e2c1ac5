import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  expectFailure,
  expectOutput,
  quietOutputOf,
  words,
} from '../support/command-tests.ts';
import type { RunOptions } from '../support/run.ts';

const { at, running, run } = embeddedForAll();
beforeAll(async () => {
  for (const name of ['db', 'web'])
    await at.run(
      words(
        `ssh role put ${name} --allow-user-certificates --allowed-users a,b --default-extension permit-pty`,
      ),
    );
});
const shown = async (argv: string, options?: RunOptions): Promise<string> => {
  return quietOutputOf(await run(argv, options));
};

describe('the format', () => {
  test('does not depend on the terminal: a terminal gets the same JSON as a pipe', async () => {
    const still = (text: string): string => text.replace(/"request_id": ".*"/, '');
    for (const format of ['json', 'yaml', 'jsonl'])
      expect(
        still(await shown(`ssh role get web -o ${format}`, { columns: 80 })).replaceAll(
          /request_id: .*/g,
          '',
        ),
      ).toBe(still(await shown(`ssh role get web -o ${format}`)).replaceAll(/request_id: .*/g, ''));
  });

  test('is JSON that every JSON reader reads, and one line an item as jsonl', async () => {
    expect(JSON.parse(await shown('ssh role list -o json')).data.keys).toEqual(['db', 'web']);
    const lines = (await shown('ssh role list -o jsonl')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(['db', 'web']);
  });

  test('is, as env, what a shell evaluates back to the values', async () => {
    const lines = await shown('ssh role get web -o env');
    const text = execFileSync('sh', ['-c', `${lines}printf '%s|%s' "$allowed_users" "$ttl"`], {
      encoding: 'utf8',
    });
    expect(text).toBe('a,b|0s');
  });

  test('is, as dotenv and github-env, in lines of their own, with a prefix where one is wanted', async () => {
    const one = 'ssh role get web --select {TTL:data.ttl,PATH:data.key_type}';
    const ran = await run(`${one} -o github-env`);
    expectFailure(ran, 2, 'the key "PATH" would set PATH, which changes how programs run');
    expect(await shown(`${one} -o dotenv --env-prefix APP_`)).toBe("APP_TTL='0s'\nAPP_PATH='ca'\n");
    expect(await shown(`${one} -o github-env --env-prefix APP_`)).toMatch(
      /^APP_TTL<<(EOF_[0-9a-f]{32})\n0s\n\1\nAPP_PATH<<(EOF_[0-9a-f]{32})\nca\n\2\n$/,
    );
  });

  test.each([
    ['ssh role get web --env-prefix A', '--env-prefix requires --output env, dotenv or github-env'],
    ['ssh role get web -o env --env-prefix A-B', 'invalid --env-prefix "A-B"'],
    ['ssh role get web -o env --env-prefix 1', 'invalid --env-prefix "1"'],
  ])('%s is a usage error', async (line, message) => {
    expectFailure(await run(line), 2, message);
  });

  test('is rejected, as env, for a result without names', async () => {
    expectFailure(await run('status -o env'), 2, '--output env requires an object');
  });

  test('is, as a table, the same in a pipe', async () => {
    expect(await shown('ssh role list -o table')).toBe(
      [
        '┌──────┬──────────┐',
        '│ name │ key_type │',
        '├──────┼──────────┤',
        '│ db   │ ca       │',
        '├──────┼──────────┤',
        '│ web  │ ca       │',
        '└──────┴──────────┘',
        '',
      ].join('\n'),
    );
  });
});

describe('--field and --select', () => {
  test('print one raw value, of the response or of its field "data"', async () => {
    expect(await shown('ssh role get web --field allowed_users')).toBe('a,b\n');
    expect(await shown('ssh role get web --field data.allowed_users')).toBe('a,b\n');
    expect(await shown('ssh role list --field keys.1')).toBe('web\n');
    expect(await shown('ssh role get web --field default_extensions')).toBe('{"permit-pty":""}\n');
  });

  test('list the existing fields if the value is missing', async () => {
    expectFailure(await run('ssh role list --field data.names'), 3, 'no field "names"');
  });

  test('go together with a format', async () => {
    expect(await shown('ssh role get web --select data.default_extensions -o env')).toBe("permit_pty=''\n");
    expect(await shown('ssh role list --select data.keys -o yaml')).toBe('- db\n- web\n');
    expect(await shown('ssh role list --select data.keys -o jsonl')).toBe('"db"\n"web"\n');
  });

  test('that are invalid are rejected before anything is sent', async () => {
    for (const choice of ['--select [', '--select foo(', '--field ..', '--field a..b']) {
      expect(await run(`ssh role delete web --yes ${choice}`)).toMatchObject({ code: 2, stdout: '' });
    }
    expect((await run('ssh role get web')).code).toBe(0);
  });
});

describe('--out', () => {
  test('writes the output without layout and colour, and reports the file', async () => {
    const ran = await run('ssh role list --out roles', { columns: 80, env: { NO_COLOR: '1' } });
    expect(ran).toEqual({ code: 0, stdout: '', stderr: 'Wrote roles.\n' });
    expect(at.read('roles')).toBe('db\tca\nweb\tca\n');
    expectOutput(await run('ssh role list -o json --quiet --out roles.json'), '');
    expect(JSON.parse(at.read('roles.json')).data.keys).toEqual(['db', 'web']);
  });

  test('overwrites nothing, and follows no link', async () => {
    const ran = await run('ssh role list --out roles');
    expectFailure(ran, 2, 'already exists', 'Remove it or choose another file.');
    expect(ran.stderr).not.toContain('--force');
    expect(await run('ssh role list --out none/roles')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('colour', () => {
  const esc = '\u001b[';
  const colour = async (options: RunOptions, flags = ''): Promise<[boolean, boolean]> => {
    const out = await run(`status ${flags}`, options);
    const err = await run(`ssh role get missing ${flags}`, options);
    return [out.stdout.includes(esc), err.stderr.includes(esc)];
  };

  test('is on a terminal and not in a pipe', async () => {
    expect(await colour({ columns: 80 })).toEqual([true, true]);
    expect(await colour({})).toEqual([false, false]);
  });

  test.each([
    ['NO_COLOR=1', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }],
  ] as const)('is off with %s', async (_name, env) => {
    expect(await colour({ columns: 80, env: { ...env } })).toEqual([false, false]);
  });

  test('is off with --no-color, whatever is forced', async () => {
    expect(await colour({ columns: 80, env: { FORCE_COLOR: '1' } }, '--no-color')).toEqual([false, false]);
  });

  test('is on with FORCE_COLOR, in a pipe too, and an empty NO_COLOR has no effect', async () => {
    expect(await colour({ env: { FORCE_COLOR: '1' } })).toEqual([true, true]);
    expect(await colour({ columns: 80, env: { NO_COLOR: '' } })).toEqual([true, true]);
  });

  test('is never in data', async () => {
    for (const format of ['json', 'jsonl', 'yaml'])
      expect(await shown(`status -o ${format}`, { columns: 80, env: { FORCE_COLOR: '1' } })).not.toContain(
        esc,
      );
    expect(await shown('ssh role get web --field ttl', { columns: 80 })).toBe('0s\n');
    expect(await shown('ssh role get web -o env', { env: { FORCE_COLOR: '1' } })).not.toContain(esc);
  });
});

describe('--quiet and --verbose', () => {
  test('print nothing, and the requests', async () => {
    const ran = await run('ssh role list --verbose');
    expect(ran.stderr).toMatch(/^> LIST http:\/\/\S+\/v1\/ssh\/roles\n< 200 in \d+ ms, \d+ bytes\n$/);
    expect(await run('ssh role list --quiet --out quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('never show the token', async () => {
    expect((await run('ssh role list --verbose')).stderr).not.toContain(running.rootToken);
  });
});

describe('--quiet', () => {
  test('writes neither that something was done nor what changed', async () => {
    const lines = [
      'ssh role put quiet --allow-user-certificates --allowed-users a',
      'ssh role put quiet --allow-user-certificates --allowed-users a,b',
      'namespace put quiet --description one',
      'namespace put quiet --description two',
      'namespace put quiet --description two',
      'var put quiet k=1',
      'var put quiet k=2',
      'var export exported',
      'registry kv put quiet 1',
      'registry kv export quiet --out keys.json',
      'export files --kind registry.key',
      'profile put other secrets.address=http://127.0.0.1:1',
      'profile delete other --yes',
      'alias set vv version',
      'alias delete vv',
      'secrets mount enable kv --path kv2',
      'secrets mount tune kv2 --description two',
      'var delete quiet --yes',
      'namespace delete quiet --yes',
      'ssh role delete quiet --yes',
    ];
    for (const line of lines) {
      expect(await run(`${line} -q`, { columns: 80 }), line).toMatchObject({ code: 0, stdout: '' });
    }
  });

  test('shows values, reads, dry runs and failures', async () => {
    expect(await shown('ssh role list -q')).toContain('web');
    expect(await shown('namespace put other -q --dry-run')).toContain('nothing was sent');
    expect(await shown('namespace put other -q -o json')).toContain('"Name": "other"');
    expect(await shown('registry session create -q --field ID')).toMatch(/^[0-9a-f-]{36}\n$/);
    at.write('set/bad.yaml', 'kind: nothing\n');
    const bad = await run('validate set -q');
    expect(bad.code).toBe(2);
    expect(bad.stdout + bad.stderr).toContain('bad.yaml');
  });
});
