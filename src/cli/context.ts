import type { AccountsClient } from '../api/accounts.ts';
import type { BoxClient } from '../api/box.ts';
import type { ServiceResponse } from '../api/http/response.ts';
import type { TokenCheck } from '../api/identity.ts';
import type { Transfer } from '../api/image-transfer.ts';
import type { Probe } from '../api/probe.ts';
import type { RegistryClient } from '../api/registry.ts';
import type { SchedulerClient } from '../api/scheduler.ts';
import type { SecretsClient } from '../api/secrets.ts';
import type { Settings } from '../api/settings.ts';
import type { Credentials, Profiles } from '../config/profile.ts';
import type { Child } from '../io/child.ts';
import type { Definitions } from '../io/definition-file.ts';
import type { EditedFile } from '../io/files.ts';
import type { JsonObjectInput } from '../io/input-file.ts';
import type { Messages, Prompts, Streams } from '../io/io.ts';
import type { LargeFile } from '../io/large-file.ts';
import type { ListFile } from '../io/list-file.ts';
import type { LoginCallback } from '../io/login-callback.ts';
import type { OutputFile } from '../io/output-files.ts';
import type { PartialDownload } from '../io/partial-download.ts';
import type { Items, ItemsInput, VariableInput } from '../io/variable-file.ts';
import type { Result } from '../output/result.ts';
import type { StreamingList } from '../output/streaming-list.ts';
import type { agent } from '../ssh/agent.ts';
import type { sshConfiguration } from '../ssh/ssh-configuration.ts';
import type { Keys, SshClient } from '../ssh/types.ts';
import type { Json } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';
import type { StoredTokenStore } from './stored-tokens.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the process passes to `main`; tests make their own. */
export interface Host extends Streams {
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly clock: () => Date;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Aborts on SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** The command that starts this program, for children that call it. */
  readonly selfCommand: readonly string[];
  /** The command that runs keyring-program; undefined: tokens are stored in a file. */
  readonly keyring: readonly [string, ...string[]] | undefined;
}

/** A request that is not in the operation tables (`lanyard api`). */
export interface AnyCall {
  readonly method: string;
  /** Path and query as the user wrote them. */
  readonly path: string;
  readonly content: Uint8Array | undefined;
}

/** The services; each client is created on first use. */
export interface Api {
  secrets(): Promise<SecretsClient>;
  /** A client with this token instead of the configured one: a token to check, store or revoke. */
  secretsWith(token: string): Promise<SecretsClient>;
  /** A client for calls that must complete: a signal aborts them only after three more seconds. */
  secretsWithGracePeriod(): Promise<SecretsClient>;
  registry(): Promise<RegistryClient>;
  registryWith(token: string): Promise<RegistryClient>;
  box(): Promise<BoxClient>;
  accounts(): Promise<AccountsClient>;
  accountsWith(token: string): Promise<AccountsClient>;
  /** The ID in the configured token of the account service; undefined: no token, or a token without an ID. */
  accountsTokenId(): Promise<string | undefined>;
  scheduler(): Promise<SchedulerClient>;
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

/** What is edited; `name` is its name within the namespace of the settings. */
export interface EditedObject {
  readonly service: ServiceName;
  readonly name: string;
}

/** YAML texts that a user edits. */
export interface YamlEditor {
  stringify(value: unknown): Promise<string>;
  /** The objects in a YAML text; `name` is for messages. @throws LanyardError usage: invalid. */
  parse(text: string, name: string): Promise<Definitions>;
  /** The items in a YAML text, every value as written. @throws LanyardError usage: no items. */
  parseItems(text: string, name: string): Promise<Items>;
  /**
   * The text after the user's editor; undefined: unchanged or emptied.
   * @throws LanyardError usage: no editor; failure: the editor failed; interrupted: a signal ended it.
   */
  edit(content: string): Promise<string | undefined>;
  /**
   * Saves the text after a failure, in a new file of mode 0600, and returns the error with a hint.
   * @param hintOf what to do with the file; continues "Your text is saved in FILE".
   */
  saveAfterFailure(
    error: unknown,
    content: string,
    object: EditedObject,
    hintOf: (file: string) => string,
  ): Promise<unknown>;
  /** Removes saved texts of an object that has been written. */
  removeSaved(object: EditedObject): Promise<void>;
  /** Removes a file that has been written to the service, if it is a saved text. */
  removeIfSaved(file: string | undefined): Promise<void>;
}

/** What the user passes to a command: prompts, secrets, standard input (`-`), files and texts from the editor. */
export interface UserInput extends Prompts {
  /**
   * Fields from a JSON file and from pairs, which override those of the file.
   * @throws LanyardError usage: an unreadable source, or not one JSON object.
   */
  readJsonObject(input: JsonObjectInput): Promise<Readonly<Record<string, Json>>>;
  /** A list in JSON, JSON lines or YAML, with the line of each entry. @throws LanyardError usage: no list. */
  readListFile(file: string): Promise<ListFile>;
  /** The objects in a JSON or YAML file, with the line of each. @throws LanyardError usage: none. */
  readDefinitions(file: string): Promise<Definitions>;
  /**
   * Items from a JSON, YAML or dotenv file and from pairs, which override those of the file.
   * @throws LanyardError usage: an unreadable source, an invalid file, or no items.
   */
  readItems(input: ItemsInput): Promise<Items>;
  /** As `readItems`, with path, namespace and index if the file contains a complete variable. */
  readVariable(input: ItemsInput): Promise<VariableInput>;
  /** The lines of a file. @throws LanyardError usage: unreadable, or not text. */
  readLines(file: string): Promise<AsyncIterable<string>>;
  readonly yamlEditor: YamlEditor;
}

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
  /** `--dry-run` was given. */
  readonly dryRunFlag: boolean;
  /** `--dry-run` or `--curl` was given: requests are shown and not sent. */
  readonly isDryRun: boolean;
  /**
   * The requests of a dry run (`--dry-run`, `--curl`), from the error that stopped it.
   * @param followUps descriptions of requests that depend on the response.
   * @throws any other error.
   */
  dryRunResult(error: unknown, followUps?: readonly string[]): Promise<Result>;
  /** Runs independent writes one after the other; a dry run shows the requests of all. */
  sequentially<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void>;
}

