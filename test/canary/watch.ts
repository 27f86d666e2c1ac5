import childProcess from 'node:child_process';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** What this process did to its surroundings. */
export interface Seen {
  /** Command line and environment of the processes that were started. */
  readonly children: { readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv }[];
  /** What was written to files, temporary ones too. */
  readonly writes: { readonly path: string; readonly content: string }[];
}

export interface Watch {
  /** What was seen since the last call. */
  readonly take: () => Seen;
  readonly end: () => void;
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : ArrayBuffer.isView(content)
      ? Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
      : '';

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are watched
type AnyFunction = (...args: any[]) => any;

/** Watches the processes that this one starts, and the files that it writes. Nothing is kept from happening. */
export function watch(): Watch {
  let seen: Seen = { children: [], writes: [] };
  const descriptors = new Map<number, string>();
  const undo: (() => void)[] = [];
  const tap = (module: object, name: string, note: (args: unknown[], result: unknown) => void): void => {
    const functions = module as Record<string, AnyFunction>;
    const original = functions[name] as AnyFunction;
    functions[name] = function (this: unknown, ...args: unknown[]) {
      const result = original.apply(this, args);
      note(args, result);
      return result;
    };
    undo.push(() => {
      functions[name] = original;
    });
  };
  const wrote = (to: unknown, content: unknown): void => {
    const path = typeof to === 'number' ? descriptors.get(to) : String(to);
    if (path !== undefined) seen.writes.push({ path, content: textOf(content) });
  };
  const child = (file: unknown, args: unknown, options: unknown): void => {
    const list = Array.isArray(args) ? args.map(String) : [];
    const { env = process.env } = ((Array.isArray(args) ? options : args) ?? {}) as {
      env?: NodeJS.ProcessEnv;
    };
    seen.children.push({ argv: [String(file), ...list], env });
  };
  for (const name of ['spawn', 'execFile', 'spawnSync', 'execFileSync', 'fork', 'exec', 'execSync'])
    tap(childProcess, name, ([file, args, options]) => child(file, args, options));
  tap(fs, 'openSync', ([path], fd) => void descriptors.set(fd as number, String(path)));
  tap(fs, 'closeSync', ([fd]) => void descriptors.delete(fd as number));
  for (const name of ['writeFileSync', 'appendFileSync', 'writeSync', 'writeFile', 'appendFile'])
    tap(fs, name, ([to, content]) => wrote(to, content));
  for (const name of ['writeFile', 'appendFile']) tap(fsp, name, ([to, content]) => wrote(to, content));
  tap(fsp, 'open', ([path], opening) => {
    void (opening as Promise<object>).then(
      (handle) => {
        for (const name of ['writeFile', 'appendFile', 'write'])
          tap(handle, name, ([content]) => wrote(path, content));
      },
      () => undefined,
    );
  });
  syncBuiltinESMExports();
  return {
    take() {
      const taken = seen;
      seen = { children: [], writes: [] };
      return taken;
    },
    end() {
      for (const back of undo.reverse()) back();
      syncBuiltinESMExports();
    },
  };
}
