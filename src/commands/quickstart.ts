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

/** Where the tour goes, in order. */
const stops = [sshStop, secretsStop, registryStop, boxStop, schedulerStop, accountsStop];

export default command({
  description:
    'Starts the embedded services on free ports, and runs real command lines against them: each is printed as it can be typed. Nothing is left behind.',
  passesThrough: true,
  args: {},
  flags: {},
  async run(_input, ctx) {
    const folder = await ctx.temporaryFolder('lanyard-quickstart-');
    const running = await start({ ports: freePorts }, ctx);
    // The tour has a configuration of its own: the user's profiles play no part, and stay as they are.
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
        document: [text('The five embedded services run on this machine, for this tour only.')],
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
          'That was the tour; its services and files are gone. ',
          code('lanyard dev'),
          ' starts services that stay while you try the same lines yourself, and ',
          code('lanyard --help'),
          ' lists the rest.',
        ),
      ],
    };
  },
});

/** Runs a command line of this very program, and ends the tour when it fails. */
async function runSelf(args: readonly string[], cwd: string, env: Environment, ctx: Context): Promise<void> {
  const [program = '', ...before] = ctx.self;
  const exitCode = await ctx.runChild({ command: program, args: [...before, ...args], env, cwd });
  if (ctx.signal.aborted) throw new LanyardError('interrupted', 'interrupted');
  if (exitCode !== 0)
    throw new LanyardError(
      'failure',
      `the tour stopped: "lanyard ${args.map(quoted).join(' ')}" ended with ${exitCode}`,
    );
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
