import type { SecretsClient } from '../../api/secrets.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, settle, usage } from '../../errors.ts';
import { mergedThreeWay, pathText, said, same, threeWay } from '../../output/changes.ts';
import { code, text } from '../../output/document.ts';
import { formatJson } from '../../wire/json.ts';
import { missing, mountFlag, type Place, pathArg, plainPath, secretAt } from './place.ts';
import { look, maskValues, type Pairs, wrote } from './values.ts';

/** The current pairs, and in version 2 the number of the version. */
interface State {
  readonly pairs: Pairs;
  readonly version: number | undefined;
}

export default command({
  description:
    'Opens the secret as YAML in $VISUAL, $EDITOR or vi. Nothing is written if the text is unchanged or empty, or if the editor fails. Concurrent changes are merged; on a conflict nothing is written and the text is kept in XDG_RUNTIME_DIR, else TMPDIR.',
  examples: ['lanyard kv edit secret/app/db', "EDITOR='code --wait' lanyard kv edit secret/app/db"],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  patient: true,
  args: { path: pathArg },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const place = await secretAt(secrets, args.path, flags.mount);
    const first = await stateOf(secrets, place);
    maskValues(ctx.io, first.pairs);
    const head = `# Secret ${JSON.stringify(place.name)}. If the text is unchanged or empty, nothing is written.\n`;
    const content = head + (await ctx.drafts.write(first.pairs));
    const edited = await ctx.drafts.edit(content);
    if (edited === undefined) return unchanged(place);
    const object = { service: 'secrets', name: place.name } as const;
    try {
      const pairs = await readEdited(edited, ctx);
      if (same(first.pairs, pairs)) return unchanged(place);
      const body = await writeEdited(secrets, place, first, pairs, ctx);
      await ctx.drafts.written(object);
      return wrote(place, body);
    } catch (error) {
      const { namespace } = await ctx.api.settings('secrets');
      const path = asGiven(args.path, flags.mount, namespace);
      throw await ctx.drafts.keeping(
        error,
        edited,
        object,
        () => `. Run "lanyard kv edit ${path}" to edit the secret again; a successful edit removes the file.`,
      );
    }
  },
});

const unchanged = (place: Place) => ({
  data: null,
  document: [text('Secret ', code(place.name), ' is unchanged.')],
});

/** The secret on the command line. */
const asGiven = (path: string, mount: string | undefined, namespace: string | undefined): string =>
  [path, mount && `--mount ${mount}`, namespace && `--namespace ${namespace}`].filter(Boolean).join(' ');

async function stateOf(secrets: SecretsClient, place: Place): Promise<State> {
  if (place.version === 1) {
    const { body } = await secrets.readKv1({ path: plainPath(place) }).catch(missing(place));
    return { pairs: body.data as Pairs, version: undefined };
  }
  const { mount, path } = place;
  const { data } = (await secrets.readKv({ mount, path }).catch(missing(place))).body;
  return { pairs: (data.data ?? {}) as Pairs, version: data.metadata.version };
}

async function readEdited(edited: string, ctx: Pick<Context, 'drafts'>): Promise<Pairs> {
  const { name, definitions } = await ctx.drafts.read(edited, 'the edited text');
  const [definition, ...others] = definitions;
  const value = definition?.value;
  if (others.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`invalid secret in ${name}: expected one object`);
  return value;
}

/** Attempts to merge concurrent changes. */
const mostRounds = 20;

/**
 * Writes the edited pairs with check-and-set against the version that was read. After concurrent changes they are merged,
 * unless both changed the same pairs. Version 1 has no check-and-set: the secret is compared just before the write.
 */
async function writeEdited(
  secrets: SecretsClient,
  place: Place,
  first: State,
  edited: Pairs,
  ctx: Pick<Context, 'io'>,
): Promise<unknown> {
  let there = first;
  for (let rounds = 1; ; rounds += 1) {
    const pairs = mergedThreeWay(first.pairs, edited, there.pairs) as Pairs;
    let next: State | undefined;
    if (place.version === 1) {
      const now = await stateOf(secrets, place);
      if (!same(now.pairs, there.pairs)) next = now;
    }
    if (!next) {
      try {
        const body = await write(secrets, place, pairs, there.version);
        if (rounds > 1) ctx.io.note('The secret was changed concurrently; the changes were merged.');
        return body;
      } catch (error) {
        if (!(error instanceof LanyardError) || error.kind !== 'conflict') throw error;
        next = await stateOf(secrets, place);
      }
    }
    const changes = threeWay(there.pairs, pairs, next.pairs);
    if (changes.some(({ by }) => by === 'conflict') || rounds === mostRounds)
      throw new LanyardError(
        'conflict',
        `cannot write ${place.name}: changed concurrently; nothing was written`,
        {
          service: 'secrets',
          details: changes.map(({ path, by }) => `${pathText(path)}: ${said[by]}`),
        },
      );
    there = next;
  }
}

async function write(
  secrets: SecretsClient,
  place: Place,
  pairs: Pairs,
  version: number | undefined,
): Promise<unknown> {
  const { mount, path } = place;
  const answer = await settle(
    async () =>
      version === undefined
        ? secrets.writeSecret({ path: plainPath(place), content: formatJson(pairs) })
        : secrets.writeKv({ mount, path, data: pairs, options: { cas: version } }),
    () => look(secrets, place, (stored) => same(stored, pairs)),
  );
  return answer?.body;
}
