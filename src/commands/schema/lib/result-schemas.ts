import type { Json, JsonSchema } from '../../../wire/json.ts';

/** The schemas of all results, by name, and of the objects that they share. */
export interface ResultSchemas extends JsonSchema {
  readonly $id: string;
  readonly $defs: Readonly<Record<string, JsonObject>>;
}

type JsonObject = { readonly [name: string]: Json };

export async function loadResultSchemas(): Promise<ResultSchemas> {
  const file = await import('../../../../schemas/lanyard-results-v1.schema.json', { with: { type: 'json' } });
  return file.default;
}

/** The name of a command in the schemas: `ssh sign` → `ssh-sign`. */
export const schemaName = (command: string): string => command.replaceAll(' ', '-');

/** The names of results. Objects that they share have names like types. */
export const resultNames = ({ $defs }: ResultSchemas): readonly string[] =>
  Object.keys($defs).filter((name) => /^[a-z]/.test(name));

/**
 * The schema of one result, with those that it refers to.
 *
 * @param command its words, or `error` or `dry-run`.
 */
export function resultSchema(schemas: ResultSchemas, command: string): JsonSchema | undefined {
  const { $schema, $id, $defs } = schemas;
  const name = schemaName(command);
  const schema = resultNames(schemas).includes(name) ? $defs[name] : undefined;
  if (!schema) return undefined;
  const parts = partsOf(schema, $defs);
  return {
    $schema,
    $id: `${$id}:${name}`,
    ...schema,
    ...(Object.keys(parts).length > 0 && { $defs: parts }),
  };
}

const references = /"\$ref":"#\/\$defs\/([^"]+)"/g;

/** The schemas that one refers to, also through others. */
function partsOf(schema: JsonObject, all: ResultSchemas['$defs']): Record<string, JsonObject> {
  const parts: Record<string, JsonObject> = {};
  const add = (from: JsonObject): void => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(references)) {
      const part = all[name];
      if (!part || Object.hasOwn(parts, name)) continue;
      parts[name] = part;
      add(part);
    }
  };
  add(schema);
  return parts;
}
