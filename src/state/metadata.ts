import { field, type ObjectSchema, type Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import type { JsonObject, Kind } from './kind.ts';
import { undoSchema } from './undo-guard.ts';

/** What `metadata` of a document may state, besides the fields of the scope. */
export interface Metadata extends JsonObject {
  readonly [name: string]: Json;
}

/** The schema of `metadata` for a kind. */
export function metadataSchema(kind: Kind): ObjectSchema {
  const scope = kind.scope.map(({ name, description, default: usual }): [string, Schema] => [
    name,
    field.string({ description, isQuoted: true, ...(usual === undefined ? {} : { default: usual }) }),
  ]);
  const notEmpty = kind.allowsEmptyName ? {} : { minLength: 1 };
  const names: [string, Schema][] =
    kind.nameIs === undefined || kind.keyOf
      ? []
      : [['name', field.string({ description: kind.nameIs, ...notEmpty, isQuoted: true })]];
  const required = [
    ...kind.scope.filter((each) => each.default === undefined).map(({ name }) => name),
    ...names.map(([name]) => name),
  ];
  return field.object(
    {
      ...Object.fromEntries([...scope, ...names]),
      deletion: field.choice(['allow', 'protect'], {
        description: `Whether "apply --prune" may delete it (default: ${kind.isProtected ? 'protect' : 'allow'}).`,
      }),
      ensure: field.choice(['present', 'absent', 'omitted'], {
        description:
          'absent: delete it if it exists. omitted: the object that a base states does not belong to this set.',
      }),
      fields: field.choice(['stated', 'exact'], {
        description: 'exact: fields that the file does not state must have their defaults.',
      }),
      ignore: field.list(field.string({ pattern: /^\/spec(\/[^/]+)+$/ }), {
        description: 'JSON pointers of fields that are not compared: /spec/FIELD.',
      }),
      sensitive: field.boolean({
        default: true,
        description: 'false: the values of the object are not secret.',
      }),
      allowLiteral: field.boolean({ description: 'true: values of secrets may be in the file.' }),
      rotate: field.integer({
        minimum: 1,
        description: 'A greater number sends the write-only fields again.',
      }),
      values: field.choice(['managed', 'unmanaged'], {
        description: 'unmanaged: the object must exist, its values are not compared.',
      }),
      mergeKeys: field.boolean({ description: 'true: names that the file does not state are unchanged.' }),
      undo: undoSchema,
    },
    { required },
  );
}
