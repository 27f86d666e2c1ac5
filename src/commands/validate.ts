import { arg, command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { kinds as errorKinds, usage } from '../errors.ts';
import { code, raw, text } from '../output/document.ts';
import { countText } from '../output/humanize.ts';
import { areEnvironments, checkState, sharedObjects } from '../state/check.ts';
import { readExistingState, readSets, type StateInput } from '../state/input.ts';
import { kindSchema, stateSchema } from '../state/json-schema.ts';
import { findKind, kinds } from '../state/kinds.ts';
import { configuredServices, newSet, setPath } from '../state/new-set.ts';
import { applyOutputSchema, planOutputSchema } from '../state/output-schema.ts';
import { formatPosition } from '../state/problems.ts';
import { checkKinds } from '../state/session-options.ts';
import type { JsonSchema } from '../wire/json.ts';

export default command({
  description:
    'Reports all problems with file, line and column; sends nothing. For a directory, reads all files *.yaml, *.yml and *.json.',
  examples: [
    'lanyard validate state',
    'lanyard validate --init web',
    'lanyard validate --schema > lanyard-v1.schema.json',
  ],
  changes: ['files'],
  args: {
    paths: arg.rest('FILE|DIR', 'files or directories; - for standard input', 0, { completes: 'file' }),
  },
  flags: {
    allowUnknownFields: flag.boolean('accept fields that no schema has, of newer services'),
    init: flag.boolean('write DIR/set.yaml, with a new ID and the targets of the services that respond'),
    schema: flag.boolean(
      'print the JSON Schema of all kinds, of one KIND, or of the output of plan or apply',
    ),
  },
  async run({ args: { paths }, flags }, ctx) {
    if (flags.init && flags.schema) throw usage('--init cannot be combined with --schema');
    if (flags.schema) return printSchema(paths);
    if (flags.init) return writeSet(paths, ctx);
    if (paths.length === 0)
      throw usage('missing argument FILE|DIR', {
        hint: 'Run `lanyard validate --help` for its arguments and flags.',
      });
    const inputs = await readSets(paths, ctx, { allowsUnknownFields: flags.allowUnknownFields });
    const shared = areEnvironments(inputs) ? [] : sharedObjects(inputs);
    const problems = [...inputs.flatMap(checkState), ...shared];
    const documents = sum(inputs, (input) => input.documents.length + (input.set ? 1 : 0));
    const files = sum(inputs, ({ names }) => names.length);
    const rows = problems.map(({ position, message }) => ({ ...position, message }));
    const inFiles = `in ${countText(files, 'file')}`;
    return {
      data: { valid: rows.length === 0, files, documents, problems: rows },
      rows,
      document: [
        ...problems.map(({ position, message }) => text(`${formatPosition(position)}: ${message}`)),
        rows.length === 0
          ? text(`Valid: ${countText(documents, 'document')} ${inFiles}.`)
          : text(`${countText(rows.length, 'problem')} ${inFiles}.`),
      ],
      exitCode: rows.length === 0 ? 0 : errorKinds.usage.code,
    };
  },
});

const sum = (inputs: readonly StateInput[], count: (input: StateInput) => number): number =>
  inputs.reduce((total, input) => total + count(input), 0);

/** What `plan -o json` and `apply -o json` write. */
const outputSchemas = new Map([
  ['plan', planOutputSchema],
  ['apply', applyOutputSchema],
]);

function printSchema(names: readonly string[]) {
  if (names.length > 1) throw usage('--schema accepts one KIND');
  const output = outputSchemas.get(names[0] ?? '');
  if (output) return schemaResult(output());
  const [name] = names.filter((given) => given !== 'Set');
  checkKinds(name === undefined ? [] : [name]);
  return schemaResult(names.length === 0 ? stateSchema(kinds) : kindSchema(findKind(name ?? '')));
}

const schemaResult = (schema: JsonSchema) => ({
  data: schema,
  document: [raw(`${JSON.stringify(schema, undefined, 2)}\n`)],
});

async function writeSet(paths: readonly string[], ctx: Context) {
  const [directory] = paths;
  if (directory === undefined || directory === '-' || paths.length > 1)
    throw usage('--init requires one DIR');
  const file = setPath(directory);
  const existing = await readExistingState(directory, ctx);
  if (existing?.set)
    throw usage(`${directory} already has a set`, { details: [formatPosition(existing.set.source)] });
  if (await ctx.files.exists(directory)) await ctx.files.checkWritable([{ path: file }]);
  const services = await configuredServices(ctx.api.settings);
  const set = await newSet(ctx.files.absolute(directory), services, {
    services: ctx.api,
    random: ctx.system.random,
    warn: (message) => ctx.output.warn(message),
  });
  await ctx.files.createDirectory(directory);
  await ctx.files.write([{ path: file, content: set.text }]);
  const { name, id, targets, record } = set;
  return {
    data: { file, set: { name, id, targets, record } },
    document: [text('Wrote ', code(file), `: set "${name}" with ID ${id}, record ${record}.`)],
  };
}
