import { arg, command, flag } from '../command/command.ts';
import { environment, environmentFlags } from '../command/variable-names.ts';
import { usage } from '../errors.ts';
import { parseCredentialsSpec } from './run/lib/credentials.ts';
import { parseTemplates, RunTemplates } from './run/lib/templates.ts';
import { RunValues } from './run/lib/values.ts';
import { watchFlags, watchSettings } from './run/lib/watch-flags.ts';
import { checkPath } from './var/lib/variable.ts';

export default command({
  description:
    'Sets the values in the environment of the command and returns its exit code. They override existing variables; invalid characters in names become "_"; duplicate names and names such as PATH are rejected (see --prefix). Credentials of --creds are renewed, and revoked at the end; with --watch, the command is restarted, signaled or stopped when values change (see "lanyard help running-programs").',
  examples: [
    'lanyard run --var app/db -- ./server',
    'lanyard run --var app/db --kv secret/app/mail --prefix APP_ --upper -- env',
    'lanyard run --var app/db --watch restart -- ./server',
    'lanyard run --key app/settings/ --upper -- env',
    'lanyard run --creds database/app --watch restart -- ./server',
    'lanyard run --template app.toml.liquid:app.toml --watch signal:HUP -- ./server',
  ],
  service: 'scheduler',
  handlesSignals: true,
  hasNoResult: true,
  changes: ['files', 'secrets lease', 'secrets token'],
  args: { command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }) },
  flags: {
    var: flag.texts('PATH', 'scheduler variable to read; repeatable', { completes: 'variable' }),
    kv: flag.texts('PATH', 'key-value secret to read, such as secret/app/db; repeatable', {
      completes: 'kv-path',
    }),
    key: flag.texts('KEY|PREFIX/', 'registry key, or all keys below a prefix; repeatable', {
      completes: 'registry-key',
    }),
    creds: flag.texts('SPEC', 'MOUNT/ROLE [K=V]... [| PREFIX]: credentials to generate; repeatable', {
      completes: 'secrets-creds',
    }),
    template: flag.texts('TEMPLATE:FILE', 'file to render before the command starts; repeatable', {
      completes: 'file',
    }),
    ...environmentFlags,
    ...watchFlags,
  },
  async run({ args, flags }, ctx) {
    const [name = '', ...rest] = args.command;
    const { var: variables, kv, key } = flags;
    const creds = flags.creds.map(parseCredentialsSpec);
    const targets = parseTemplates(flags.template);
    if ([variables, kv, key, creds, targets].every(({ length }) => length === 0))
      throw usage('missing source: --var, --kv, --key, --creds or --template is required');
    for (const path of variables) checkPath(path);
    const settings = watchSettings(flags);
    await ctx.files.checkWritable(targets.map(({ file = '' }) => ({ path: file, replace: true })));
    const templates = new RunTemplates(targets, flags.interval, ctx);
    const values = new RunValues({ var: variables, kv, key, creds, templates }, settings, ctx);
    try {
      const exitCode = await ctx.system.supervise({
        command: name,
        args: rest,
        read: () => values.read(),
        toVariables: (read) => environment(read, flags),
        publish: (read) => templates.write(read),
        withFiles: flags.files,
        watch: settings && {
          ...settings,
          follow: (report, signal) => values.follow(report, signal),
        },
        output: ctx.output,
      });
      return { exitCode };
    } finally {
      await values.close();
    }
  },
});
