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
import type { Definitions } from '../io/definition-file.ts';
import type { Io, Streams } from '../io/io.ts';
import type { LargeFile } from '../io/large-file.ts';
import type { ListFile } from '../io/list-file.ts';
import type { LoginCallback } from '../io/login-callback.ts';
import type { OutputFile } from '../io/output-files.ts';
import type { PartialDownload } from '../io/partial-download.ts';
import type { Items, ItemsInput, VariableInput } from '../io/variable-file.ts';
import type { Result } from '../output/result.ts';
import type { StreamingList } from '../output/streaming-list.ts';
import type { Agent, Keys, SshClient, SshConfiguration } from '../ssh/types.ts';
import type { Json } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Pair } from './command.ts';
import type { StoredTokenStore } from './stored-tokens.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the process lends to `main`; tests make their own. */
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
  /** The command that starts this very program, for children that want to call it. */
  readonly selfCommand: readonly string[];
  /** The command that runs keyring-program; undefined: none, and tokens rest in a file. */
  readonly keyring: readonly [string, ...string[]] | undefined;
}

/** A call that no row of the tables describes (`lanyard api`). */
export interface AnyCall {
  readonly method: string;
  /** Path and query as the user wrote them. */
  readonly path: string;
  readonly content: Uint8Array | undefined;
}

/** The services; each is wired when it is first asked for. */
export interface Api {
  secrets(): Promise<SecretsClient>;
  /** The same with this token instead of the settings' own: one that is to be checked, stored or revoked. */
  secretsWith(token: string): Promise<SecretsClient>;
  /** The same for what has to come to its end: a signal ends such a call only after three seconds more. */
  secretsWithGracePeriod(): Promise<SecretsClient>;
  registry(): Promise<RegistryClient>;
  registryWith(token: string): Promise<RegistryClient>;
  box(): Promise<BoxClient>;
  accounts(): Promise<AccountsClient>;
  accountsWith(token: string): Promise<AccountsClient>;
  /** The ID of the token that calls to the account service carry; undefined: none, or it tells none. */
  accountsTokenId(): Promise<string | undefined>;
  scheduler(): Promise<SchedulerClient>;
  /** Large bodies: images that go to a service, or to where it wants them, and come from there. */
  transfer(service: ServiceName): Promise<Transfer>;
  call(service: ServiceName, call: AnyCall): Promise<ServiceResponse<unknown>>;
  /** Asks a service whether it knows a token; one that it does not accept is a result, and no failure. */
  checkToken(service: ServiceName, token: string): Promise<TokenCheck>;
  /** Asks a service for its state, product and version, and about its token; what is wrong is a result. */
  probe(service: ServiceName): Promise<Probe>;
  /** Where calls to the service go, and where each setting came from. */
  settings(service: ServiceName): Promise<Settings>;
  /** The same from the environment and the token files of the products alone; undefined: they name no address. */
  environment(service: ServiceName): Promise<Settings | undefined>;
}

export interface NewFile extends OutputFile {
  readonly content: string;
}

export interface EditedFile {
  readonly path: string;
  /** The file's part, for messages: "the known_hosts file". */
  readonly what: string;
  /** Permission bits where it is new. */
  readonly mode: number;
}

