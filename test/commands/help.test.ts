import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { services } from '../../src/api/services.ts';
import { rootCommands } from '../../src/cli/help/root-page.ts';
import { topics } from '../../src/cli/help/topics.ts';
import { parseArgv } from '../../src/cli/parse/program.ts';
import { toKebabCase } from '../../src/command/command.ts';
import { groups, tree } from '../../src/commands/tree.ts';
import { kinds } from '../../src/errors.ts';
import { expectFailure, homeForAll, outputOf, quietOutputOf, words } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { sized } from '../support/soak.ts';

const at = homeForAll();
const run = (argv: string, columns?: number): Promise<Ran> =>
  at.run(words(argv), columns === undefined ? {} : { columns });
const paths = tree.map(({ path }) => path);
/** Of terminals: the narrowest, the usual and a wide one, and those between in a soak. */
const widths = sized([20, 30, 40, 60, 80, 100, 200], [20, 80, 200]);

/** Lines that are wider than the terminal and have a space to break at: not in a flag and its value, or in shell quotes. */
const tooWide = (text: string, width: number): string[] =>
  text.split('\n').filter((line) => line.length > width && /\S\s+\S/.test(unbreakable(line)));

const unbreakable = (line: string): string =>
  line
    .trim()
    .replace(/^(-\w, )?--\S+ /, '')
    .replace(/^.* \\$/, (words) => words.slice(0, -2).replaceAll(/'[^']*'|"[^"]*"/g, 'quoted'))
    .replaceAll(/'[^']*'/g, 'quoted');

describe.each(paths)('%s --help', (path) => {
  test('works, and mentions each flag and argument of the command', async () => {
    const leaf = tree.find((each) => each.path === path);
    const command = (await leaf?.load())?.default;
    const { code, stdout, stderr } = await run(`${path} --help`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`\nUsage: lanyard ${path} `);
    const page = `../../docs/commands/${path.split(' ')[0]}.md`;
    const reference = readFileSync(join(import.meta.dirname, page), 'utf8');
    const [, usage = ''] = /^Usage: ([\s\S]*?)\n\n/m.exec(stdout) ?? [];
    expect(reference).toContain(`\n\`\`\`sh\n${usage.trim().replaceAll(/\s+/g, ' ')}\n`);
    for (const [name, { help }] of Object.entries(command?.flags ?? {})) {
      expect(stdout).toMatch(new RegExp(`^ +(-\\w, )?--${toKebabCase(name)}( |\n)`, 'm'));
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(help.replaceAll(/\s+/g, ' '));
    }
    for (const { name } of Object.values(command?.args ?? {})) expect(stdout).toContain(name);
    const [, groups = ''] = /^Shared flags: (.*) \(see "lanyard help flags"\)$/m.exec(stdout) ?? [];
    expect(groups.split(', ')).toEqual([
      'common',
      ...(command?.hasNoResult === true ? [] : ['output']),
      ...(command?.service === undefined ? [] : ['service']),
      ...(command?.writes === undefined ? [] : ['write']),
    ]);
  });

  test('is the same as -h and as "help"', async () => {
    const { stdout } = await run(`${path} --help`);
    expect((await run(`${path} -h`)).stdout).toBe(stdout);
    expect((await run(`help ${path}`)).stdout).toBe(stdout);
  });

  test('is no wider than the terminal, with the same words', async () => {
    const expected = wordsOf((await run(`${path} --help`, 110)).stdout);
    for (const width of widths) {
      const { stdout } = await run(`${path} --help`, width);
      expect(tooWide(stdout, width), `${width} columns`).toEqual([]);
      expect(wordsOf(stdout), `${width} columns`).toEqual(expected);
    }
  });

  test('has examples that parse as pasted', async () => {
    const leaf = tree.find((each) => each.path === path);
    for (const line of (await leaf?.load())?.default.examples ?? []) {
      for (const argv of commandLines(line)) expect((await parseArgv(argv, 80)).kind, line).toBe('run');
    }
  });
});

/** The words of a help text, in any layout. */
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '\\');

