import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDotenv } from '../../../src/io/dotenv.ts';
import type { Format } from '../../../src/output/formats.ts';
import { parseJson } from '../../../src/wire/json.ts';
import { isUnsafeVariable } from '../../../src/wire/unsafe-variables.ts';
import { folderForAll } from '../../support/folders.ts';
import { failure, rendered } from './support.ts';

const folder = folderForAll();

const env = (data: unknown, terminal = false) => rendered({ data }, { format: 'env', terminal });

/** What a real shell holds in the variables after reading the lines, by `.` or by `eval`. */
function readByShell(lines: string, names: readonly string[], how: '.' | 'eval'): string[] {
  const file = join(folder, 'lines');
  writeFileSync(file, lines);
  const read = how === '.' ? `. '${file}'` : `eval "$(cat '${file}')"`;
  const script = `${read}\nprintf '%s\\0' ${names.map((name) => `"$${name}"`).join(' ')}\n`;
  return execFileSync('/bin/sh', ['-c', script]).toString('utf8').split('\0').slice(0, -1);
}

describe('env', () => {
  test('keeps the case of names, and writes values in quotes', async () => {
    expect(await env({ user: 'root', 'max-ttl': 60, '2fa': true, 'naïve key': null })).toBe(
      "user='root'\nmax_ttl='60'\n_2fa='true'\nna_ve_key=''\n",
    );
  });

  test('joins the names of fields of fields and writes lists as JSON', async () => {
    expect(await env({ db: { user: 'a', ports: [1, 2n ** 60n] }, none: {}, some: [] })).toBe(
      "db_user='a'\ndb_ports='[1,1152921504606846976]'\nnone='{}'\nsome='[]'\n",
    );
  });

  test('shows the main part', async () => {
    expect(await rendered({ data: { data: { a: 1 } }, payload: { a: 1 } }, { format: 'env' })).toBe(
      "a='1'\n",
    );
  });

  test('keeps a key called __proto__', async () => {
    expect(await env(parseJson('{"__proto__":"x"}'))).toBe("__proto__='x'\n");
  });

  test('rejects two keys of the same name, and names both and no value', async () => {
    const message = await failure(env({ a: { b: 'secret' }, a_b: 'other' }), 'usage');
    expect(message).toContain('"a.b" and "a_b" would both be a_b');
    expect(message).not.toMatch(/secret|other/);
  });

  test('rejects a value that no variable can hold, and names the key only', async () => {
    const message = await failure(env({ key: 'sec\0ret' }), 'usage');
    expect(message).toContain('"key"');
    expect(message).not.toContain('sec');
    await failure(env({ key: '\ud800' }), 'usage');
  });

  test.each(['', '-', '_', 'ü', '日本', '--'])('rejects the key %j, which cannot be a name', async (key) => {
    await failure(env({ [key]: 'x' }), 'usage');
  });

  test.each([[['a']], 'text', 5])('rejects %j, which has no fields', async (data) => {
    await failure(env(data), 'usage');
  });

  test('prints nothing where the service sent nothing', async () => {
    expect(await env(undefined)).toBe('');
  });

  test('shows control characters on a terminal', async () => {
    expect(await env({ a: '\x1b' }, true)).toBe("a='\\x1b'\n");
  });

  test.each(['.', 'eval'] as const)('is read back exactly by a real shell with %s', async (how) => {
    const value = fc.oneof(
      fc
        .string({ unit: 'binary', maxLength: 40 })
        .map((text) => text.replaceAll('\0', ''))
        .filter((text) => text.isWellFormed()),
      fc.stringMatching(/^['"\\$`!*~#;&|<>(){}\n\t ]{0,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 100, maxLength: 300 }), async (values) => {
        const data = Object.fromEntries(values.map((text, index) => [`value ${index}`, text]));
        const names = values.map((_, index) => `value_${index}`);
        expect(readByShell(await env(data), names, how)).toEqual(values);
      }),
      { numRuns: 5 },
    );
  });
});

const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.stringMatching(/^['"\\$`!*~#;&|<>(){}\n\r\t =]{0,20}$/),
  )
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());

