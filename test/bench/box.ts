import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneRun, type Program, quantile, type Run, works } from './harness.ts';
import { installed } from './programs.ts';
import { atLeast, atMost, type Benchmark, type Finding } from './report.ts';
import { diskOf } from './services.ts';

const gibibyte = 1024 ** 3;
/** GiB, and how often each is moved. */
const sizes = [
  { size: 1, rounds: 3 },
  { size: 4, rounds: 1 },
] as const;
/** Promised: curl's speed times this; MiB at the most; MiB between 1 and 4 GiB. */
const [slowest, mostMemory, mostGrowth] = [0.8, 160, 20];

const server = fileURLToPath(new URL('../support/embedded-process.ts', import.meta.url));

interface Registry {
  readonly box: string;
  readonly boxToken: string;
}

interface Place extends Registry {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An image, its stored copy and its download exist at the same time, and the page cache needs room. */
const neededBytes = 12 * gibibyte;

/** Memory if there is enough of it, so that the programs are compared and not a disk; else the temporary folder. */
async function roomiestFolder(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) > neededBytes ? memory : tmpdir();
}

/** Images up and down, with their checksum, against curl without one: the same registry, loopback and disk. */
export const box: Benchmark = {
  title: 'Box images, checksum sha256; the floor is curl with the same registry, as it says',
  async run(say) {
    const tools = ['curl', 'sha256sum'].filter(
      (name) => !works({ name, command: name, args: ['--version'] }),
    );
    if (tools.length > 0) {
      say(`left out: there is no ${tools.join(' and no ')}`);
      return [];
    }
    const folder = await mkdtemp(join(await roomiestFolder(), 'lanyard-bench-'));
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', server, join(folder, 'data')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const [line] = await once(child.stdout, 'data');
      const registry = JSON.parse(String(line)) as Registry;
      const env = {
        LANYARD_CONFIG_DIR: join(folder, 'config'),
        LANYARD_BOX_ADDR: registry.box,
        LANYARD_BOX_TOKEN: registry.boxToken,
      };
      say(`the images are on ${diskOf(folder)}`);
      return await measured({ ...registry, folder, env });
    } finally {
      child.kill();
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measured(at: Place): Promise<Finding[]> {
  await oneRun(installed(['box', 'create', 'dev/bench'], at.env));
  const up: Measured[] = [];
  const down: Measured[] = [];
  for (const { size, rounds } of sizes) {
    // A hole is read as fast as a file that is in memory already.
    const file = join(at.folder, 'image.box');
    await writeFile(file, '');
    await truncate(file, size * gibibyte);
    up.push(await compared(size, rounds, (round) => uploads(at, file, `${size}.0.${round}`)));
    down.push(await compared(size, rounds, () => downloads(at, `${size}.0.0`)));
    for (let round = 0; round < rounds; round++)
      await oneRun(
        installed(['box', 'version', 'delete', 'dev/bench', `${size}.0.${round}`, '--yes'], at.env),
      );
  }
  return [...findings('upload', up), ...findings('download', down)];
}

interface Measured {
  readonly size: number;
  readonly ratio: number;
  readonly speed: number;
  readonly floor: number;
  /** With the checksum that a user of curl computes: sha256sum of the file, before an upload or after a download. */
  readonly checkedRatio: number;
  readonly checkedFloor: number;
  readonly peak: number | undefined;
}

/** Both programs, and the checksum of the same file by sha256sum. */
interface Pair {
  readonly subject: Run;
  readonly floor: Run;
  readonly sum: Run;
}

/** Runs both alternately; the ratio is the median of the pairs'. */
async function compared(
  size: number,
  rounds: number,
  pair: (round: number) => Promise<Pair>,
): Promise<Measured> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) pairs.push(await pair(round));
  const median = (of: (pair: Pair) => number): number => quantile(pairs.map(of), 0.5);
  const speed = (of: (pair: Pair) => number): number => (size * 1024) / (median(of) / 1000);
  const checkedTime = ({ floor, sum }: Pair): number => floor.milliseconds + sum.milliseconds;
  const peaks = pairs.map(({ subject }) => subject.peak);
  return {
    size,
    ratio: median(({ subject, floor }) => floor.milliseconds / subject.milliseconds),
    speed: speed(({ subject }) => subject.milliseconds),
    floor: speed(({ floor }) => floor.milliseconds),
    checkedRatio: median((pair) => checkedTime(pair) / pair.subject.milliseconds),
    checkedFloor: speed(checkedTime),
    peak: peaks.every((peak) => peak !== undefined) ? Math.max(...peaks) : undefined,
  };
}

