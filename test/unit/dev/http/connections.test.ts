import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { embedded } from '../../../../src/dev/server.ts';
import { serviceNames } from '../../../../src/wire/services.ts';
import { eventually } from '../../../support/eventually.ts';

/** Maximum concurrent connections of a service. */
const limit = 1024;

const probe = async (address: string): Promise<boolean> =>
  fetch(address, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  );

test.each(serviceNames)(
  'the %s service closes connections beyond its limit, and takes new ones later',
  async (name) => {
    const services = await embedded({
      clock: () => new Date(),
      random: (length) => Buffer.alloc(length, 7),
      version: '0',
    });
    const addresses = await services.listen({ secrets: 0, registry: 0, box: 0, scheduler: 0, accounts: 0 });
    const sockets: Socket[] = [];
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await services.close();
    });
    let closed = 0;
    const { port } = new URL(addresses[name]);
    const more = 40;
    for (let count = 0; count < limit + more; count++) {
      const socket = connect(Number(port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {}).on('close', () => closed++);
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    }
    await eventually(() => expect(closed).toBe(more));
    expect(await probe(addresses[name])).toBe(false);
    // The other services have their own limits.
    const other = serviceNames.find((each) => each !== name) ?? name;
    expect(await probe(addresses[other])).toBe(true);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await probe(addresses[name])).toBe(true));
  },
);
