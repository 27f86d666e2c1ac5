import type { Api } from '../command/api.ts';
import type { ObjectSchema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { getOrCreate } from '../wire/maps.ts';
import { isObject } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';

export type JsonObject = { [name: string]: Json };

/** An object; without fields if the value is not one. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {});

/** What names an object: the fields of its scope, and its key within them. Never an ID that the service assigns. */
export interface Identity {
  /** Names of a scope and their values: `{ namespace: 'default' }`. */
  readonly scope: Readonly<Record<string, string>>;
  /** Empty: the scope has one such object. */
  readonly key: string;
}

/** A field of `metadata` that is part of the identity, besides `name`. */
export interface ScopeField {
  readonly name: string;
  /** Used where the file does not state it; absent: it is required. */
  readonly default?: string;
  /** The canonical form of a value: a mount path without slashes at its ends. */
  readonly canonical?: (value: string) => string;
  readonly description: string;
}

/** Where an object carries the mark of its set. */
export type MarkPlace =
  /** At the end of a text: ` [lanyard:ID]`. */
  | { readonly type: 'text'; readonly field: string }
  /** An entry of a map: `lanyard-set: ID`. */
  | { readonly type: 'map'; readonly field: string };

/** An object of a service. */
export interface Live {
  /** Its fields in the names of the wire, without those that only the service sets (indexes, times, hashes). */
  readonly spec: JsonObject;
  /** What a guarded write expects: an index or a version, never derived from a value. Empty: the service has none. */
  readonly version: string;
  /** Differs between an object and one that was created later under the same name. */
  readonly uid?: string;
  /** The ID by which the service addresses the object, if that is not its key. */
  readonly id?: string;
  /** Its name as the service spells it, if the key is folded. */
  readonly name?: string;
  /** Write-only fields that have a value, as far as the service says so: `password`, `attributes.client_secret`. */
  readonly hasValues?: readonly string[];
}

/** A reference to an object of another kind, by its natural key. */
export interface Reference {
  readonly kind: string;
  readonly identity: Identity;
}

/** The services. Commands pass `ctx.api`. */
export type Services = Pick<
  Api,
  'secrets' | 'registry' | 'scheduler' | 'box' | 'accounts' | 'settings' | 'transfer'
>;

/** What an undo cannot restore. */
export interface NotRestored {
  /** `its data`, for messages. */
  readonly what: string;
  /** Nothing of the change can be taken back. */
  readonly isAll?: true;
}

/** A change that an undo takes back. */
export interface UndoneChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Write-only fields were sent again. */
  readonly isRotated: boolean;
}

/** Earlier versions of an object, which the service keeps. */
export interface Versions {
  /** Whether the latest version of an object can still be read after the next write. */
  readonly keeps: (services: Services, identity: Identity) => Promise<boolean>;
  /**
   * The fields of a version; none if it is deleted and can be restored.
   *
   * @throws LanyardError usage: it cannot be restored.
   */
  readonly read: (services: Services, identity: Identity, version: number) => Promise<JsonObject>;
  /** Restores the latest version after its deletion. @throws LanyardError conflict: it is not deleted. */
  readonly restore: (services: Services, identity: Identity, version: number) => Promise<void>;
}

/** What a write gets. */
export interface Write {
  readonly identity: Identity;
  /** The name as the file spells it, if the key is folded. */
  readonly name?: string;
  /**
   * The complete object to store, in the names of the wire: what the file states, over what the service has. With the
   * mark of the set, and with the values of references.
   */
  readonly spec: JsonObject;
  /** The live object that the plan saw; undefined: the object is created. */
  readonly live: Live | undefined;
  /** Reads a file that the document names, relative to the document. */
  readonly resolvePath: (path: string) => string;
}

/**
 * A kind of object. Adding one: a file in `src/state/kinds`, and a line in `src/state/kinds.ts`. All functions throw
 * `LanyardError`: forbidden where the object cannot be read, conflict where the guard of a write fails.
 */
