import { arg, command, flag } from '../command/command.ts';
import { usage } from '../errors.ts';
import { listResult, raw, strong } from '../output/document.ts';
import { formatJson, type JsonSchema } from '../wire/json.ts';
import {
  loadResultSchemas,
  type ResultSchemas,
  resultNames,
  resultSchema,
} from './schema/lib/result-schemas.ts';

export default command({
  description:
    'The schema (2020-12) describes what the command writes with -o json; responses of services may have more fields. "error" and "dry-run" are common to all commands. The name of an area or noun lists its commands.',
  examples: ['lanyard schema ssh sign > ssh-sign.schema.json', 'lanyard schema error', 'lanyard schema kv'],
  args: {
    words: arg.rest('COMMAND', 'words of the command (default: list all)', 0, { completes: 'result' }),
  },
  flags: { all: flag.boolean('print one schema with the schemas of all commands in $defs') },
  async run({ args: { words }, flags }) {
    if (flags.all && words.length > 0) throw usage('--all cannot be combined with COMMAND');
    const schemas = await loadResultSchemas();
    if (flags.all) return printed(schemas);
    const name = words.join(' ');
    const schema = resultSchema(schemas, name);
    if (schema) return printed(schema);
    const rows = listed(schemas, name);
    if (rows.length === 0)
      throw usage(`no schema for "${name}"`, {
        hint: 'Run `lanyard schema` for the commands with a result. Other commands print the result of the command they run, or text.',
      });
    return listResult(rows, undefined, {
      COMMAND: ({ command }) => strong(command),
      DESCRIPTION: { shrinkPriority: 1, cell: ({ description }) => description },
    });
  },
});

interface Row {
  /** Its words; `error` or `dry-run`: what all commands share. */
  readonly command: string;
  readonly description: string;
}

/** The results below a group of commands. */
const listed = (schemas: ResultSchemas, group: string): readonly Row[] =>
  resultNames(schemas)
    .map((name): Row => {
      const { title, description } = schemas.$defs[name] ?? {};
      const command = String(title).replace(/^lanyard /, '');
      return { command: /^[a-z]/.test(command) ? command : name, description: String(description) };
    })
    .filter(({ command }) => group === '' || `${command} `.startsWith(`${group} `));

const printed = (schema: JsonSchema) => ({
  data: schema,
  document: [raw(`${formatJson(schema, 2)}\n`)],
});
