import type { FieldDescription } from '../engine.ts';

type Describe = (description: string) => FieldDescription;

const fieldOf =
  (type: FieldDescription['type'], note = ''): Describe =>
  (description) => ({ type, description: description + note });

/** Descriptions of fields, by type. */
export const text = fieldOf('string');
export const flag = fieldOf('boolean');
export const integer = fieldOf('integer');
export const duration = fieldOf('string', ' Seconds, or a duration such as `1h30m`.');
export const list = fieldOf('array', ' An array, or one comma-separated string.');
export const object = fieldOf('object');

export const required = <Field extends FieldDescription>(field: Field): Field => ({
  ...field,
  required: true,
});