export interface Kind {
  /** SERVICE.KIND, as in the files. */
  readonly name: string;
  readonly service: ServiceName;
  /** One sentence, for the help and the JSON Schema. */
  readonly description: string;
  readonly scope: readonly ScopeField[];
  /** What `metadata.name` is (`name of the policy`); undefined: the scope has one such object, and no name. */
  readonly nameIs?: string;
  /** An object may have an empty name: the prepared query for all names. */
  readonly allowsEmptyName?: true;
  /** The canonical form of a name, where the service has one: OpenBao stores policy names in lower case. */
  readonly canonicalName?: (name: string) => string;
  /** The key, where it is made of fields instead of `metadata.name`. */
  readonly keyOf?: (spec: JsonObject) => string;
  /** The fields of `spec`. */
  readonly schema: ObjectSchema;
  /**
   * What a file states in the form of `read`, where spellings of several fields together are the same value. Before
   * `compare` and `merge`, after references were resolved.
   */
  readonly canonicalSpec?: (spec: JsonObject) => JsonObject;
  /** Creation order, from 1; deletion is in reverse. By the object where objects of the kind differ. */
  readonly level: number | ((identity: Identity, spec: JsonObject) => number);
  /** Undefined: objects of this kind cannot carry a mark, only the record of the set knows its members. */
  readonly mark?: MarkPlace;
  /**
   * `version`: the service checks `Live.version` in the write itself; if that is empty, this product or engine has no
   * versions, and the guard is `re-read`. `re-read`: read again right before the write.
   */
  readonly guard: 'version' | 're-read';
  /** The same for deletions, where it differs. */
  readonly deleteGuard?: 'version' | 're-read';
  /** Deleting it destroys data: it needs `metadata.deletion: allow`. */
  readonly isProtected?: true;
  /** Values are secrets: literals need `metadata.allowLiteral: true`. `sensitive: false` in metadata shows them. */
  readonly holdsSecrets?: true;
  /** Its values are often configuration: `export --values` writes them, with `sensitive: false`. */
  readonly mayExportValues?: true;
  /** What is wrong with the fields besides what the schema says. Values may have any type. */
  readonly check?: (identity: Identity, spec: JsonObject) => readonly string[];
  /**
   * JSON pointers of fields that only the service can set (the public key of a pair that it generates). What a file
   * states of them belongs to the cluster that it was exported from: it is never sent, and not compared with an object
   * that the set created or adopted.
   */
  readonly generatedFields?: (spec: JsonObject) => readonly string[];
  /**
   * Why an action is impossible with the fields that the file states: the plan shows it as blocked. For a deletion,
   * the fields of the live object.
   */
  readonly obstacle?: (
    action: 'create' | 'update' | 'delete',
    spec: JsonObject,
    live: Live | undefined,
  ) => string | undefined;
  /** A write replaces the object, so that an update sends the write-only fields too. */
  readonly sendsWriteOnly?: true;
  /** What an undo cannot restore after a change, besides secrets that the service never returns. */
  readonly notRestored?: (change: UndoneChange) => NotRestored | undefined;
  /** Undefined: the service has no earlier versions. */
  readonly versions?: Versions;
  /** What people have to do after the object is created, or its write-only fields are sent again. */
  readonly notice?: (identity: Identity, spec: JsonObject) => string | undefined;
  /** Objects that must exist first. Only those that the files contain matter. */
  readonly references?: (identity: Identity, spec: JsonObject) => readonly Reference[];
  /** Whether another object of the files must be done first, where `references` cannot name it. */
  readonly follows?: (identity: Identity, other: Reference) => boolean;
  /** Built in, or made by the service itself: never exported, adopted or deleted. */
  readonly isBuiltIn?: (identity: Identity, live?: Live) => boolean;
  /**
   * What an object with these fields is, if files do not state such objects: `variable without items`. Export and plan
   * leave it out and say how many there are.
   */
  readonly omitted?: (spec: JsonObject) => string | undefined;
  /** What people should know who apply its exported file to another cluster: comments of the file, one a line. */
  readonly exportNotes?: (spec: JsonObject) => readonly string[];
  /** How messages name an object; default: the scope and the key, joined with "/". */
  readonly label?: (identity: Identity) => string;
  /**
   * Every object of the kind, complete: all pages, in any order.
   *
   * @param known identities of objects, whose scopes are listed too: not every service lists its scopes.
   * @throws LanyardError if the list is not complete or cannot be trusted (forbidden, no leader).
   */
  readonly list: (services: Services, known?: readonly Identity[]) => Promise<readonly Identity[]>;
  /**
   * `Live.uid`, where `read` does not show it: when the object was created. Called where the record needs it.
   *
   * @returns undefined: the service has none.
   */
  readonly readUid?: (services: Services, identity: Identity) => Promise<string | undefined>;
  /** @returns undefined: it does not exist. */
  readonly read: (services: Services, identity: Identity) => Promise<Live | undefined>;
  /** Reads many objects one after the other, with a constant number of lists; default: `read`. */
  readonly reader?: (services: Services) => (identity: Identity) => Promise<Live | undefined>;
  /** @throws LanyardError conflict: it exists. */
  readonly create: (services: Services, write: Write) => Promise<void>;
  /** @throws LanyardError conflict: with guard `version`, it is not the version of `write.live`. */
  readonly update: (services: Services, write: Write & { readonly live: Live }) => Promise<void>;
  /** @throws LanyardError conflict, as `update`. */
  readonly remove: (services: Services, identity: Identity, live: Live) => Promise<void>;
}

