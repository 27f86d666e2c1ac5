import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { guides } from '../../src/cli/help/guides.ts';
import { topics } from '../../src/cli/help/topics.ts';
import { tree } from '../../src/commands/tree.ts';
import { expectOutput, homeForAll, outputOf, runnerOf } from '../support/command-tests.ts';

const at = homeForAll();
const run = runnerOf(at);

const names = Object.keys(guides);
const source = (name: string): string => readFileSync(`docs/guides/${name}.md`, 'utf8');

/** The lines of a text that are not code: code is never broken. */
const prose = (text: string): string[] =>
  text.split('\n').filter((line) => !/^ {4}|`[^`]* [^`]*`/.test(line));

describe('help guides', () => {
  test('lists name and title of every guide', async () => {
    const stdout = outputOf(await run('help guides'));
    for (const [name, [title]] of Object.entries(guides)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${title}$`, 'm'));
      expect(source(name).split('\n', 1)).toEqual([`# ${title}`]);
    }
  });

  test('is a topic of the program', async () => {
    expect((await run('--help')).stdout).toMatch(/^ {2}help TOPIC +guides, /m);
  });

  test('names differ from the names of topics and commands', () => {
    const others = [...Object.keys(topics), ...tree.flatMap(({ path }) => path.split(' ', 1))];
    expect(names.filter((name) => others.includes(name))).toEqual([]);
  });
});

describe.each(names)('help %s', (name) => {
  test('prints the guide without color in a pipe, also after "guides"', async () => {
    const { code, stdout, stderr } = await run(`help ${name}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${guides[name]?.[0]}\n\n  [A-Z\`]`));
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toMatch(/^#|```|\]\(|<!--/m);
    for (const [, command = ''] of source(name).matchAll(/^(\$ .*)$/gm))
      expect(stdout).toContain(`    ${command}\n`);
    expect((await run(`help guides ${name}`)).stdout).toBe(stdout);
  });

  test.each([40, 80])('is no wider than a terminal of %i columns', async (columns) => {
    const { stdout } = await run(`help ${name} --no-color`, { columns });
    expect(prose(stdout).filter((line) => line.length > columns && /\S \S/.test(line.trim()))).toEqual([]);
  });

  test('names only guides that exist', () => {
    for (const [, other = ''] of source(name).matchAll(/\]\(([\w-]+)\.md[)#]/g))
      expect(names).toContain(other);
  });
});

describe('color and pager', () => {
  test('color is for terminals, and can be disabled', async () => {
    const terminal = { columns: 80, rows: 1000 };
    const { stdout } = await run('help getting-started', terminal);
    expect(stdout).toContain('\u001b[1mGetting started\u001b[22m');
    const plain = (await run('help getting-started')).stdout;
    expect((await run('help getting-started --no-color', terminal)).stdout).toBe(plain);
    expect((await run('help getting-started', { ...terminal, env: { NO_COLOR: '1' } })).stdout).toBe(plain);
  });

  test('a long guide is shown by the pager', async () => {
    const env = { PAGER: `cat > '${at.file('paged')}'` };
    expectOutput(await run('help getting-started', { columns: 80, rows: 24, env }), '');
    expect(at.read('paged')).toContain('Getting started');
  });
});

test.each([
  ['help geting-started', 'unknown command or topic "geting-started"', 'Use `lanyard help getting-started`.'],
  ['help guide', 'unknown command or topic "guide"', 'Use `lanyard help guides`.'],
  ['help guides form-vault', 'unknown guide "form-vault"', 'Use `lanyard help from-vault`.'],
  ['help guides ssh', 'unknown guide "ssh"', 'Run `lanyard help guides` for the list of guides.'],
  [
    'help nothing',
    'unknown command or topic "nothing"',
    'Run `lanyard --help` for the list of commands and topics.',
  ],
])('"%s" is a usage error', async (argv, message, hint) => {
  expect(await run(argv)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\nhint: ${hint}\n` });
});
