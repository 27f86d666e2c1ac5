import type { Child, Program } from '../io/child.ts';
import type { Messages } from '../io/io.ts';
import type { LocalProcess } from '../io/local-host.ts';
import type { LoginCallback } from '../io/login-callback.ts';
import type { Plugin } from '../io/plugins.ts';
import type { TemporaryDirectory } from '../io/private-directory.ts';
import type { ProgramOutput } from '../io/program-output.ts';
import type { Host } from './host.ts';
import type { SupervisedRun } from './supervised-run.ts';

/** A lock of a service that this run acquires, with an ID of its own. */
export interface ServiceLock {
  /** In messages: `variable "app/db"`. */
  readonly name: string;
  /** The time to live, in milliseconds: the service ends the lock if it is not renewed. */
  readonly ttlMs: number;
  /**
   * One attempt; a repeated one is harmless.
   * @param end aborts it: the time to wait has ended.
   * @returns whether the lock is held. If it rejects, the lock may be held.
   */
  acquire(end: AbortSignal): Promise<boolean>;
  /** Waits until another attempt may succeed, for at most `maxMs`. */
  untilFree(maxMs: number, end: AbortSignal): Promise<void>;
  /** The calls while the lock is held. Only `end` aborts them: a child that a signal reached may still run. */
  hold(end: AbortSignal): {
    /** @returns false: the lock is lost. Rejects if the state is unknown. */
    renew(): Promise<boolean>;
    /** Returns when the lock is lost, before a renewal would notice it; never rejects. */
    watch?(): Promise<void>;
  };
  /** Releases the lock if it may be held. */
  release(): Promise<void>;
  /** How to release a lock that could not be released and may not expire; undefined: it expires. */
  unreleased?(): string | undefined;
}

export interface LockedRun {
  /** The command, made when the lock is held. */
  readonly child: () => Program;
  /** How long to wait for the lock, in milliseconds; undefined: until it is free. */
  readonly waitMs: number | undefined;
  /** Milliseconds between SIGTERM and SIGKILL if the lock is lost. */
  readonly graceMs: number;
  readonly output: Pick<Messages, 'note' | 'warn' | 'detail'>;
}

/** The parts of `System` that are loaded on first use. */
export interface Machine {
  hostNames(): Promise<string[]>;
  /** The user of this process and the host name: `ada@laptop`. */
  localUser(): Promise<string>;
  localProcess(): Promise<LocalProcess>;
  isProcessGone(process: Partial<LocalProcess>): Promise<boolean>;
  /** Whether this machine has an address. */
  hasAddress(address: string): Promise<boolean>;
  isInCidrBlocks(address: string, blocks: readonly string[]): Promise<boolean>;
  /** Runs a child with the streams of this process. @returns its exit code. */
  runChild(child: Child): Promise<number>;
  /**
   * Runs a program that only reads, also in a dry run.
   * @returns undefined: it is not installed.
   */
  readOutput(program: Pick<Program, 'command' | 'args'>): Promise<ProgramOutput | undefined>;
  /** Runs a command while a lock of a service is held. @returns its exit code. */
  runWithLock(lock: ServiceLock, run: LockedRun): Promise<number>;
  /** Runs a command with the values of sources, and with `watch` until they change. @returns its exit code. */
  supervise(run: SupervisedRun): Promise<number>;
  /**
   * Sends a signal to another process.
   *
   * @returns false: it does not exist.
   * @throws LanyardError failure: not permitted.
   */
  signalProcess(pid: number, signal: NodeJS.Signals): Promise<boolean>;
  /** Waits, at most until a signal to the process, or until another signal. */
  sleep(ms: number, end?: AbortSignal): Promise<undefined>;
  /** Connects standard input and output with a port. */
  tunnel(to: string, port: number): Promise<void>;
  listenForCallback(port: number): Promise<LoginCallback>;
  /** @returns whether a browser was started. */
  openBrowser(url: string): Promise<boolean>;
  createTemporaryDirectory(prefix: string): Promise<TemporaryDirectory>;
  /** The command that starts this program, for files that stay: by the paths in PATH, if the programs are there. */
  installedCommand(): Promise<readonly string[]>;
  /** Whether a word is the first of a command of the program itself. */
  isBuiltIn(word: string): Promise<boolean>;
  /** The programs in PATH that can be run as commands. */
  plugins(): Promise<readonly Plugin[]>;
}

/** What a command returned that another one ran. */
export interface CommandResult {
  readonly data?: unknown;
  /** Absent: 0. */
  readonly exitCode?: number | undefined;
}

/** The process and the machine. */
export interface System
  extends Pick<Host, 'clock' | 'random' | 'env' | 'home' | 'signal' | 'selfCommand'>,
    Machine {
  /**
   * Runs another command of the program with the prompts, notes and dry run of this one, as if its line was typed: a
   * command that does the work of several areas (docs/adr/0093-ssh-defaults-of-a-profile.md).
   *
   * @param words those after the program; the profile is `-p NAME` among them.
   * @returns its result, which is not shown.
   */
  readonly runCommand: (words: readonly string[]) => Promise<CommandResult | undefined>;
  /** Lanyard's own version. */
  readonly version: string;
}
