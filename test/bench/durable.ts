import { type BareServer, bareServer } from './bare.ts';
import { memoryOf } from './harness.ts';
import { type Connection, drive } from './load.ts';
import { type Finding, rated } from './report.ts';
import { diskOf, type Services, withServices } from './services.ts';

const warmUp = { milliseconds: 1000 };
const extent = { milliseconds: 4000 };

/** Measures services of their own, whose state is on a disk, beside a bare server; tells why when they do not start. */
export async function onDisk(
  say: (line: string) => void,
  measure: (services: Services, bare: BareServer) => Promise<Finding[]>,
): Promise<Finding[]> {
  const bare = await bareServer();
  try {
    const onServices = (services: Services): Promise<Finding[]> => {
      say(`the data is on ${diskOf(services.folder)}`);
      return measure(services, bare);
    };
    return await withServices(say, onServices, { durable: true });
  } finally {
    bare.stop();
  }
}

interface Rated {
  readonly what: string;
  readonly address: string;
  readonly connections: number;
  /** Sent in turn, again and again. */
  readonly requests: readonly Buffer[];
}

/** Requests a second, and what memory the services hold after. */
export async function ratingOf(
  services: Services,
  bare: BareServer,
  { what, address, connections, requests }: Rated,
): Promise<Finding> {
  const act = (connection: Connection, turn: number) =>
    connection.send(requests[turn % requests.length] as Buffer);
  await drive(address, connections, warmUp, act);
  // Right before what it is compared with: other load on the machine comes and goes.
  const ceiling = await bare.rate(connections, requests[0] as Buffer);
  return withMemory(services, rated(what, await drive(address, connections, extent, act), ceiling));
}

/** Adds what the services hold in memory after. */
export function withMemory({ pid }: Services, finding: Finding): Finding {
  const memory = memoryOf(pid, 'VmRSS');
  const told = memory === undefined ? '' : `; services then hold ${memory.toFixed(0)} MiB`;
  return { ...finding, figure: `${finding.figure}${told}` };
}
