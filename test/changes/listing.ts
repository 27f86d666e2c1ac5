import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Storage } from '../../src/services/core/store/storage.ts';
import type { Json } from '../../src/wire/json.ts';

/** Everything that a command could change, by name, with what it is: two are the same if it did not change. */
export type Listing = ReadonlyMap<string, unknown>;

export interface Places {
  /** The folder of everything on this machine: home, working and temporary directory. */
  readonly root: string;
  /** The configuration directory in it. */
  readonly config: string;
  /** The folder of the program in the place of the keyring. */
  readonly keyring: string;
  /** The state of all services. */
  readonly store: Storage;
}

/** Lists the places: files, profiles, aliases, stored tokens, entries of the keyring, and rows of the services. */
export function lister({ root, config, keyring, store }: Places): () => Listing {
  // The digest of a file is taken again only after a change of its metadata.
  const digests = new Map<string, { readonly stamp: string; readonly digest: string }>();
  const describe = (path: string): string => {
    const stats = lstatSync(path, { bigint: true });
    const mode = (stats.mode & 0o7777n).toString(8);
    if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
    if (!stats.isFile()) return `${stats.isDirectory() ? 'directory' : 'special'} ${mode}`;
    const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    const known = digests.get(path);
    if (known?.stamp === stamp) return `${mode} ${known.digest}`;
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    digests.set(path, { stamp, digest });
    return `${mode} ${digest}`;
  };
  const documentsOf = (name: string): Record<string, unknown> => {
    const path = join(config, name);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  };
  return () => {
    const all = new Map<string, unknown>();
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // Images that the box registry of this process keeps.
      if (path.includes('/lanyard-images-')) continue;
      all.set(`file ${relative(root, path)}`, describe(path));
    }
    for (const name of existsSync(keyring) ? readdirSync(keyring) : [])
      all.set(`keyring ${decodeURIComponent(name)}`, describe(join(keyring, name)));
    for (const [name, value] of Object.entries(documentsOf('config.json'))) {
      if (typeof value !== 'object' || value === null) all.set(`config ${name}`, value);
      else
        for (const [key, own] of Object.entries(value)) all.set(`config ${name} ${key}`, JSON.stringify(own));
    }
    for (const [profile, tokens] of Object.entries(documentsOf('credentials.json').tokens ?? {}))
      for (const [service, token] of Object.entries(tokens as object))
        all.set(`token ${profile}/${service}`, JSON.stringify(token));
    for (const [key, row] of store.entriesAfter('', '', Number.MAX_SAFE_INTEGER))
      all.set(`remote ${key}`, row);
    return all;
  };
}

const text = (value: unknown): string =>
  JSON.stringify(value as Json, (_key, each) => (typeof each === 'bigint' ? String(each) : each));

/** The names of what differs, with what happened to each. */
export function changesBetween(before: Listing, after: Listing): readonly string[] {
  const changes: string[] = [];
  for (const [name, value] of after) {
    const previous = before.get(name);
    if (previous === value) continue;
    if (previous === undefined) changes.push(`+ ${name}`);
    else if (text(previous) !== text(value)) changes.push(`~ ${name}`);
  }
  for (const name of before.keys()) if (!after.has(name)) changes.push(`- ${name}`);
  return changes;
}
