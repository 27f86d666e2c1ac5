import { insteadOf, isFailure, LanyardError } from '../errors.ts';
import type { Identity, Kind, Services } from './kind.ts';
import { findKind } from './kinds.ts';
import { type Origins, placeOf, readOrigins } from './members.ts';
import { memberId } from './order.ts';
import type { SetRecord } from './record.ts';
import { recordStore } from './record-stores.ts';
import type { RecordFiles } from './record-values.ts';
import type { RecordPlace, StateSet } from './set.ts';

/** The kinds whose objects may be records, and the store of their service. */
const stores: Readonly<Record<string, RecordPlace['store']>> = {
  'registry.key': 'registry',
  'scheduler.variable': 'scheduler',
  'secrets.kv': 'secrets',
};

/** The kind whose list shows the records of a store; undefined: records are in files. */
export const recordKind = (store: RecordPlace['store'] | undefined): string | undefined =>
  Object.keys(stores).find((name) => stores[name] === store);

const recordName = /(?:^|\/)lanyard\/sets\/([a-z0-9]{10})$/;

/** Where the record of another set is; undefined: the object is not one. @param id of this set */
export function otherRecord(
  { name }: Pick<Kind, 'name'>,
  identity: Identity,
  id: string,
): RecordPlace | undefined {
  const store = stores[name];
  const [, other] = recordName.exec(identity.key) ?? [];
  if (store === undefined || other === undefined || other === id) return undefined;
  return { store, path: [...Object.values(identity.scope), identity.key].join('/') };
}

/**
 * The sets that own objects of these services, by `objectId`: the members of their records. A record that cannot be read
 * owns nothing.
 */
export async function ownersIn(
  places: readonly RecordPlace[],
  origins: Origins,
  services: Services,
): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const place of places) {
    const record = await readRecord(place, services);
    for (const member of record?.members ?? [])
      if (record && placeOf(member, origins) === 'here') owners.set(memberId(member), record.id);
  }
  return owners;
}

/**
 * The sets whose records are in the same store as the one of a set, and own objects: as `ownersIn`. What the token may
 * not list is empty.
 */
export async function ownersBeside(
  { id, record }: Pick<StateSet, 'id' | 'record'>,
  origins: Origins,
  services: Services,
): Promise<ReadonlyMap<string, string>> {
  const kind = findKind(recordKind(record?.store) ?? '');
  const listed = (await kind?.list(services).catch(insteadOf(isFailure, undefined))) ?? [];
  const places = kind ? listed.flatMap((identity) => otherRecord(kind, identity, id) ?? []) : [];
  return ownersIn(places, origins, services);
}

async function readRecord(place: RecordPlace, services: Services): Promise<SetRecord | undefined> {
  try {
    const store = recordStore(place, services, { files: noFiles, newId: () => '' });
    return (await store.read())?.record;
  } catch (error) {
    if (error instanceof LanyardError) return undefined;
    throw error;
  }
}

/** Records in files are not looked for. */
const noFiles: RecordFiles = {
  exists: async () => false,
  readText: async () => '',
  replace: async () => undefined,
};

/** The origins of services, with those that a plan has read. */
export async function originsOf(
  known: Origins,
  names: Iterable<Kind['service']>,
  services: Services,
): Promise<Origins> {
  const missing = [...new Set(names)].filter((name) => !known.has(name));
  return new Map([...known, ...(await readOrigins(missing, services))]);
}
