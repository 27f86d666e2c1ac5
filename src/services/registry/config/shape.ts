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
  /** Written even if it is 0. */
  readonly weight: number;
  readonly duration: string;
  /** Opaque. */
  readonly any: Json;
}

/** A value that does not match its shape; the message has its path. */
export class ShapeError extends FieldError {}

/**
 * Normalizes a JSON value: field names are matched in any case and in snake_case, empty values (null, empty text, 0,
 * false, an empty list or map) are dropped, durations are written in Go style.
 *
 * @param path of the value, for messages; empty at the top
 * @returns undefined: empty
 * @throws ShapeError
 */
export function applyShape(value: Json | undefined, shape: Shape, path = ''): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (shape === 'any') return value;
  if (typeof shape === 'string') return shapeScalar(value, shape, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw new ShapeError(`${path} must be an array`);
    const items = value.map(
      (item, index) => applyShape(item, shape.list, `${path}[${index}]`) ?? emptyValue(shape.list),
    );
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ShapeError(`${path || 'it'} must be an object`);
  if ('members' in shape) return shapeObject(value, shape.members, path);
  const entries = Object.entries(value).map(([name, item]): [string, Json] => [
    name,
    applyShape(item, shape.map, `${path}[${JSON.stringify(name)}]`) ?? emptyValue(shape.map),
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
  if (shape === 'duration') {
    const nanoseconds = readNanoseconds(value);
    if (nanoseconds === undefined) throw new ShapeError(`${path} must be a duration such as "5s"`);
    return nanoseconds === 0 ? undefined : formatNanoseconds(nanoseconds);
  }
  if (typeof value !== 'number') throw new ShapeError(`${path} must be a number`);
  if (shape === 'weight') return value;
  if (!Number.isSafeInteger(value)) throw new ShapeError(`${path} must be an integer`);
  return value === 0 ? undefined : value;
}

function shapeObject(value: { readonly [name: string]: Json }, members: ObjectShape, path: string): Json {
  const values = new Map<string, Json>();
  const names = new Map(Object.keys(members).map((name) => [canonicalName(name), name]));
  for (const [inputName, item] of Object.entries(value)) {
    const name = names.get(canonicalName(inputName));
    if (name === undefined) throw new ShapeError(`invalid config key "${joinPath(path, inputName)}"`);
    values.set(name, item);
  }
  const entries = Object.entries(members).flatMap(([name, shape]): [string, Json][] => {
    const item =
      applyShape(values.get(name), shape, joinPath(path, name)) ?? (shape === 'weight' ? 0 : undefined);
    return item === undefined ? [] : [[name, item]];
  });
  return Object.fromEntries(entries);
}

/** Replaces an empty item of a list or map, because its position or key matters. */
function emptyValue(shape: Shape): Json {
  if (shape === 'text') return '';
  if (shape === 'flag') return false;
  if (shape === 'integer' || shape === 'weight') return 0;
  if (shape === 'duration') return '0s';
  if (shape === 'any') return null;
  return 'list' in shape ? [] : {};
}

const canonicalName = (name: string): string => name.replaceAll('_', '').toLowerCase();
const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
