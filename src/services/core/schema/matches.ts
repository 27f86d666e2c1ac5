import { isObject } from '../../../wire/objects.ts';
import { isEither, isList, isMap, isObjectType, type Stored, type Type } from './types.ts';

/** Whether a stored value has a type; fields of later releases are not checked. */
export type Check<Value> = (value: unknown) => value is Value;

/** The check of a type, made once for many values. */
export const checkOf = <T extends Type>(type: T): Check<Stored<T>> => testOf(type) as Check<Stored<T>>;

type Test = (value: unknown) => boolean;

function testOf(type: Type): Test {
  const present = presentTestOf(type);
  const test: Test = type.isNullable ? (value) => value === null || present(value) : present;
  return type.isOptional ? (value) => value === undefined || test(value) : test;
}

function presentTestOf(type: Type): Test {
  if (isList(type)) {
    const item = testOf(type.items);
    return (value) => Array.isArray(value) && value.every((each) => item(each));
  }
  if (isMap(type)) {
    const member = testOf(type.values);
    return (value) => isObject(value) && Object.values(value).every((each) => member(each));
  }
  if (isObjectType(type)) {
    const fields = Object.entries(type.fields)
      .filter(([, field]) => field.only === undefined)
      .map(([name, field]) => [name, testOf(field)] as const);
    return (value) => isObject(value) && fields.every(([name, test]) => test(value[name]));
  }
  if (isEither(type)) {
    const options = type.options.map(testOf);
    return (value) => options.some((option) => option(value));
  }
  return scalarTestOf(type);
}

function scalarTestOf({ kind, keywords }: Type): Test {
  switch (kind) {
    case 'string': {
      const values = keywords?.enum as readonly unknown[] | undefined;
      return values ? (value) => values.includes(value) : (value) => typeof value === 'string';
    }
    case 'time':
      return (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'int64':
      return (value) => typeof value === 'bigint' || typeof value === 'number';
    case 'json':
      return (value) => value !== undefined;
    default:
      return (value) => typeof value === 'number';
  }
}
