import { createConnection } from 'node:net';
import type { Prompt } from './types.ts';

const failureExitCode = 1;
const promptUserExitCode = 3;

/**
 * The other end of `serveAskpass`, run by ssh: hands a prompt over, and writes the answer where ssh reads it.
 *
 * @param write to standard output, which is a pipe of ssh's.
 * @returns the exit code: 1 where there is no answer, 3 where the person is to be asked.
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