const unsafe = [
  ...[
    'PATH',
    'path',
    'IFS',
    'ENV',
    'BASH_ENV',
    'HOME',
    'PS1',
    'PS4',
    'PROMPT_COMMAND',
    'SHELLOPTS',
    'BASHOPTS',
  ],
  ...[
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'LD_X',
    'DYLD_INSERT_LIBRARIES',
    'BASH_FUNC_ls',
    'NODE_OPTIONS',
    'ZDOTDIR',
  ],
  ...['PYTHONPATH', 'PYTHONSTARTUP', 'PERL5LIB', 'PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS', 'GIT_SSH'],
  ...['VAULT_ADDR', 'BAO_AGENT_ADDR', 'CONSUL_HTTP_ADDR', 'NOMAD_ADDR', 'BOUNDARY_ADDR', 'VAULT_SKIP_VERIFY'],
  ...['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'no_proxy', 'npm_config_https_proxy', 'SSL_CERT_FILE'],
  ...['SSL_CERT_DIR', 'GOFLAGS', 'GOPROXY', 'MAVEN_OPTS', 'TAR_OPTIONS', 'npm_config_script_shell'],
  ...['NPM_CONFIG_REGISTRY', 'npm_config_node_options', 'BUN_OPTIONS', 'PSModulePath', 'PSMODULEPATH'],
  ...['CARGO_HOME', 'CARGO_BUILD_RUSTC_WRAPPER', 'PIP_INDEX_URL', 'DOCKER_HOST', 'DOCKER_CONFIG'],
  ...['KUBECONFIG', 'YARN_RC_FILENAME', 'GIT_SSL_NO_VERIFY', 'GIT_ASKPASS', 'GIT_DIR', 'XDG_CONFIG_HOME'],
  // What sudo removes (env_delete), and glibc in privileged programs.
  ...['LOCALDOMAIN', 'RES_OPTIONS', 'HOSTALIASES', 'NLSPATH', 'PATH_LOCALE', 'TERMINFO', 'TERMINFO_DIRS'],
  ...['TERMPATH', 'TERMCAP', 'PS4', 'PERLIO_DEBUG', 'KRB5_CONFIG', 'KRB5_KTNAME', '_JAVA_OPTIONS'],
  ...['GETCONF_DIR', 'MALLOC_TRACE', 'MALLOC_PERTURB_', 'NIS_PATH', 'RESOLV_HOST_CONF', 'TMPDIR', 'TZDIR'],
  ...['GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'EDITOR', 'VISUAL', 'PAGER', 'LESSOPEN', 'SSH_ASKPASS'],
];
const variableFormats = ['env', 'dotenv', 'github-env'] as const satisfies readonly Format[];

describe.each(variableFormats)('names in %s', (format) => {
  test.each(unsafe)('%s is rejected', async (name) => {
    const message = await failure(rendered({ data: { [name]: 'secret' } }, { format }), 'usage');
    expect(message).toContain(`would set ${name}, which changes how programs run`);
    expect(message).not.toContain('secret');
  });

  test('are rejected where only their form makes them unsafe, and with an unsafe prefix', async () => {
    await failure(rendered({ data: { 'LD-PRELOAD': 'x' } }, { format }), 'usage');
    await failure(rendered({ data: { LD: { PRELOAD: 'x' } } }, { format }), 'usage');
    await failure(rendered({ data: { PRELOAD: 'x' } }, { format, envPrefix: 'LD_' }), 'usage');
  });

  test('are safe with a prefix', async () => {
    for (const name of unsafe) {
      const lines = await rendered({ data: { [name]: 'x' } }, { format, envPrefix: 'APP_' });
      expect(lines.startsWith(`APP_${name}`)).toBe(true);
    }
  });
});

describe('unsafe names', () => {
  const shells = ['sh', 'bash', 'zsh', 'fish'].filter((name) => spawnSync(name, ['-c', ':']).status === 0);

  test.each(shells)('no other name changes which program %s runs', async (shell) => {
    const keys = ['user', 'password', 'Path', 'host', 'port', 'url', 'KEY', 'DATABASE_URL', 'api-key', 'a.b'];
    const credentials = [
      'VAULT_TOKEN',
      'CONSUL_HTTP_TOKEN',
      'NOMAD_TOKEN',
      'CARGO_REGISTRY_TOKEN',
      'NPM_TOKEN',
    ];
    const others = [
      'NODE_ENV',
      'GIT_AUTHOR_NAME',
      'DOCKER_USERNAME',
      'DOCKER_PASSWORD',
      'AWS_SECRET_ACCESS_KEY',
    ];
    expect(
      [...credentials, ...others, 'VAULT_ROLE_ID', 'PGHOST', 'API_URL'].filter(isUnsafeVariable),
    ).toEqual([]);
    expect(keys.filter(isUnsafeVariable)).toEqual([]);
    const file = join(folder, 'names');
    writeFileSync(file, await env(Object.fromEntries(keys.map((key) => [key, '/nowhere']))));
    const read =
      shell === 'fish' ? `cat '${file}' | sed "s/^/set -x /;s/=/ /" | source` : `eval "$(cat '${file}')"`;
    const ran = spawnSync(shell, ['-c', `${read}; command -v env; env true && echo "$user:$Path"`]);
    expect(ran.stdout.toString()).toMatch(/\/env\n\/nowhere:\/nowhere\n$/);
  });
});

describe('dotenv', () => {
  const dotenv = (data: unknown) => rendered({ data }, { format: 'dotenv' });

  test('quotes so that shells and readers of .env files agree', async () => {
    expect(await dotenv({ a: 'plain', b: '$HOME `x` "y" \\n', c: "it's", d: 'two\nlines #1', e: '' })).toBe(
      `a='plain'\nb='$HOME \`x\` "y" \\n'\nc="it's"\nd='two\nlines #1'\ne=''\n`,
    );
  });

  test.each(["it's $5", `'"`, "'\\", "'`'", 'a\r\nb'])(
    'rejects %j, and names the key only',
    async (value) => {
      const message = await failure(dotenv({ key: value }), 'usage');
      expect(message).toContain('"key"');
      expect(message).not.toContain(value);
    },
  );

  test('is read back exactly by Node, by a real shell and by Lanyard, or rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 50, maxLength: 100 }), async (texts) => {
        const held: Record<string, string> = {};
        for (const [index, text] of texts.entries()) {
          const isHeld = !text.includes('\r') && !(text.includes("'") && /["\\$`]/.test(text));
          if (isHeld) held[`K${index}`] = text;
          else await failure(dotenv({ K: text }), 'usage');
        }
        const lines = await dotenv(held);
        expect({ ...parseEnv(lines) }).toEqual(held);
        expect(parseDotenv(lines, 'the file')).toEqual(held);
        expect(readByShell(lines, Object.keys(held), '.')).toEqual(Object.values(held));
      }),
      { numRuns: 20 },
    );
  });
});

