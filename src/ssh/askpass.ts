import { createConnection } from 'node:net';
import type { Prompt } from './types.ts';

const failureExitCode = 1;
const promptUserExitCode = 3;

/**
 * The client of `serveAskpass`, run by ssh: forwards a prompt, and writes the response to standard output.
 *
 * @param write to standard output, which is a pipe of ssh.
 * @returns the exit code: 1 without a response, 3 if the user is to be prompted.
 */
export function askpass(
  socketPath: string,
  prompt: Prompt,
  write: (response: string) => void,
): Promise<number> {
  return new Promise((done) => {
    let response = '';
    const socket = createConnection(socketPath);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      response += chunk;
    });
    socket.on('error', () => done(failureExitCode));
    socket.on('end', () => {
      const [, text] = /^text (.*\n)$/s.exec(response) ?? [];
      if (text !== undefined) write(text);
      done(text !== undefined ? 0 : response === 'ask\n' ? promptUserExitCode : failureExitCode);
    });
    socket.write(`${JSON.stringify(prompt)}\n`);
  });
}
