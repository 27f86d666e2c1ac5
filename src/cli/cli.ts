import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import { usage } from '../errors.ts';
import { lazySink } from '../io/stdout.ts';
import { main } from './main.ts';

/** Runs Lanyard on the real process: its arguments, streams, environment, clock and signals. */
export async function cli(): Promise<number> {
  const socket = process.env.LANYARD_ASKPASS;
  if (socket) return runAskpass(socket);
  silenceSqlite();
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // A second one means "now"; that the terminal is gone is reported by the system and by the shell.
      if (interruption.signal.aborted && name !== 'SIGHUP') process.exit(130);
      interruption.abort(name);
    });
  }
  const code = await main(process.argv.slice(2), {
    // Opening streams and loading crypto take longer than most of the rest of a start.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return lazySink(1, () => process.stdout);
    },
    get stderr() {
      return lazySink(2, () => process.stderr);
    },
    env: process.env,
    get cwd() {
      return currentDirectory();
    },
    home: homedir(),
    platform: process.platform,
    clock: () => new Date(),
    random: (length) => process.getBuiltinModule('node:crypto').randomBytes(length),
    signal: interruption.signal,
    get selfCommand() {
      return selfCommand();
    },
    keyring: keyringCommand(),
  });
  // What was interrupted may have left something waiting; it is not waited for.
  if (interruption.signal.aborted) process.exit(code);
  return code;
}

/** Asked for by what needs it: everything else works in a folder that is gone, too. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw usage('the current directory does not exist', { hint: 'Change to an existing directory.', cause });
  }
}

/** ssh runs Lanyard as its askpass program. */
async function runAskpass(socket: string): Promise<number> {
  const { askpass } = await import('../ssh/askpass.ts');
  const [, , text = '', pid] = process.argv;
  const promptKind = process.env.SSH_ASKPASS_PROMPT;
  const kind = promptKind === 'confirm' || promptKind === 'none' ? promptKind : 'text';
  return askpass(socket, { text, kind, pid: Number(pid) }, (answer) => process.stdout.write(answer));
}

/** The oldest supported runtimes warn that their SQLite is experimental; that is no news to a user of Lanyard. */
function silenceSqlite(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  };
}

/** A packaged program is one file, whatever name it was called by; otherwise the script is named after the runtime. */
const selfCommand = (): string[] =>
  process.getBuiltinModule('node:sea').isSea()
    ? [process.execPath]
    : [process.execPath, process.argv[1] as string];

/** The program that talks to the keyring is next to this one; a packaged program has none. */
const keyringCommand = (): [string, string] | undefined => {
  const folder: string | undefined = import.meta.dirname;
  if (folder === undefined) return undefined;
  return [process.execPath, join(folder, `../config/keyring-program${extname(import.meta.filename)}`)];
};
