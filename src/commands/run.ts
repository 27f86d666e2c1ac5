import { arg, command, flag } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import { isUnsafeVariable } from '../wire/unsafe-variables.ts';
import { missing as missingSecret, plainPath, secretAt } from './kv/place.ts';
import { checkPath, itemsOf, missing, oneNamespace } from './var/shared.ts';

export default command({
  description:
    'Reads variables of the scheduler and key-value secrets, and runs the command with their items in its environment. Nothing is written to disk. Characters that the name of a variable cannot have become "_"; two items that come to the same name are refused, and so are names that change how programs run (PATH, LD_PRELOAD, NODE_OPTIONS; see "lanyard help formats") unless --prefix makes them others. Items take the place of variables that are there. Signals are passed on, and the exit code is the command’s own. --address and --namespace are those of the scheduler.',
  examples: [
    'lanyard run --var app/db -- ./server',
    'lanyard run --var app/db --kv secret/app/mail --prefix APP_ --upper -- env',
  ],
  service: 'scheduler',
  patient: true,
  passesThrough: true,
  args: {
    command: arg.rest('COMMAND', 'the command and its arguments, after --', 1, { completes: 'command' }),
  },
  flags: {
    var: flag.texts('PATH', 'the items of this variable; repeatable'),
    kv: flag.texts('PATH', 'the pairs of this secret, such as secret/app/db; repeatable'),
    prefix: flag.text('TEXT', 'put this before every name'),
    upper: flag.boolean('names in upper case'),
  },
  async run({ args, flags }, ctx) {
    const [name = '', ...rest] = args.command;
    if (flags.var.length === 0 && flags.kv.length === 0)
      throw usage('nothing to give to the command: name a --var or a --kv');
    for (const path of flags.var) checkPath(path);
    const sources = [...(await fromVariables(flags.var, ctx)), ...(await fromSecrets(flags.kv, ctx))];
    const env = environment(sources, flags);
    for (const value of Object.values(env)) ctx.io.mask(value);
    return { exitCode: await ctx.runChild({ command: name, args: rest, env }) };
  },
});

/** What one variable or secret holds. */
interface Source {
  /** In messages. */
  readonly name: string;
  readonly items: Readonly<Record<string, string>>;
}

async function fromVariables(wanted: readonly string[], ctx: Context): Promise<readonly Source[]> {
  if (wanted.length === 0) return [];
  await oneNamespace(ctx);
  const scheduler = await ctx.api.scheduler();
  return Promise.all(
    wanted.map(async (path) => {
      const { body } = await scheduler.readVariable({ path }).catch(missing(path));
      return { name: path, items: itemsOf(body) };
    }),
  );
}

async function fromSecrets(wanted: readonly string[], ctx: Context): Promise<readonly Source[]> {
  if (wanted.length === 0) return [];
  const secrets = await ctx.api.secrets();
  return Promise.all(
    wanted.map(async (path) => {
      const place = await secretAt(secrets, path, undefined);
      const pairs =
        place.version === 1
          ? (await secrets.readKv1({ path: plainPath(place) }).catch(missingSecret(place))).body.data
          : ((await secrets.readKv({ mount: place.mount, path: place.path }).catch(missingSecret(place))).body
              .data.data ?? {});
      return { name: path, items: texts(pairs) };
    }),
  );
}

/** Values that are no text go as JSON, null as nothing. */
const texts = (pairs: Readonly<Record<string, unknown>>): Source['items'] =>
  Object.fromEntries(
    Object.entries(pairs).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : value === null ? '' : formatJson(value),
    ]),
  );

/**
 * The variables that the items make.
 *
 * @throws LanyardError usage: a name or value that no environment can hold, two items that come to one name.
 */
function environment(
  sources: readonly Source[],
  how: { readonly prefix: string | undefined; readonly upper: boolean },
): Readonly<Record<string, string>> {
  const variables = new Map<string, { readonly value: string; readonly from: string }>();
  for (const { name: source, items } of sources)
    for (const [key, value] of Object.entries(items)) {
      const from = `"${key}" of ${source}`;
      const name = nameOf(key, from, how);
      const other = variables.get(name);
      if (other) throw usage(`${other.from} and ${from} would both be ${name}`, { hint: 'Nothing was run.' });
      if (value.includes('\0') || !value.isWellFormed())
        throw usage(`${from} has a character that no environment can hold`, { hint: 'Nothing was run.' });
      variables.set(name, { value, from });
    }
  return Object.fromEntries([...variables].map(([name, { value }]) => [name, value]));
}

function nameOf(
  key: string,
  from: string,
  { prefix = '', upper }: { readonly prefix: string | undefined; readonly upper: boolean },
): string {
  const name = `${prefix}${key}`.replace(/[^A-Za-z0-9_]/gu, '_').replace(/^(?=\d)/, '_');
  // Shells keep `_` for themselves.
  if (!/[^_]/.test(name))
    throw usage(`${from} cannot be the name of an environment variable`, { hint: 'Nothing was run.' });
  const whole = upper ? name.toUpperCase() : name;
  if (isUnsafeVariable(whole))
    throw usage(`${from} would set ${whole}, which changes how programs run`, {
      hint: 'Nothing was run. Give all names a prefix: --prefix APP_.',
    });
  return whole;
}
