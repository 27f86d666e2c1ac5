import * as s from '../../core/schema/types.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { checksumTypes } from '../images/images.ts';

const providerSchema = s.object({
  /** Unchanged when its name changes; its image is stored under it. */
  id: s.string(),
  name: s.string(),
  architecture: s.string(),
  /** Whether it is the provider of its name used when no architecture is specified. */
  isDefault: s.boolean(),
  /** The location of the image; null: it is uploaded here. */
  url: s.nullable(s.string()),
  /** Lower-case hex. */
  checksum: s.nullable(s.object({ type: s.oneOf([...checksumTypes]), value: s.string() })),
  createdAt: s.string(),
  updatedAt: s.string(),
});
export type Provider = s.Stored<typeof providerSchema>;

const versionSchema = s.object({
  version: s.string(),
  status: s.oneOf(['unreleased', 'active', 'revoked']),
  description: s.nullable(s.string()),
  createdAt: s.string(),
  updatedAt: s.string(),
  providers: s.list(providerSchema),
});
export type Version = s.Stored<typeof versionSchema>;

/** A box with its versions and providers: one row, so that changes are atomic. Times are ISO 8601. */
export const boxes = table('boxes/', {
  owner: s.string(),
  name: s.string(),
  shortDescription: s.string(),
  description: s.nullable(s.string()),
  private: s.boolean(),
  createdAt: s.string(),
  updatedAt: s.string(),
  /** The highest first. */
  versions: s.list(versionSchema),
});
export type Box = RowOf<typeof boxes>;

type BoxName = Pick<Box, 'owner' | 'name'>;

const boxKey = ({ owner, name }: BoxName) => `${owner}/${name}`;
export const downloadsPrefix = 'downloads/';
const downloadsKey = ({ owner, name }: BoxName) => `${downloadsPrefix}${owner}/${name}`;

export const boxOf = (storage: Storage, owner: string, name: string) =>
  boxes.get(storage, boxKey({ owner, name }));

/** The boxes of an owner, ordered by name. */
export async function boxesOf(storage: Storage, owner: string): Promise<Box[]> {
  const snapshot = storage.snapshot();
  try {
    return await boxes.list(snapshot, boxKey({ owner, name: '' }));
  } finally {
    snapshot.release();
  }
}

export function providersOf(storage: Storage): Provider[] {
  return boxes.values(storage).flatMap(({ versions }) => versions.flatMap(({ providers }) => providers));
}

export function downloadsOf(storage: Storage, box: BoxName): number {
  return Number(storage.get(downloadsKey(box)) ?? 0);
}

export function countDownload(storage: Storage, box: BoxName): Promise<void> {
  return storage.write([{ key: downloadsKey(box), value: downloadsOf(storage, box) + 1 }]);
}

/** Stores a box; a renamed one replaces the row of its previous name. */
export async function putBox(storage: Storage, box: Box, existing?: Box): Promise<void> {
  const moved: Change[] =
    existing && boxKey(existing) !== boxKey(box)
      ? [
          boxes.remove(boxKey(existing)),
          { key: downloadsKey(existing) },
          { key: downloadsKey(box), value: downloadsOf(storage, existing) },
        ]
      : [];
  await storage.write([...moved, boxes.put(boxKey(box), box)]);
}

export function removeBox(storage: Storage, box: Box): Promise<void> {
  return storage.write([boxes.remove(boxKey(box)), { key: downloadsKey(box) }]);
}

/** The highest released version; undefined: none is released. */
export function currentVersion(box: Box): Version | undefined {
  return box.versions.find(({ status }) => status === 'active');
}

/** The box with a version replaced, added (no `existing`) or removed (no `updated`). */
export function withVersion(
  box: Box,
  existing: Version | undefined,
  updated: Version | undefined,
  now: string,
): Box {
  const others = box.versions.filter((each) => each !== existing);
  const versions = updated
    ? [...others, updated].sort((a, b) => compareVersions(b.version, a.version))
    : others;
  return { ...box, versions, updatedAt: now };
}

/** The version with a provider replaced, added or removed. The default of a name: the latest set, else the first. */
export function withProvider(
  version: Version,
  existing: Provider | undefined,
  updated: Provider | undefined,
  now: string,
): Version {
  const others = version.providers
    .filter((each) => each !== existing)
    .map((each) => (updated?.isDefault && each.name === updated.name ? { ...each, isDefault: false } : each));
  const all = updated ? [...others, updated] : others;
  const providers = all.sort(compareProviders).map((each) => {
    const sameName = all.filter(({ name }) => name === each.name);
    const hasDefault = sameName.some(({ isDefault }) => isDefault);
    return hasDefault || sameName[0] !== each ? each : { ...each, isDefault: true };
  });
  return { ...version, providers, updatedAt: now };
}

function compareProviders(a: Provider, b: Provider): number {
  return compareText(a.name, b.name) || compareText(a.architecture, b.architecture);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Parts of digits and letters: `1.0`, `2.1.3.beta2`, `1.0.0-rc.1`. */
export const versionPattern = /^\d+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** Compares part by part: numbers by value; a part with letters is a pre-release and precedes every number. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one, other] = [left[index] ?? 0n, right[index] ?? 0n];
    if (one === other) continue;
    if (typeof one !== typeof other) return typeof one === 'string' ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return compareText(a, b);
}

function versionParts(version: string): (bigint | string)[] {
  const parts = version.replaceAll('-', '.pre.').match(/\d+|[a-zA-Z]+/g) ?? [];
  return parts.map((part) => (/^\d/.test(part) ? BigInt(part) : part));
}
