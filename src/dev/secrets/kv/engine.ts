import type { Engine, EngineParts } from '../engine.ts';
import { plainEngine } from './plain.ts';
import { versionedEngine } from './versioned.ts';

/** The key-value engine in one of its versions (docs/protocol/kv.md#version-2). */
export function kvEngine({ version, ...parts }: EngineParts & { readonly version: 1 | 2 }): Engine {
  return version === 1 ? plainEngine(parts) : versionedEngine(parts);
}
