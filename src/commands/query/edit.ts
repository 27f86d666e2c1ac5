import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { conflict, unlessNotFound } from '../../errors.ts';
import { diffThreeWay, formatThreeWayChange, mergeThreeWay } from '../../output/diff.ts';
import { compact } from '../../wire/objects.ts';
import { checkQueries, preserveToken, warnAboutTemplate } from './lib/check-queries.ts';
import { dcFlag, type FoundQuery, findQuery, queryArg, queryDisplayName } from './lib/find-query.ts';
import { indexOf, normalizeQuery, omitField, type QueryObject, writableFields } from './lib/query-object.ts';
import { isHiddenTokenPlaceholder } from './lib/query-rules.ts';
import { singleQuery } from './lib/single-query.ts';
import { queryChanges, updatedQuery, updateQuery } from './lib/write-query.ts';

export default command({
  description:
    'Opens the query, without its token, as YAML in $VISUAL, $EDITOR or vi; the token is unchanged. Nothing is written if the text is unchanged or empty, or if the editor fails. On a concurrent change nothing is written, the changes of both sides are listed and the text is saved in XDG_RUNTIME_DIR, else TMPDIR.',
  examples: ['lanyard query edit geo-db', "EDITOR='code --wait' lanyard query edit geo-db"],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  handlesSignals: true,
  args: { query: queryArg },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const where = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const base = await findQuery(registry, args.query, where);
    const content =
      headerComment(base) + (await ctx.input.yamlEditor.stringify(omitField(writableFields(base), 'Token')));
    const edited = await ctx.input.yamlEditor.edit(content);
    if (edited === undefined) return updatedQuery(base, base, []);
    const object = { service: 'registry', name: `${flags.dc ?? ''} ${base.ID}` } as const;
    let saved = { text: edited, what: '' };
    const line = (file: string) =>
      `lanyard query update ${base.ID} --replace --file ${file}${flags.dc === undefined ? '' : ` --dc ${flags.dc}`}`;
    try {
      const next = await readEdited(edited, base, ctx);
      const changes = queryChanges(base, next);
      if (changes.length === 0) return updatedQuery(base, next, changes);
      warnAboutTemplate(ctx.output, next);
      const theirs = await readAgain(registry, base, where);
      if (theirs && indexOf(base) !== indexOf(theirs))
        // Writing the edited text alone would revert the concurrent changes.
        saved = {
          text: headerComment(base) + (await ctx.input.yamlEditor.stringify(mergeEdits(base, next, theirs))),
          what: ', merged with the concurrent changes (your value where both changed)',
        };
      rejectConflict(base, next, theirs);
      await updateQuery(registry, base, next, where);
      await ctx.input.yamlEditor.noteSaved(object);
      return updatedQuery(base, next, changes);
    } catch (error) {
      throw await ctx.input.yamlEditor.saveAfterFailure(
        error,
        saved.text,
        object,
        (file) => `${saved.what}; correct it, then run \`${line(file)}\` to write it and remove the file.`,
      );
    }
  },
});

function headerComment(query: FoundQuery): string {
  // A name may contain line breaks, which would end the comment.
  const name = JSON.stringify(queryDisplayName(query));
  return `# Prepared query ${name}. If the text is unchanged or empty, nothing is written.\n${tokenComment(query)}`;
}

function tokenComment({ Token }: FoundQuery): string {
  if (!Token) return '';
  return isHiddenTokenPlaceholder(Token)
    ? '# Its token is hidden from yours: to write the query, add "Token: ...", or "Token: \'\'" for none.\n'
    : '# Its token is not shown and is unchanged; "Token: \'\'" removes it.\n';
}

/** The query in the edited text, validated, with the token that is kept. */
async function readEdited(text: string, base: FoundQuery, ctx: Context): Promise<QueryObject> {
  const { name, definitions } = await ctx.input.yamlEditor.parse(text, 'the edited text');
  const next = singleQuery(name, definitions);
  checkQueries(name, [next], definitions);
  return preserveToken(queryDisplayName(base), base, next);
}

/** The current query; undefined: it was deleted. */
const readAgain = async (
  registry: RegistryClient,
  { ID }: FoundQuery,
  where: object,
): Promise<PreparedQuery | undefined> =>
  (await unlessNotFound(registry.readQuery({ query: ID, ...where })))?.[0];

/** The merge of both changes; it has a token if the edited text sets one. */
function mergeEdits(base: FoundQuery, mine: QueryObject, theirs: PreparedQuery): unknown {
  const own = mine.Token === base.Token ? omitField(mine, 'Token') : mine;
  const [was, one, other] = [
    omitField(writableFields(base), 'Token'),
    own,
    omitField(writableFields(theirs), 'Token'),
  ].map((side) => normalizeQuery(side));
  return mergeThreeWay(was, one, other);
}

/**
 * The service has no check-and-set for prepared queries: the index is compared just before the write.
 *
 * @throws LanyardError conflict: it was changed or deleted; one detail per changed field.
 */
function rejectConflict(base: FoundQuery, mine: QueryObject, theirs: PreparedQuery | undefined): void {
  const name = queryDisplayName(base);
  if (!theirs) throw conflict(`cannot write query "${name}": deleted concurrently; nothing was written`);
  if (indexOf(base) === indexOf(theirs)) return;
  const [was, one, other] = [writableFields(base), mine, writableFields(theirs)].map((side) =>
    normalizeQuery(omitField(side, 'Token')),
  );
  throw conflict(`cannot write query "${name}": changed concurrently; nothing was written`, {
    service: 'registry',
    details: diffThreeWay(was, one, other).map(formatThreeWayChange),
  });
}
