import type { BareServer } from './bare.ts';
import { quantile } from './harness.ts';
import { Connection, encoded, watch } from './load.ts';
import { atMost, type Finding, percentiles } from './report.ts';

/** Maximum milliseconds for a response while the service works, and milliseconds between two requests. */
const patience = 20;
const between = 5;

/**
 * Works, and asks a service how it is meanwhile. The bare server is asked at the same time: what it takes longer than
 * it should is the machine's part, and so more than {@link patience} is allowed where the bare server needs it too.
 */
export async function beside<Seen>(
  what: string,
  { address, path, bare }: { readonly address: string; readonly path: string; readonly bare: BareServer },
  work: () => Promise<Seen>,
): Promise<{ readonly seen: Seen; readonly health: Finding }> {
  const request = encoded('GET', path, '');
  const connections = [await Connection.open(address), await Connection.open(bare.address)];
  const watching = connections.map((connection) => watch(() => connection.send(request), between));
  try {
    const seen = await work();
    const [told = [], alike = []] = await Promise.all(watching.map((each) => each.stop()));
    const [mine, floor] = [quantile(told, 0.99), quantile(alike, 0.99)];
    const most = Math.ceil(Math.max(patience, floor));
    const health = {
      what: `health beside ${what}`,
      figure: longest(told),
      floor: longest(alike),
      ratio: mine / floor,
      promise: atMost(mine, most, ' ms (p99)'),
    };
    return { seen, health };
  } finally {
    for (const connection of connections) connection.close();
  }
}

const longest = (waits: readonly number[]): string =>
  `${percentiles(waits)}, at most ${Math.max(...waits).toFixed(1)} ms`;
