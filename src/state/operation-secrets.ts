import { redact } from '../api/redaction.ts';
import { LanyardError } from '../errors.ts';
import type { Schema } from '../objects/schema.ts';
import { formatJson, type Json } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import { holdsSecret, pointerSteps } from './compare.ts';
import { propertyOf } from './normalize.ts';
import type { Operation } from './operations.ts';

/** Lines of a secret that are at least this long are redacted of their own. */
const minLineLength = 8;

/** An error of a service without the secrets of the object, those that it has and those that it should have. */
export function withoutSecrets(operation: Operation, error: LanyardError): LanyardError {
  const secrets = secretsOf(operation).flatMap((secret) => [
    secret,
    ...secret.split(/\r?\n/).filter((line) => line.length >= minLineLength),
  ]);
  const details = error.details.map((detail) => redact(detail, secrets));
  return new LanyardError(error.kind, redact(error.message, secrets), { ...error, details });
}

function secretsOf({ kind, desired, live, resolved = new Set() }: Operation): readonly string[] {
  const references = [...resolved].map((pointer) => valueAt(kind.schema, desired, pointerSteps(pointer)));
  return [
    ...secretTexts(kind.schema, desired),
    ...secretTexts(kind.schema, live?.spec),
    ...references.flatMap((value) => textsIn(value)),
  ];
}

/** The values of the fields that are secrets. */
function secretTexts(schema: Schema, value: Json | undefined): readonly string[] {
  if (value === undefined || !holdsSecret(schema)) return [];
  if (schema.isSecret || schema.isWriteOnly) return textsIn(value);
  if (schema.type === 'list' && Array.isArray(value))
    return value.flatMap((item) => secretTexts(schema.items, item));
  if (schema.type === 'map' && isObject(value))
    return Object.values(value).flatMap((member) => secretTexts(schema.values, member));
  if (schema.type !== 'object' || !isObject(value)) return textsIn(value);
  return Object.entries(value).flatMap(([name, member]) => {
    const property = schema.properties[propertyOf(schema, name) ?? name];
    return property ? secretTexts(property, member) : [];
  });
}

/** Texts and numbers in a value. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || typeof value === 'boolean') return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isObject(value)) return Object.values(value).flatMap(textsIn);
  return [typeof value === 'string' ? value : formatJson(value)];
}

function valueAt(schema: Schema, value: Json | undefined, steps: readonly string[]): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) return valueAt(schema, value[Number(step)], rest);
  if (!isObject(value)) return undefined;
  const isNamed = schema.type === 'object';
  const name = Object.keys(value).find(
    (each) => each === step || (isNamed && propertyOf(schema, each) === step),
  );
  const inner = isNamed
    ? memberOf(schema.properties, step)
    : schema.type === 'map'
      ? schema.values
      : undefined;
  return name === undefined ? undefined : valueAt(inner ?? { type: 'any' }, value[name], rest);
}
