import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join, relative } from 'node:path';
import { Writable } from 'node:stream';
import type { RunOnce } from '../conformance/run.ts';
import type { Step } from '../conformance/step.ts';
import type { Place, Shows } from '../facts/row.ts';
import { type FaultProxy, isWrite } from '../faults/proxy.ts';
import { listening } from '../support/ports.ts';
import type { Case } from './cases.ts';
import type { CanaryName, Scanner } from './scan.ts';
import { type Exchange, replay } from './trials.ts';
import { values } from './values.ts';
import type { Seen, Watch } from './watch.ts';

/** An origin that no token belongs to. It keeps what it is sent. */
export interface Elsewhere {
  readonly address: string;
  readonly take: () => string;
  readonly close: () => void;
}

export async function elsewhere(): Promise<Elsewhere> {
  let received = '';
  const server = createServer(async (request, response) => {
    received += `${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n`;
    for await (const chunk of request) received += String(chunk);
    response.end('{}');
  });
  const { address } = await listening(server);
  return {
    address,
    take() {
      const taken = received;
      received = '';
      return taken;
    },
    close: () => void server.close(),
  };
}

/** The files below a folder, by path; undefined: not a regular file. */
export type Files = ReadonlyMap<string, Buffer | undefined>;

const pathsIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );

export const filesIn = (root: string): Files =>
  new Map(pathsIn(root).map((path) => [path, statSync(path).isFile() ? readFileSync(path) : undefined]));

/** Makes the files below a folder those again. */
export function restore(root: string, files: Files): void {
  for (const path of pathsIn(root)) if (!files.has(path)) rmSync(path, { recursive: true, force: true });
  for (const [path, content] of files) {
    if (content === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (!statSync(path, { throwIfNoEntry: false })?.isFile() || !readFileSync(path).equals(content)) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, content, { mode: 0o600 });
    }
  }
}

export interface Trial {
  readonly step: Step;
  readonly shows: Shows;
  readonly exchanges: readonly Exchange[];
  readonly once: RunOnce;
  /** The home of the run. */
  readonly home: string;
  /** Its files before each run. */
  readonly files: Files;
}

export interface Tools {
  readonly root: string;
  readonly proxy: FaultProxy;
  readonly scan: Scanner;
  readonly watch: Watch;
  readonly elsewhere: Elsewhere;
  /** The program in the place of the operating system's keyring, and the folder of its tokens. */
  readonly keyring: { readonly program: readonly [string, ...string[]]; readonly folder: string };
}

export interface Result {
  readonly code: number;
  readonly stderr: string;
  /** What is wrong; empty: nothing. */
  readonly wrong: readonly string[];
  /** Where secrets were seen that may be there. */
  readonly seen: ReadonlySet<`${CanaryName}: ${Place}`>;
}

/** Runs one case, looks for canaries wherever it could have left them, and puts the files back. */
export async function attempt(one: Case, trial: Trial, tools: Tools): Promise<Result> {
  const { proxy, watch, scan } = tools;
  plan(one, trial, tools);
  watch.take();
  const debugFile = join(tools.root, 'debug-file');
  const said: { readonly stream: 'stdout' | 'stderr'; readonly text: string }[] = [];
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said.push({ stream: 'stdout', text: chunk.toString() });
      done();
    },
  });
  const isTerminal = one.mode.how === 'terminal';
  const ran = await trial.once({
    format: one.mode.format,
    flags: [...(one.flags ?? []), ...(flagsOf[one.mode.how] ?? [])],
    ...(one.words ? { words: one.words } : {}),
    env: {
      LANYARD_DEBUG_FILE: debugFile,
      ...(variablesOf[one.mode.how] ?? {}),
      ...one.env,
      ...(one.keyring ? { LANYARD_KEYRING: '', KEYRING: tools.keyring.folder } : {}),
    },
    main: {
      stdout: isTerminal ? Object.assign(stdout, { isTTY: true, columns: 80 }) : stdout,
      onStderr: (text) => void said.push({ stream: 'stderr', text }),
      // Where nothing is to be typed, the person ends the input.
      ...(isTerminal ? { columns: 80, ...typedBy(one, trial.step) } : {}),
      ...(one.keyring ? { keyring: tools.keyring.program } : {}),
    },
  });
  proxy.begin();
  const findings = new Findings(one, trial, ran.code);
  const masks = judgeOutput(one, said, findings, scan);
  judgeMasks(one, trial, said, masks, findings, scan);
  judgeDebugFile(debugFile, findings, scan);
  const { children, writes } = watch.take();
  const seen = { children, writes: writes.filter(({ path }) => path !== debugFile) };
  judgeSeen(seen, { ...trial, root: tools.root }, findings, scan);
  judgeNames(tools.root, trial, findings, scan);
  for (const name of scan.find(tools.elsewhere.take())) findings.add(name, 'another origin');
  restore(tools.root, trial.files);
  return { code: ran.code, stderr: ran.stderr, wrong: findings.wrong, seen: findings.seen };
}

