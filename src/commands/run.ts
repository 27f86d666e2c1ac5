import { arg, command, flag } from '../cli/command.ts';
import type { Context } from '../cli/context.ts';
import { usage } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import { readSecret } from './kv/lib/pairs.ts';
import { requireSecret } from './kv/lib/secret-path.ts';
import { environment, environmentFlags, type Source } from './var/lib/environment.ts';
import { checkPath, itemsOf, requireNamespace, variableNotFoundError } from './var/lib/variable.ts';

export default command({
  description:
    'Sets the items of scheduler variables and key-value secrets in the environment of the command and returns its exit code (see "lanyard help running-programs"); nothing is written to disk. Items override existing variables, and invalid characters in names become "_". Duplicate names and names such as PATH or LD_PRELOAD are rejected (see "lanyard help formats"); --prefix avoids them.',
  examples: [
    'lanyard run --var app/db -- ./server',
    'lanyard run --var app/db --kv secret/app/mail --prefix APP_ --upper -- env',
  ],
  service: 'scheduler',
  handlesSignals: true,
  hasNoResult: true,
  args: { command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }) },
  flags: {
    var: flag.texts('PATH', 'scheduler variable to read; repeatable', { completes: { live: 'variable' } }),
    kv: flag.texts('PATH', 'key-value secret to read, such as secret/app/db; repeatable', {
      completes: { live: 'kv-path' },
    }),
    ...environmentFlags,
  },
  async run({ args, flags }, ctx) {
    const [name = '', ...rest] = args.command;
    if (flags.var.length === 0 && flags.kv.length === 0)
      throw usage('missing source: --var or --kv is required');
    for (const path of flags.var) checkPath(path);
    const sources = [...(await readVariables(flags.var, ctx)), ...(await readSecrets(flags.kv, ctx))];
    const env = environment(sources, flags);
    for (const value of Object.values(env)) ctx.output.mask(value);
    return { exitCode: await ctx.system.runChild({ command: name, args: rest, env }) };
  },
});

async function readVariables(desired: readonly string[], ctx: Context): Promise<readonly Source[]> {
  if (desired.length === 0) return [];
  await requireNamespace(ctx);
  const scheduler = await ctx.api.scheduler();
  return Promise.all(
    desired.map(async (path) => {
      const { body } = await scheduler.readVariable({ path }).catch(variableNotFoundError(path));
      return { name: path, items: itemsOf(body) };
    }),
  );
}

async function readSecrets(desired: readonly string[], ctx: Context): Promise<readonly Source[]> {
  if (desired.length === 0) return [];
  const secrets = await ctx.api.secrets();
  return Promise.all(
    desired.map(async (path) => {
      const { pairs } = await readSecret(secrets, await requireSecret(secrets, path, undefined));
      return { name: path, items: toStrings(pairs) };
    }),
  );
}

/** Values that are not strings become JSON, null becomes the empty string. */
const toStrings = (pairs: Readonly<Record<string, unknown>>): Source['items'] =>
  Object.fromEntries(
    Object.entries(pairs).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : value === null ? '' : formatJson(value),
    ]),
  );
