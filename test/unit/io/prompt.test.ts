import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { patience } from '../../support/eventually.ts';
import { has } from '../../support/require.ts';

const program = join(import.meta.dirname, 'ask.ts');

/** Runs ask.ts on a pseudo-terminal, types each answer when its prompt appears, and gives all that was shown. */
async function onTerminal(
  args: string,
  dialogue: readonly (readonly [prompt: string, typed: string])[] = [],
  columns = 80,
) {
  const command = `stty cols ${columns}; "${process.execPath}" "${program}" ${args}; stty -a`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let shown = '';
  let from = 0;
  const rest = [...dialogue];
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    const [prompt, typed] = rest[0] ?? [];
    if (prompt === undefined || !shown.includes(prompt, from)) return;
    from = shown.length;
    rest.shift();
    child.stdin.write(typed ?? '');
  });
  const limit = setTimeout(() => child.kill('SIGHUP'), patience);
  await once(child, 'close');
  clearTimeout(limit);
  return shown;
}

const restored = /[^-]icanon[\s\S]*[^-]echo /;

describe.skipIf(!has('script') || !has('stty'))('on a terminal', () => {
  test('a secret is read without being shown, with corrections', async () => {
    const shown = await onTerminal('secret', [['Token: ', 'wrong\x15hidden-wör\x7frd\r']]);
    expect(shown).toContain('got 11 characters, reversed dröw-neddih.');
    expect(shown).not.toContain('hidden');
    expect(shown).not.toContain('wrong');
    expect(shown).toMatch(restored);
  });

  test('- prompts, although the input will be echoed', async () => {
    const shown = await onTerminal('secret -', [['Token: ', 'abc\r']]);
    expect(shown).toContain('reversed cba.');
    expect(shown).not.toContain('abc');
  });

  test('a secret that is entered twice must be equal', async () => {
    const same = await onTerminal('twice', [
      ['Token: ', 'abc\r'],
      ['Token, again: ', 'abc\r'],
    ]);
    expect(same).toContain('reversed cba.');
    const other = await onTerminal('twice', [
      ['Token: ', 'abc\r'],
      ['Token, again: ', 'abd\r'],
    ]);
    expect(other).toContain('usage: the two values do not match.');
  });

  test('ordinary input is shown', async () => {
    const shown = await onTerminal('ask', [['Name? ', 'abc\r']]);
    expect(shown).toMatch(/Name\? .*abc\r+\n/);
    expect(shown).toContain('got 3 characters');
  });

  test.each([
    ['Ctrl+C', '\x03', 'interrupted: interrupted.'],
    ['Ctrl+D', '\x04', 'interrupted: the prompt was closed without input.'],
  ])('%s ends a prompt and restores the terminal', async (_, key, output) => {
    for (const question of ['secret', 'ask']) {
      const shown = await onTerminal(question, [[question === 'ask' ? 'Name? ' : 'Token: ', key]]);
      expect(shown).toContain(output);
      expect(shown).toMatch(restored);
    }
  });

  test.each([
    ['y', 'got'],
    ['YES', 'got'],
    ['', 'failure: not confirmed; nothing was done.'],
    ['no', 'failure: not confirmed; nothing was done.'],
  ])('to confirm, %j is taken so: %s', async (typed, output) => {
    expect(await onTerminal('confirm', [['Delete it? [y/N] ', `${typed}\r`]])).toContain(output);
  });

  test('progress shows, makes way for a note, and leaves nothing behind', async () => {
    const shown = await onTerminal('progress');
    expect(shown).toContain('working');
    expect(shown).toContain('noted\r\n');
    const after = shown.slice(shown.lastIndexOf('working') + 'working'.length);
    expect(after, 'erases its line').toContain('\x1b[0K');
    expect(after, 'shows the cursor again').toContain('\x1b[?25h');
  });

  test('progress is not shown on a terminal without a width', async () => {
    const shown = await onTerminal('progress', [], 0);
    expect(shown).toContain('got 0 characters');
    expect(shown).not.toContain('working');
  });
});
