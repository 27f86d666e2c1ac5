import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { drive } from './load.ts';

/** A server that answers a constant to every request. */
export interface BareServer {
  readonly address: string;
  /** Its answers to a request a second: no service can be seen to be quicker. */
  readonly rate: (connections: number, request: Buffer) => Promise<number>;
  readonly stop: () => void;
}

const extent = { milliseconds: 1500 };

export async function bareServer(): Promise<BareServer> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('constant.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  const address = String(line).trim();
  return {
    address,
    rate: async (connections, request) =>
      (await drive(address, connections, extent, (connection) => connection.send(request))).rate,
    stop: () => void server.kill(),
  };
}
