import type { ClientOptions } from '../command/api.ts';
import { arg, command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { SourceValues, WatchSettings } from '../command/supervised-run.ts';
import { environment, environmentFlags } from '../command/variable-names.ts';
import { usage } from '../errors.ts';
import { type Source, watch } from '../watch/watch.ts';
import type { SecretPath } from './kv/lib/secret-path.ts';
import { secretSource } from './kv/lib/secret-source.ts';
import type { Pairs, SecretState } from './kv/lib/secret-state.ts';
import { keepTokenRenewed } from './run/lib/keep-token.ts';
import { readPairs, readVariable, toText } from './run/lib/sources.ts';
import { watchFlags, watchSettings } from './run/lib/watch-flags.ts';
import { checkPath, itemsOf, requireNamespace } from './var/lib/variable.ts';
import { variableSource } from './var/lib/variable-source.ts';

export default command({
  description:
    'Sets the items of scheduler variables and key-value secrets in the environment of the command and returns its exit code. Items override existing variables, and invalid characters in names become "_"; duplicate names and names such as PATH are rejected (--prefix avoids them). With --watch, the command is restarted, signaled or stopped when values change (see "lanyard help running-programs").',
  examples: [
    'lanyard run --var app/db -- ./server',
    'lanyard run --var app/db --kv secret/app/mail --prefix APP_ --upper -- env',
    'lanyard run --var app/db --watch restart -- ./server',
  ],
  service: 'scheduler',
  handlesSignals: true,
  hasNoResult: true,
  args: { command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }) },
  flags: {
    var: flag.texts('PATH', 'scheduler variable to read; repeatable', { completes: 'variable' }),
    kv: flag.texts('PATH', 'key-value secret to read, such as secret/app/db; repeatable', {
      completes: 'kv-path',
    }),
    ...environmentFlags,
    ...watchFlags,
  },
  async run({ args, flags }, ctx) {
    const [name = '', ...rest] = args.command;
    if (flags.var.length === 0 && flags.kv.length === 0)
      throw usage('missing source: --var or --kv is required');
    for (const path of flags.var) checkPath(path);
    const settings = watchSettings(flags);
    const exitCode = await ctx.system.supervise({
      command: name,
      args: rest,
      read: valueReader(flags, ctx),
      toVariables: (values) => environment(values, flags),
      withFiles: flags.files,
      watch: settings && { ...settings, follow: follower(flags, settings.intervalMs, ctx) },
      output: ctx.output,
    });
    return { exitCode };
  },
});

interface Sources {
  readonly var: readonly string[];
  readonly kv: readonly string[];
}

/** Reads all sources: the first time with the retries of every command. */
function valueReader(sources: Sources, ctx: Context) {
  const locations = new Map<string, SecretPath>();
  let isFirst = true;
  return async (signal: AbortSignal): Promise<readonly SourceValues[]> => {
    const options: ClientOptions | undefined = isFirst ? undefined : { signal, retries: 0 };
    if (isFirst && sources.var.length > 0) await requireNamespace(ctx);
    isFirst = false;
    const variables = await readEach(sources.var, async (path) =>
      readVariable(await ctx.api.scheduler(options), path),
    );
    const secrets = await readEach(sources.kv, async (path) =>
      toStrings(await readPairs(await ctx.api.secrets(options), path, locations)),
    );
    return [...variables, ...secrets];
  };
}

const readEach = (
  paths: readonly string[],
  read: (path: string) => Promise<SourceValues['items']>,
): Promise<readonly SourceValues[]> =>
  Promise.all(paths.map(async (path) => ({ name: path, items: await read(path) })));

/** Watches all sources. Errors are reported as a change: the values are read again, until that succeeds. */
const follower =
  (sources: Sources, intervalMs: number | undefined, ctx: Context): WatchSettings['follow'] =>
  async (changed, signal) => {
    const options = { signal, retries: 0 } as const;
    const { clock, random, sleep } = ctx.system;
    const report = async <Value>(
      source: number,
      watched: Source<Value>,
      toItems: (value: Value) => SourceValues['items'] | null,
      interval?: number,
    ): Promise<void> => {
      const events = watch(watched, {
        clock,
        random: () => random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32,
        sleep,
        signal,
        intervalMs: interval,
        isPermanent: () => false,
        onRetry: ({ message }) => ctx.output.detail(`the watch failed, and is retried: ${message}`),
      });
      for await (const event of events)
        changed(source, (event.status === 'present' ? toItems(event.data) : null) ?? undefined);
    };
    const watchVariables = async (): Promise<void> => {
      const scheduler = await ctx.api.scheduler(options);
      await Promise.all(
        sources.var.map((path, index) => report(index, variableSource(scheduler, path), itemsOf)),
      );
    };
    const watchSecrets = async (): Promise<void> => {
      const secrets = await ctx.api.secrets(options);
      await Promise.all([
        keepTokenRenewed(
          secrets,
          { ended: signal, consequence: 'the values are not updated after that' },
          ctx,
        ),
        ...sources.kv.map((path, index) => {
          const source = secretSource(secrets, { path, mount: undefined, version: undefined });
          const toItems = ({ pairs }: SecretState) => pairs && toStrings(pairs);
          return report(sources.var.length + index, source, toItems, intervalMs);
        }),
      ]);
    };
    await Promise.all([
      ...(sources.var.length === 0 ? [] : [watchVariables()]),
      ...(sources.kv.length === 0 ? [] : [watchSecrets()]),
    ]);
  };

const toStrings = (pairs: Pairs): SourceValues['items'] =>
  Object.fromEntries(Object.entries(pairs).map(([key, value]) => [key, toText(value)]));
