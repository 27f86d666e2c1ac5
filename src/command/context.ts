import type { Messages } from '../io/io.ts';
import type { EventStream } from '../output/event-stream.ts';
import type { DryRunResult, Result } from '../output/result.ts';
import type { StreamingList } from '../output/streaming-list.ts';
import type { Agent } from '../ssh/agent.ts';
import type { SshClient } from '../ssh/client.ts';
import type { Keys } from '../ssh/keys.ts';
import type { Revocations } from '../ssh/krl/revocation.ts';
import type { SshConfiguration } from '../ssh/ssh-configuration.ts';
import type { Api } from './api.ts';
import type { Files } from './files.ts';
import type { UserInput } from './input.ts';
import type { ProfileStore } from './profile-store.ts';
import type { System } from './system.ts';

/** What a command shows besides the result that it returns, and the state of a dry run. */
export interface UserOutput extends Messages {
  /** Shows a result before the command ends. */
  show(result: Result): Promise<void>;
  /**
   * Shows a part of a long list, if the format is jsonl.
   * @returns `unsupported`: another format, return the complete list at the end; `closed`: the reader is gone.
   */
  showPartial(part: Result): Promise<'shown' | 'unsupported' | 'closed'>;
  /** A list that is shown item by item. @throws LanyardError usage: the format is `env`, which has no lists. */
  streamList(): Promise<StreamingList>;
  /** A result that is shown again at each change. @throws LanyardError usage: the format has only one document. */
  streamEvents(): Promise<EventStream>;
  /** Text whose commands (between backticks) have the profile, address, namespace and mount of the command line. */
  repeatFlags(hint: string): Promise<string>;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** `--dry-run` was given. */
  readonly dryRunFlag: boolean;
  /** `--dry-run` or `--curl` was given: requests are shown and not sent. */
  readonly isDryRun: boolean;
  /**
   * The requests of a dry run (`--dry-run`, `--curl`), from the error that stopped it.
   * @param followUps descriptions of requests that depend on the response.
   * @throws any other error.
   */
  dryRunResult(error: unknown, followUps?: readonly string[]): Promise<DryRunResult>;
  /** Runs independent writes one after the other; a dry run shows the requests of all. */
  sequentially<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void>;
}

export interface Ssh {
  keys(): Promise<Keys>;
  agent(): Promise<Agent>;
  client(): Promise<SshClient>;
  configuration(): Promise<SshConfiguration>;
  /** Key revocation lists. */
  revocation(): Promise<Revocations>;
}

/** Everything that a command may use. The modules behind each group are loaded on first use. */
export interface Context {
  readonly api: Api;
  readonly input: UserInput;
  readonly output: UserOutput;
  readonly files: Files;
  readonly ssh: Ssh;
  readonly profile: ProfileStore;
  readonly system: System;
}