async function uploads(at: Place, file: string, version: string): Promise<Pair> {
  const words = ['dev/bench', version, 'libvirt'];
  await oneRun(installed(['box', 'version', 'create', ...words.slice(0, 2)], at.env));
  await oneRun(installed(['box', 'provider', 'create', ...words], at.env));
  const path = `${at.box}/api/v1/box/dev/bench/version/${version}/provider/libvirt/upload`;
  const answer = await fetch(path, { headers: { Authorization: `Bearer ${at.boxToken}` } });
  const { upload_path } = (await answer.json()) as { readonly upload_path: string };
  const floor = await oneRun(curl(['-T', file, upload_path]));
  // The image that is there is of the same bytes: without this it would not be sent again.
  await oneRun(installed(['box', 'provider', 'delete', ...words, '--yes'], at.env));
  await oneRun(installed(['box', 'provider', 'create', ...words], at.env));
  const subject = await oneRun(installed(['box', 'upload', ...words, file], at.env));
  return { subject, floor, sum: await oneRun(checksum(file)) };
}

async function downloads(at: Place, version: string): Promise<Pair> {
  const out = join(at.folder, 'out.box');
  const url = `${at.box}/dev/boxes/bench/versions/${version}/providers/libvirt.box`;
  const floor = await oneRun(curl(['-H', `Authorization: Bearer ${at.boxToken}`, '-o', out, url]));
  await rm(out);
  const subject = await oneRun(
    installed(['box', 'download', 'dev/bench', version, 'libvirt', '--out', out], at.env),
  );
  const sum = await oneRun(checksum(out));
  await rm(out);
  return { subject, floor, sum };
}

const checksum = (file: string): Program => ({ name: 'sha256sum', command: 'sha256sum', args: [file] });

const curl = (args: readonly string[]): Program => ({
  name: 'curl',
  command: 'curl',
  args: ['--silent', '--fail', '--location', ...args],
});

function findings(what: string, seen: readonly Measured[]): Finding[] {
  const rows = seen.flatMap((measured): Finding[] => [
    {
      what: `${what} of ${measured.size} GiB, curl without a checksum`,
      figure: `${measured.speed.toFixed(0)} MiB/s`,
      floor: `${measured.floor.toFixed(0)} MiB/s`,
      ratio: measured.ratio,
      promise: atLeast(measured.ratio, slowest, ' x'),
    },
    {
      what: `${what} of ${measured.size} GiB, curl and sha256sum`,
      figure: `${measured.speed.toFixed(0)} MiB/s`,
      floor: `${measured.checkedFloor.toFixed(0)} MiB/s`,
      ratio: measured.checkedRatio,
    },
  ]);
  const peaks = seen.flatMap(({ peak }) => (peak === undefined ? [] : [peak]));
  const [least, most] = [Math.min(...peaks), Math.max(...peaks)];
  if (peaks.length < seen.length)
    return [...rows, { what: `${what}, memory`, figure: 'not measured on this system' }];
  return [
    ...rows,
    { what: `${what}, memory`, figure: `${most.toFixed(0)} MiB`, promise: atMost(most, mostMemory, ' MiB') },
    {
      what: `${what}, memory between 1 and 4 GiB`,
      figure: `${(most - least).toFixed(0)} MiB`,
      promise: atMost(most - least, mostGrowth, ' MiB'),
    },
  ];
}