/** Files that users name; relative paths start at the working directory. */
export interface Files {
  readonly absolute: (path: string) => string;
  readonly exists: (path: string) => Promise<boolean>;
  /** Is it a regular file, or a link to one? */
  readonly isFile: (path: string) => Promise<boolean>;
  /** @throws LanyardError usage: missing, unreadable, a directory, too large, not text. */
  readonly readText: (path: string, what: string) => Promise<string>;
  /** The bytes of a file, at most `limit`. @throws LanyardError usage, as `readText`. */
  readonly readBytes: (path: string, what: string, limit: number) => Promise<Uint8Array>;
  /** Rejects, before anything is sent for them, targets that cannot be written. */
  readonly checkWritable: (targets: readonly OutputFile[]) => Promise<void>;
  /** All or none, new files of mode 0600, never through a symlink. */
  readonly write: (files: readonly NewFile[]) => Promise<void>;
  /** The files below a folder, relative, with `/`, sorted. @throws LanyardError usage: no folder, or links in it. */
  readonly listRecursively: (folder: string) => Promise<readonly string[]>;
  /** Makes a folder and those below it, of mode 0700; a link below it is rejected. */
  readonly createDirectories: (folder: string, below: readonly string[]) => Promise<void>;
  /** A file that is read in passes, however large. @throws LanyardError usage, as `readText`. */
  readonly openLarge: (path: string, what: string) => Promise<LargeFile>;
  /** What has come so far of a large file. @param hash of its checksum, `sha256` and the like. */
  readonly openPartialDownload: (
    target: { readonly path: string; readonly replace?: boolean },
    hash: string,
  ) => Promise<PartialDownload>;
  /** The names in a folder, sorted; undefined: it is not one. */
  readonly listDirectory: (path: string) => Promise<readonly string[] | undefined>;
  /** Makes a folder of mode 0700, and those above it, where it is missing. */
  readonly createDirectory: (path: string) => Promise<void>;
  /**
   * Changes a text file that others write too: under a lock, into a new file of the same mode that takes its place.
   *
   * @param change gets the text, empty where the file does not exist yet.
   * @returns whether it changed.
   * @throws LanyardError usage, as `readText` and `check`; what `change` throws.
   */
  readonly edit: (file: EditedFile, change: (text: string) => string) => Promise<boolean>;
  /** Removes a file that Lanyard wrote; none there is no failure. */
  readonly remove: (path: string) => Promise<void>;
}

/** What a user wants written: pairs, and a file of JSON (`-`: standard input). */
export interface JsonObjectInput {
  readonly pairs: readonly Pair[];
  readonly file: string | undefined;
}

/** The machine that this runs on. */
export interface Machine {
  /** Its host name, and the full name that the resolver has for it; lower case. */
  readonly hostNames: () => Promise<readonly string[]>;
  /** Is an address one of its interfaces', and not one that every machine has (loopback, link-local)? */
  readonly hasAddress: (address: string) => Promise<boolean>;
  /** Is an address one of these, or in one of these CIDR blocks? @throws LanyardError usage: an invalid block. */
  readonly isInCidrBlocks: (address: string, blocks: readonly string[]) => Promise<boolean>;
}

/** A child process that shares the terminal. */
export interface Child {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Environment;
  /** Default: the working directory. */
  readonly cwd?: string;
  /** Told of its process when it has started. */
  readonly onStart?: (pid: number) => void;
}

/** The user's browser, for logins that happen there. */
export interface Browser {
  /** Listens on loopback for the end of a login; 0 is a free port. @throws LanyardError usage: the port is taken. */
  listenForCallback(port: number): Promise<LoginCallback>;
  /** Opens an address; false: there is no browser to be seen. */
  open(url: string): Promise<boolean>;
}

/** What is edited; `name` is its name within the namespace of the settings. */
export interface EditedObject {
  readonly service: ServiceName;
  readonly name: string;
}

/** Texts of YAML that a person edits. */
export interface YamlEditor {
  /** A value as YAML. */
  readonly stringify: (value: unknown) => Promise<string>;
  /** The objects in a text of YAML; `name` is for messages. @throws LanyardError usage: it is invalid. */
  readonly parse: (text: string, name: string) => Promise<Definitions>;
  /** The items in a text of YAML, every value as written. @throws LanyardError usage: it holds none. */
  readonly parseItems: (text: string, name: string) => Promise<Items>;
  /**
   * The text as it was changed in the user's editor; undefined: it was left as it was, or emptied.
   * @throws LanyardError usage: no editor; failure: it ended with one; interrupted: a signal ended it.
   */
  readonly edit: (content: string) => Promise<string | undefined>;
  /**
   * A failure after the editing, with the text kept in a new file of mode 0600.
   * @param hintOf what to do with the file: it goes on from "Your text is kept in FILE".
   */
  readonly saveAfterFailure: (
    error: unknown,
    content: string,
    object: EditedObject,
    hintOf: (file: string) => string,
  ) => Promise<unknown>;
  /** The object was edited and written: texts of it that `keeping` kept before are removed. */
  readonly removeSaved: (object: EditedObject) => Promise<void>;
  /** The file was written to the service: it is removed if it is one that `keeping` kept. */
  readonly removeIfSaved: (file: string | undefined) => Promise<void>;
}

