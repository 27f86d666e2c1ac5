import type { AccountsClient } from '../api/accounts.ts';
import type { AnyCall } from '../api/any-call.ts';
import type { BoxClient } from '../api/box.ts';
import type { ServiceResponse } from '../api/http/response.ts';
import type { TokenCheck } from '../api/identity.ts';
import type { Transfer } from '../api/images/transfer.ts';
import type { Probe } from '../api/probe.ts';
import type { RegistryClient } from '../api/registry.ts';
import type { SchedulerClient } from '../api/scheduler.ts';
import type { SecretsClient } from '../api/secrets.ts';
import type { Settings } from '../api/settings.ts';
import type { Credentials } from '../config/credentials.ts';
import type { Instances } from '../config/instances.ts';
import type { Profiles } from '../config/profiles.ts';
import type { OnSignal } from '../io/child.ts';
import type { Messages, Prompts, Streams } from '../io/io.ts';
import type { EventStream } from '../output/event-stream.ts';
import type { DryRunResult, Result } from '../output/result.ts';
import type { StreamingList } from '../output/streaming-list.ts';
import type { agent } from '../ssh/agent.ts';
import type { sshConfiguration } from '../ssh/ssh-configuration.ts';
import type { Keys, SshClient } from '../ssh/types.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Authorization, BrowserLoginOptions, LoginPage } from './browser-login.ts';
import type { ImportableSetting } from './importable-settings.ts';
import type { StoredTokenStore } from './stored-tokens.ts';
import type { system } from './system.ts';
import type { userFiles } from './user-files.ts';
import type { inputReaders } from './user-input.ts';
import type { yamlEditor } from './yaml-editor.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the process passes to `main`; tests make their own. */
export interface Host extends Streams {
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly clock: () => Date;
  /** A signal that aborts after this many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Aborts on SIGINT, SIGTERM, SIGHUP and SIGQUIT. */
  readonly signal: AbortSignal;
  /**
   * Passes all signals to a listener, which forwards them to a child; `signal` is aborted only if the listener
   * `interrupts`.
   *
   * @returns removes the listener.
   */
  readonly onSignal: OnSignal;
  /** The command that starts this program, for children that call it. */
  readonly selfCommand: readonly string[];
  /** The command that runs keyring-program; undefined: tokens are stored in a file. */
  readonly keyring: readonly [string, ...string[]] | undefined;
}

/** The services; each client is created on first use. */
export interface Api {
  secrets(): Promise<SecretsClient>;
  /** A client with this token instead of the configured one: a token to check, store or revoke. */
  secretsWith(token: string): Promise<SecretsClient>;
  /** A client for calls that must complete: a signal aborts them only after three more seconds. */
  secretsWithGracePeriod(): Promise<SecretsClient>;
  /** The same client, faster for hundreds of calls that may be sent twice: signing, reads. */
  secretsForMany(): Promise<SecretsClient>;
  registry(): Promise<RegistryClient>;
  registryWith(token: string): Promise<RegistryClient>;
  /** A client whose calls only this signal aborts: those that must complete after a signal to the process. */
  registryUntil(end: AbortSignal): Promise<RegistryClient>;
  box(): Promise<BoxClient>;
  accounts(): Promise<AccountsClient>;
  accountsWith(token: string): Promise<AccountsClient>;
  /** The ID in the configured token of the account service; undefined: no token, or a token without an ID. */
  accountsTokenId(): Promise<string | undefined>;
  scheduler(): Promise<SchedulerClient>;
  /** As `registryUntil`. */
  schedulerUntil(end: AbortSignal): Promise<SchedulerClient>;
  /** The same services for a series of writes: after a signal, the running call has ten more seconds. */
  lasting(): Promise<
    Pick<Api, 'secrets' | 'registry' | 'scheduler' | 'box' | 'accounts' | 'settings' | 'transfer'>
  >;
  /** Clients for reads that are repeated anyway: no call is retried, and only this signal aborts them. */
  withoutRetries(end: AbortSignal): Promise<Pick<Api, 'secrets' | 'registry' | 'scheduler'>>;
  /** Upload and download of images. */
  transfer(service: ServiceName): Promise<Transfer>;
  call(service: ServiceName, call: AnyCall): Promise<ServiceResponse<unknown>>;
  /** Checks whether a service accepts a token; a rejected token is a result, not an error. */
  checkToken(service: ServiceName, token: string): Promise<TokenCheck>;
  /** State, product and version of a service, and its token; a problem is a result, not an error. */
  probe(service: ServiceName): Promise<Probe>;
  /** The effective settings of a service, with the source of each. */
  settings(service: ServiceName): Promise<Settings>;
  /** The settings from the environment and the token files of the products alone; undefined: no address. */
  environment(service: ServiceName): Promise<Settings | undefined>;
}

/** What the user passes to a command: prompts, secrets, standard input (`-`), files and texts from the editor. */
export type UserInput = Prompts &
  ReturnType<typeof inputReaders> & {
    readonly yamlEditor: ReturnType<typeof yamlEditor>;
    /** Logs in with the browser, through a redirect to this machine; `requestUrl` gets the URI of the redirect. */
    authorizeInBrowser(
      options: BrowserLoginOptions,
      requestUrl: (redirectUri: string) => Promise<string>,
    ): Promise<Authorization>;
    /**
     * A JWT from its source: those of `readSecret`, `github://AUDIENCE` (the OIDC token of a job of GitHub Actions) or
     * `gitlab://NAME` (a variable of `id_tokens`).
     */
    readJwt(source: string | undefined, what: string): Promise<string>;
    /** Opens the page of a login that ends at the service, or prints its URL. */
    openLoginPage(page: LoginPage): Promise<void>;
  };

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

/** Files that users name; relative paths start at the working directory. */
export type Files = ReturnType<typeof userFiles> & { absolute(path: string): string };

export interface Ssh {
  keys(): Promise<Keys>;
  agent(): Promise<ReturnType<typeof agent>>;
  client(): Promise<SshClient>;
  configuration(): Promise<typeof sshConfiguration>;
}

/** The profiles and the tokens stored for them. */
export interface ProfileStore extends Pick<Profiles, 'read' | 'change'> {
  /** Name of the profile that `--profile` or `LANYARD_PROFILE` selects. */
  readonly name: string | undefined;
  readonly credentials: Credentials;
  /** The settings of a service that can be stored in a profile; none of them is a secret. */
  importable(settings: Settings): Promise<readonly ImportableSetting[]>;
  readonly tokens: StoredTokenStore;
  /** The running instances of `lanyard dev`. */
  instances(): Promise<Instances>;
}

/** The process and the machine. */
export interface System
  extends Pick<Host, 'clock' | 'random' | 'env' | 'home' | 'signal' | 'selfCommand'>,
    ReturnType<typeof system> {
  /** Lanyard's own version. */
  readonly version: string;
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
