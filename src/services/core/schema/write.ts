import { getOrCreate } from '../../../wire/maps.ts';
import { isObject } from '../../../wire/objects.ts';
import { checkOf } from './matches.ts';
import { isEither, isEmpty, isList, isMap, isObjectType, type ObjectType, type Type } from './types.ts';

/** The fields of a value of a type in a response, so that a response never has others than its documentation. */
export type Writer = (value: unknown) => unknown;

const writers = new WeakMap<Type, Writer>();

/** The writer of a type, which copies the declared fields, in order. It throws for a value of another type: a fault. */
export const writerOf = (type: Type): Writer => getOrCreate(writers, type, () => newWriter(type));

function newWriter(type: Type): Writer {
  const write = presentWriter(type);
  return (value) => {
    if (value === undefined || (value === null && type.isNullable)) return value;
    return write(value);
  };
}

function presentWriter(type: Type): Writer {
  if (isList(type)) {
    const item = writerOf(type.items);
    return (value) => (Array.isArray(value) ? value.map(item) : mismatch(type));
  }
  if (isMap(type)) {
    const member = writerOf(type.values);
    return (value) => {
      // A map that is kept as its entries.
      const values = isObject(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;
      if (!isObject(values)) return mismatch(type);
      return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, member(each)]));
    };
  }
  if (isObjectType(type)) return objectWriter(type);
  if (isEither(type)) return firstMatching(type.options.map(writerOf), type);
  const check = checkOf(type);
  return (value) => (check(value) ? value : mismatch(type));
}

function objectWriter(type: ObjectType): Writer {
  return (value) => {
    const written: Record<string, unknown> = {};
    for (const [name, member, field] of fieldsOf(type, value)) written[name] = writerOf(field)(member);
    if (!type.isOpen || !isObject(value)) return written;
    // Names from clients may be `__proto__`, which an assignment would not set.
    const others = Object.entries(value).filter(([name]) => !Object.hasOwn(type.fields, name));
    return Object.fromEntries([...others, ...Object.entries(written)]);
  };
}

/** The declared fields of an object that a response has, in their order. @throws Error, as writers */
export function* fieldsOf(
  type: ObjectType,
  value: unknown,
): Generator<readonly [name: string, value: unknown, type: Type]> {
  if (!isObject(value)) return mismatch(type);
  for (const name in type.fields) {
    const field = type.fields[name] as Type;
    if (field.only === 'request') continue;
    const member = value[name];
    if (member === undefined && !field.isOptional && !field.omitsEmpty) mismatch(field, name);
    if (member !== undefined && !(field.omitsEmpty && isEmpty(member))) yield [name, member, field];
  }
}

/** The first of these writers whose type a value has. */
function firstMatching(options: readonly Writer[], type: Type): Writer {
  return (value) => {
    for (const write of options) {
      try {
        return write(value);
      } catch {
        // It may have the next type.
      }
    }
    return mismatch(type);
  };
}

function mismatch({ kind }: Type, name = ''): never {
  throw new Error(`a response does not match its type: ${name === '' ? '' : `${name}: `}${kind} expected`);
}