/** What the runner of GitHub Actions makes of the file: `NAME=value`, or `NAME<<DELIMITER`, lines, `DELIMITER`. */
function readByRunner(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  for (let at = 0; at < lines.length; at += 1) {
    const [, name = '', delimiter = ''] = /^([^=]+?)<<(.+)$/.exec(lines[at] ?? '') ?? [];
    expect(delimiter).not.toBe('');
    const end = lines.indexOf(delimiter, at + 1);
    expect(end).toBeGreaterThan(at);
    found[name] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return found;
}

describe('github-env', () => {
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const github = (data: unknown) => rendered({ data }, { format: 'github-env', random });

  test('is read back exactly, whatever the values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 20 }), async (texts) => {
        const data = Object.fromEntries(texts.map((text, index) => [`K${index}`, text]));
        expect(readByRunner(await github(data))).toEqual(data);
      }),
      { numRuns: 200 },
    );
  });

  test('takes another delimiter where a value has it, and one for every value', async () => {
    let count = 0;
    const counting = (length: number) => new Uint8Array(length).fill(Math.floor(count++ / 2));
    const first = `EOF_${'00'.repeat(16)}`;
    const value = `x\n${first}\nNODE_OPTIONS<<${first}\n--require=/tmp/evil\n${first}`;
    const lines = await rendered({ data: { a: value } }, { format: 'github-env', random: counting });
    expect(readByRunner(lines)).toEqual({ a: value });
    const both = await github({ a: '1', b: '1' });
    expect(new Set(both.match(/EOF_[0-9a-f]{32}/g)).size).toBe(2);
  });

  test.each(['GITHUB_TOKEN', 'github_env', 'RUNNER_TEMP'])(
    'rejects %s, which is the runner’s',
    async (name) => {
      await failure(github({ [name]: 'x' }), 'usage');
    },
  );
});
