import type { CanaryName } from '../canary/scan.ts';
import type { FaultRow } from '../faults/classes.ts';
import type { RunOptions } from '../support/run.ts';

/**
 * What tests have to know of a command and cannot derive from it or record. Most commands have a row of a few lines,
 * many have none.
 */
export interface Facts {
  /** Command lines before its examples, one on each line. `NAME=$(...)` sets a variable. */
  readonly before?: string;
  /** What is particular about its examples, by the example, or about `every` one. */
  readonly examples?: Readonly<Record<string, Example>>;
  /**
   * Where the secrets that it handles may appear besides the requests that need them. What is not here appears
   * nowhere.
   */
  readonly shows?: Shows;
  /** How it ends after faults, if the operations that it sends do not say it. */
  readonly faults?: FaultRow;
  /** It reaches no service: command lines of it. */
  readonly local?: readonly LocalLine[];
  /** How it is shown to keep the fields that it is not given, or why it has none to keep. */
  readonly keeps?: Kept | string;
  /** Lists of it, by the arguments, or where they are tested. */
  readonly lists?: Readonly<Record<string, List>> | string;
  /** What it does in one namespace or datacenter of its service, of several whose objects have the same names. */
  readonly scoped?: readonly Scoped[];
  /** Its arguments, in which `NAME` may be any text: no request leaves the routes of its operations. */
  readonly anyName?: readonly string[];
}

export type Rows = Readonly<Record<string, Facts>>;

export interface Example {
  /** Command lines before it, one on each line. */
  readonly before?: string;
  /** It ends with another code than 0. */
  readonly code?: number;
  readonly why?: string;
  /** It is not run with the others: why, or where it is. */
  readonly elsewhere?: string;
}

/** An example that ends with another code than 0. */
export const ends = (code: number, why: string): Example => ({ code, why });
export const after = (before: string): Example => ({ before });
export const elsewhere = (where: string): Example => ({ elsewhere: where });

/**
 * Where a secret may appear. `stdout`: the result, in every format. `data`: the result in the formats for programs and
 * in tables, not in text. `out`: a new file of mode 0600 that the command line names. `credentials`: the file of stored
 * tokens. `draft`: the private file that an editor is given, and the one that keeps the text after an error. `child`:
 * the environment of the command that is run. `memory`: its private files in memory.
 */
export type Place = 'stdout' | 'data' | 'out' | 'credentials' | 'draft' | 'child' | 'memory';

export type Shows = { readonly [Name in CanaryName]?: readonly Place[] };

/** A command line that reaches no service. `{name}` in texts is a value of test/canary/local-lines.ts. */
export interface LocalLine extends Pick<RunOptions, 'stdin' | 'typed' | 'env' | 'columns'> {
  /** Its arguments. */
  readonly args?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Run before it. */
  readonly before?: string;
  /** Exit codes besides 0 and 2. */
  readonly code?: number;
}

export interface Kept {
  /**
   * Makes the object: `SERVICE METHOD PATH` of `lanyard api`, and the body. The last one has every field that its route
   * declares. `{id}` in the other members is the ID in its response.
   */
  readonly create: readonly (readonly [string, object])[];
  readonly change: string;
  /** The program that edits the text of an `edit`. */
  readonly editor?: string;
  /** The command that shows the object in JSON. */
  readonly read: string;
  /** The paths of the fields that differ afterwards. */
  readonly changed: readonly string[];
  /** Declared fields that the object does not have, and why. */
  readonly without?: Readonly<Record<string, string>>;
  /** The flags of `--unset`, and the paths of the fields that it resets. */
  readonly unset?: readonly [string, readonly string[]];
  /** The service replaces the object: the client merges, and keeps fields that it does not know. */
  readonly merges?: true;
}

/** A list, whose requests do not grow with the objects. `{n}` is the number of an object. */
export interface List {
  /** The command line that creates an object; absent: another row creates them. */
  readonly create?: string;
  /** What the list has of an object (default: `many-{n}`); false: the created objects are not in it. */
  readonly shows?: false | string;
  /** Objects of a page, if the list is in pages. */
  readonly page?: number;
  /** It has one request for each object: why. */
  readonly oneForEach?: string;
  /** The exit code of the list (default 0). */
  readonly code?: number;
}

/** A command line about one namespace (secrets, scheduler) or datacenter (registry). */
export interface Scoped {
  /**
   * `reads`: shows what only this one has. `reads shared`: shows a copy of what all share. `writes`: changes only this
   * one. `writes shared`: changes what all share. `only the agent`: its request has no datacenter, so that it is an error
   * if the agent is in another one. `unscoped`: it is about the service, or the same everywhere.
   */
  readonly effect: 'reads' | 'reads shared' | 'writes' | 'writes shared' | 'only the agent' | 'unscoped';
  /** The line after the command; `{name}` is an ID of the namespace or datacenter. */
  readonly line: string;
  /** What the output contains here, and nowhere else (default: the mark). */
  readonly shows?: string;
  readonly stdin?: string;
  /** With the token that has this ID. */
  readonly as?: string;
  /** After a login with the token that has this ID. */
  readonly stored?: string;
  /** Only OpenBao can do it: the embedded service rejects it. */
  readonly isOpenBao?: true;
  /** It succeeds in a namespace that does not exist too. */
  readonly anywhere?: true;
  /** Its exit code if it succeeds (default: 0). */
  readonly code?: number;
  /** It fails here too, for another reason than elsewhere. */
  readonly fails?: true;
}

const scoped =
  (effect: Scoped['effect']) =>
  (line = '', options: Omit<Scoped, 'effect' | 'line'> = {}): Scoped => ({ effect, line, ...options });

export const reads = scoped('reads');
export const readsShared = scoped('reads shared');
export const writes = scoped('writes');
export const writesShared = scoped('writes shared');
export const onlyAgent = scoped('only the agent');
export const unscoped = scoped('unscoped');
