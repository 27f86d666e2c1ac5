import { isDeepStrictEqual } from 'node:util';
import type { Host } from '../../command/host.ts';
import type { SourceValues, SupervisedRun, WatchSettings } from '../../command/supervised-run.ts';
import { usage } from '../../errors.ts';
import { endingSignals, rejectInterrupted, type StartedChild, startChild } from '../../io/child.ts';
import { createMemoryFiles, type MemoryFiles } from '../../io/memory-files.ts';
import { stopGroup } from './stop-group.ts';
import { type Timing, ValueFeed } from './value-feed.ts';

type Parent = Pick<Host, 'cwd' | 'env' | 'signal' | 'platform' | 'random' | 'clock' | 'onSignal'>;

/** Values that the command can be started with. */
interface Generation {
  readonly values: readonly SourceValues[];
  readonly result: {
    /** The environment. */
    readonly variables: Readonly<Record<string, string>>;
    /** Puts the files in place. */
    readonly publish: () => Promise<void>;
  };
}

/** The environment variable with the directory of the files. */
const filesVariable = 'LANYARD_FILES';
/**
 * Runs a command with the values of sources, until it exits. Forwards signals. With `watch`, the command leads a process
 * group of its own, and is restarted, stopped or signaled when values change: only with new values of all sources that
 * were current at the same time. If they cannot be read, it keeps those that it has.
 *
 * @returns the exit code of the command, or 128 + n when signal n ended it.
 * @throws LanyardError of the first read; usage when the command cannot start; interrupted: by a signal before that.
 */
export async function supervise(run: SupervisedRun, parent: Parent, sleep: Timing['sleep']): Promise<number> {
  if (parent.platform === 'win32' && typeof run.watch?.action === 'object')
    throw usage('cannot send signals on Windows: expected --watch restart, exit or none');
  const supervisor = new Supervisor(run, parent, sleep);
  try {
    return await supervisor.run();
  } finally {
    await supervisor.close();
  }
}

class Supervisor {
  readonly #run: SupervisedRun;
  readonly #parent: Parent;
  readonly #sleep: Timing['sleep'];
  /** Ends reads and delays. */
  readonly #end = new AbortController();
  readonly #feed: ValueFeed<Generation['result']>;
  #files: MemoryFiles | undefined;
  #child: StartedChild | undefined;
  #values: readonly SourceValues[] = [];
  #removeListener: () => void = () => undefined;
  /** A signal that ends the command was forwarded. */
  #isEnding = false;
  /** Signals that arrived while the command was started. */
  #pending: NodeJS.Signals[] = [];