/** Reads objects of any kind, for a plan or an export, with one list for all objects of a scope. */
export function readerOf(services: Services): (kind: Kind, identity: Identity) => Promise<Live | undefined> {
  const readers = new Map<Kind, (identity: Identity) => Promise<Live | undefined>>();
  return (kind, identity) => {
    const create = () => kind.reader?.(services) ?? ((each: Identity) => kind.read(services, each));
    return getOrCreate(readers, kind, create)(identity);
  };
}

/** What a write is guarded by. The value is an index or a version, never derived from a value of the object. */
export interface Guard {
  readonly type: 'version' | 're-read';
  readonly value: string;
}

/** What guards a change or a deletion of an object: products without versions return none. */
export function guardOf(
  { guard, deleteGuard = guard }: Pick<Kind, 'guard' | 'deleteGuard'>,
  live: Live | undefined,
  action: 'change' | 'delete' = 'change',
): Guard {
  const type = action === 'delete' ? deleteGuard : guard;
  return { type: live?.version === '' ? 're-read' : type, value: live?.version ?? '' };
}

/** An identity as text that differs for every object of a kind. */
export const identityText = ({ scope, key }: Identity): string =>
  JSON.stringify([Object.entries(scope).sort(([one], [other]) => (one < other ? -1 : 1)), key]);

/** The name of an object in messages. */
export const labelOf = (kind: Pick<Kind, 'label'>, identity: Identity): string =>
  kind.label?.(identity) ??
  [...Object.values(identity.scope), identity.key].filter((part) => part !== '').join('/');

/** `KIND NAME` of an object, for messages. */
export const objectLabel = ({
  kind,
  identity,
}: {
  readonly kind: Kind;
  readonly identity: Identity;
}): string => `${kind.name} ${labelOf(kind, identity)}`.trimEnd();

/** What is left out of the files, with numbers: `scheduler.variable: 2 objects without items are left out`. */
export function omittedTexts(kind: Kind, specs: readonly JsonObject[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const spec of specs) {
    const what = kind.omitted?.(spec);
    if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(
    ([what, count]) =>
      `${kind.name}: ${count === 1 ? `1 object ${what} is` : `${count} objects ${what} are`} left out`,
  );
}
