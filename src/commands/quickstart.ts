import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { Environment } from '../command/host.ts';
import { LanyardError } from '../errors.ts';
import { code, raw, text } from '../output/document.ts';
import { shellWord } from '../wire/printable.ts';
import { childEnvironment, freePorts, startServices } from './dev/lib/start-dev.ts';
import { steps, type Tour } from './quickstart/lib/tour.ts';

export default command({
  description:
    'Starts the embedded services on free ports and runs example commands against them. Each command is printed before it runs. The services and files are removed at the end.',
  examples: ['lanyard quickstart'],
  handlesSignals: true,
  hasNoResult: true,
  async run(_input, ctx) {
    const folder = await ctx.system.createTemporaryDirectory('lanyard-quickstart-');
    try {
      await takeTour(folder.path, ctx);
    } finally {
      await folder.remove();
    }
    return {
      data: undefined,
      document: [
        text(''),
        text(
          'End of the tour; its services and files were removed. Run ',
          code('lanyard dev'),
          ' to try these commands yourself, and ',
          code('lanyard --help'),
          ' for all commands.',
        ),
      ],
    };
  },
});

async function takeTour(folder: string, ctx: Context): Promise<void> {
  const running = await startServices({ ports: freePorts }, ctx);
  // The tour has its own configuration: the profiles of the user are not used or changed.
  const env = { ...childEnvironment(running, ctx.system.env), LANYARD_CONFIG_DIR: `${folder}/config` };
  const tour: Tour = {
    ctx,
    folder,
    say: (...words) => ctx.output.show({ data: undefined, document: [text(''), text(...words)] }),
    async file(name, content) {
      await ctx.output.show({
        data: undefined,
        document: [text(''), raw(`$ cat > ${name} <<'END'\n${content}END\n`)],
      });
      await ctx.files.write([{ path: `${folder}/${name}`, content, replace: false }]);
    },
    async line(...args) {
      await tour.say(code(`$ lanyard ${args.map(shellWord).join(' ')}`));
      await runSelf(args, folder, env, ctx);
    },
  };
  try {
    await ctx.output.show({
      data: undefined,
      document: [text('Started the five embedded services for this tour.')],
    });
    await tour.line('status');
    for (const step of steps) await step(tour);
  } finally {
    await running.close();
  }
}

/** Runs a command line of this program. @throws LanyardError failure: its exit code is not 0. */
async function runSelf(args: readonly string[], cwd: string, env: Environment, ctx: Context): Promise<void> {
  const [program = '', ...before] = ctx.system.selfCommand;
  const self = [program, ...before];
  const words = args.flatMap((arg, index) => (arg === 'lanyard' && args[index - 1] === '--' ? self : [arg]));
  const child = { command: program, args: [...before, ...words], env, cwd, interrupts: true };
  const exitCode = await ctx.system.runChild(child);
  if (ctx.system.signal.aborted) throw new LanyardError('interrupted', 'interrupted');
  if (exitCode !== 0)
    throw new LanyardError(
      'failure',
      `cannot continue the tour: "lanyard ${args.map(shellWord).join(' ')}" failed with exit code ${exitCode}`,
    );
}
