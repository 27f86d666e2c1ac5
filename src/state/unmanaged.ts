import { isAccessControlOff } from '../api/conditions/any.ts';
import type { Context } from '../command/context.ts';
import { isFailure, type LanyardError, usage } from '../errors.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import { getOrCreate } from '../wire/maps.ts';
import type { ServiceName } from '../wire/services.ts';
import type { StateDocument } from './documents.ts';
import { type Identity, type Kind, type Live, readerOf, type Services } from './kind.ts';
import { kinds as allKinds, findKind } from './kinds.ts';
import { splitMark } from './marks.ts';
import type { Plan } from './operations.ts';
import { objectId } from './order.ts';
import { isRecord, type RecordPlace } from './set.ts';
import { type IgnorePattern, isIgnored } from './unmanaged-filter.ts';
import { type OtherItems, otherItems } from './unmanaged-items.ts';
import { originsOf, otherRecord, ownersIn, recordKind } from './unmanaged-sets.ts';

/**
 * What the services have and no file states. `not-stated`: an object. `not-pruned`: the same, and it is a member of the
 * set. `copied-mark`: the same, and it has the mark of the set without being a member.
 */
export interface Unmanaged {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly reason: 'not-stated' | 'not-pruned' | 'copied-mark' | OtherItems['reason'];
  /** Names within the object. Never values. */
  readonly items: readonly string[];
}

/** A list or an object that could not be read. */
export interface Unread {
  readonly kind: Kind;
  /** Undefined: the list of the kind. */
  readonly identity?: Identity;
  readonly error: LanyardError;
}

export interface UnmanagedScan {
  /** The kinds that were listed. */
  readonly kinds: readonly Kind[];
  /** By kind, in the order of the documentation, then by name. */
  readonly found: readonly Unmanaged[];
  /** How many objects belong to other sets, by the ID of the set. */
  readonly otherSets: ReadonlyMap<string, number>;
  /** How many objects patterns select. */
  readonly ignored: number;
  readonly unread: readonly Unread[];
}

export interface ScanOptions {
  /** Every document of the set, also of kinds that are not planned. */
  readonly documents: readonly StateDocument[];
  /** Empty: the services that the set uses. */
  readonly services: readonly ServiceName[];
  /** Empty: all kinds of the services. */
  readonly kinds: readonly string[];
  readonly ignore: readonly IgnorePattern[];
}

/**
 * Looks for what no file states: objects of the services of the set, and names in objects of the plan. With one list for
 * each kind; objects that no file states are read only if that shows whose they are.
 *
 * @throws LanyardError usage: no kind is selected. What cannot be read is in the result.
 */
export async function findUnmanaged(
  plan: Plan,
  options: ScanOptions,
  services: Services,
  { progress }: Pick<Context['output'], 'progress'>,
): Promise<UnmanagedScan> {
  const kinds = chosenKinds(plan, options);
  const scan = new Scan(plan, options, services);
  const line = await progress('reading objects');
  try {
    for (const kind of kinds) {
      line.update(`looking for objects that no file states: ${kind.name}`);
      await scan.scanKind(kind);
    }
    await scan.addOwners();
  } finally {
    line.stop();
  }
  const rank = new Map(allKinds.map((kind, index) => [kind, index]));
  const found = [...scan.found, ...itemsOf(plan, kinds, options.ignore)].sort(
    (one, other) =>
      (rank.get(one.kind) ?? 0) - (rank.get(other.kind) ?? 0) ||
      (objectId(one.kind, one.identity) < objectId(other.kind, other.identity) ? -1 : 1),
  );
  return { kinds, found, otherSets: scan.otherSets, ignored: scan.ignored, unread: scan.unread };
}

/** Kinds and services that were named are searched; else the services that the set uses. */
function chosenKinds(
  { set, members }: Pick<Plan, 'set' | 'members'>,
  { documents, services, kinds }: ScanOptions,
): readonly Kind[] {
  const used = new Set<string>([
    ...Object.keys(set.targets),
    ...documents.map(({ kind }) => kind.service),
    ...[...members.values()].flatMap(({ kind }) => findKind(kind)?.service ?? []),
  ]);
  const chosen = allKinds.filter(
    ({ name, service }) =>
      (kinds.length === 0 || kinds.includes(name)) &&
      (services.length > 0 ? services.includes(service) : kinds.length > 0 || used.has(service)),
  );
  if (chosen.length > 0) return chosen;
  throw usage(services.length > 0 ? 'no kind of these services is selected' : 'the set uses no service', {
    hint: 'Use --service or --kind to name what is searched.',
  });
}

function itemsOf(
  { operations, members }: Plan,
  kinds: readonly Kind[],
  ignore: readonly IgnorePattern[],
): readonly Unmanaged[] {
  return operations.flatMap((operation): readonly Unmanaged[] => {
    const { kind, identity } = operation;
    if (!kinds.includes(kind) || isIgnored(ignore, kind, identity)) return [];
    const items = otherItems(operation, members.get(objectId(kind, identity)));
    return items ? [{ kind, identity, ...items }] : [];
  });
}

