import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface ResultSchemas {
  readonly $id: string;
  readonly $defs: Readonly<Record<string, object>>;
}

const file = new URL('../../schemas/lanyard-results-v1.schema.json', import.meta.url);
const read = (): ResultSchemas => JSON.parse(readFileSync(file, 'utf8'));

let loaded: { readonly schemas: ResultSchemas; readonly ajv: Ajv2020 } | undefined;
function load() {
  if (loaded) return loaded;
  const schemas = read();
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  ajv.addSchema(schemas);
  loaded = { schemas, ajv };
  return loaded;
}

/** The schemas of all results, as they are shipped. */
export const resultSchemas = (): ResultSchemas => load().schemas;

/** The name of a command in the schemas: `ssh sign` → `ssh-sign`. */
export const schemaKey = (command: string): string => command.replaceAll(' ', '-');

function validator(name: string): ValidateFunction {
  const { ajv, schemas } = load();
  const found = ajv.getSchema(`${schemas.$id}#/$defs/${name}`);
  if (!found) throw new Error(`no schema of ${name}`);
  return found;
}

/** What a schema says against a value, one line each. */
export function schemaProblems(name: string, value: unknown): readonly string[] {
  const validate = validator(name);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}
