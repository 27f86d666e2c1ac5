import { createWriteStream, fstatSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode, LanyardError, osErrorMessage } from '../errors.ts';
import type { Sink, Streams } from './io.ts';

/**
 * Connects standard input and output to a TCP port. Each direction ends separately: after the end of standard input
 * the other side may still send, and the reverse. Memory use is constant.
 *
 * @returns when both directions have ended, or the reader of standard output has gone.
 * @throws LanyardError unreachable: no connection, or it broke; interrupted, except by SIGHUP (the signal's reason).
 */
export async function tunnel(
  host: string,
  port: number,
  { stdin, stdout }: Pick<Streams, 'stdin' | 'stdout'>,
  signal: AbortSignal,
): Promise<void> {
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
  let isHangup = false;
  // ssh sends SIGHUP to its proxy when it is done: that is not an interruption.
  const stop = () => {
    isHangup = signal.reason === 'SIGHUP';
    socket.destroy(new LanyardError('interrupted', 'interrupted'));
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    await connected(socket);
    await Promise.all([send(stdin, socket), receive(socket, outputStream(stdout))]);
  } catch (error) {
    if (isHangup) return;
    if (error instanceof LanyardError) throw error;
    const isUnresolved = (error as NodeJS.ErrnoException).syscall === 'getaddrinfo';
    const message = isUnresolved
      ? `could not resolve hostname ${host}: ${errorCode(error) === 'ENOTFOUND' ? 'name not known' : osErrorMessage(error)}`
      : `${host} port ${port}: ${osErrorMessage(error)}`;
    throw new LanyardError('unreachable', message, { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
    stdin.destroy();
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((done, failed) => {
    socket.once('connect', done);
    socket.once('error', failed);
  });
}

/** Errors of sending are ignored after the other side has closed: the receiving direction decides the result. */
async function send(stdin: Streams['stdin'], socket: Socket): Promise<void> {
  try {
    await pipeline(stdin, socket);
  } catch (error) {
    const closedCodes = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];
    if (!closedCodes.includes(errorCode(error) ?? '')) throw error;
  }
}

async function receive(socket: Socket, out: Writable): Promise<void> {
  try {
    await pipeline(socket.iterator({ destroyOnReturn: false }), out);
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error;
    socket.destroy();
  }
}

/** Standard output as a stream that can be ended: the output of the process cannot. */
function outputStream(stdout: Sink): Writable {
  if (stdout.fd === undefined) {
    return new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) });
  }
  const stats = fstatSync(stdout.fd);
  const isStream = stats.isFIFO() || stats.isSocket();
  return isStream
    ? new Socket({ fd: stdout.fd, readable: false, writable: true })
    : createWriteStream('', { fd: stdout.fd });
}
