import { arg, command, flag, type Values } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { notFound, usage } from '../../errors.ts';
import { keyChanges } from '../../output/diff.ts';
import { listTable, text } from '../../output/document.ts';
import { countText } from '../../output/humanize.ts';
import { formatJson, type Json } from '../../wire/json.ts';
import { memberOf } from '../../wire/objects.ts';
import { listSecrets, resolveDirectory, secretIn } from './lib/list-secrets.ts';
import { maskValues } from './lib/mask-values.ts';
import { apiAt } from './lib/place.ts';
import { checkForbidden, readSecrets } from './lib/read-secrets.ts';
import { mountFlag, pathArg, requireSecret } from './lib/secret-path.ts';
import { type Pairs, readState } from './lib/secret-state.ts';
import { describeMissingVersion } from './lib/secret-versions.ts';
import { readNewest } from './lib/transfer/stored-secret.ts';

/** The data of secrets by their names; of one secret by an empty name. */
type Compared = ReadonlyMap<string, Pairs>;

/** A key that differs. */
interface Difference {
  /** Mount and name of the first secret. */
  readonly path: string;
  /** Empty: only one of the secrets exists, and it has no keys. */
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** With --reveal; null: none. */
  readonly before?: Json;
  /** With --reveal; null: none. */
  readonly after?: Json;
}

const flags = {
  recursive: flag.boolean('compare all secrets below two directories'),
  version: flag.integer('N', 'version of A to compare (default: latest)'),
  withVersion: flag.integer('N', 'version of B, or of A without B, to compare with (default: latest)'),
  with: flag.file('FILE|-', 'JSON object of keys and values to compare with'),
  withProfile: flag.name('NAME', 'profile of B (without B: the same path there)', { completes: 'profile' }),
  withNamespace: flag.text('NS', 'namespace of B (without B: the same path there)', {
    completes: 'secrets-namespace',
  }),
  allowPartial: flag.boolean('compare only the secrets that the token has permission to read'),
  reveal: flag.boolean('show the values', { aliases: ['show-values'] }),
  mount: mountFlag,
};

interface Input {
  readonly args: { readonly a: string; readonly b: string | undefined };
  readonly flags: Values<typeof flags>;
}

export default command({
  description:
    'Compares two secrets, two versions of one, a secret with a file, or two directories; the metadata is not compared. Values are not shown without --reveal. The exit code is 0 without differences and 10 with differences, as of "plan".',
  examples: [
    'lanyard kv diff secret/app/db --version 1 --with-version 2',
    'lanyard kv diff secret/app/db secret/app/db-old',
    'lanyard kv diff secret/app secret/backup/app --recursive',
  ],
  service: 'secrets',
  waitsForRateLimits: true,
  returnsList: () => true,
  args: { a: { ...pathArg, name: 'A' }, b: arg.optional('B', 'the other one', { completes: 'kv-path' }) },
  flags,
  async run(input, ctx) {
    checkInput(input);
    const { args, flags } = input;
    const [before, after] = flags.recursive
      ? await Promise.all([readDirectory(input, ctx, 'a'), readDirectory(input, ctx, 'b')])
      : await Promise.all([readOne(input, ctx, 'a'), readOne(input, ctx, 'b')]);
    if (before.size + after.size === 0)
      throw notFound(`no secrets found at ${args.a} and ${args.b ?? 'the other place'}`, {
        service: 'secrets',
      });
    const names = [...new Set([...before.keys(), ...after.keys()])].sort();
    const top = args.a.replace(/\/+$/, '');
    const differences = names.flatMap((name) => {
      const path = name === '' ? top : `${top}/${name}`;
      return differencesOf(path, before.get(name), after.get(name), flags.reveal);
    });
    if (flags.reveal)
      maskValues(
        ctx.output,
        differences.map((each) => [each.before, each.after]),
      );
    return {
      data: differences,
      rows: differences,
      exitCode: differences.length > 0 ? 10 : 0,
      document:
        differences.length === 0
          ? [text(`No differences in ${countText(names.length, 'secret')}.`)]
          : [
              listTable(differences, undefined, {
                SECRET: ({ path }) => path,
                KEY: ({ key }) => key,
                CHANGE: ({ change }) => change,
                ...(flags.reveal && {
                  BEFORE: { cell: ({ before }) => shown(before), shrinkPriority: 1 },
                  AFTER: { cell: ({ after }) => shown(after), shrinkPriority: 1 },
                }),
              }),
            ],
    };
  },
});

