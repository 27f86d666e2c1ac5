import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createTerminalIo, type TerminalOptions } from '../../../src/io/terminal.ts';
import { folderForAll } from '../../support/folders.ts';

const cwd = folderForAll();

type Changes = Partial<Omit<TerminalOptions, 'streams'>>;

/** Io over streams in memory, which are terminals when `isTTY`, and its output so far. */
function made({
  isTTY = false,
  columns,
  input,
  ...changes
}: Changes & { isTTY?: boolean; columns?: number; input?: string } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const moves = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const stderr = Object.assign(
    new PassThrough(),
    columns === undefined ? { isTTY } : { isTTY, columns, ...moves },
  );
  const stdout = new PassThrough();
  if (input !== undefined) stdin.end(input);
  const io = createTerminalIo({
    streams: { stdin, stdout, stderr },
    env: {},
    cwd,
    quiet: false,
    verbose: false,
    noInput: false,
    yes: false,
    color: false,
    signal: new AbortController().signal,
    ...changes,
  });
  let output = '';
  stderr.on('data', (chunk) => {
    output += chunk;
  });
  return { io, stdin, output: () => output };
}

describe('messages', () => {
  test('notes and warnings go to stderr, details only if enabled', () => {
    const { io, output } = made();
    io.note('noted');
    io.warn('look out');
    io.detail('in detail');
    expect(output()).toBe('noted\nwarning: look out\n');
  });

  test('--quiet leaves warnings, --verbose adds details', () => {
    const { io, output } = made({ quiet: true, verbose: true });
    io.note('noted');
    io.warn('look out');
    io.detail('in detail');
    expect(output()).toBe('warning: look out\nin detail\n');
  });

  test('text of others can neither control the terminal nor pass for a message', () => {
    const { io, output } = made();
    io.note('\x1b[2Jgone\nwarning: fake');
    expect(output()).toBe('\\x1b[2Jgone\n  warning: fake\n');
  });

  test('a warning is yellow where colour is wanted', () => {
    const { io, output } = made({ color: true });
    io.warn('look out');
    expect(output()).toBe('\x1b[33mwarning: \x1b[39mlook out\n');
  });

  test('a terminal gets lines that are broken at spaces, and commands in one piece', () => {
    const { io, output } = made({ isTTY: true, columns: 34, color: true });
    io.note('No service is configured. Run `lanyard profile put NAME` for others.');
    io.warn('the certificate expires soon, in 9 minutes');
    expect(output()).toBe(
      [
        'No service is configured. Run',
        '  `lanyard profile put NAME` for',
        '  others.',
        '\x1b[33mwarning: \x1b[39mthe certificate expires',
        '  soon, in 9 minutes',
        '',
      ].join('\n'),
    );
  });

  test.each([80, 40, 10])('a line of progress fits a terminal of %i columns', async (columns) => {
    const { io, output } = made({ isTTY: true, columns });
    const progress = await io.progress('x'.repeat(200));
    expect(progress.columns).toBe(columns - 3);
    await expect.poll(output, { timeout: 10_000 }).toContain('x');
    progress.update('y'.repeat(200));
    await expect.poll(output, { timeout: 10_000 }).toContain('y');
    progress.stop();
    for (const letter of ['x', 'y'])
      expect(output().match(new RegExp(`${letter}+`))?.[0]).toHaveLength(columns - 3);
  });

  test('progress is not shown where stderr is no terminal', async () => {
    const { io, output } = made();
    const progress = await io.progress('working');
    progress.update('still working');
    await new Promise((resolve) => setTimeout(resolve, 400));
    progress.stop();
    expect(output()).toBe('');
  });

  test('a secret is masked on stderr in the way of the CI service', () => {
    const { io, output } = made({ env: { GITHUB_ACTIONS: 'true' }, quiet: true });
    io.mask('hidden-word');
    expect(output()).toBe('::add-mask::hidden-word\n');
  });
});

