import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/fields.ts';
import { formatNanoseconds, readNanoseconds } from './duration.ts';

/** Fields by name, in the order of output. */
export interface ObjectShape {
  readonly [name: string]: Shape;
}

export type Shape =
  | keyof Scalars
  | { readonly list: Shape }
  /** A map with user-defined keys. */
  | { readonly map: Shape }
  | { readonly members: ObjectShape };

export type Shaped<Of> = Of extends { readonly list: infer Item }
  ? readonly Shaped<Item>[]
  : Of extends { readonly map: infer Item }
    ? { readonly [name: string]: Shaped<Item> }
    : Of extends { readonly members: infer Members }
      ? {
          readonly [Name in keyof Members as Members[Name] extends 'weight' ? never : Name]?: Shaped<
            Members[Name]
          >;
        } & {
          readonly [Name in keyof Members as Members[Name] extends 'weight' ? Name : never]: number;
        }
      : Of extends keyof Scalars
        ? Scalars[Of]
        : never;

interface Scalars {
  readonly text: string;
  readonly flag: boolean;
  readonly integer: number;
  /** An integer from 0 to 2^32 - 1. */
  readonly unsigned: number;
  /** An integer whose 0 differs from a missing one. */
  readonly optional: number;
  /** Written even if it is 0. */
  readonly weight: number;
  readonly duration: string;
  /** A duration that is written as a number. */
  readonly nanoseconds: number;
  /** Opaque. */
  readonly any: Json;
}

/** A value that does not match its shape; the message has its path. */
export class ShapeError extends FieldError {}

/**
 * Normalizes a JSON value: field names are matched in any case and in snake_case, empty values (null, empty text, 0,
 * false, an empty list or map) are dropped, durations are written in Go style.
 *
 * @param unknown receives the paths of fields that the shape does not have
 * @returns undefined: empty
 * @throws ShapeError
 */
export function applyShape(value: Json | undefined, shape: Shape, unknown: string[]): Json | undefined {
  return shapeValue(value, shape, '', unknown);
}

function shapeValue(
  value: Json | undefined,
  shape: Shape,
  path: string,
  unknown: string[],
): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (shape === 'any') return value;
  if (typeof shape === 'string') return shapeScalar(value, shape, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw new ShapeError(`${path} must be an array`);
    const items = value.map(
      (item, index) => shapeValue(item, shape.list, `${path}[${index}]`, unknown) ?? emptyValue(shape.list),
    );
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ShapeError(`${path || 'it'} must be an object`);
  if ('members' in shape) return shapeObject(value, shape.members, path, unknown);
  const entries = Object.entries(value).map(([name, item]): [string, Json] => [
    name,
    shapeValue(item, shape.map, `${path}[${name}]`, unknown) ?? emptyValue(shape.map),
  ]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function shapeScalar(value: Json, shape: Exclude<keyof Scalars, 'any'>, path: string): Json | undefined {
  if (shape === 'text') {
    if (typeof value !== 'string') throw new ShapeError(`${path} must be a string`);
    return value === '' ? undefined : value;
  }
  if (shape === 'flag') {
    if (typeof value !== 'boolean') throw new ShapeError(`${path} must be true or false`);
    return value ? true : undefined;
  }
  if (shape === 'duration' || shape === 'nanoseconds') {
    const nanoseconds = value === '' ? undefined : readNanoseconds(value);
    if (nanoseconds === undefined) throw new ShapeError(`${path} must be a duration such as "5s"`);
    if (nanoseconds === 0) return undefined;
    return shape === 'duration' ? formatNanoseconds(nanoseconds) : nanoseconds;
  }
  if (typeof value !== 'number') throw new ShapeError(`${path} must be a number`);
  if (shape === 'weight') return value;
  if (!Number.isSafeInteger(value)) throw new ShapeError(`${path} must be an integer`);
  if (shape === 'unsigned' && (value < 0 || value > maxUnsigned))
    throw new ShapeError(`${path} must be an integer from 0 to ${maxUnsigned}`);
  return value === 0 && shape !== 'optional' ? undefined : value;
}

const maxUnsigned = 2 ** 32 - 1;

function shapeObject(
  value: { readonly [name: string]: Json },
  members: ObjectShape,
  path: string,
  unknown: string[],
): Json {
  const values = new Map<string, Json>();
  const names = new Map(Object.keys(members).map((name) => [canonicalName(name), name]));
  const ownUnknown: string[] = [];
  for (const [inputName, item] of Object.entries(value)) {
    const name = names.get(canonicalName(inputName));
    if (name === undefined) ownUnknown.push(joinPath(path, inputName));
    else values.set(name, item);
  }
  const entries = Object.entries(members).flatMap(([name, shape]): [string, Json][] => {
    const item =
      shapeValue(values.get(name), shape, joinPath(path, name), unknown) ??
      (shape === 'weight' ? 0 : undefined);
    return item === undefined ? [] : [[name, item]];
  });
  unknown.push(...ownUnknown.toSorted());
  return Object.fromEntries(entries);
}

/** Replaces an empty item of a list or map, because its position or key matters. */
function emptyValue(shape: Shape): Json {
  if (shape === 'text') return '';
  if (shape === 'flag') return false;
  if (shape === 'duration') return '0s';
  if (shape === 'any') return null;
  if (typeof shape === 'string') return 0;
  return 'list' in shape ? [] : {};
}

const canonicalName = (name: string): string => name.replaceAll('_', '').toLowerCase();
const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
