import { createConnection } from 'node:net';
import type { Prompt } from './ssh.ts';

const noAnswer = 1;
const askThePerson = 3;

/**
 * The other end of `serveAskpass`, run by ssh: hands a prompt over, and writes the answer where ssh reads it.
 *
 * @param write to standard output, which is a pipe of ssh's.
 * @returns the exit code: 1 where there is no answer, 3 where the person is to be asked.
 */
export function askpass(
  socketPath: string,
  prompt: Prompt,
  write: (answer: string) => void,
): Promise<number> {
  return new Promise((done) => {
    let answer = '';
    const socket = createConnection(socketPath);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', () => done(noAnswer));
    socket.on('end', () => {
      const [, text] = /^text (.*\n)$/s.exec(answer) ?? [];
      if (text !== undefined) write(text);
      done(text !== undefined ? 0 : answer === 'ask\n' ? askThePerson : noAnswer);
    });
    socket.write(`${JSON.stringify(prompt)}\n`);
  });
}
