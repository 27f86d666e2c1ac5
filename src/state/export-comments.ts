import type { ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import type { ExportedSpec, FieldPath } from './export-spec.ts';
import type { JsonObject } from './kind.ts';

/** What a file says of the fields that it does not have, in lines without "#". */
export function commentsOf(
  schema: ObjectSchema,
  live: JsonObject,
  { spec, withheld }: Pick<ExportedSpec, 'spec' | 'withheld'>,
): readonly string[] {
  const isMissing = ([name = '']: FieldPath): boolean => !Object.hasOwn(spec, name);
  const generated = Object.entries<Schema>(schema.properties).flatMap(([name, { isExportedIfStated }]) =>
    isExportedIfStated && Object.hasOwn(live, name) ? [[name]] : [],
  );
  const lines: readonly (readonly [text: string, fields: readonly FieldPath[]])[] = [
    ['Fields that each cluster generates, if they are not stated', generated.filter(isMissing)],
    ['Secrets that are not exported', withheld],
    ['Fields that the service does not return', writeOnlyFields(schema, live.type).filter(isMissing)],
  ];
  return lines.flatMap(([text, fields]) => (fields.length === 0 ? [] : [`${text}: ${joined(fields)}`]));
}

/** @param type of the object, if it is a field: fields of other types are left out */
const writeOnlyFields = (schema: ObjectSchema, type?: Json): readonly FieldPath[] =>
  Object.entries(schema.properties).flatMap(([name, property]): FieldPath[] => {
    const { types } = property;
    if (types && typeof type === 'string' && !types.includes(type)) return [];
    if (property.isWriteOnly || property.isLocal) return [[name]];
    return property.type === 'object' ? writeOnlyFields(property).map((path) => [name, ...path]) : [];
  });

/** Names of fields in one line. */
export const joined = (paths: readonly FieldPath[]): string =>
  paths
    .map((path) => JSON.stringify(path.join('.')).slice(1, -1))
    .sort()
    .join(', ');
