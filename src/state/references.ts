import { dirname, isAbsolute, join } from 'node:path';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';

/** The steps to a value in a document. */
export type Path = readonly (string | number)[];

/** Where a value comes from. */
export type ValueSource =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string; readonly pointer?: string }
  | { readonly from: 'secrets'; readonly path: string; readonly field: string }
  /** A plain value in the document of kind Set. */
  | { readonly from: 'values'; readonly name: string; readonly pointer?: string };

/** The same forms as a pattern for JSON Schema. */
export const referencePattern =
  '^(env://[A-Za-z_][A-Za-z0-9_]*|file://[^#]+(#(/[^/]*)+)?|values://[A-Za-z_][A-Za-z0-9_.-]*(#(/[^/]*)+)?|secrets://[^#]*/[^#]*#[\\s\\S]+)$';

/** The form of a reference to a value of the set. */
export const valuePattern = '^values://[A-Za-z_][A-Za-z0-9_.-]*(#(/[^/]*)+)?$';

/**
 * Reads a reference: `env://NAME`, `file://PATH[#/POINTER]`, `secrets://MOUNT/PATH#FIELD` or `values://NAME[#/POINTER]`.
 * @returns undefined: it has another form.
 */
export function parseReference(text: string): ValueSource | undefined {
  const [, scheme, rest = ''] = /^(env|file|secrets|values):\/\/(.+)$/s.exec(text) ?? [];
  if (scheme === 'env')
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest) ? { from: 'env', name: rest } : undefined;
  const [path = '', fragment] = splitAtFirst(rest, '#');
  if (scheme === 'file' || scheme === 'values') {
    if (path === '' || (fragment !== undefined && !/^(\/[^/]*)+$/.test(fragment))) return undefined;
    const pointer = fragment === undefined ? {} : { pointer: fragment };
    if (scheme === 'file') return { from: 'file', path, ...pointer };
    return /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(path) ? { from: 'values', name: path, ...pointer } : undefined;
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

/** The names in a JSON pointer; none if it is empty. */
export const pointerNames = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The paths of all `valueFrom` below a value. */
export function referencePaths(value: Json, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  if (referenceIn(value) !== undefined) return [[...path, 'valueFrom']];
  const steps = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return steps.flatMap(([step, member]) => referencePaths(member as Json, [...path, step]));
}

/** The name of standard input in messages; paths in documents from it are relative to the working directory. */
export const stdinName = 'standard input';

/** Resolves a path that a file names, relative to that file. */
export const pathBeside = (file: string, path: string): string =>
  isAbsolute(path) || file === stdinName ? path : join(dirname(file), path);
