import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Definition } from '../../io/definitions.ts';
import { fieldFlags, fieldsFrom, nameFlag, tokenFrom } from './fields.ts';
import { type Members, writable } from './members.ts';
import { isTemplate } from './rules.ts';
import {
  checkQueries,
  dcFlag,
  type Found,
  fileFlag,
  formOf,
  keepToken,
  markerless,
  nameOf,
  warnOfTemplate,
  whereOf,
} from './shared.ts';
import { nameGiven } from './source.ts';
import { type Step, stepsView } from './views.ts';
import { changesTo, createQuery, doneInPart, updateQuery } from './write.ts';

/** The desired and the current state of a query. */
interface Wanted extends Step {
  readonly next: Members;
  readonly current: Found | undefined;
}

export default command({
  description:
    'Finds each query by name: missing queries are created, differing ones replaced, equal ones left unchanged. A file may contain several queries, as YAML documents or a list. An existing token is kept unless the file has a Token ("" removes it) or --token gives one for queries without a Token.',
  examples: [
    'lanyard query put --file queries.yaml',
    'lanyard query put --file queries.yaml --dry-run',
    'lanyard query put geo-db --service mysql --failover-nearest 3',
  ],
  service: 'registry',
  writes: true,
  readsFirst: true,
  givesList: () => true,
  args: { name: arg.optional('NAME', 'name of the query; also --name') },
  flags: {
    ...{ name: nameFlag, ...fieldFlags, file: fileFlag, dc: dcFlag },
    dryRun: flag.boolean('show what would be created and updated without sending any change'),
  },
  async run({ args, flags }, ctx) {
    const fields = fieldsFrom({ ...flags, name: nameGiven(args.name, flags.name) });
    const token = await tokenFrom(flags.token, ctx.io);
    const queries =
      flags.file === undefined
        ? [{ ...fields, ...token }]
        : await queriesFrom(flags.file, fields, token, ctx);
    if (flags.file === undefined) checkPut('query', queries);
    const where = whereOf(flags);
    const registry = await ctx.api.registry();
    const there = (await registry.listQueries(where)).body ?? [];
    const wanted = queries.map((query) => wantedOf(query, there));
    if (!flags.dryRun) {
      for (const { next } of wanted) warnOfTemplate(ctx.io, next);
      await perform(registry, wanted, where, ctx);
    }
    const steps = wanted.map(({ action, name, id, changes }) => ({
      ...{ action, name, changes },
      ...(id === undefined ? {} : { id }),
    }));
    return { data: steps, rows: steps, document: stepsView(steps, flags.dryRun) };
  },
});

/** The queries of a file, validated; `token` is for those that have none. */
async function queriesFrom(
  file: string,
  fields: Members,
  token: Members,
  ctx: Pick<Context, 'definitions'>,
): Promise<readonly Members[]> {
  if (Object.keys(fields).length > 0)
    throw usage('--file cannot be combined with flags for fields, except --token');
  const { name, definitions } = await ctx.definitions(file);
  const queries = formOf(name, definitions).map(writable);
  const given = queries.map((query) => ({ ...token, ...markerless(query) }));
  checkPut(name, given, definitions);
  // A redacted token keeps the existing one; a query to be created has none to keep.
  return given.map((query, index) => (query.Token === undefined ? (queries[index] ?? query) : query));
}

function checkPut(name: string, queries: readonly Members[], definitions?: readonly Definition[]): void {
  checkQueries(name, queries, definitions);
  const keys = queries.map(keyOf);
  const nameless = queries.findIndex((query) => !query.Name && !isTemplate(query));
  if (nameless >= 0)
    throw usage(`invalid query${definitions ? ` ${nameless + 1} in ${name}` : ''}: missing name`, {
      hint: 'Run `lanyard query create`, or `lanyard query update` with the ID.',
    });
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw usage(`invalid queries in ${name}: duplicate name "${twice}"`);
}

/** The name by which a query is found; that of a catch-all template is empty. */
const keyOf = ({ Name }: Members): string => (typeof Name === 'string' ? Name : '');

function wantedOf(wanted: Members, there: readonly PreparedQuery[]): Wanted {
  const key = keyOf(wanted);
  const [found, ...others] = there.filter(
    ({ Name = '', Template }) => Name === key && (key !== '' || Boolean(Template?.Type)),
  );
  if (others.length > 0)
    throw usage(`${others.length + 1} prepared queries have the name "${key}"`, {
      hint: 'Delete the duplicates by ID.',
    });
  const name = nameOf({ Name: key, ID: found?.ID });
  if (found?.ID === undefined) {
    checkQueries(`query "${name}", which does not exist yet`, [wanted]);
    return { action: 'create', name, changes: [], next: wanted, current: undefined };
  }
  const query = markerless(wanted);
  const current = { ...found, ID: found.ID };
  // A token that is not given is kept and is not a change; a hidden one matters only to a write.
  const isEqual =
    changesTo(query.Token === undefined ? { ...current, Token: '' } : current, query).length === 0;
  if (isEqual) return { action: 'unchanged', name, id: current.ID, changes: [], next: query, current };
  const next = keepToken(name, current, query);
  return { action: 'update', name, id: current.ID, changes: changesTo(current, next), next, current };
}

async function perform(
  registry: RegistryClient,
  wanted: readonly Wanted[],
  where: object,
  { inTurn }: Pick<Context, 'inTurn'>,
): Promise<void> {
  const done: string[] = [];
  await inTurn(wanted, async ({ action, name, next, current }) => {
    try {
      if (action === 'create') await createQuery(registry, next, where);
      if (action === 'update' && current) await updateQuery(registry, current, next, where);
    } catch (error) {
      throw doneInPart(error, done);
    }
    if (action !== 'unchanged') done.push(`${name}: ${action}d`);
  });
}
