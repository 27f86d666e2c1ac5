import type { Json } from '../../../wire/json.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import type { ChecksumType } from '../images/images.ts';

/** A provider of a version as it is kept. */
export interface Provider {
  /** Stays its own through every change of name; its image is known by it. */
  readonly id: string;
  readonly name: string;
  readonly architecture: string;
  /** Is it the one of its name that is taken where no architecture is asked for? */
  readonly isDefault: boolean;
  /** Where the image is, elsewhere; null: it is uploaded here. */
  readonly url: string | null;
  /** Lower-case hex. */
  readonly checksum: { readonly type: ChecksumType; readonly value: string } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type Status = 'unreleased' | 'active' | 'revoked';

export interface Version {
  readonly version: string;
  readonly status: Status;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly providers: readonly Provider[];
}

/** A box with all that is in it: one row, so that a change of it is whole. Times are ISO 8601. */
export interface Box {
  readonly owner: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string | null;
  readonly private: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The highest first. */
  readonly versions: readonly Version[];
}

type BoxName = Pick<Box, 'owner' | 'name'>;

const boxKey = ({ owner, name }: BoxName) => `boxes/${owner}/${name}`;
const downloadsKey = ({ owner, name }: BoxName) => `downloads/${owner}/${name}`;

export function boxOf(storage: Storage, owner: string, name: string): Box | undefined {
  return storage.get(boxKey({ owner, name })) as Box | undefined;
}

/** All boxes, or those of an owner, in order of their names. */
export function boxesOf(storage: Storage, owner?: string): Box[] {
  const prefix = owner === undefined ? 'boxes/' : `boxes/${owner}/`;
  return storage.keys(prefix).map((key) => storage.get(key) as unknown as Box);
}

/** The providers of all versions of all boxes. */
export function providersOf(storage: Storage): Provider[] {
  return boxesOf(storage).flatMap(({ versions }) => versions.flatMap(({ providers }) => providers));
}

/** How often an image of the box was asked for. */
export function downloadsOf(storage: Storage, box: BoxName): number {
  return Number(storage.get(downloadsKey(box)) ?? 0);
}

export function countDownload(storage: Storage, box: BoxName): Promise<void> {
  return storage.write([{ key: downloadsKey(box), value: downloadsOf(storage, box) + 1 }]);
}

/** Keeps a box, in place of what it was before: another name is another row. */
export async function putBox(storage: Storage, box: Box, existing?: Box): Promise<void> {
  const moved: Change[] =
    existing && boxKey(existing) !== boxKey(box)
      ? [
          { key: boxKey(existing) },
          { key: downloadsKey(existing) },
          { key: downloadsKey(box), value: downloadsOf(storage, existing) },
        ]
      : [];
  await storage.write([...moved, { key: boxKey(box), value: box as unknown as Json }]);
}

export function removeBox(storage: Storage, box: Box): Promise<void> {
  return storage.write([{ key: boxKey(box) }, { key: downloadsKey(box) }]);
}

/** The highest version that is released; undefined: none is. */
export function currentVersion(box: Box): Version | undefined {
  return box.versions.find(({ status }) => status === 'active');
}

/** The box with a version in place of another one, added (nothing before) or removed (nothing after). */
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

/**
 * The version with a provider in place of another one, added or removed. Of each name one provider is the default:
 * the one that was made so last, else the first.
 */
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

/** Digits and letters in parts: `1.0`, `2.1.3.beta2`, `1.0.0-rc.1`. */
export const versionPattern = /^\d+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** Orders versions part by part: numbers by value, and a part with letters before every number, being a preview. */
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
