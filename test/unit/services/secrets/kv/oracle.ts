import type { Data } from '../engine-calls.ts';

/** A model of version 2, as simple as possible; times are in seconds. */

interface Written {
  readonly content: Data;
  /** When it is deleted, in seconds. */
  deletedFrom: number;
  destroyed: boolean;
}

interface Known {
  /** By version number; data removed because of their age are holes. */
  readonly versions: (Written | undefined)[];
  maxVersions: number;
  casRequired: boolean;
  deleteAfter: number;
}

export interface Setting {
  readonly max_versions?: number;
  readonly cas_required?: boolean;
  readonly delete_version_after?: number;
}

/** `200 <version>`, `204`, `404`, `400 <text>`, ...: the status and relevant content of the response. */
export class Oracle {
  readonly #keys = new Map<string, Known>();
  readonly #mount: Known = blank();
  #now = 0;

  pass(seconds: number): void {
    this.#now += seconds;
  }

  configure(setting: Setting): string {
    apply(this.#mount, setting);
    return '204';
  }

  write(key: string, content: Data, cas: number | undefined): string {
    const known = this.#keys.get(key) ?? blank();
    const rejection = this.#rejection(known, cas);
    if (rejection) return rejection;
    this.#keys.set(key, known);
    return this.#add(known, content);
  }

  /** Patches contain no objects: null removes a key, other values are set. */
  patch(key: string, patch: Data, cas: number | undefined): string {
    const known = this.#keys.get(key);
    if (!known) return '404';
    const rejection = this.#rejection(known, cas);
    if (rejection) return rejection;
    const newest = known.versions.at(-1);
    if (!newest) return '404';
    if (this.#gone(newest)) return `404 ${known.versions.length}`;
    const content = { ...newest.content };
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) delete content[name];
      else content[name] = value;
    }
    return this.#add(known, content);
  }

  read(key: string, version: number): string {
    const known = this.#keys.get(key);
    const number = version || (known?.versions.length ?? 0);
    const found = known?.versions[number - 1];
    if (!found) return '404';
    return this.#gone(found) ? `404 ${number}` : `200 ${number} ${JSON.stringify(found.content)}`;
  }

  /** @param versions default: the latest. */
  delete(key: string, versions?: readonly number[]): string {
    return this.#each(key, versions, (found) => {
      if (!this.#gone(found)) found.deletedFrom = this.#now;
    });
  }

  undelete(key: string, versions: readonly number[]): string {
    return this.#each(key, versions, (found, known) => {
      found.deletedFrom = this.#end(known);
    });
  }

  destroy(key: string, versions: readonly number[]): string {
    return this.#each(key, versions, (found) => {
      found.destroyed = true;
    });
  }

  set(key: string, setting: Setting): string {
    if (Object.keys(setting).length === 0) return '204';
    const known = this.#keys.get(key) ?? blank();
    this.#keys.set(key, known);
    apply(known, setting);
    return this.#mount.casRequired && setting.cas_required === false ? '200 warned' : '204';
  }

  remove(key: string): string {
    this.#keys.delete(key);
    return '204';
  }

  /** The versions of a key with their state. */
  describe(key: string): string {
    const known = this.#keys.get(key);
    if (!known) return '404';
    const state = ({ destroyed, deletedFrom }: Written) => {
      const deletion = deletedFrom === Number.POSITIVE_INFINITY ? '' : deletedFrom;
      return `${destroyed ? 'destroyed' : ''}@${deletion}`;
    };
    const versions = known.versions.flatMap((found, index) => (found ? [`${index + 1}${state(found)}`] : []));
    return `200 ${known.versions.length} [${versions}]`;
  }

  list(): string {
    const names = [...this.#keys.keys()].map((key) => (key.includes('/') ? `${key.split('/')[0]}/` : key));
    return names.length === 0 ? '404' : `200 ${[...new Set(names)].sort()}`;
  }

  #rejection(known: Known, cas: number | undefined): string | undefined {
    if (cas === undefined) {
      if (!known.casRequired && !this.#mount.casRequired) return undefined;
      return '400 check-and-set parameter required for this call';
    }
    if (cas === known.versions.length) return undefined;
    return '400 check-and-set parameter did not match the current version';
  }

  #add(known: Known, content: Data): string {
    known.versions.push({ content, deletedFrom: this.#end(known), destroyed: false });
    const count = known.versions.length;
    const most = Math.max(known.maxVersions, this.#mount.maxVersions) || 10;
    for (let old = 0; old < count - most; old++) known.versions[old] = undefined;
    return `200 ${count}`;
  }

  #end(known: Known): number {
    if (this.#mount.deleteAfter < 0) return Number.POSITIVE_INFINITY;
    const ends = [known.deleteAfter, this.#mount.deleteAfter].map(
      (after) => after || Number.POSITIVE_INFINITY,
    );
    return this.#now + Math.min(...ends);
  }

  #gone({ destroyed, deletedFrom }: Written): boolean {
    return destroyed || this.#now >= deletedFrom;
  }

  #each(
    key: string,
    versions: readonly number[] | undefined,
    change: (found: Written, known: Known) => void,
  ): string {
    if (versions?.length === 0) return '400';
    const known = this.#keys.get(key);
    for (const number of new Set(versions ?? [known?.versions.length ?? 0])) {
      const found = known?.versions[number - 1];
      if (known && found && !found.destroyed) change(found, known);
    }
    return '204';
  }
}

function blank(): Known {
  return { versions: [], maxVersions: 0, casRequired: false, deleteAfter: 0 };
}

function apply(known: Known, setting: Setting): void {
  known.maxVersions = setting.max_versions ?? known.maxVersions;
  known.casRequired = setting.cas_required ?? known.casRequired;
  known.deleteAfter = setting.delete_version_after ?? known.deleteAfter;
}
