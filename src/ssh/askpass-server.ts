import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { shellQuote } from '../wire/printable.ts';
import { listen } from './listen.ts';
import type { Listener, Prompt, PromptResponse } from './types.ts';

const maxPromptLength = 64 * 1024;

/**
 * Listens for the prompts of ssh's askpass interface. The program that ssh runs is Lanyard itself, which passes the
 * prompt and the response over a socket: no secret is in a file, in the environment or in arguments.
 *
 * @param folder a private directory, for the socket and the program.
 * @param self the command that starts Lanyard.
 * @returns the program for `SSH_ASKPASS`.
 */
export async function serveAskpass(
  folder: string,
  self: readonly string[],
  answer: (prompt: Prompt) => PromptResponse,
): Promise<Listener & { readonly program: string }> {
  const path = join(folder, 'askpass.sock');
  const program = join(folder, 'askpass');
  await writeFile(program, askpassScript(path, self), { mode: 0o700, flag: 'wx' });
  const listening = await listen(path, async (socket) => {
    const response = answer(await readPrompt(socket));
    const reply = response === 'ask' ? 'ask\n' : response === undefined ? '' : `text ${response.text}\n`;
    await new Promise<void>((done) => socket.end(reply, done));
  });
  return { ...listening, program };
}

/**
 * SSH_ASKPASS is the path of a program, without arguments. If Lanyard has no response (exit code 3), the script
 * prompts on the terminal, as ssh would.
 */
const askpassScript = (socketPath: string, self: readonly string[]): string => `#!/bin/sh
LANYARD_ASKPASS=${shellQuote(socketPath)} ${self.map(shellQuote).join(' ')} "$1" "$PPID"
code=$?
[ "$code" -eq 3 ] || exit "$code"
exec 3<>/dev/tty || exit 1
printf '%s' "$1" >&3
[ "$SSH_ASKPASS_PROMPT" = none ] && exit 0
case "$1" in
  *yes/no*) ;;
  *) trap 'stty echo <&3; echo >&3' EXIT; stty -echo <&3 ;;
esac
IFS= read -r reply <&3 || exit 1
[ "$SSH_ASKPASS_PROMPT" = confirm ] && [ "$reply" != yes ] && exit 1
printf '%s\\n' "$reply"
`;

async function readPrompt(socket: Socket): Promise<Prompt> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\n') || text.length > maxPromptLength) break;
  }
  return JSON.parse(text) as Prompt;
}