/** What is typed on a terminal; nothing where standard input is a pipe. */
function typedBy({ typed }: Case, { command, stdin }: Step): { typed: string } | { stdin: string } | object {
  if (typed !== undefined) return { typed };
  if (command === 'ssh proxy') return { stdin: '' };
  return stdin === undefined ? { typed: '\u0004' } : {};
}

const flagsOf: Readonly<Record<string, readonly string[]>> = { verbose: ['--verbose'], quiet: ['--quiet'] };
const variablesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github: { GITHUB_ACTIONS: 'true' },
  azure: { TF_BUILD: 'True' },
  gitlab: { GITLAB_CI: 'true' },
};

function plan(one: Case, { exchanges }: Trial, { proxy, elsewhere: { address } }: Tools): void {
  const asRecorded = replay(exchanges);
  const play = one.failure?.play(exchanges, address) ?? asRecorded;
  proxy.begin({
    forwards: false,
    picks: () => true,
    play: (socket, reply, request) =>
      (one.writesOnly && !isWrite(request) ? asRecorded : play)(socket, reply, request),
  });
}

/** What was found in one run, against what the facts of the command allow. */
class Findings {
  readonly wrong: string[] = [];
  readonly seen = new Set<`${CanaryName}: ${Place}`>();
  readonly #case: Case;
  readonly #trial: Trial;
  readonly #code: number;

  constructor(one: Case, trial: Trial, code: number) {
    this.#case = one;
    this.#trial = trial;
    this.#code = code;
  }

