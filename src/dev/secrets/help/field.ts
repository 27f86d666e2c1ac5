import type { FieldDescription } from '../engine.ts';

type Describe = (description: string) => FieldDescription;

const of =
  (type: FieldDescription['type'], note = ''): Describe =>
  (description) => ({ type, description: description + note });

/** Descriptions of fields, by type. */
export const text = of('string');
export const flag = of('boolean');
export const integer = of('integer');
export const duration = of('string', ' Seconds, or a duration such as `1h30m`.');
export const list = of('array', ' An array, or one comma-separated string.');
export const object = of('object');

export const required = (field: FieldDescription): FieldDescription => ({ ...field, required: true });
