import type { AnyCommand, CommandEntry } from '../../../src/command/command.ts';
import { schemaName } from '../../../src/commands/schema/lib/result-schemas.ts';
import { kinds as errorKinds } from '../../../src/errors.ts';
import { applyOutputSchema, planOutputSchema } from '../../../src/state/output-schema.ts';
import type { JsonSchema } from '../../../src/wire/json.ts';
import type { Compiler } from '../../compiler.ts';
import { CommandTypes } from './command-types.ts';
import { pascalCase, SharedSchemas } from './share.ts';
import { type Schema, TypeSchemas, union } from './type-schema.ts';

/** Commands that return what any request returns. */
const anyResult: readonly string[] = ['api'];

/** Schemas that the code states, by their name. */
const stated: Readonly<Record<string, JsonSchema>> = { Plan: planOutputSchema(), Apply: applyOutputSchema() };

/** Results that have them. With --dry-run, "apply" writes a plan. */
const statedResults: Readonly<Record<string, readonly string[]>> = {
  plan: ['Plan', 'Plans'],
  apply: ['Apply', 'Applied', 'Plan', 'Plans'],
};

/** The same of several sets. */
const ofSeveral = (name: string, items: string, description: string): Schema => ({
  type: 'object',
  description,
  properties: { [name]: { type: 'array', items: { $ref: `#/$defs/${items}` } } },
  required: [name],
});

/**
 * One JSON Schema with the result of every command in its `$defs`, from the types of the code, with those of errors and
 * dry runs.
 *
 * @throws Error if a result is open: any JSON would match.
 */
async function resultSchemas(tree: readonly CommandEntry[], compiler: Compiler): Promise<Schema> {
  const types = new CommandTypes(compiler);
  const schemas = new TypeSchemas(compiler.checker);
  const found = new Map<string, Schema>();
  const paths = new Map<AnyCommand, string>();
  for (const { path, summary, load } of tree) {
    const { default: command } = await load();
    const head = { title: `lanyard ${path}`, description: `${summary}.` };
    const original = paths.get(command);
    if (original === undefined) paths.set(command, path);
    const schema =
      original === undefined
        ? command.hasNoResult
          ? undefined
          : resultOf(path, types, schemas)
        : found.has(schemaName(original))
          ? { $ref: `#/$defs/${schemaName(original)}` }
          : undefined;
    if (schema) found.set(schemaName(path), { ...head, ...schema });
  }
  found.set('error', {
    title: 'Error',
    description: 'What a command that fails writes to standard error with -o json, jsonl or yaml.',
    ...errorSchema(compiler, schemas),
  });
  found.set('dry-run', {
    title: 'Dry run',
    description:
      'What a command that changes something writes with --dry-run and -o json, instead of its result.',
    ...schemas.of(compiler.exported('src/cli/run/dry-run.ts', 'DryRunData')),
  });
  const shared = new SharedSchemas(new Map([...objectNames(found), ...schemas.names]), [...found.values()]);
  const results = [...found].map(([name, schema]) => [name, shared.share(schema, name)] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:lanyard:results:v1',
    title: 'Results of Lanyard commands',
    description:
      'What each command writes with -o json: $defs has its schema by the words of the command, joined with "-". Fields that are not listed may occur.',
    $defs: { ...Object.fromEntries(results), ...shared.defs, ...schemas.defs, ...statedDefs() },
  };
}

/** Names of objects after the commands that show them: `acl token get` shows an `AclToken`. */
function objectNames(results: ReadonlyMap<string, Schema>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const verb of ['get', 'list', 'self', 'create', '']) {
    for (const [result, schema] of results) {
      const [name, own = ''] = /^(.*)-(get|list|self|create)$/.exec(result)?.slice(1) ?? [result];
      const { title: _title, description: _description, ...bare } = schema;
      const key = JSON.stringify(bare.items ?? bare);
      if (own === verb && !names.has(key)) names.set(key, pascalCase(name ?? ''));
    }
  }
  return names;
}

/** The text of the file with all schemas. */
export const resultSchemasText = async (tree: readonly CommandEntry[], compiler: Compiler): Promise<string> =>
  `${JSON.stringify(await resultSchemas(tree, compiler), undefined, 1)}\n`;

function resultOf(path: string, types: CommandTypes, schemas: TypeSchemas): Schema | undefined {
  const own = statedResults[path];
  if (own) return union(own.map((name) => ({ $ref: `#/$defs/${name}` })));
  const parts = types
    .dataOf(`src/commands/${path.replaceAll(' ', '/')}.ts`)
    .map((type) => schemas.of(type))
    .filter((schema) => schema !== undefined);
  if (parts.length === 0) return undefined;
  const result = union(parts);
  if (Object.keys(result).length === 0 && !anyResult.includes(path))
    throw new Error(`the result of "${path}" has no type: state it where the command returns it`);
  return result;
}

function errorSchema(compiler: Compiler, schemas: TypeSchemas): Schema {
  const schema = structuredClone(schemas.of(compiler.exported('src/output/failure.ts', 'ErrorObject')) ?? {});
  const { error } = schema.properties as { error: { properties: Record<string, Schema> } };
  error.properties.code = {
    ...error.properties.code,
    enum: Object.values(errorKinds).map(({ code }) => code),
  };
  return schema;
}

/** The stated schemas and their parts, with names of their own. */
function statedDefs(): Readonly<Record<string, Schema>> {
  const defs: Record<string, Schema> = {
    Plans: ofSeveral('plans', 'Plan', 'The plans of several sets, in their order.'),
    Applied: ofSeveral('applied', 'Apply', 'The results of several sets, in their order.'),
  };
  for (const [name, schema] of Object.entries(stated)) {
    const {
      $schema: _dialect,
      $defs: parts,
      ...whole
    } = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"#/$defs/${name}.`)) as Schema;
    defs[name] = whole;
    for (const [part, own] of Object.entries(parts as Record<string, Schema>)) defs[`${name}.${part}`] = own;
  }
  return defs;
}