describe('without a terminal', () => {
  const hint = 'Pass it as - (standard input), @FILE, file://PATH or env://NAME.';

  test.each([
    ['no terminal', 'standard input is not a terminal', made()],
    ['--no-input', '--no-input is set', made({ isTTY: true, noInput: true })],
  ])('(%s) a prompt is a usage error that describes how to pass the value', async (_, cause, { io }) => {
    expect(io.isInteractive()).toBe(false);
    const cannotPrompt = (what: string) => ({
      kind: 'usage',
      message: `cannot prompt for ${what}: ${cause}`,
    });
    await expect(io.ask('Name: ')).rejects.toMatchObject(cannotPrompt('Name'));
    await expect(io.askSecret('Token: ')).rejects.toMatchObject({ ...cannotPrompt('Token'), hint });
    await expect(io.readSecret(undefined, 'the token')).rejects.toMatchObject({
      ...cannotPrompt('the token'),
      hint,
    });
    await expect(io.confirm('Delete it?')).rejects.toMatchObject({
      ...cannotPrompt('confirmation'),
      details: ['Delete it?'],
      hint: 'Use --yes to skip the prompt.',
    });
  });

  test('--yes confirms', async () => {
    await made({ yes: true }).io.confirm('Delete it?');
  });
});

describe('standard input', () => {
  test('is returned once, as bytes', async () => {
    const { io } = made({ input: 'grüße' });
    expect(await io.readStdin()).toEqual(Buffer.from('grüße'));
    await expect(io.readStdin()).rejects.toMatchObject({
      kind: 'usage',
      message: 'standard input can be read only once',
    });
  });

  test('of more than 32 MiB is rejected', async () => {
    const { io, stdin } = made();
    const read = io.readStdin();
    stdin.end(Buffer.alloc(32 * 1024 * 1024 + 1));
    await expect(read).rejects.toMatchObject({ kind: 'usage' });
  });

  test('that never ends is left at an interrupt', async () => {
    const interrupt = new AbortController();
    const { io } = made({ signal: interrupt.signal });
    const read = io.readStdin();
    interrupt.abort();
    await expect(read).rejects.toMatchObject({ kind: 'interrupted' });
  });
});

describe('a secret', () => {
  writeFileSync(join(cwd, 'token'), 'from-file\n');
  writeFileSync(join(cwd, 'blank'), '\n');
  const env = { TOKEN: 'from-env\n', EMPTY: '' };

  test.each([
    ['@token', 'from-file'],
    ['file://token', 'from-file'],
    [`file://${join(cwd, 'token')}`, 'from-file'],
    ['env://TOKEN', 'from-env\n'],
    ['-', 'from-stdin\n'],
  ])('from %s', async (source, secret) => {
    expect(await made({ env, input: 'from-stdin\n\n' }).io.readSecret(source, 'the token')).toBe(secret);
  });

  test.each([
    ['@missing', `cannot read the token from ${join(cwd, 'missing')}: no such file`],
    ['@blank', 'the token is empty'],
    ['@', 'the token: missing file name after @'],
    ['env://', 'the token: missing variable name after env://'],
    ['env://UNSET', 'the token: the environment variable UNSET is not set'],
    ['env://EMPTY', 'the token: the environment variable EMPTY is empty'],
    ['-', 'the token is empty'],
  ])('from %s that is not there is a usage error', async (source, message) => {
    await expect(made({ env, input: '' }).io.readSecret(source, 'the token')).rejects.toMatchObject({
      kind: 'usage',
      message,
    });
  });

  test('that is not text is rejected', async () => {
    const { io, stdin } = made();
    stdin.end(Buffer.from([0xff, 0xfe]));
    await expect(io.readSecret('-', 'the token')).rejects.toThrow(
      'the token: standard input is not UTF-8 text',
    );
  });

  test.each(['hidden-word', '', 'ENV://hidden-word', 'http://hidden-word'])(
    'that is the value itself (%j) is rejected and not shown',
    async (source) => {
      const rejected = made({ env }).io.readSecret(source, 'the token');
      await expect(rejected).rejects.toMatchObject({
        kind: 'usage',
        message:
          'the token is not accepted on the command line: other users and the shell history could see it',
        hint: 'Pass it as - (standard input), @FILE, file://PATH or env://NAME.',
      });
      await expect(rejected).rejects.not.toThrow('hidden-word');
    },
  );
});

describe('prompts, on streams in memory', () => {
  test('lines that were typed early answer the next prompts', async () => {
    const { io, stdin } = made({ isTTY: true });
    stdin.write('one\rtwo\r');
    expect(await io.ask('First: ')).toBe('one');
    expect(await io.ask('Second: ')).toBe('two');
  });

  test('an interrupt from elsewhere ends the question', async () => {
    const interrupt = new AbortController();
    const { io } = made({ isTTY: true, signal: interrupt.signal });
    const asked = io.askSecret('Token: ');
    setTimeout(() => interrupt.abort(), 20);
    await expect(asked).rejects.toMatchObject({ kind: 'interrupted' });
  });
});
