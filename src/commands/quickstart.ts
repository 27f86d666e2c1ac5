import { command } from '../command.ts';
import type { Context, Environment } from '../context.ts';
import { LanyardError } from '../errors.ts';
import { code, raw, text } from '../output/document.ts';
import { childEnvironment, freePorts, start } from './dev/start.ts';
import { accountsStop } from './quickstart/accounts.ts';
import { boxStop } from './quickstart/box.ts';
import { registryStop } from './quickstart/registry.ts';
import { schedulerStop } from './quickstart/scheduler.ts';
import { secretsStop } from './quickstart/secrets.ts';
import { sshStop } from './quickstart/ssh.ts';
import type { Tour } from './quickstart/tour.ts';

/** The steps of the tour, in order. */
const stops = [sshStop, secretsStop, registryStop, boxStop, schedulerStop, accountsStop];

export default command({
  description:
    'Starts the embedded services on free ports and runs example commands against them. Each command is printed before it runs. The services and files are removed at the end.',
  examples: ['lanyard quickstart'],
  passesThrough: true,
  args: {},
  flags: {},
  async run(_input, ctx) {
    const folder = await ctx.temporaryFolder('lanyard-quickstart-');
    const running = await start({ ports: freePorts }, ctx);
    // The tour has its own configuration: the profiles of the user are not used or changed.
    const env = { ...childEnvironment(running, ctx.env), LANYARD_CONFIG_DIR: `${folder.path}/config` };
    const tour: Tour = {
      ctx,
      folder: folder.path,
      say: (...words) => ctx.show({ data: undefined, document: [text(''), text(...words)] }),
      async file(name, content) {
        await ctx.show({
          data: undefined,
          document: [text(''), raw(`$ cat > ${name} <<'END'\n${content}END\n`)],
        });
        await ctx.files.write([{ path: `${folder.path}/${name}`, content, replace: false }]);
      },
      async line(...args) {
        await tour.say(code(`$ lanyard ${args.map(quoted).join(' ')}`));
        await runSelf(args, folder.path, env, ctx);
      },
    };
    try {
      await ctx.show({
        data: undefined,
        document: [text('Started the five embedded services for this tour.')],
      });
      await tour.line('status');
      for (const stop of stops) await stop(tour);
    } finally {
      await running.close();
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

/** Runs a command line of this program. @throws LanyardError failure: its exit code is not 0. */
async function runSelf(args: readonly string[], cwd: string, env: Environment, ctx: Context): Promise<void> {
  const [program = '', ...before] = ctx.self;
  const exitCode = await ctx.runChild({ command: program, args: [...before, ...args], env, cwd });
  if (ctx.signal.aborted) throw new LanyardError('interrupted', 'interrupted');
  if (exitCode !== 0)
    throw new LanyardError(
      'failure',
      `cannot continue the tour: "lanyard ${args.map(quoted).join(' ')}" failed with exit code ${exitCode}`,
    );
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