  /** @param place one where the command may show it, or any other, where nothing may be. */
  add(name: CanaryName, place: Place | string): void {
    const places = this.#trial.shows[name] ?? [];
    const { kind, mode, failure, keyring } = this.#case;
    // What a service sends as its result is the result.
    // One that cannot be shown in the format is shown with the error, because it cannot be asked for again.
    const isShown = (place === 'stdout' && this.#code === 0) || (place === 'stderr' && this.#code === 9);
    if (failure?.isResult && isShown) return;
    const isExpected = [0, 9, this.#trial.step.code].includes(this.#code);
    const isResult = (kind === 'success' || kind === 'failure') && isExpected;
    const isAllowed =
      place === 'stdout'
        ? isResult && (places.includes('stdout') || (places.includes('data') && mode.format !== 'text'))
        : places.includes(place as Place) && kind !== 'preview' && !(keyring && place === 'credentials');
    const isDraft = place === 'draft' && places.includes('draft');
    if (!isAllowed && !isDraft) this.wrong.push(`${name}: ${place}`);
    else if (place === 'stdout' && !places.includes('stdout')) this.seen.add(`${name}: data`);
    else this.seen.add(`${name}: ${place as Place}`);
  }
}

/** No secret at all is in the file of `--debug`, which is removed. */
function judgeDebugFile(path: string, findings: Findings, scan: Scanner): void {
  if (!existsSync(path)) return;
  for (const name of scan.find(readFileSync(path, 'utf8'))) findings.wrong.push(`${name}: debug file`);
  if ((statSync(path).mode & 0o077) !== 0) findings.wrong.push('the debug file is accessible to others');
  rmSync(path);
}

type Said = readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];

const maskLine = /^(?:::add-mask::|##vso\[task\.setsecret\])(.*)$/gm;

/** @returns the texts that were masked in the log of a CI service. */
function judgeOutput({ mode }: Case, said: Said, findings: Findings, scan: Scanner): readonly string[] {
  const textOf = (wanted: 'stdout' | 'stderr'): string =>
    said
      .filter(({ stream }) => stream === wanted)
      .map(({ text }) => text)
      .join('');
  const isCi = mode.how === 'github' || mode.how === 'azure';
  if (isCi || mode.how === 'gitlab') judgeCommands(mode, textOf, findings);
  const stderr = textOf('stderr');
  const masks = isCi ? [...stderr.matchAll(maskLine)].map(([, text = '']) => text) : [];
  for (const name of scan.find(textOf('stdout'))) findings.add(name, 'stdout');
  for (const name of scan.find(isCi ? stderr.replaceAll(maskLine, '') : stderr)) findings.add(name, 'stderr');
  return masks;
}

/** A command to a CI service: at the start of a line, or anywhere in it. Characters without a width do not count. */
const ciCommand = /^\s*::|##\[|##vso\[|section_(?:start|end):/im;

/** Nothing of a service is a command to the CI service. Variables are written to files and exact. */
function judgeCommands(
  { format }: Case['mode'],
  textOf: (stream: 'stdout' | 'stderr') => string,
  findings: Findings,
): void {
  const isExact = ['env', 'dotenv', 'github-env'].includes(format);
  for (const stream of ['stdout', 'stderr'] as const) {
    if (stream === 'stdout' && isExact) continue;
    const text = textOf(stream)
      .replaceAll(maskLine, '')
      .replaceAll(/[\u200b\0]/g, '');
    const [found] = ciCommand.exec(text) ?? [];
    if (found !== undefined)
      findings.wrong.push(
        `a command to the CI service on ${stream}: ${text.slice(text.indexOf(found)).slice(0, 40)}`,
      );
  }
}

/** Values of the service registry's keys are not secrets. */
const isOrdinary = (value: string): boolean => value === values.registryValue;

/** In CI, what was received and is shown was masked before. */
function judgeMasks(
  { mode, kind }: Case,
  { exchanges }: Trial,
  said: Said,
  masks: readonly string[],
  findings: Findings,
  scan: Scanner,
): void {
  if (!['github', 'azure'].includes(mode.how) || kind !== 'success') return;
  const received = scan.findValues(exchanges.map(({ reply }) => String(reply.body)).join('\n'));
  const masked = scan.findValues(masks.join('\n'));
  let before = '';
  for (const { stream, text } of said) {
    if (stream === 'stderr') before += text;
    else
      for (const value of scan.findValues(text)) {
        if (!received.has(value) || isOrdinary(value)) continue;
        if (!masked.has(value)) findings.wrong.push(`shown and not masked: ${value.slice(0, 40)}`);
        else if (!scan.findValues(before).has(value)) findings.wrong.push('shown before it is masked');
      }
  }
}

function placeOf(
  path: string,
  { home, root }: { readonly home: string; readonly root: string },
): Place | string {
  const own = relative(home, path);
  if (!own.startsWith('..'))
    return /^config\/\.?credentials\.json/.test(own) ? 'credentials' : own.startsWith('config') ? own : 'out';
  if (path.startsWith('/dev/shm/lanyard-run-')) return 'memory';
  return relative(root, path).startsWith('..') ? path : 'draft';
}

function judgeSeen(
  { children, writes }: Seen,
  { home, root, step, files }: Trial & { readonly root: string },
  findings: Findings,
  scan: Scanner,
): void {
  for (const { argv, env } of children) {
    for (const name of scan.find(argv.join('\n'))) findings.add(name, `argv of ${basename(argv[0] ?? '')}`);
    // What the user put into the environment is inherited: `env://`, tokens, HTTP authentication.
    const isInherited = (variable: string): boolean =>
      /^(LANYARD_|CONFORMANCE_TOKEN$)/.test(variable) || step.env?.[variable] !== undefined;
    const own = Object.entries(env).filter(([variable]) => !isInherited(variable));
    for (const name of scan.find(own.map((pair) => pair.join('=')).join('\n'))) findings.add(name, 'child');
  }
  for (const { path, content } of writes) {
    const place = placeOf(path, { home, root });
    if (place === 'credentials' && isKept(content, files, scan)) continue;
    for (const name of scan.find(content)) findings.add(name, place);
  }
}

/** Are all secrets in the file of stored tokens those that were in it before? */
function isKept(content: string, files: Files, scan: Scanner): boolean {
  const before = [...files].find(([path]) => path.endsWith('/config/credentials.json'))?.[1];
  return scan.findValues(content).isSubsetOf(scan.findValues(String(before ?? '')));
}

/** Names of files, and the modes of new ones. */
function judgeNames(root: string, { files, home }: Trial, findings: Findings, scan: Scanner): void {
  for (const path of pathsIn(root)) {
    const isNew = !files.has(path);
    if (!isNew && !path.includes('/config/')) continue;
    for (const name of scan.find(relative(root, path))) findings.add(name, 'a file name');
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > 1_000_000) continue;
    const content = readFileSync(path);
    if (files.get(path)?.equals(content)) continue;
    const place = placeOf(path, { home, root });
    if (place === 'credentials' && isKept(content.toString('latin1'), files, scan)) continue;
    for (const name of scan.find(content.toString('latin1'))) {
      findings.add(name, place);
      if ((stats.mode & 0o077) !== 0)
        findings.wrong.push(`${name}: a file of mode ${stats.mode.toString(8)}`);
    }
  }
}
