import type { Engine, EngineParts } from '../engine.ts';
import { plainEngine } from './plain.ts';
import { versionedEngine } from './versioned.ts';

/** The key-value engine in one of its versions (secrets.md, "Key-value secret"; wire-facts, 1.7). */
export function kvEngine({ version, ...parts }: EngineParts & { readonly version: 1 | 2 }): Engine {
  return version === 1 ? plainEngine(parts) : versionedEngine(parts);
}
