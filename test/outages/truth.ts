import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Line, Subject } from './subjects.ts';

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command whose exit code or output is not true. */
export interface Untrue {
  readonly argv: readonly string[];
  readonly ended: Ended;
  readonly why: string;
  /** The commands of the object up to this one, with exit codes and messages. */
  readonly history: readonly string[];
}

/** What the commands of one object did. */
export interface Judged {
  readonly codes: readonly number[];
  /** The messages of the commands that failed. */
  readonly messages: readonly string[];
  readonly untrue: readonly Untrue[];
  /** Reads that returned an earlier state. */
  readonly stale: number;
}

export interface Judge {
  readonly run: (line: Line) => Promise<Ended>;
  readonly ask: Ask;
  /** In [0, 1). */
  readonly random: () => number;
}

type State = string | undefined;

/** Exit codes of a command that may have had an effect. */
const unknown = 9;
const notFound = 3;
const conflict = 6;

/**
 * Runs commands of one object, and compares what each of them reports with what the service has afterwards: what was
 * reported done is there, what was reported failed is not, and a conflict has a reason. Nobody else changes the object.
 */
export async function judge(subject: Subject, name: string, { run, ask, random }: Judge): Promise<Judged> {
  let possible = new Set<State>([undefined]);
  const earlier = new Set<State>([undefined]);
  const codes: number[] = [];
  const messages: string[] = [];
  const untrue: Untrue[] = [];
  let stale = 0;
  const history: string[] = [];
  let last: { line: Line; ended: Ended } | undefined;

  const runLine = async (line: Line): Promise<Ended> => {
    const ended = await run(line);
    codes.push(ended.code);
    if (ended.code !== 0) messages.push(ended.stderr);
    history.push(`[${ended.code}] ${line.argv.join(' ')}\n${ended.stderr}`);
    for (const state of possible) earlier.add(state);
    last = { line, ended };
    return ended;
  };
  const report = (line: Line, ended: Ended, why: string): void => {
    untrue.push({ argv: line.argv, ended, why, history: [...history] });
  };
  const afterWrite = (line: Line, ended: Ended, next: State, isConditional: boolean): void => {
    if (ended.code === 0) possible = new Set([next]);
    else if (ended.code === unknown) possible.add(next);
    else if (ended.code === conflict) {
      if (!isConditional || [...possible].every((state) => state === undefined))
        report(line, ended, 'a conflict without another write');
      possible.delete(undefined);
    }
  };
  const write = async (value: string): Promise<void> => {
    const line = subject.write(value);
    afterWrite(line, await runLine(line), value, false);
  };
  const create = async (value: string): Promise<void> => {
    const line = subject.create?.(value);
    if (line) afterWrite(line, await runLine(line), value, true);
  };
  const read = async (): Promise<void> => {
    if (!subject.read) return;
    const ended = await runLine(subject.read);
    const state = ended.code === 0 ? ended.stdout.trimEnd() : undefined;
    if (ended.code !== 0 && ended.code !== notFound) return;
    if (possible.has(state)) return;
    if (earlier.has(state)) stale += 1;
    else report(subject.read, ended, `the state can only be ${describe(possible)}`);
  };
  const remove = async (): Promise<void> => {
    if (!subject.remove) return;
    const ended = await runLine(subject.remove);
    if (ended.code === 0) possible = new Set([undefined]);
    else if (ended.code === unknown) possible.add(undefined);
    else if (ended.code === conflict) report(subject.remove, ended, 'a conflict without another write');
    else if (ended.code === notFound) {
      if (!possible.has(undefined)) report(subject.remove, ended, 'not found, but it exists');
      possible = new Set([undefined]);
    }
  };

  const steps = [
    () => create(`${name}-1`),
    () => write(`${name}-2`),
    read,
    () => write(`${name}-3`),
    () => (random() < 0.5 ? remove() : read()),
  ];
  for (const step of steps.slice(0, 2 + Math.floor(random() * (steps.length - 1)))) await step();

  const state = await settled(subject, ask, possible);
  if (last && !possible.has(state))
    report(last.line, last.ended, `the service has ${state ?? 'nothing'}, not ${describe(possible)}`);
  return { codes, messages, untrue, stale };
}

const describe = (states: ReadonlySet<State>): string =>
  [...states].map((state) => state ?? 'nothing').join(' or ');

/** The state when the service responds again; a server that is behind gets some seconds. */
async function settled(subject: Subject, ask: Ask, expected: ReadonlySet<State>): Promise<State> {
  const observe = (): Promise<State> => subject.observe(ask);
  let state: State;
  for (let attempt = 0, responded = 0; responded < 12; attempt += 1) {
    try {
      state = await observe();
      responded += 1;
      if (expected.has(state)) return state;
    } catch (error) {
      if (attempt > 240) throw error;
    }
    await sleep(500);
  }
  return state;
}
