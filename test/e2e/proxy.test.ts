import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';
import { listening, unknownHost } from '../support/ports.ts';

const at = homeForAll();
const program = join(import.meta.dirname, '../support/cli.js');
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function listen(talk: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, talk);
  onTestFinished(() => void server.close());
  return (await listening(server)).port;
}

function proxy(port: number | string, host = '127.0.0.1') {
  const child = spawn(process.execPath, [program, 'ssh', 'proxy', host, `${port}`], {
    env: { ...at.env, HOME: at.path },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: Buffer; stderr: string }>((done) => {
    child.once('close', (code) => done({ code, stdout: Buffer.concat(chunks), stderr }));
  });
  return { child, ended };
}

test('passes the end of standard input on, and takes what comes after it', async () => {
  const port = await listen((socket) => {
    const seen: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => seen.push(chunk));
    socket.on('end', () => socket.end(`${sha256(Buffer.concat(seen))}\n`));
  });
  const { child, ended } = proxy(port);
  const sent = Buffer.alloc(8 * 1024 * 1024, 'lanyard');
  child.stdin.end(sent);
  expect(await ended).toEqual({ code: 0, stdout: Buffer.from(`${sha256(sent)}\n`), stderr: '' });
});

test('passes the end of the other side on, and sends what comes after it', async () => {
  let received = '';
  const port = await listen((socket) => {
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.end('hello\n');
  });
  const { child, ended } = proxy(port);
  await new Promise((done) => child.stdout.once('end', done));
  child.stdin.end('late\n');
  expect(await ended).toEqual({ code: 0, stdout: Buffer.from('hello\n'), stderr: '' });
  expect(received).toBe('late\n');
});

test('does not buffer what is not read', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const port = await listen((socket) => {
    const fill = () => {
      while (sent < 256 * 1024 * 1024 && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', fill);
    socket.on('error', () => {});
    fill();
  });
  const { child, ended } = proxy(port);
  child.stdout.pause();
  // It goes on until the buffers on the way are full.
  for (let before = -1; sent === 0 || before !== sent; ) {
    before = sent;
    await new Promise((done) => setTimeout(done, 500));
  }
  expect(sent).toBeLessThan(32 * 1024 * 1024);
  child.kill('SIGKILL');
  await ended;
});

test('ends without a word when its reader goes', async () => {
  const port = await listen((socket) => {
    socket.on('error', () => {});
    setInterval(() => socket.write('more\n'), 10).unref();
  });
  const { child, ended } = proxy(port);
  await new Promise((done) => child.stdout.once('data', done));
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

test('says who cannot be reached, with exit code 7', async () => {
  expect(await proxy(1).ended).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('127.0.0.1 port 1'),
  });
  const unresolved = await proxy(22, unknownHost).ended;
  expect(unresolved).toMatchObject({ code: 7 });
  expect(unresolved.stderr).toContain(`could not resolve hostname ${unknownHost}: `);
});

test.each([
  ['SIGHUP', 0, ''],
  ['SIGTERM', 143, 'error: interrupted\n'],
] as const)('ends at %s with code %i: ssh hangs up on its proxy', async (signal, code, stderr) => {
  const port = await listen((socket) => {
    socket.on('error', () => {});
    socket.write('SSH-2.0-server\r\n');
  });
  const { child, ended } = proxy(port);
  await new Promise((done) => child.stdout.once('data', done));
  child.kill(signal);
  expect(await ended).toEqual({ code, stdout: Buffer.from('SSH-2.0-server\r\n'), stderr });
});

test.each(['0', '65536', 'ssh'])('rejects %s as a port', async (port) => {
  expect(await proxy(port).ended).toMatchObject({ code: 2 });
});