  constructor(run: SupervisedRun, parent: Parent, sleep: Timing['sleep']) {
    this.#run = run;
    this.#parent = parent;
    this.#sleep = sleep;
    const { clock, random } = parent;
    this.#feed = new ValueFeed(run, { clock, random, sleep }, this.#end.signal, (values) =>
      this.#prepare(values),
    );
  }

  async run(): Promise<number> {
    const { watch, withFiles, output } = this.#run;
    const first = await this.#readFirst();
    if (typeof watch?.action === 'object' && !withFiles && first.values.some(({ isFile }) => !isFile))
      output.note(
        `the environment of a running command cannot change: at ${watch.action.signal} it must read the new values itself (or use --files)`,
      );
    rejectInterrupted(this.#parent);
    this.#removeListener = this.#parent.onSignal((name) => this.#forward(name));
    await this.#start(first);
    return watch === undefined ? this.#current().ended : this.#superviseChild(watch);
  }

  /** Ends what is left, also after an error. */
  async close(): Promise<void> {
    this.#end.abort();
    const { watch } = this.#run;
    if (watch && (await this.#child?.isGroupRunning())) await this.#stop(watch);
    this.#removeListener();
    await this.#files?.remove();
  }

  async #superviseChild(watch: WatchSettings): Promise<number> {
    const following = watch.follow((source, items) => this.#report(source, items), this.#end.signal);
    // It returns when the watch has ended.
    const failed = following.then(() => new Promise<never>(() => undefined));
    for (;;) {
      const child = this.#current();
      const ended = child.ended.then(() => undefined);
      const next = await Promise.race([ended, failed, this.#feed.next(this.#values, watch)]);
      if (next === undefined || this.#isEnding || !child.isRunning()) return child.ended;
      const changed = describeChange(this.#values, next.values);
      if (typeof watch.action === 'object') {
        await this.#signalChange(next, { signal: watch.action.signal, changed });
        continue;
      }
      this.#run.output.note(`${changed}: sending ${watch.killSignal} to process ${child.pid}`);
      await this.#stop(watch);
      if (watch.action === 'exit' || this.#isEnding) return child.ended;
      await this.#start(next);
      this.#run.output.note(`started ${this.#run.command} again as process ${this.#current().pid}`);
    }
  }

  #current(): StartedChild {
    if (!this.#child) throw new Error('the command has not been started');
    return this.#child;
  }

  async #signalChange(
    { values, result }: Generation,
    { signal, changed }: { readonly signal: NodeJS.Signals; readonly changed: string },
  ): Promise<void> {
    await result.publish();
    this.#values = values;
    const child = this.#current();
    if (child.kill(signal)) this.#run.output.note(`${changed}: sent ${signal} to process ${child.pid}`);
  }

  async #start({ values, result }: Generation): Promise<void> {
    const { command, args, watch } = this.#run;
    const { cwd, env } = this.#parent;
    await result.publish();
    this.#child = startChild({ command, args, env: result.variables }, { cwd, env, group: watch && 'own' });
    await this.#child.started;
    this.#values = values;
    for (const signal of this.#pending.splice(0)) this.#forward(signal);
  }

  async #readFirst(): Promise<Generation> {
    const { signal } = this.#parent;
    const abort = (): void => this.#end.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await this.#feed.read();
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Prepares all that values need to be used: nothing of the command is changed. */
  async #prepare(values: readonly SourceValues[]): Promise<Generation['result']> {
    const { toVariables, publish, withFiles, output } = this.#run;
    const variables = toVariables(values.filter(({ isFile }) => !isFile));
    for (const value of Object.values(variables)) output.mask(value);
    if (!withFiles) return { variables, publish: () => publish(values) };
    this.#files ??= await createMemoryFiles(this.#parent.env);
    const publishMemory = await this.#files.prepare(variables);
    return {
      variables: { [filesVariable]: this.#files.path },
      publish: async () => {
        await publish(values);
        await publishMemory();
      },
    };
  }

  #report(source: number, items: SourceValues['items'] | undefined): void {
    if (items === undefined || !isDeepStrictEqual(items, this.#values[source]?.items)) this.#feed.report();
  }

  #forward(name: NodeJS.Signals): void {
    const { watch, output } = this.#run;
    this.#isEnding ||= endingSignals.includes(name);
    const child = this.#child;
    if (!child?.isRunning()) {
      this.#pending.push(name);
      return;
    }
    if (!child.forward(name)) return;
    const say = watch && name !== 'SIGWINCH' ? output.note : output.detail;
    say(`forwarded ${name} to process ${child.pid}`);
  }

  /** Stops the command and what it has started. */
  #stop({ killSignal, killTimeoutMs }: WatchSettings): Promise<void> {
    const child = this.#current();
    return stopGroup(child, {
      signal: killSignal,
      timeoutMs: killTimeoutMs,
      sleep: this.#sleep,
      onTimeout: () =>
        this.#run.output.warn(
          `process ${child.pid} did not exit within ${killTimeoutMs / 1000}s of ${killSignal}: sending SIGKILL`,
        ),
    });
  }
}

/** The names of the sources that differ. */
function describeChange(before: readonly SourceValues[], now: readonly SourceValues[]): string {
  const changed = now.filter((source, index) => !isDeepStrictEqual(source, before[index]));
  return `${changed.map(({ name }) => name).join(', ')} changed`;
}