/** Everything that a command may touch. Expensive fields are functions. */
export interface Context {
  readonly api: Api;
  readonly keys: () => Promise<Keys>;
  readonly agent: () => Promise<Agent>;
  readonly sshClient: () => Promise<SshClient>;
  readonly sshConfiguration: () => Promise<SshConfiguration>;
  readonly files: Files;
  readonly machine: Machine;
  /**
   * The fields that a user wants written: those of the file, and the pairs, which take their place.
   * @throws LanyardError usage: a source that cannot be read, a file that is not one JSON object.
   */
  readonly readJsonObject: (given: JsonObjectInput) => Promise<Readonly<Record<string, Json>>>;
  /**
   * The list in a file of JSON, JSON lines or YAML (`-`: standard input), each entry with its line.
   * @throws LanyardError usage: a file that cannot be read, or holds no list.
   */
  readonly readListFile: (file: string) => Promise<ListFile>;
  /**
   * The objects that a user wrote in a file of JSON or YAML (`-`: standard input), each with its line.
   * @throws LanyardError usage: a file that cannot be read, or holds none.
   */
  readonly readDefinitions: (file: string) => Promise<Definitions>;
  /**
   * The items that a user wants written: those of a file of JSON, YAML or dotenv, and pairs, which take their place.
   * @throws LanyardError usage: a source that cannot be read, a file that is not of its format or holds no items.
   */
  readonly readItems: (given: ItemsInput) => Promise<Items>;
  /** The same, with what else the file says where it holds a whole variable. @throws LanyardError as `items`. */
  readonly readVariable: (given: ItemsInput) => Promise<VariableInput>;
  /**
   * The lines of a file, or of standard input (`-`), as they come.
   * @throws LanyardError usage: it cannot be read, or is not text.
   */
  readonly readLines: (file: string) => AsyncIterable<string>;
  readonly profiles: () => Promise<Profiles>;
  readonly credentials: () => Promise<Credentials>;
  readonly tokens: StoredTokenStore;
  readonly browser: Browser;
  readonly io: Io;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly env: Environment;
  readonly home: string;
  readonly signal: AbortSignal;
  readonly selfCommand: readonly string[];
  /** `--dry-run` was given. What is sent through the services is rehearsed whether a command looks here or not. */
  readonly dryRunFlag: boolean;
  /** Is this a rehearsal (`--dry-run`, `--curl`), which does nothing but show a request? */
  readonly isDryRun: boolean;
  /** Does writes of which none needs the response of another, one after the other; a rehearsal shows all of them. */
  readonly sequentially: <Item>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ) => Promise<void>;
  /** Name of the profile that `--profile` or `LANYARD_PROFILE` asks for. */
  readonly profileName: string | undefined;
  /** Runs a child to its end, passing signals on; its exit code, 128 + n for a signal. */
  readonly runChild: (child: Child) => Promise<number>;
  /**
   * Connects standard input and output to a TCP port, until both directions have ended.
   * @throws LanyardError unreachable.
   */
  readonly tunnel: (host: string, port: number) => Promise<void>;
  /** What a person does to texts, and to objects as YAML. */
  readonly yamlEditor: YamlEditor;
  /** Shows a result while the command goes on. */
  readonly show: (result: Result) => Promise<void>;
  /**
   * Shows a part of a long list before the rest is there, if the format is one of lines (jsonl).
   * @returns `kept`: it is another format, and the whole is to be returned at the end; `gone`: no one reads any more.
   */
  readonly showPartial: (part: Result) => Promise<'shown' | 'unsupported' | 'closed'>;
  /**
   * A list that grows while the command goes on, one item at a time.
   * @throws LanyardError usage: the format is `env`, which shows no list.
   */
  readonly streamList: () => Promise<StreamingList>;
  /**
   * What is shown of a request instead of sending it (`--dry-run`, `--curl`).
   * @param further what would follow it, in words: it depends on the response.
   * @throws any other error.
   */
  readonly dryRunResult: (error: unknown, further?: readonly string[]) => Promise<Result>;
  /** A new folder of mode 0700 that is the command's to remove. */
  readonly createTemporaryDirectory: (
    prefix: string,
  ) => Promise<{ readonly path: string; remove(): Promise<void> }>;
  /** Lanyard's own version. */
  readonly version: string;
}
