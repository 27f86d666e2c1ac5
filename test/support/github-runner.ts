import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';

// What a runner of GitHub Actions does with a step, as its source shows (actions/runner, Runner.Worker).

/** The assignments in a file of commands (`EnvFileKeyValuePairs`). @throws Error: invalid lines */
export function parseAssignments(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let at = 0;
  const next = (): string | undefined => {
    if (at >= text.length) return undefined;
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    return line;
  };
  for (let line = next(); line !== undefined; line = next()) {
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      values.set(line.slice(0, equals), line.slice(equals + 1));
      continue;
    }
    if (heredoc < 1 || heredoc + 2 === line.length) throw new Error(`invalid format '${line}'`);
    const end = line.slice(heredoc + 2);
    const start = at;
    let last = at;
    for (let inner = next(); inner !== end; inner = next()) {
      if (inner === undefined) throw new Error('matching delimiter not found');
      last = at - 1;
    }
    values.set(line.slice(0, heredoc), text.slice(start, Math.max(start, last)));
  }
  return values;
}

/** The log of a job, in which the secrets of `add-mask` are masked (`AddMaskCommandExtension`, `SecretMasker`). */
export class JobLog {
  readonly #secrets = new Set<string>();
  readonly #lines: string[] = [];

  /** What the log shows. */
  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Whether a text would be masked completely. */
  masks(text: string): boolean {
    return this.#mask(text).replaceAll('***', '') === '';
  }

  add(line: string): void {
    const command = /^\s*::([\w-]+)[^:]*::(.*)$/s.exec(line);
    if (command?.[1] !== 'add-mask') {
      this.#lines.push(this.#mask(line));
      return;
    }
    const data = (command[2] ?? '').replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
    if (data.trim() === '') {
      this.#lines.push("warning: Can't add secret mask for empty string in ##[add-mask] command.");
      return;
    }
    for (const text of [data, ...data.split(/[\r\n]/).map((each) => each.trim())])
      if (text !== '') for (const form of formsOf(text)) this.#secrets.add(form);
  }

  #mask(line: string): string {
    const secrets = [...this.#secrets].sort((one, other) => other.length - one.length);
    return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line);
  }
}

/** The encodings of a secret that the runner masks too; here those that the tests look for. */
const formsOf = (text: string): string[] => [
  text,
  Buffer.from(text).toString('base64'),
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
];

/** One job: its environment and paths last from step to step. */
export interface Job {
  readonly log: JobLog;
  /** Working directory of the steps. */
  readonly workspace: string;
  /** Temporary directory of the job. */
  readonly temp: string;
  readonly toolCache: string;
  /** Variables that steps have set for later ones. */
  readonly env: Map<string, string>;
  /** Directories that steps have added to PATH; the last one is searched first. */
  readonly paths: string[];
  /** Runs a line of bash as a step. */
  shell(line: string, env?: Readonly<Record<string, string>>): Promise<Step>;
  /** Runs an action of the directory with the inputs. */
  action(
    directory: string,
    inputs: Readonly<Record<string, string>>,
    env?: Readonly<Record<string, string>>,
  ): Promise<ActionStep>;
}

/** How a step ended. */
export interface Step {
  readonly code: number;
  readonly outputs: ReadonlyMap<string, string>;
  /** Markdown of the summary. */
  readonly summary: string;
}

export interface ActionStep extends Step {
  /** Runs what the action does at the end of the job. */
  post(): Promise<Step>;
}

interface Manifest {
  readonly inputs: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly runs: { readonly using: string; readonly main: string; readonly post?: string };
}

/** @param base the environment of every step. */
export function startJob(base: Readonly<Record<string, string>>): Job {
  const root = mkdtempSync(join(tmpdir(), 'lanyard-runner-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [temp, toolCache] = [join(root, 'temp'), join(root, 'tools')];
  for (const directory of [temp, toolCache]) mkdirSync(directory);
  const log = new JobLog();
  const env = new Map<string, string>();
  const paths: string[] = [];
  let count = 0;

  async function step(
    command: readonly [string, ...string[]],
    more: Readonly<Record<string, string>>,
  ): Promise<Step & { readonly state: ReadonlyMap<string, string> }> {
    count += 1;
    const file = (name: string): string => join(temp, `${name}_${count}`);
    const files = {
      OUTPUT: file('output'),
      ENV: file('env'),
      PATH: file('path'),
      STATE: file('state'),
      STEP_SUMMARY: file('step_summary'),
    };
    for (const path of Object.values(files)) writeFileSync(path, '');
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd: root,
      env: {
        ...base,
        PATH: [...paths]
          .reverse()
          .concat(base.PATH ?? '')
          .join(delimiter),
        ...Object.fromEntries(env),
        GITHUB_ACTIONS: 'true',
        CI: 'true',
        RUNNER_TEMP: temp,
        RUNNER_TOOL_CACHE: toolCache,
        RUNNER_OS: 'Linux',
        RUNNER_ARCH: 'X64',
        GITHUB_SERVER_URL: 'https://github.com',
        ...Object.fromEntries(Object.entries(files).map(([name, path]) => [`GITHUB_${name}`, path])),
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const reads = [child.stdout, child.stderr].map(async (stream) => {
      let rest = '';
      for await (const chunk of stream.setEncoding('utf8')) {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) log.add(line);
      }
      if (rest !== '') log.add(rest);
    });
    const [[code]] = await Promise.all([once(child, 'close'), ...reads]);
    const read = (path: string): string => readFileSync(path, 'utf8');
    for (const [name, value] of parseAssignments(read(files.ENV)))
      if (name.toUpperCase() === 'NODE_OPTIONS') throw new Error('NODE_OPTIONS cannot be set');
      else env.set(name, value);
    paths.push(...read(files.PATH).split('\n').filter(Boolean));
    return {
      code: code ?? -1,
      outputs: parseAssignments(read(files.OUTPUT)),
      state: parseAssignments(read(files.STATE)),
      summary: read(files.STEP_SUMMARY),
    };
  }

  return {
    log,
    workspace: root,
    temp,
    toolCache,
    env,
    paths,
    shell: (line, more = {}) => step(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', line], more),
    async action(directory, inputs, more = {}) {
      const { inputs: declared, runs } = parse(
        readFileSync(join(directory, 'action.yml'), 'utf8'),
      ) as Manifest;
      const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(declared, name));
      if (unknown.length > 0) throw new Error(`unexpected inputs: ${unknown.join(', ')}`);
      const values = Object.fromEntries(
        Object.entries(declared).map(([name, { default: value = '' }]) => [
          `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
          inputs[name] ?? String(value),
        ]),
      );
      const main = await step([process.execPath, join(directory, runs.main)], { ...values, ...more });
      const states = Object.fromEntries([...main.state].map(([name, value]) => [`STATE_${name}`, value]));
      return {
        ...main,
        post: () =>
          step([process.execPath, join(directory, runs.post ?? '')], { ...values, ...more, ...states }),
      };
    },
  };
}
