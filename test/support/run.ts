import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { Host } from '../../src/command/host.ts';
import { checkOutput } from './result-schemas.ts';

/** What a run of a command line left behind. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Standard input is a terminal on which this is typed. */
  readonly typed?: string;
  /** Standard input is a terminal on which this is typed as soon as standard error says so (a prompt, a note). */
  readonly answers?: (said: string) => string | undefined | Promise<string>;
  readonly cwd?: string;
  /** Streams are terminals of this width. */
  readonly columns?: number;
  /** Lines of those terminals (default: unlimited). */
  readonly rows?: number;
  readonly now?: Date;
  readonly clock?: () => Date;
  readonly signal?: AbortSignal;
  /** Aborts where the process would run out of time; without one, it has all the time. */
  readonly timeout?: (milliseconds: number) => AbortSignal;
  /** In the place of the one whose text is kept. */
  readonly stdout?: Writable;
  /** Told of what is said on standard error while the run goes on. */
  readonly onStderr?: (text: string) => void;
  /** The command that starts this very program, where it is not the built one. */
  readonly self?: readonly string[];
  /** The command that runs a keyring program; without one, tokens are kept in a file. */
  readonly keyring?: readonly [string, ...string[]];
  /** The responses do not come from a service: results need not match their schemas. */
  readonly inventedResponses?: boolean;
  /** Zeros make the pauses between attempts nothing. */
  readonly random?: (length: number) => Uint8Array;
}

/** A home folder of its own for one test file: configuration, keys, working directory. */
export interface Home {
  readonly path: string;
  /** Runs a command line through `main`, as the built program would. Output of `-o json` must match its schema. */
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The environment of every run; tests add to it (addresses, tokens). */
  readonly env: Record<string, string>;
  /** The absolute path of a file in it. */
  file(name: string): string;
  /** Writes a file in it, and its folder; gives its absolute path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
  read(name: string): string;
  bytes(name: string): Buffer;
  /** Removes a file or folder of it. */
  clear(name: string): void;
  /** The files below a folder of it, sorted. */
  list(folder?: string): string[];
  remove(): void;
}

export function home(): Home {
  const path = mkdtempSync(join(tmpdir(), 'lanyard-test-'));
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    LANYARD_CONFIG_DIR: join(path, 'config'),
    LANYARD_KEYRING: 'off',
  };
  return {
    path,
    env,
    file: (name) => join(path, name),
    write(name, content, mode = 0o600) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, content, { mode });
      return file;
    },
    clear: (name) => rmSync(join(path, name), { recursive: true, force: true }),
    read: (name) => readFileSync(join(path, name), 'utf8'),
    bytes: (name) => readFileSync(join(path, name)),
    list: (folder = '.') =>
      readdirSync(join(path, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(path, join(entry.parentPath, entry.name)))
        .sort(),
    async run(argv, options = {}) {
      const stdout = collector(options.columns, undefined, options.rows);
      const stdin = input(options);
      const stderr = collector(options.columns, (said) => {
        options.onStderr?.(said);
        const answer = options.answers?.(said);
        // A person types after the question is there.
        if (typeof answer === 'string') setImmediate(() => stdin.write(answer));
        else void answer?.then((text) => stdin.write(text));
      });
      const host: Host = {
        stdin,
        stdout: options.stdout ?? stdout.stream,
        stderr: stderr.stream,
        env: { ...env, ...options.env },
        cwd: options.cwd ?? path,
        home: path,
        platform: process.platform,
        clock: options.clock ?? (() => options.now ?? new Date()),
        timeout: options.timeout ?? (() => new AbortController().signal),
        random: options.random ?? ((length) => randomBytes(length)),
        signal: options.signal ?? new AbortController().signal,
        onSignal: (listener) => {
          const pass = () => listener(options.signal?.reason);
          options.signal?.addEventListener('abort', pass);
          return () => options.signal?.removeEventListener('abort', pass);
        },
        keyring: options.keyring,
        selfCommand: options.self ?? [process.execPath, join(import.meta.dirname, '../../bin/lanyard.js')],
      };
      const code = await main(argv, host);
      const ran = { code, stdout: stdout.text(), stderr: stderr.text() };
      checkOutput(argv, options.inventedResponses ? { ...ran, stdout: '' } : ran);
      return ran;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** What the stream of a terminal has for a line of progress; where the cursor is does not matter here. */
const cursorMethods = { cursorTo: () => true, moveCursor: () => true, clearLine: () => true };

function collector(columns: number | undefined, told?: (text: string) => void, rows?: number) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      told?.(chunk.toString());
      done();
    },
  });
  return {
    stream:
      columns === undefined
        ? stream
        : Object.assign(stream, { isTTY: true, columns, rows, ...cursorMethods }),
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

function input({ stdin, typed, answers, columns }: RunOptions): PassThrough {
  const stream = new PassThrough();
  if (typed === undefined && answers === undefined && (columns === undefined || stdin !== undefined)) {
    stream.end(stdin ?? '');
    return stream;
  }
  if (typed !== undefined) stream.write(typed);
  return Object.assign(stream, { isTTY: true });
}
