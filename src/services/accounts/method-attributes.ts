import type { Json } from '../../wire/json.ts';
import { type Fields, object, storedOf } from '../core/schema/types.ts';
import { readAttributes } from './body.ts';
import { attributesMismatch, type Problems } from './errors.ts';
import { type AuthMethod, type MethodType, methodAttributes } from './model/auth-methods.ts';

type Attributes = AuthMethod['attributes'];

/** The values of attributes that are never missing. */
const defaultsOf = (fields: Fields): Attributes =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, type]) =>
      type.default === undefined ? [] : [[name, type.default]],
    ),
  );

/** The attributes of a new auth method. Problems are collected. @throws InvalidFieldsError 400 */
export function newMethodAttributes(type: MethodType, sent: object | undefined, problems: Problems) {
  const fields: Fields = methodAttributes[type];
  return { ...defaultsOf(fields), ...storedOf(object(fields), readAttributes(fields, sent, problems)) };
}

/**
 * The attributes of an auth method after an update; null unsets one. Problems are collected.
 *
 * @param paths the fields to change
 * @throws InvalidFieldsError 400
 */
export function updatedMethodAttributes(
  { type, attributes }: Pick<AuthMethod, 'type' | 'attributes'>,
  sent: object | null | undefined,
  paths: readonly string[],
  problems: Problems,
): { readonly attributes: Attributes; readonly isChange: boolean } {
  const all: Fields = methodAttributes[type];
  const isNamed = ([name]: readonly [string, unknown]): boolean => paths.includes(`attributes.${name}`);
  const given = Object.entries((sent ?? {}) as { readonly [name: string]: Json });
  if (!given.every(([name]) => Object.hasOwn(all, name))) throw attributesMismatch();
  const named = Object.entries(all).filter(isNamed);
  const fields: Fields = Object.fromEntries(named);
  const changes = readAttributes(
    fields,
    Object.fromEntries(given.filter(isNamed)),
    problems,
    'Can change but cannot unset this field.',
  );
  const kept = Object.entries(attributes).filter((each) => !isNamed(each));
  return {
    attributes: {
      ...defaultsOf(all),
      ...Object.fromEntries(kept),
      ...storedOf(object(fields), changes),
    },
    isChange: named.length > 0,
  };
}
