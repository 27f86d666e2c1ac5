import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startServices } from '../../../../../src/services/start-services.ts';
import { serviceNames } from '../../../../../src/wire/services.ts';
import { eventually } from '../../../../support/eventually.ts';

/** Maximum concurrent connections of a service. */
const limit = 1024;

const probe = async (address: string): Promise<boolean> =>
  fetch(address, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  );

/** Opens connections, sends the head of a request on each and waits for "100 Continue". Counts those that are closed. */
async function open(port: number, count: number, first = ''): Promise<{ closed: number; sockets: Socket[] }> {
  const opened = { closed: 0, sockets: [] as Socket[] };
  for (let each = 0; each < count; each++) {
    const socket = connect(port, '127.0.0.1');
    opened.sockets.push(socket);
    socket.on('error', () => {}).on('close', () => opened.closed++);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    if (first === '') continue;
    socket.write(first);
    await once(socket, 'data');
  }
  onTestFinished(() => {
    for (const socket of opened.sockets) socket.destroy();
  });
  return opened;
}

async function start() {
  const services = await startServices({
    clock: () => new Date(),
    random: (length) => Buffer.alloc(length, 7),
    version: '0',
  });
  onTestFinished(() => services.close());
  return services.listen({ secrets: 0, registry: 0, box: 0, scheduler: 0, accounts: 0 });
}

test.each(serviceNames)(
  'the %s service closes the longest idle connection beyond its limit',
  async (name) => {
    const addresses = await start();
    const more = 40;
    const idle = await open(Number(new URL(addresses[name]).port), limit + more);
    await eventually(() => expect(idle.closed).toBe(more));
    expect(idle.sockets.slice(0, more).every(({ destroyed }) => destroyed)).toBe(true);
    expect(await probe(addresses[name])).toBe(true);
    await eventually(() => expect(idle.closed).toBe(more + 1));
  },
);

test('closes a new connection while every other has a request', async () => {
  const addresses = await start();
  const { host, port } = new URL(addresses.accounts);
  const head = `POST /v1/auth-methods/ampw_1234567890:authenticate HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n`;
  const busy = await open(Number(port), limit, head);
  expect(await probe(addresses.accounts)).toBe(false);
  expect(busy.closed).toBe(0);
  // The other services have limits of their own.
  expect(await probe(addresses.secrets)).toBe(true);
  for (const socket of busy.sockets) socket.destroy();
  await eventually(async () => expect(await probe(addresses.accounts)).toBe(true));
});
