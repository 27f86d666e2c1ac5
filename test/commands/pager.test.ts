import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';
import { self } from '../support/process.ts';
import { has } from '../support/require.ts';
import type { RunOptions } from '../support/run.ts';
import { words } from './signing.ts';

const at = homeForAll();
const count = 30;
beforeAll(() => {
  const aliases = Object.fromEntries(
    Array.from({ length: count }, (_none, index) => [`alias-${index}`, `kv get number-${index}`]),
  );
  at.write('config/config.json', JSON.stringify({ profiles: {}, aliases }));
});

/** A terminal of 80 by 24. */
const run = (argv: string, options: RunOptions = {}) =>
  at.run(words(argv), { columns: 80, rows: 24, ...options });

describe('a result that is longer than the terminal', () => {
  const env = { PAGER: `cat > '${at.file('paged')}'` };

  test.each([
    'alias list',
    'alias list -o json',
    'alias list -o table',
    'alias list --select [].name -o yaml',
  ])('"%s" is shown by $PAGER, with its colors', async (argv) => {
    const { stdout } = await at.run(words(argv), { columns: 80 });
    expect(stdout.split('\n').length).toBeGreaterThan(24);
    at.clear('paged');
    expect(await run(argv, { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(at.read('paged')).toBe(stdout);
    expect((await run(argv, { rows: 1000, env })).stdout).toBe(stdout);
  });

  test('counts the rows of wrapped lines', async () => {
    at.clear('paged');
    const argv = ['alias', 'list', '--select', "join(',', [].expansion)", '-o', 'json'];
    expect((await at.run(argv, { columns: 80, rows: 6, env })).stdout).toBe('');
    expect((await at.run(argv, { columns: 80, rows: 100, env })).stdout).toBe(at.read('paged'));
  });

  test('is printed where the pager cannot be started', async () => {
    for (const PAGER of ['no-such-pager -x', at.path, at.write('not-executable', '')])
      expect((await run('alias list', { env: { PAGER } })).stdout, PAGER).toContain('alias-29');
  });

  test.each([
    ['is no terminal', () => at.run(words('alias list'), { env })],
    ['has PAGER=cat', () => run('alias list', { env: { PAGER: 'cat' } })],
    ['has an empty LANYARD_PAGER', () => run('alias list', { env: { ...env, LANYARD_PAGER: '' } })],
    ['has --no-input', () => run('alias list --no-input', { env })],
  ])('is printed where standard output %s', async (_name, ran) => {
    at.clear('paged');
    expect((await ran()).stdout).toContain('alias-29');
    expect(at.list()).not.toContain('paged');
  });

  test('is written to the file of --out without a pager', async () => {
    at.clear('paged');
    expect((await run('alias list --out result', { env })).code).toBe(0);
    expect(at.read('result')).toContain('alias-29');
    expect(at.list()).not.toContain('paged');
  });

  test('keeps the exit code, whatever that of the pager is', async () => {
    for (const PAGER of ['false', 'head -1 > /dev/null', 'kill -INT $$'])
      expect(await run('alias list', { env: { PAGER } }), PAGER).toMatchObject({ code: 0, stderr: '' });
  });

  test('is shown by less without commands and history', async () => {
    const PAGER = `cat > /dev/null; printf %s "$LESSSECURE" > '${at.file('less')}'`;
    await run('alias list', { env: { PAGER } });
    expect(at.read('less')).toBe('1');
    await run('alias list', { env: { PAGER, LESSSECURE: '0' } });
    expect(at.read('less')).toBe('0');
  });
});

test('the result of a command that writes is never paged', async () => {
  const { stdout } = await run('registry session create --dry-run --address http://127.0.0.1:1', {
    rows: 1,
    env: { PAGER: `cat > '${at.file('paged')}'` },
  });
  expect(stdout).toContain('Dry run');
});

describe.skipIf(process.platform !== 'linux' || !has('script') || !has('less'))(
  'in a terminal, which needs script and less',
  () => {
    /** Runs `alias list` in a terminal of 40 by 10, and types keys when the pager prompts. */
    async function inTerminal(keys: readonly string[], columns = 40): Promise<string> {
      const line = `trap : INT; stty rows 10 cols ${columns}; ${self.map((word) => `'${word}'`).join(' ')} alias list; echo "code $?"`;
      const child = spawn('script', ['-qec', line, '/dev/null'], {
        cwd: at.path,
        env: { ...at.env, HOME: at.path, TERM: 'xterm' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const remaining = [...keys];
      let seen = '';
      let last = '';
      const type = (key: string): void => {
        seen = '';
        last = key;
        child.stdin.write(key);
      };
      child.stdout.on('data', (chunk: Buffer) => {
        seen += String(chunk);
        // less prompts with a colon, and with "(END)".
        if (/(^|\n|\r):|\(END\)/.test(seen.replaceAll('\u001b[K', '\n'))) type(remaining.shift() ?? 'q');
      });
      // less does not always prompt again after ^C.
      const again = setInterval(() => last !== '' && type(last), 2000);
      child.stdout.once('end', () => clearInterval(again));
      return text(child.stdout);
    }

    test.each([40, 200])('less shows the first screen, and q quits, in %i columns', async (columns) => {
      const shown = await inTerminal(['q'], columns);
      expect(shown).toContain('alias-0');
      expect(shown).not.toContain('alias-9');
      expect(shown).toContain('code 0');
    });

    test('^C does not end the command, also if it is repeated', async () => {
      const shown = await inTerminal(['\u0003', '\u0003', 'G', 'q']);
      expect(shown).toContain('alias-9');
      expect(shown).toContain('code 0');
    });
  },
);
