import { flag } from '../../../command/command.ts';
import { isForbidden, isKind, LanyardError } from '../../../errors.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

/** How values are merged: by the service (PATCH), or by this program, which reads, merges and writes. */
export const methodFlag = flag.choice(
  ['patch', 'rw'],
  'send a PATCH request, or read, merge and write (default: patch, else rw)',
);

/**
 * Merges by a PATCH request, or by reading and writing: if `method` says so, or without it if the service does not
 * support PATCH (405) or the token lacks the capability `patch` (403).
 */
export async function patchOrRewrite<Response>(
  method: 'patch' | 'rw' | undefined,
  patch: () => Promise<Response>,
  rewrite: () => Promise<Response>,
): Promise<Response> {
  if (method === 'rw') return rewrite();
  try {
    return await patch();
  } catch (error) {
    if (method === 'patch' || !isUnavailable(error)) throw error;
    // What the user has to know is why the request was rejected that the token should be able to send.
    return rewrite().catch((other: unknown) => {
      throw isForbidden(other) ? error : other;
    });
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof LanyardError &&
  (error.status === 405 || (error.status === 403 && isKind('forbidden')(error)));

/** Applies a JSON merge patch (RFC 7396): null removes a field. */
export function applyPatch(value: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map<string, Json>(isObject(value) ? Object.entries(value) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else members.set(name, applyPatch(members.get(name), change));
  }
  return Object.fromEntries(members);
}