const shown = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : formatJson(value);

function differencesOf(
  path: string,
  before: Pairs | undefined,
  after: Pairs | undefined,
  reveals: boolean,
): Difference[] {
  const changes = keyChanges(before ?? {}, after ?? {});
  if (changes.length === 0 && (before === undefined) !== (after === undefined))
    return [{ path, key: '', change: before === undefined ? 'added' : 'removed' }];
  return changes.map(({ key, change }) => ({
    path,
    key,
    change,
    ...(reveals && {
      before: memberOf(before ?? {}, key) ?? null,
      after: memberOf(after ?? {}, key) ?? null,
    }),
  }));
}

/** @throws LanyardError usage */
function checkInput({ args, flags }: Input): void {
  const { recursive, version, withVersion } = flags;
  const isElsewhere = flags.withProfile !== undefined || flags.withNamespace !== undefined;
  const hasOther = args.b !== undefined || isElsewhere;
  if (flags.with !== undefined && (hasOther || withVersion !== undefined || recursive))
    throw usage(
      '--with cannot be combined with B, --with-version, --with-profile, --with-namespace or --recursive',
    );
  if (recursive && (version !== undefined || withVersion !== undefined))
    throw usage('--version and --with-version cannot be combined with --recursive');
  if (flags.with === undefined && !hasOther && version === undefined && withVersion === undefined)
    throw usage('expected B, --with FILE, --with-version N, --with-profile or --with-namespace');
}

/** Where one side is: the path, and the API that reads it. */
async function sideOf({ args, flags }: Input, ctx: Context, side: 'a' | 'b') {
  const isHere = side === 'a';
  const api = isHere ? ctx.api : await apiAt(ctx, flags.withProfile, flags.withNamespace);
  const path = (isHere ? args.a : (args.b ?? args.a)).replace(/\/+$/, '');
  return { secrets: await api.secrets({ forMany: true }), path };
}

async function readOne(input: Input, ctx: Context, side: 'a' | 'b'): Promise<Compared> {
  const { flags } = input;
  if (side === 'b' && flags.with !== undefined)
    return new Map([['', await ctx.input.readJsonObject({ pairs: [], file: flags.with })]]);
  const { secrets, path } = await sideOf(input, ctx, side);
  const at = await requireSecret(secrets, path, flags.mount);
  const version = side === 'a' ? flags.version : flags.withVersion;
  if (version === undefined) {
    const { data } = await readNewest(secrets, at);
    return new Map(data ? [['', data]] : []);
  }
  if (at.version === 1)
    throw usage(`versions are not supported by ${at.mount}/, a key-value engine of version 1`);
  const { pairs } = await readState(secrets, at, version).catch(describeMissingVersion(secrets, at, version));
  return new Map(pairs ? [['', pairs]] : []);
}

async function readDirectory(input: Input, ctx: Context, side: 'a' | 'b'): Promise<Compared> {
  const { secrets, path } = await sideOf(input, ctx, side);
  const directory = await resolveDirectory(secrets, path, input.flags.mount);
  const listed = await listSecrets(secrets, directory);
  const named = listed.names.map((name) => ({ name, from: secretIn(directory, name) }));
  const read = await readSecrets(named, (from) => readNewest(secrets, from));
  const forbidden = [...listed.forbidden.map((name) => `${directory.name}/${name}`), ...read.forbidden];
  checkForbidden('compare', forbidden, input.flags, ctx.output);
  return new Map(
    read.found.flatMap(({ name, stored }) => (stored.data ? [[name, stored.data] as const] : [])),
  );
}
