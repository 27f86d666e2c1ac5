import { isAbsolute, join } from 'node:path';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';

/** Where a value comes from. */
export type ValueSource =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string; readonly pointer?: string }
  | { readonly from: 'secrets'; readonly path: string; readonly field: string };

/** The same forms as a pattern for JSON Schema. */
export const referencePattern =
  '^(env://[A-Za-z_][A-Za-z0-9_]*|file://[^#]+(#(/[^/]*)+)?|secrets://[^#]*/[^#]*#[\\s\\S]+)$';

/**
 * Reads a reference: `env://NAME`, `file://PATH[#/POINTER]` or `secrets://MOUNT/PATH#FIELD`.
 * @returns undefined: it has another form.
 */
export function parseReference(text: string): ValueSource | undefined {
  const [, scheme, rest = ''] = /^(env|file|secrets):\/\/(.+)$/s.exec(text) ?? [];
  if (scheme === 'env')
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest) ? { from: 'env', name: rest } : undefined;
  const [path = '', fragment] = splitAtFirst(rest, '#');
  if (scheme === 'file') {
    if (path === '' || (fragment !== undefined && !/^(\/[^/]*)+$/.test(fragment))) return undefined;
    return fragment === undefined ? { from: 'file', path } : { from: 'file', path, pointer: fragment };
  }
  if (scheme !== 'secrets' || !path.includes('/') || !fragment) return undefined;
  return { from: 'secrets', path, field: fragment };
}

function splitAtFirst(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The text of `{ valueFrom: TEXT }`; undefined: another value. */
export function referenceIn(value: Json | undefined): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  return typeof value.valueFrom === 'string' ? value.valueFrom : undefined;
}

/** Resolves a path that a file names, relative to that file. */
export const besides = (directory: string, path: string): string =>
  isAbsolute(path) ? path : join(directory, path);
