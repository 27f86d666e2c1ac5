import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { kinds, notFound, usage } from '../../errors.ts';
import { listTable, text } from '../../output/document.ts';
import { countText } from '../../output/humanize.ts';
import { formatJson, type Json } from '../../wire/json.ts';
import { listSecrets, resolveDirectory, secretIn } from './lib/list-secrets.ts';
import { maskValues } from './lib/mask-values.ts';
import { namedFew, readSecrets } from './lib/read-secrets.ts';
import { mountFlag, type SecretPath } from './lib/secret-path.ts';
import type { Pairs } from './lib/secret-state.ts';
import { readNewest } from './lib/transfer/stored-secret.ts';

/** A place where the text was found. */
interface Match {
  /** Mount and name of the secret. */
  readonly path: string;
  /** What contains the text. */
  readonly match: 'path' | 'key' | 'value';
  /** The key; null: the path matches. */
  readonly key: string | null;
  /** The value of the key, with --reveal; not of a path. */
  readonly value?: Json;
}

type Matches = (text: string) => boolean;

export default command({
  description:
    'Searches the names and keys of all secrets below PATH (default: the mount "secret"), and with --values their newest values, which only --reveal shows. A warning names secrets that the token may not read; without matches, the exit code is then 5 instead of 0.',
  examples: [
    'lanyard kv search password',
    'lanyard kv search db.internal secret/app --values',
    "lanyard kv search '^app/.*-(dev|test)$' --regex",
  ],
  service: 'secrets',
  waitsForRateLimits: true,
  returnsList: () => true,
  args: {
    text: arg.text('TEXT', 'text to find'),
    path: arg.optional('PATH', 'mount and directory, such as secret/app', { completes: 'kv-path' }),
  },
  flags: {
    values: flag.boolean('search values too'),
    regex: flag.boolean('TEXT is a regular expression (RE2)'),
    ignoreCase: flag.boolean('ignore case', { short: 'i' }),
    reveal: flag.boolean('show the values', { aliases: ['show-values'] }),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const matches = await matcher(args.text, flags, ctx.input);
    const secrets = await ctx.api.secrets({ forMany: true });
    const top = args.path ?? (flags.mount === undefined ? 'secret' : '');
    const directory = await resolveDirectory(secrets, top, flags.mount);
    const { names, forbidden, denial } = await listSecrets(secrets, directory);
    if (denial && names.length === 0) throw denial;
    if (names.length === 0) requireDirectory(directory);
    const named = names.map((name) => ({ name, from: secretIn(directory, name) }));
    const read = await readSecrets(named, (at) => readNewest(secrets, at));
    const unread = [...forbidden.map((name) => `${directory.name}/${name}`), ...read.forbidden].sort();
    // The path of a secret is known also if it cannot be read.
    const dataOf = new Map(read.found.map(({ name, stored }) => [name, stored.data]));
    const rows = named.flatMap(({ name, from }) => matchesOf(from, dataOf.get(name) ?? {}, matches, flags));
    if (flags.reveal) for (const { value } of rows) maskValues(ctx.output, value);
    if (unread.length > 0)
      ctx.output.warn(
        `no permission to read ${countText(unread.length, 'path')}: ${namedFew(unread).join(', ')}`,
      );
    const none = `No matches in ${countText(names.length, 'secret')}.`;
    return {
      data: rows,
      rows,
      exitCode: rows.length === 0 && unread.length > 0 ? kinds.forbidden.code : 0,
      document:
        rows.length === 0
          ? [text(none)]
          : [
              listTable(rows, none, {
                SECRET: ({ path }) => path,
                MATCH: ({ match }) => match,
                KEY: ({ key }) => key ?? '',
                ...(flags.reveal && { VALUE: { mayOverflow: true, cell: ({ value }) => shown(value) } }),
              }),
            ],
    };
  },
});

const shown = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : formatJson(value);

/** @throws LanyardError usage: no text, or an invalid pattern. */
async function matcher(
  given: string,
  { regex, ignoreCase }: { readonly regex: boolean; readonly ignoreCase: boolean },
  input: Pick<Context['input'], 'patterns'>,
): Promise<Matches> {
  if (given === '') throw usage('TEXT must not be empty');
  if (regex) {
    const pattern = (await input.patterns())(ignoreCase ? `(?i)${given}` : given);
    if (!pattern) throw usage(`invalid regular expression "${given}"`);
    return pattern;
  }
  if (!ignoreCase) return (text) => text.includes(given);
  const lower = given.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
}

function matchesOf(
  { name, path }: SecretPath,
  data: Pairs,
  matches: Matches,
  flags: { readonly values: boolean; readonly reveal: boolean },
): Match[] {
  const ofPath: Match[] = matches(path) ? [{ path: name, match: 'path', key: null }] : [];
  const ofKeys = Object.entries(data).flatMap(([key, value]): Match[] => {
    const match = matches(key) ? 'key' : flags.values && matches(shown(value)) ? 'value' : undefined;
    return match ? [{ path: name, match, key, ...(flags.reveal && { value }) }] : [];
  });
  return [...ofPath, ...ofKeys];
}

/** @throws LanyardError not found: the path is a secret, or nothing. */
function requireDirectory(directory: SecretPath): void {
  if (directory.path === '') return;
  throw notFound(`no secrets below ${directory.name}/`, {
    service: 'secrets',
    hint: `Run \`lanyard kv list ${directory.mount}\` for the existing secrets.`,
  });
}
