import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Ran } from './run.ts';
import { type Place, place } from './shells.ts';

/** A shell whose `lanyard __complete` is run by the test itself. */
export interface LiveShell {
  readonly at: Place;
  /** The command lines of the completion script since the last time. */
  requests(): string[][];
  remove(): Promise<void>;
}

const files = { bash: 'lanyard.bash', zsh: '_lanyard', fish: 'lanyard.fish' } as const;

/**
 * @param complete runs a command line that begins with `__complete`; another one is only written down.
 */
export async function liveShell(
  shell: keyof typeof files,
  complete: (argv: readonly string[]) => Promise<Ran>,
): Promise<LiveShell> {
  const script = await readFile(new URL(`../../completions/lanyard.${shell}`, import.meta.url), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-live-'));
  const socket = join(folder, 'socket');
  const client = `
    const argv = process.argv.slice(1);
    if (argv[0] !== '__complete')
      require('node:fs').appendFileSync(process.env.CALLS, [argv.length, ...argv, ''].join('\\n'));
    else
      require('node:net').connect(${JSON.stringify(socket)}).end(JSON.stringify(argv)).pipe(process.stdout);`;
  let requests: string[][] = [];
  const server = createServer({ allowHalfOpen: true }, async (connection: Socket) => {
    const argv = JSON.parse(await text(connection)) as string[];
    requests.push(argv);
    const { code, stdout, stderr } = await complete(argv);
    connection.end(code === 0 && stderr === '' ? stdout : `failed with ${code}: ${stderr}`);
  }).listen(socket);
  await once(server, 'listening');
  const program = `#!/bin/sh\nexec '${process.execPath}' -e '${client.replaceAll("'", "'\\''")}' -- "$@"\n`;
  const at = await place(script, files[shell], program);
  return {
    at,
    requests() {
      const made = requests;
      requests = [];
      return made;
    },
    async remove() {
      server.close();
      await Promise.all([at.remove(), rm(folder, { recursive: true })]);
    },
  };
}
