import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from './eventually.ts';

const execute = promisify(execFile);

/** A folder with a completion script, files to complete, and a small program in the place of lanyard. */
export interface Place {
  readonly script: string;
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  /** The arguments that the program was called with since the last time, a list for every call. */
  readonly calls: () => Promise<string[][]>;
  readonly remove: () => Promise<void>;
}

export const profiles = ['prod', 'my staging', '$(touch run)'];

// Answers with profiles as `lanyard profile list` does in a pipe; writes down any other call.
const program = `#!/bin/sh
if [ "$1 $2" = "profile list" ]; then
  printf '%s\\t\\tsecrets\\n' ${profiles.map((name) => `'${name}'`).join(' ')}
  echo 'not for the terminal' >&2
  exit
fi
printf '%s\\n' "$#" "$@" >> "$CALLS"
`;

/**
 * @param name of the script's file: zsh loads it by its name.
 * @param lanyard the program in the place of lanyard.
 */
export async function place(script: string, name: string, lanyard = program): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-shells-'));
  const work = join(folder, 'work');
  await mkdir(join(work, 'my folder'), { recursive: true });
  await mkdir(join(work, 'docs'));
  for (const file of ['my key.pub', 'notes.txt', 'docs/guide.md']) await writeFile(join(work, file), '');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'lanyard'), lanyard);
  await chmod(join(folder, 'bin', 'lanyard'), 0o755);
  const file = join(folder, name);
  await writeFile(file, script);
  const calls = join(folder, 'calls');
  await writeFile(calls, '');
  return {
    script: file,
    work,
    env: {
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      HOME: folder,
      CALLS: calls,
      TERM: 'dumb',
      LC_ALL: 'C.UTF-8',
    },
    calls: async () => {
      const lines = (await readFile(calls, 'utf8')).split('\n').slice(0, -1);
      await writeFile(calls, '');
      const found: string[][] = [];
      while (lines.length > 0) found.push(lines.splice(0, Number(lines.shift())));
      return found;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** What a shell offers for each line, in alphabetical order; the cursor is at the end. */
export type Offers = (at: Place, lines: readonly string[]) => Promise<string[][]>;

const separator = '== next ==';

const offered = (output: string): string[][] =>
  output
    .split(`${separator}\n`)
    .slice(1)
    .map((part) => [...new Set(part.split('\n').filter((line) => line !== ''))].sort());

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Calls the completion function of a real bash as readline does. What the function leaves to bash is offered
 * as `(default)` or `(dirnames)`, the option that it sets for that.
 */
export const bashOffers: Offers = async (at, lines) => {
  const cases = lines.map((line) => {
    // Readline splits at "=" and ":" as well, and what is replaced begins after them.
    const words = line.match(/[=:]|[^\s=:]+|(?<=\s)$/g) ?? [];
    const replaced = /[=:]$/.test(line) ? '' : (words.at(-1) ?? '');
    return `try ${[line, `${words.length - 1}`, replaced, ...words].map(quoted).join(' ')}`;
  });
  const driver = `
    source ${quoted(at.script)}
    compopt() { echo "($2)"; }
    try() {
      COMP_LINE=$1 COMP_POINT=\${#1} COMP_CWORD=$2 COMP_WORDS=("\${@:4}")
      echo ${quoted(separator)}
      _lanyard lanyard "$3" "\${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "\${COMPREPLY[@]}"
    }
    set -u
    ${cases.join('\n')}`;
  return offered(await run('bash', ['--norc', '--noprofile', '-c', driver], at));
};

/** Asks a real fish with its own `complete -C`; descriptions are left out. */
export const fishOffers: Offers = async (at, lines) => {
  const cases = lines.map((line) => `echo ${quoted(separator)}; complete -C ${quoted(line)}`);
  const output = await run('fish', ['--no-config', '-c', [`source ${at.script}`, ...cases].join('\n')], at);
  return offered(output.replace(/\t.*$/gm, ''));
};

/**
 * Types each line and a TAB into a real zsh on a pseudo-terminal (its zpty module), and writes down what its
 * completion adds.
 */
export const zshOffers: Offers = async (at, lines) => {
  const setup = join(at.work, '..', 'setup.zsh');
  const dump = join(at.work, '..', 'dump');
  await writeFile(dump, '');
  await writeFile(
    setup,
    `PS1= PS2=
    bindkey -e
    unsetopt auto_list beep
    autoload -Uz compinit && compinit -u -D
    source ${quoted(at.script)}
    compadd() {
      local -a added
      if [[ -z "$*[(r)-[OAD]]" ]]; then
        builtin compadd -O added "$@"
        print -rl -- $added >> ${quoted(dump)}
      fi
      builtin compadd "$@"
    }
    next() {
      BUFFER=
      print -r -- ${quoted(separator)} >> ${quoted(dump)}
      zle -M "ready for $((++ready))."
    }
    zle -N next
    bindkey '^[n' next
    `,
  );
  const driver = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'source ${setup}'
    ready=0
    try() {
      zpty -w -n shell "$1"$'\\en'
      local output
      zpty -r shell output "*ready for $((++ready)).*"
    }
    try ''
    ${lines.map((line) => `try ${quoted(line)}$'\\t'`).join('\n')}
    zpty -d shell`;
  await run('zsh', ['-f', '-c', driver], at);
  return offered(await readFile(dump, 'utf8')).slice(0, lines.length);
};

/** Types lines into a real interactive shell on a pseudo-terminal; a TAB in them completes. */
export async function typed(
  shell: string,
  setup: string,
  lines: readonly string[],
  at: Place,
): Promise<string> {
  const child = execute('script', ['-qec', shell, '/dev/null'], {
    cwd: at.work,
    env: at.env,
    timeout: patience,
  });
  child.child.stdin?.end([setup, ...lines, 'exit', ''].join('\n'));
  return (await child).stdout;
}

async function run(program: string, args: readonly string[], at: Place): Promise<string> {
  const { stdout, stderr } = await execute(program, args, { cwd: at.work, env: at.env, timeout: patience });
  if (stderr !== '') throw new Error(`${program} complains: ${stderr}`);
  return stdout;
}
