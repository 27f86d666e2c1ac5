import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A program to run from start to end; its output is thrown away. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What was seen over all counted runs, in milliseconds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Comparison {
  readonly subject: Spread;
  readonly floor: Spread;
  /** Median of the ratios of subject to floor, pair by pair: load that comes and goes hits both alike. */
  readonly ratio: number;
  /** Median of the differences, pair by pair. */
  readonly more: number;
}

const warmUp = 3;

/**
 * Runs two programs as whole processes, alternately, and compares the time from start to exit.
 *
 * @param pairs how many runs of each are counted; three more come first and are not.
 * @throws Error when a run does not end with exit code 0.
 */
export function compareWall(subject: Program, floor: Program, pairs = 21): Comparison {
  return compare(subject, floor, pairs, wall);
}

/** Compares the processor time (user and system, all threads) as {@link compareWall} compares wall time. */
export function compareCpu(subject: Program, floor: Program, pairs = 15): Comparison {
  return compare(subject, floor, pairs, cpu);
}

function compare(
  subject: Program,
  floor: Program,
  pairs: number,
  measure: (program: Program) => number,
): Comparison {
  const seen: { subject: number; floor: number }[] = [];
  for (let run = -warmUp; run < pairs; run++) {
    const pair = { subject: measure(subject), floor: measure(floor) };
    if (run >= 0) seen.push(pair);
  }
  return {
    subject: spread(seen.map((pair) => pair.subject)),
    floor: spread(seen.map((pair) => pair.floor)),
    ratio: median(seen.map((pair) => pair.subject / pair.floor)),
    more: median(seen.map((pair) => pair.subject - pair.floor)),
  };
}

function wall(program: Program): number {
  const started = performance.now();
  const { status, signal, error } = spawnSync(program.command, program.args, {
    env: { ...process.env, ...program.env },
    stdio: 'ignore',
  });
  const taken = performance.now() - started;
  if (status !== 0) throw failed(program, error?.message ?? `exit ${status ?? signal}`);
  return taken;
}

/** The processor time of one run (user and system, all threads), in milliseconds. @throws Error as {@link compareCpu} */
export const processorTime = (program: Program): number => cpu(program);

// Bash tells a child's processor time to the millisecond, which Node cannot.
function cpu(program: Program): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>/dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', program.command, ...program.args], {
    env: { ...process.env, ...program.env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw failed(program, `exit ${status}`);
  const [user, system] = stderr.trim().split(' ').map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1000;
}

/**
 * The most memory that a program held at one time, in MiB, median of several runs; undefined where the system
 * has no /proc.
 */
export async function peakMemory(program: Program, runs = 5): Promise<number | undefined> {
  const peaks: (number | undefined)[] = [];
  for (let run = 0; run < runs; run++) peaks.push((await oneRun(program)).peak);
  return peaks.every((peak) => peak !== undefined) ? median(peaks) : undefined;
}

/** What one run of a program took. */
export interface Run {
  readonly milliseconds: number;
  /** The most memory that it held at one time, in MiB; undefined where the system has no /proc. */
  readonly peak: number | undefined;
}

/**
 * Runs a program once. The kernel keeps the peak as long as the process lives, so the last reading before the end
 * is it.
 *
 * @throws Error when it does not end with exit code 0.
 */
export function oneRun(program: Program): Promise<Run> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(program.command, program.args, {
      env: { ...process.env, ...program.env },
      stdio: 'ignore',
    });
    let peak: number | undefined;
    const timer = setInterval(() => {
      peak = memoryOf(child.pid, 'VmHWM') ?? peak;
    }, 1);
    child.on('error', fail);
    child.on('exit', (code) => {
      clearInterval(timer);
      if (code === 0) done({ milliseconds: performance.now() - started, peak });
      else fail(failed(program, `exit ${code}`));
    });
  });
}

/** Memory of a running process, in MiB, now (VmRSS) or at its peak (VmHWM); undefined where it cannot be told. */
export function memoryOf(pid: number | undefined, which: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kibibytes = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Ticks per second of processor time in /proc; the same on every machine with Linux. */
const ticksPerSecond = 100;

/** Processor time of a running process (user and system, all threads), in milliseconds; undefined where it cannot be told. */
export function processorTimeOf(pid: number): number | undefined {
  try {
    // The name of the program is in parentheses, and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** Does the program run and end with exit code 0? */
export function works(program: Program): boolean {
  return (
    spawnSync(program.command, program.args, { env: { ...process.env, ...program.env }, stdio: 'ignore' })
      .status === 0
  );
}

const failed = (program: Program, how: string): Error => new Error(`${program.name} failed: ${how}`);

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
