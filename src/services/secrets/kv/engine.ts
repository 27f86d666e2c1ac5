import type { Engine, EngineParts } from '../engine.ts';
import { versionedEngine } from '../handlers/kv/config.ts';
import { unversionedEngine } from '../handlers/kv/unversioned.ts';

/** The key-value engine in one of its versions (docs/protocol/kv.md#version-2). */
export function kvEngine({ version, ...parts }: EngineParts & { readonly version: 1 | 2 }): Engine {
  return version === 1 ? unversionedEngine(parts) : versionedEngine(parts);
}