/** The objects that were found so far. */
class Scan {
  found: Unmanaged[] = [];
  readonly unread: Unread[] = [];
  readonly otherSets = new Map<string, number>();
  ignored = 0;

  readonly #plan: Plan;
  readonly #options: ScanOptions;
  readonly #services: Services;
  readonly #stated: ReadonlySet<string>;
  readonly #read: ReturnType<typeof readerOf>;
  readonly #records: RecordPlace[] = [];
  readonly #listed = new Set<string>();

  constructor(plan: Plan, options: ScanOptions, services: Services) {
    this.#plan = plan;
    this.#options = options;
    this.#services = services;
    this.#stated = new Set(
      [...options.documents, ...plan.operations].map(({ kind, identity }) => objectId(kind, identity)),
    );
    this.#read = readerOf(services);
  }

  async scanKind(kind: Kind): Promise<void> {
    const listed = await this.#list(kind);
    const others = listed.filter(
      (identity) =>
        !this.#stated.has(objectId(kind, identity)) &&
        !kind.isBuiltIn?.(identity) &&
        !isRecord(kind, identity, this.#plan.set.record),
    );
    const remaining = others.filter((identity) => !isIgnored(this.#options.ignore, kind, identity));
    this.ignored += others.length - remaining.length;
    await mapConcurrently(remaining, (identity) => this.#add(kind, identity));
  }

  /** Objects of kinds without marks belong to the set whose record has them. */
  async addOwners(): Promise<void> {
    const unowned = this.found.filter(({ kind, reason }) => !kind.mark && reason === 'not-stated');
    if (unowned.length === 0) return;
    const { origins, set } = this.#plan;
    const kind = findKind(recordKind(set.record?.store) ?? '');
    if (kind && !this.#listed.has(kind.name)) await this.#list(kind, true);
    if (this.#records.length === 0) return;
    const names = unowned.map(({ kind: { service } }) => service);
    const all = await originsOf(origins, names, this.#services);
    const owners = await ownersIn(this.#records, all, this.#services);
    this.found = this.found.filter((each) => {
      const owner = unowned.includes(each) ? owners.get(objectId(each.kind, each.identity)) : undefined;
      if (owner !== undefined) this.#countOther(owner);
      return owner === undefined;
    });
  }

  /** @param isOptional an error leaves it empty */
  async #list(kind: Kind, isOptional = false): Promise<readonly Identity[]> {
    const { documents } = this.#options;
    const { members, set } = this.#plan;
    const known = [
      ...documents.flatMap((document) => (document.kind.service === kind.service ? [document.identity] : [])),
      ...[...members.values()].filter((member) => member.kind === kind.name),
    ];
    this.#listed.add(kind.name);
    try {
      const listed = await kind.list(this.#services, known);
      for (const identity of listed) {
        const record = otherRecord(kind, identity, set.id);
        if (record) this.#records.push(record);
      }
      return [...new Map(listed.map((identity) => [objectId(kind, identity), identity])).values()];
    } catch (error) {
      if (!isFailure(error)) throw error;
      // Such a service has none of these objects.
      if (!isOptional && !isAccessControlOff(error)) this.unread.push({ kind, error });
      return [];
    }
  }

  async #add(kind: Kind, identity: Identity): Promise<void> {
    const isShownByList = !kind.mark && !kind.omitted && !kind.isBuiltIn;
    const live = isShownByList ? undefined : await this.#readObject(kind, identity);
    if (!isShownByList && !live) return;
    if (live && (kind.isBuiltIn?.(identity, live) || kind.omitted?.(live.spec) !== undefined)) return;
    const mark = live && splitMark(kind, live.spec).mark;
    const { set, members } = this.#plan;
    if (mark && mark.id !== set.id) return this.#countOther(mark.id);
    const isMember = members.has(objectId(kind, identity));
    const reason = isMember ? 'not-pruned' : mark ? 'copied-mark' : 'not-stated';
    this.found.push({ kind, identity, reason, items: [] });
  }

  /** @returns undefined: it was deleted since it was listed, or cannot be read. */
  async #readObject(kind: Kind, identity: Identity): Promise<Live | undefined> {
    try {
      return await this.#read(kind, identity);
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.unread.push({ kind, identity, error });
      return undefined;
    }
  }

  #countOther(id: string): void {
    this.otherSets.set(id, (this.otherSets.get(id) ?? 0) + 1);
  }
}

/** Unmanaged things by kind, in their order. */
export const byKind = (found: readonly Unmanaged[]): ReadonlyMap<Kind, readonly Unmanaged[]> => {
  const groups = new Map<Kind, Unmanaged[]>();
  for (const each of found) getOrCreate(groups, each.kind, () => []).push(each);
  return groups;
};
