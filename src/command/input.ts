import type { AgeFiles } from '../io/age-file.ts';
import type { Definitions } from '../io/definition-file.ts';
import type { JsonObjectInput } from '../io/input-file.ts';
import type { Prompts } from '../io/io.ts';
import type { ListFile } from '../io/list-file.ts';
import type { CompilePattern } from '../io/patterns.ts';
import type { Items, ItemsInput, VariableInput } from '../io/variable-file.ts';
import type { Expression, ExpressionOptions } from '../output/expression.ts';
import type { Template } from '../output/template/template.ts';
import type { Json } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';

export interface BrowserLoginOptions {
  readonly service: ServiceName;
  /** The local port that the provider redirects the browser to. */
  readonly port: number;
  readonly opensBrowser: boolean;
  /** How long to wait for the browser, as a Go duration. */
  readonly wait: string;
}

/** A page on which a login is completed. */
export interface LoginPage {
  readonly service: ServiceName;
  readonly url: string;
  readonly opensBrowser: boolean;
}

/** What the provider redirected the browser with. */
export interface Authorization {
  readonly state: string;
  readonly code: string;
}

/** What is edited; `name` is its name within the namespace of the settings. */
export interface EditedObject {
  readonly service: ServiceName;
  readonly name: string;
}

/** The editor of YAML texts. In a dry run, texts are neither saved nor removed. */
export interface YamlEditor {
  stringify(value: unknown): Promise<string>;
  parse(text: string, name: string): Promise<Definitions>;
  /** The items in a YAML text, every value as written. @throws LanyardError usage: no items. */
  parseItems(text: string, name: string): Promise<Items>;
  /** The changed text; undefined: unchanged, or only comments are left. */
  edit(content: string): Promise<string | undefined>;
  /** Saves an edited text after a failure. @param hintOf what to do with the file; continues "Your text is saved in FILE". */
  saveAfterFailure(
    error: unknown,
    content: string,
    object: EditedObject,
    hintOf: (file: string) => string,
  ): Promise<unknown>;
  /** Names the saved texts of earlier edits of an object, which were not written. */
  noteSaved(object: EditedObject): Promise<void>;
  /** Removes a file that has been written to the service, if it is a saved text. */
  removeIfSaved(file: string | undefined): Promise<void>;
}

/** Readers of files that the user names, and of standard input (`-`). */
export interface InputReaders {
  readJsonObject(input: JsonObjectInput): Promise<Readonly<Record<string, Json>>>;
  readListFile(file: string): Promise<ListFile>;
  readDefinitions(file: string, options?: { readonly takesHcl?: boolean }): Promise<Definitions>;
  readItems(input: ItemsInput): Promise<Items>;
  readVariable(input: ItemsInput): Promise<VariableInput>;
  /** A JMESPath expression. @throws LanyardError usage: invalid syntax, an unknown function or field. */
  expression(text: string, options: ExpressionOptions): Promise<Expression>;
  /**
   * Parses template files, `-` for standard input.
   *
   * @param sources names of the filters that read a value by its name.
   * @throws LanyardError usage: a file is unreadable, or not a template.
   */
  readTemplates(files: readonly string[], sources: readonly string[]): Promise<readonly Template[]>;
  /** A compiler of the patterns that services have. */
  patterns(): Promise<CompilePattern>;
  /** Files that are encrypted with a passphrase, or for keys. */
  ageFiles(): Promise<AgeFiles>;
  readLines(file: string): Promise<AsyncIterable<readonly string[]>>;
  /** The lines of a log, which may be compressed; undefined in place of one that is too long. */
  readLogLines(file: string): Promise<AsyncIterable<readonly (string | undefined)[]>>;
}

/** What the user passes to a command: prompts, secrets, standard input (`-`), files and texts from the editor. */
export interface UserInput extends Prompts, InputReaders {
  readonly yamlEditor: YamlEditor;
  /** Logs in with the browser, through a redirect to this machine; `requestUrl` gets the URI of the redirect. */
  authorizeInBrowser(
    options: BrowserLoginOptions,
    requestUrl: (redirectUri: string) => Promise<string>,
  ): Promise<Authorization>;
  /**
   * A JWT from its source: as for `readSecret`, `github://AUDIENCE` (the OIDC token of a job of GitHub Actions) or
   * `gitlab://NAME` (a variable of `id_tokens`).
   */
  readJwt(source: string | undefined, what: string): Promise<string>;
  /** Opens the page of a login that ends at the service, or prints its URL. */
  openLoginPage(page: LoginPage): Promise<void>;
}
