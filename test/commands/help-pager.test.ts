import { describe, expect, test } from 'vitest';
import { topics } from '../../src/cli/help/topics.ts';
import { tree } from '../../src/commands/tree.ts';
import { expectOutput, homeForAll, outputOf, words } from '../support/command-tests.ts';
import type { Ran, RunOptions } from '../support/run.ts';

const at = homeForAll();

/** A terminal of 80 by 24. */
const run = (argv: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(words(argv), { columns: 80, rows: 24, ...options });

const linesOf = (text: string): number => text.split('\n').length - 1;

test('the help of at least 80 % of the commands fits on one screen of 80 by 24, with the prompt', async () => {
  const tooLong: string[] = [];
  for (const { path } of tree) {
    const { stdout } = await at.run(words(`${path} --help`), { columns: 80 });
    if (linesOf(stdout) >= 24) tooLong.push(`${path}: ${linesOf(stdout)} lines`);
  }
  expect(1 - tooLong.length / tree.length, tooLong.join('\n')).toBeGreaterThanOrEqual(0.8);
});

describe('help that is longer than the terminal', () => {
  const long = ['--help', 'help', 'ssh sign --help', 'help ssh sign', 'ssh role put -h'];

  test.each([...long, ...Object.keys(topics).map((topic) => `help ${topic}`)])(
    '"%s" is shown by $PAGER',
    async (argv) => {
      const { stdout } = await at.run(words(argv), { columns: 80 });
      const rows = linesOf(stdout);
      at.clear('paged');
      expectOutput(await run(argv, { rows, env: { PAGER: `cat > '${at.file('paged')}'` } }), '');
      expect(at.read('paged')).toBe(stdout);
      // One row more is enough for the text and the prompt.
      expect((await run(argv, { rows: rows + 1, env: { PAGER: 'false' } })).stdout).toBe(stdout);
    },
  );

  test('is shown by $LANYARD_PAGER rather than $PAGER', async () => {
    const env = { PAGER: 'false', LANYARD_PAGER: `cat > '${at.file('own')}'` };
    expect(await run('ssh sign --help', { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(at.read('own')).toContain('lanyard ssh sign [ROLE]');
  });

  test('sets LESS as git does, unless it is set', async () => {
    const PAGER = `cat > /dev/null; printf %s "$LESS" > '${at.file('less')}'`;
    await run('ssh sign --help', { env: { PAGER } });
    expect(at.read('less')).toBe('FRX');
    await run('ssh sign --help', { env: { PAGER, LESS: 'i' } });
    expect(at.read('less')).toBe('i');
  });

  test('is no error when the pager quits early', async () => {
    expectOutput(await run('help environment', { env: { PAGER: 'true' } }), '');
  });

  test.each([
    ['an empty PAGER', { PAGER: '' }],
    ['PAGER=cat', { PAGER: 'cat' }],
    ['an empty LANYARD_PAGER', { PAGER: 'false', LANYARD_PAGER: '' }],
    ['TERM=dumb', { PAGER: 'false', TERM: 'dumb' }],
  ])('is printed with %s', async (_name, env) => {
    expect((await run('ssh sign --help', { env })).stdout).toContain('lanyard ssh sign [ROLE]');
  });

  test('is printed when the pager does not exist', async () => {
    const stdout = outputOf(await run('ssh sign --help', { env: { PAGER: 'no-such-pager 2>/dev/null' } }));
    expect(stdout).toContain('lanyard ssh sign [ROLE]');
    const withoutLess = await run('ssh sign --help', { env: { PATH: at.path } });
    expect(withoutLess).toMatchObject({ code: 0, stderr: '' });
    expect(withoutLess.stdout).toContain('lanyard ssh sign [ROLE]');
  });

  test('is printed when standard output is not a terminal', async () => {
    const ran = await at.run(words('ssh sign --help'), { env: { PAGER: 'false' } });
    expect(ran.stdout).toContain('lanyard ssh sign [ROLE]');
  });
});

test.each(['version', 'completion bash', 'ssh nothing'])('"%s" never starts a pager', async (argv) => {
  const { stdout, stderr } = await run(argv, { rows: 1, env: { PAGER: `touch '${at.file('started')}'` } });
  expect(stdout + stderr).not.toBe('');
  expect(at.list()).not.toContain('started');
});