/** Files that users name; relative paths start at the working directory. */
export interface Files {
  absolute(path: string): string;
  exists(path: string): Promise<boolean>;
  /** Whether it is a regular file, or a link to one. */
  isFile(path: string): Promise<boolean>;
  /**
   * @param what the role of the file, for messages: "the public key".
   * @param limit in bytes (default 1 MiB).
   * @throws LanyardError usage: missing, unreadable, a directory, too large, not text.
   */
  readText(path: string, what: string, limit?: number): Promise<string>;
  /** @param limit in bytes. @throws LanyardError usage, as `readText`. */
  readBytes(path: string, what: string, limit: number): Promise<Uint8Array>;
  /** Rejects files that cannot be written, before a request is sent for them. */
  checkWritable(targets: readonly OutputFile[]): Promise<void>;
  /** Writes all files or none; new files have mode 0600, and symbolic links are not followed. */
  write(files: readonly (OutputFile & { readonly content: string })[]): Promise<void>;
  /** Relative paths of the files below a directory, with `/`, sorted. @throws LanyardError usage: links in it. */
  listRecursively(directory: string): Promise<readonly string[]>;
  /** Creates a directory and directories below it with mode 0700; rejects links below it. */
  createDirectories(directory: string, below: readonly string[]): Promise<void>;
  /** A file of any size, read in several passes. @throws LanyardError usage, as `readText`. */
  openLarge(path: string, what: string): Promise<LargeFile>;
  /** @param hash algorithm of the checksum, such as `sha256`. */
  openPartialDownload(
    target: { readonly path: string; readonly replace?: boolean },
    hash: string,
  ): Promise<PartialDownload>;
  /** The names in a directory, sorted; undefined: not a directory. */
  listDirectory(path: string): Promise<readonly string[] | undefined>;
  /** Creates a missing directory and its parents with mode 0700. */
  createDirectory(path: string): Promise<void>;
  /**
   * Changes a text file that other programs write too: locked, replaced by a new file of the same mode.
   *
   * @param change gets the text, empty if the file does not exist.
   * @returns whether the file changed.
   * @throws LanyardError usage, as `readText` and `checkWritable`; what `change` throws.
   */
  edit(file: EditedFile, change: (text: string) => string): Promise<boolean>;
  /** Removes a file that Lanyard wrote, if it exists. */
  remove(path: string): Promise<void>;
}

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
  readonly tokens: StoredTokenStore;
}

/** The process and the machine. */
export interface System extends Pick<Host, 'clock' | 'random' | 'env' | 'home' | 'signal' | 'selfCommand'> {
  /** Lanyard's own version. */
  readonly version: string;
  /** The host name, and the full name that the resolver has for it; lower case. */
  hostNames(): Promise<readonly string[]>;
  /** Whether an address belongs to an interface of this machine; loopback and link-local do not count. */
  hasAddress(address: string): Promise<boolean>;
  /** Whether an address is in a list of addresses and CIDR blocks. @throws LanyardError usage: an invalid block. */
  isInCidrBlocks(address: string, blocks: readonly string[]): Promise<boolean>;
  /** Runs a child that shares the terminal. @returns its exit code, 128 + n for a signal. */
  runChild(child: Child): Promise<number>;
  /**
   * Connects standard input and output to a TCP port, until both directions have ended.
   * @throws LanyardError unreachable.
   */
  tunnel(host: string, port: number): Promise<void>;
  /** Listens on loopback for the end of a browser login; 0 is a free port. @throws LanyardError usage: port in use. */
  listenForCallback(port: number): Promise<LoginCallback>;
  /** Opens a URL; false: no browser is available. */
  openBrowser(url: string): Promise<boolean>;
  /** A new directory of mode 0700 that the command removes. */
  createTemporaryDirectory(prefix: string): Promise<{ readonly path: string; remove(): Promise<void> }>;
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