/** The arguments of each `lanyard ...` of a shell line, redirections and pipes left out. */
function commandLines(line: string): string[][] {
  return line
    .split(/ \| (?=(?:[^']*'[^']*')*[^']*$)|[<$]\(/)
    .filter((part) => part.startsWith('lanyard '))
    .map((part) =>
      [...part.replace(/\)$/, '').matchAll(/(?:'([^']*)'|"([^"]*)"|[^\s'"])+/g)]
        .map(([word, single, double]) => single ?? double ?? word)
        .filter((word, index, all) => !/^[<>]/.test(word) && !/^[<>]+$/.test(all[index - 1] ?? ''))
        .slice(1),
    );
}

describe.each(Object.keys(groups))('the group %s', (group) => {
  test('has help that names its commands, with and without --help', async () => {
    const stdout = quietOutputOf(await run(`${group} --help`));
    for (const path of paths.filter((each) => each.startsWith(`${group} `)))
      expect(stdout).toContain(`  ${path.slice(group.length + 1).split(' ')[0]} `);
    expect(await run(group)).toEqual({ code: 2, stdout: '', stderr: stdout });
  });

  test('has help no wider than the terminal', async () => {
    for (const width of widths)
      expect(tooWide((await run(`${group} --help`, width)).stdout, width), `${width} columns`).toEqual([]);
  });
});

test('the help of an area of a service names the other areas of it', async () => {
  const services = [
    ['registry', 'acl', 'query', 'txn', 'chain'],
    ['scheduler', 'namespace', 'var'],
    ['secrets', 'kv'],
  ];
  for (const areas of services)
    for (const area of areas) {
      const [description = ''] = (await run(`${area} --help`)).stdout.split('\n\n');
      for (const other of areas.filter((each) => each !== area))
        expect(description, area).toMatch(new RegExp(`\\b${other}\\b`));
    }
});

describe('all pages', () => {
  test('--help fits on one screen of 80 by 24, and names every area but aliases once, and the topics', async () => {
    const stdout = outputOf(await run('--help', 80));
    expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
    const isAlias = (area: string): boolean =>
      (tree.find(({ path }) => path === area)?.summary ?? groups[area] ?? '').includes('(alias of ');
    const areas = new Set(paths.map((path) => path.split(' ')[0] ?? ''));
    const listed = rootCommands.flatMap(([names]) => (names.startsWith('help ') ? [] : names.split(', ')));
    expect(listed.toSorted()).toEqual([...areas].filter((area) => !isAlias(area)).toSorted());
    for (const topic of Object.keys(topics)) expect(stdout).toMatch(new RegExp(`\\b${topic}\\b`));
    expect((await run('help')).stdout).toBe(outputOf(await run('--help')));
    for (const width of widths) expect(tooWide((await run('--help', width)).stdout, width)).toEqual([]);
  });

  test('without a command shows it too, as a usage error', async () => {
    expect(await run('')).toEqual({ code: 2, stdout: '', stderr: (await run('--help')).stdout });
  });

  test('--version prints a version alone', async () => {
    for (const flag of ['--version', '-V'])
      expect(await run(flag)).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: '',
      });
  });
});

describe('topics', () => {
  test('exit-codes has every code', async () => {
    const stdout = outputOf(await run('help exit-codes'));
    for (const { code: number, meaning } of Object.values(kinds))
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(` ${number} ${meaning.replaceAll(/\s+/g, ' ')}`);
  });

  test('environment lists rarely used variables, and the proxies of the machine', async () => {
    const stdout = (await run('help environment')).stdout.replaceAll(/\s+/g, ' ');
    for (const name of ['LANYARD_SSH_ROLE', 'LANYARD_CACHE', 'LANYARD_COMPLETION', 'LANYARD_PAGER'])
      expect(stdout).toContain(name);
    expect(stdout).toContain(
      'HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or their lower-case forms, work as in the Go tools',
    );
    expect(stdout).toContain('ALL_PROXY is not read');
    expect(stdout).toContain('BOUNDARY_TOKEN_NAME');
  });

  test('environment has every variable that the tool reads', async () => {
    const { stdout } = await run('help environment');
    for (const name of [
      'LANYARD_SECRETS_ADDR',
      'VAULT_TOKEN',
      'BAO_ADDR',
      'CONSUL_HTTP_ADDR',
      'NOMAD_REGION',
    ])
      expect(stdout).toContain(name);
    for (const name of ['BOUNDARY_TOKEN', 'ATLAS_TOKEN', 'NO_COLOR', 'LANYARD_PROFILE', 'LANYARD_KEYRING'])
      expect(stdout).toContain(name);
  });

  test('environment has every variable and token file of the table of services, with its service', async () => {
    const { stdout } = await run('help environment', 400);
    const sections = stdout.split('\n\n');
    for (const { title, product, verify, loginFiles, unsupported } of Object.values(services)) {
      const section = sections.find((each) => each.startsWith(title)) ?? '';
      const named = [...Object.values(product).flat(), ...(verify ?? [])];
      const files = (loginFiles ?? []).map(({ variable, path }) => variable ?? path);
      const others = (unsupported ?? []).flatMap(({ names }) => names);
      for (const each of [...named, ...files, ...others]) expect(section).toContain(each);
    }
  });

  test('formats has an expression that works', async () => {
    const { stdout } = await run('help formats');
    const expression = /--select\s+"(.*?)"/.exec(stdout)?.[1] ?? '';
    expect(expression).not.toBe('');
    expect((await at.run(['status', '--select', expression])).code).toBe(0);
  });

  test.each(Object.keys(topics))('%s is no wider than the terminal', async (topic) => {
    for (const width of widths)
      expect(tooWide((await run(`help ${topic}`, width)).stdout, width)).toEqual([]);
  });
});

describe('a command that is not there', () => {
  test.each([
    ['shh', 'unknown command "shh" (Did you mean ssh?)'],
    ['ssh sgin deploy', 'unknown command "sgin" (Did you mean sign?)'],
    ['ssh role lst', 'unknown command "lst" (Did you mean list?)'],
    // Words that name other commands and flags.
    ['vra get kv', 'unknown command "vra" (Did you mean var?)'],
    ['var gett list', 'unknown command "gett" (Did you mean get?)'],
    ['var get acl --filed output --yes', '(Did you mean --field?)'],
    ['profile ust', 'unknown command "ust" (Did you mean use?)'],
    ['nothing', 'unknown command "nothing"'],
    ['help nothing', 'unknown command or topic "nothing"'],
    ['help ssh nothing', 'unknown command or topic "ssh nothing"'],
    ['help constructor', 'unknown command or topic "constructor"'],
    ['status more', 'too many arguments'],
    ['status --nope', 'unknown flag "--nope"'],
    ['query update a --only-passing=false', '--only-passing takes no value'],
    ['status --quiet=no', '--quiet takes no value'],
    ['ssh sign deploy --prncipals x', '(Did you mean --principals?)'],
    ['--dry-run status', '--dry-run is not supported by "status"'],
    ['status --output', 'requires a value'],
  ])('"%s" is a usage error', async (argv, message) => {
    expectFailure(await run(argv), 2, /^error: /, message, /^hint: |is not supported by/m);
  });
});

test('a flag without a value that gets one explains how to reset the field', async () => {
  expect((await run('query update a --only-passing=false')).stderr).toContain('"--unset NAME"');
  expect((await run('query create a --only-passing=false')).stderr).not.toContain('--unset');
  expect((await run('query create a --name=b=c --nope=1')).stderr).toContain('unknown flag "--nope"');
  // What follows may be a secret.
  for (const line of ['account create --pasword=precious', 'account create -Pprecious', 'status precious']) {
    const ran = await run(line);
    expectFailure(ran, 2, /unknown flag "-(P|-pasword)"|too many arguments.*, got 1\n/);
    expect(ran.stderr).not.toContain('precious');
  }
  expect((await run('account create -P')).stderr).toContain('unknown flag "-P"');
});

test.each([
  ['dev run', 'lanyard dev run [flags] -- COMMAND...'],
  ['profile put', 'lanyard profile put NAME [SERVICE.SETTING=VALUE...] [flags]'],
])('the usage of %s is how it is typed', async (path, usage) => {
  expect((await run(`${path} --help`, 100)).stdout).toContain(`Usage: ${usage}\n`);
});

test('"help flags" lists shared flags by the commands that accept them', async () => {
  const { stdout } = await run('help flags');
  const [, every = '', printing = '', calling = '', changing = ''] =
    /Common: all commands\n([\s\S]*)Output: [\w ]+\n([\s\S]*)Service: [\w ]+\n([\s\S]*)Write: [\w ]+\n([\s\S]*)/.exec(
      stdout,
    ) ?? [];
  for (const flag of ['--address', '--namespace', '--curl', '--skip-verify']) {
    expect(every).not.toContain(flag);
    expect(calling).toContain(flag);
  }
  expect(changing).toContain('--dry-run');
  for (const flag of ['--field', '--select', '--out', '--env-prefix']) {
    expect(printing).toContain(flag);
    expect(every).not.toContain(`${flag} `);
  }
  for (const flag of ['--profile', '--output', '--timeout', '--yes', '--no-input', '--quiet', '--verbose'])
    expect(every).toContain(flag);
  for (const flag of ['--no-color', '--help']) expect(every).toContain(flag);
});

describe('flags that every command has', () => {
  test('may have a sign of equality after a short name', async () => {
    expect((await run('profile list -o=json')).stdout).toBe('[]\n');
    expect((await run('profile list -o=nonsense')).stderr).toContain('invalid --output "nonsense"');
  });

  test('are no time at all for --timeout', async () => {
    for (const none of ['0', '0s', '0ms']) {
      expectFailure(await run(`status --timeout ${none}`), 2, '--timeout must be greater than zero');
    }
  });

  test('include the version, as a word too', async () => {
    expect((await run('version')).stdout).toBe((await run('--version')).stdout);
  });

  test('may precede and follow the command; the last one wins', async () => {
    const shown = async (argv: string): Promise<string> => (await run(argv)).stdout;
    expect(await shown('-o json profile list')).toBe('[]\n');
    expect(await shown('profile -o json list')).toBe('[]\n');
    expect(await shown('-o yaml profile list -o json')).toBe('[]\n');
    expect(await shown('profile list --output=json')).toBe('[]\n');
    expect(await shown('profile list -ojson')).toBe('[]\n');
  });
});
