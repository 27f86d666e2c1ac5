import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { partiallyAppliedError, usage } from '../../errors.ts';
import type { Definition } from '../../io/definition-file.ts';
import { compact } from '../../wire/objects.ts';
import {
  checkQueries,
  preserveToken,
  queryFields,
  warnAboutTemplate,
  withoutPlaceholder,
} from './lib/check-queries.ts';
import { fieldFlags, fieldsFrom, readToken, unsetFieldsFlag, unsetFrom } from './lib/fields.ts';
import {
  dcFlag,
  type FoundQuery,
  fileFlag,
  isSameQueryName,
  queryDisplayName,
  replaceFlag,
} from './lib/find-query.ts';
import { mergeFields, omitField, type QueryObject, writableFields } from './lib/query-object.ts';
import { isTemplate } from './lib/query-rules.ts';
import { resolveName } from './lib/single-query.ts';
import { type Step, stepsView } from './lib/views.ts';
import { createQuery, queryChanges, updateQuery } from './lib/write-query.ts';

interface PutItem extends Step {
  readonly next: QueryObject;
  readonly current: FoundQuery | undefined;
}

export default command({
  description:
    'Finds each query by name: missing queries are created, in others only the given fields are updated (--unset resets a field, --replace all others). A file may contain several queries, as YAML documents or a list. An existing token is unchanged unless the file has a Token ("" removes it) or --token gives one for queries without a Token.',
  examples: [
    'lanyard query put --file queries.yaml',
    'lanyard query put --file queries.yaml --dry-run',
    'lanyard query put geo-db --service mysql --failover-nearest 3',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { name: arg.optional('NAME', 'name of the query; also --name', { completes: 'query' }) },
  flags: {
    ...fieldFlags,
    unset: unsetFieldsFlag,
    file: fileFlag,
    replace: replaceFlag,
    dc: dcFlag,
    dryRun: flag.boolean('show what would be created and updated without sending any change'),
  },
  async run({ args, flags }, ctx) {
    const fields = fieldsFrom({ ...flags, name: resolveName(args.name, flags.name) });
    const token = await readToken(flags, ctx);
    const given =
      flags.file === undefined
        ? [{ ...fields, ...token }]
        : await readQueries(flags.file, fields, token, ctx);
    // Rules of queries are checked with the fields of an existing one.
    if (flags.file === undefined) checkNames('query', given);
    const unset = unsetFrom(flags);
    const queries = given.map((query) => mergeFields(unset, query));
    const where = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const existing = (await registry.findQueries(where)).body ?? [];
    const desired = queries.map((query) => putItems(query, existing, flags.replace));
    if (!flags.dryRun) {
      for (const { next } of desired) warnAboutTemplate(ctx.output, next);
      await applyItems(registry, desired, where, ctx.output);
    }
    const steps = desired.map(({ action, name, id, changes }) => compact({ action, name, changes, id }));
    return { data: steps, rows: steps, document: stepsView(steps, flags.dryRun) };
  },
});

/** The queries of a file, validated; `token` is for those that have none. */
async function readQueries(
  file: string,
  fields: QueryObject,
  token: QueryObject,
  ctx: Context,
): Promise<readonly QueryObject[]> {
  if (Object.keys(fields).length > 0)
    throw usage('--file cannot be combined with flags for fields, except --token');
  const { name, definitions } = await ctx.input.readDefinitions(file);
  const queries = queryFields(name, definitions).map(writableFields);
  const given = queries.map((query) => ({ ...token, ...withoutPlaceholder(query) }));
  checkQueries(name, given, definitions);
  checkNames(name, given, definitions);
  // A redacted token keeps the existing one; a query to be created has none to keep.
  return given.map((query, index) => (query.Token === undefined ? (queries[index] ?? query) : query));
}

function checkNames(
  name: string,
  queries: readonly QueryObject[],
  definitions?: readonly Definition[],
): void {
  const keys = queries.map(keyOf);
  const nameless = queries.findIndex((query) => !query.Name && !isTemplate(query));
  if (nameless >= 0)
    throw usage(`invalid query${definitions ? ` ${nameless + 1} in ${name}` : ''}: missing name`, {
      hint: 'Run `lanyard query create`, or `lanyard query update` with the ID.',
    });
  const duplicate = keys.find((key, index) => keys.findIndex((each) => isSameQueryName(each, key)) !== index);
  if (duplicate !== undefined) throw usage(`invalid queries in ${name}: duplicate name "${duplicate}"`);
}

/** The name by which a query is found; a catch-all template has an empty name. */
const keyOf = ({ Name }: QueryObject): string => (typeof Name === 'string' ? Name : '');

function putItems(desired: QueryObject, existing: readonly PreparedQuery[], isReplaced: boolean): PutItem {
  const key = keyOf(desired);
  const [found, ...others] = existing.filter(
    ({ Name = '', Template }) => isSameQueryName(Name, key) && (key !== '' || Boolean(Template?.Type)),
  );
  if (others.length > 0)
    throw usage(`${others.length + 1} prepared queries have the name "${key}"`, {
      hint: 'Delete the duplicates by ID.',
    });
  const name = queryDisplayName({ Name: key, ID: found?.ID });
  if (found?.ID === undefined) {
    checkQueries(`query "${name}", which does not exist yet`, [desired]);
    return { action: 'create', name, changes: [], next: desired, current: undefined };
  }
  const base = isReplaced ? {} : omitField(writableFields(found), 'Token');
  const query = mergeFields(base, withoutPlaceholder(desired));
  checkQueries(`query "${name}"`, [query]);
  const current = { ...found, ID: found.ID };
  // A token that is not given is kept and is not a change; a hidden one matters only to a write.
  const isEqual =
    queryChanges(query.Token === undefined ? { ...current, Token: '' } : current, query).length === 0;
  if (isEqual) return { action: 'unchanged', name, id: current.ID, changes: [], next: query, current };
  const next = preserveToken(name, current, query);
  return { action: 'update', name, id: current.ID, changes: queryChanges(current, next), next, current };
}

async function applyItems(
  registry: RegistryClient,
  desired: readonly PutItem[],
  where: object,
  output: Pick<Context['output'], 'sequentially'>,
): Promise<void> {
  const done: string[] = [];
  await output.sequentially(desired, async ({ action, name, next, current }) => {
    try {
      if (action === 'create') await createQuery(registry, next, where);
      if (action === 'update' && current) await updateQuery(registry, current, next, where);
    } catch (error) {
      throw partiallyAppliedError(error, done);
    }
    if (action !== 'unchanged') done.push(`${name}: ${action}d`);
  });
}
