import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { mergedThreeWay, threeWay, threeWayLine } from '../../output/changes.ts';
import { essence, indexOf, type Members, without, writable } from './members.ts';
import { isMarker } from './rules.ts';
import {
  checkQueries,
  dcFlag,
  type Found,
  findQuery,
  formOf,
  keepToken,
  nameOf,
  queryArg,
  warnOfTemplate,
  whereOf,
} from './shared.ts';
import { writtenView } from './views.ts';
import { changesTo, updateQuery } from './write.ts';

export default command({
  description:
    'Opens the query, without its token, as YAML in $VISUAL, $EDITOR or vi; the token is kept. Nothing is written if the text is unchanged or empty, or if the editor fails. On a concurrent change nothing is written, the changes of both sides are listed and the text is kept in XDG_RUNTIME_DIR, else TMPDIR.',
  examples: ['lanyard query edit geo-db', "EDITOR='code --wait' lanyard query edit geo-db"],
  service: 'registry',
  writes: true,
  readsFirst: true,
  givesList: () => true,
  patient: true,
  args: { query: queryArg },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const where = whereOf(flags);
    const registry = await ctx.api.registry();
    const base = await findQuery(registry, args.query, where);
    const content = head(base) + (await ctx.drafts.write(without(writable(base), 'Token')));
    const edited = await ctx.drafts.edit(content);
    if (edited === undefined) return written(base, base, []);
    const object = { service: 'registry', name: `${flags.dc ?? ''} ${base.ID}` } as const;
    let kept = { text: edited, what: '' };
    const line = (file: string) =>
      `lanyard query update ${base.ID} --replace --file ${file}${flags.dc === undefined ? '' : ` --dc ${flags.dc}`}`;
    try {
      const next = await readEdited(edited, base, ctx);
      const changes = changesTo(base, next);
      if (changes.length === 0) return written(base, next, changes);
      warnOfTemplate(ctx.io, next);
      const theirs = await reread(registry, base, where);
      if (theirs && indexOf(base) !== indexOf(theirs))
        // Writing the edited text alone would revert the concurrent changes.
        kept = {
          text: head(base) + (await ctx.drafts.write(together(base, next, theirs))),
          what: ', merged with the concurrent changes (your value where both changed)',
        };
      refuseConflict(base, next, theirs);
      await updateQuery(registry, base, next, where);
      await ctx.drafts.written(object);
      return written(base, next, changes);
    } catch (error) {
      throw await ctx.drafts.keeping(
        error,
        kept.text,
        object,
        (file) => `${kept.what}; correct it, then run \`${line(file)}\` to write it and remove the file.`,
      );
    }
  },
});

function written(base: Found, next: Members | Found, changes: ReturnType<typeof changesTo>) {
  return {
    data: { ID: base.ID, Name: next.Name ?? '', changes },
    payload: changes,
    document: writtenView({ ...next, ID: base.ID }, changes),
  };
}

function head(query: Found): string {
  // A name may contain line breaks, which would end the comment.
  const name = JSON.stringify(nameOf(query));
  return `# Prepared query ${name}. If the text is unchanged or empty, nothing is written.\n${aboutToken(query)}`;
}

function aboutToken({ Token }: Found): string {
  if (!Token) return '';
  return isMarker(Token)
    ? '# Its token is hidden from yours: to write the query, add "Token: ...", or "Token: \'\'" for none.\n'
    : '# Its token is not shown and is kept; "Token: \'\'" removes it.\n';
}

/** The query in the edited text, validated, with the token that is kept. */
async function readEdited(text: string, base: Found, ctx: Pick<Context, 'drafts'>): Promise<Members> {
  const { name, definitions } = await ctx.drafts.read(text, 'the edited text');
  const [next, ...others] = formOf(name, definitions);
  if (!next || others.length > 0)
    throw usage(`invalid query in ${name}: expected one query, found ${definitions.length}`);
  checkQueries(name, [writable(next)], definitions);
  return keepToken(nameOf(base), base, writable(next));
}

/** The current query; undefined: it was deleted. */
async function reread(
  registry: RegistryClient,
  { ID }: Found,
  where: object,
): Promise<PreparedQuery | undefined> {
  try {
    return (await registry.readQuery({ query: ID, ...where })).body[0];
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** The merge of both changes; it has a token if the edited text sets one. */
function together(base: Found, mine: Members, theirs: PreparedQuery): unknown {
  const own = mine.Token === base.Token ? without(mine, 'Token') : mine;
  const [was, one, other] = [without(writable(base), 'Token'), own, without(writable(theirs), 'Token')].map(
    (side) => essence(side),
  );
  return mergedThreeWay(was, one, other);
}

/**
 * The service has no check-and-set for prepared queries: the index is compared just before the write.
 *
 * @throws LanyardError conflict: it was changed or deleted; one detail per changed field.
 */
function refuseConflict(base: Found, mine: Members, theirs: PreparedQuery | undefined): void {
  const name = nameOf(base);
  if (!theirs)
    throw new LanyardError(
      'conflict',
      `cannot write query "${name}": deleted concurrently; nothing was written`,
    );
  if (indexOf(base) === indexOf(theirs)) return;
  const [was, one, other] = [writable(base), mine, writable(theirs)].map((side) =>
    essence(without(side, 'Token')),
  );
  throw new LanyardError(
    'conflict',
    `cannot write query "${name}": changed concurrently; nothing was written`,
    {
      service: 'registry',
      details: threeWay(was, one, other).map(threeWayLine),
    },
  );
}
