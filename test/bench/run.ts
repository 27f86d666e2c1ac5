import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { accounts } from './accounts.ts';
import { batch } from './batch.ts';
import { box } from './box.ts';
import { calls } from './calls.ts';
import { connect } from './connect.ts';
import { fleet } from './fleet.ts';
import { fresh } from './fresh.ts';
import { growth } from './growth.ts';
import { compareWall, type Spread } from './harness.ts';
import { logins } from './logins.ts';
import { peers } from './peers.ts';
import { hasPackaged, nothing } from './programs.ts';
import { registry } from './registry.ts';
import { type Finding, isBroken, tabulate } from './report.ts';
import { scheduler } from './scheduler.ts';
import { secrets } from './secrets.ts';
import { service } from './service.ts';
import { sign } from './sign.ts';
import { start } from './start.ts';
import { state } from './state.ts';

// npm run bench [-- --check] [--json FILE] [NAME...]: measures Lanyard against what it is built on, side by side in one
// run. With --check a broken promise is exit code 1. --json also writes the findings to a file. A floor that differs
// before and after, or spreads widely, means that the machine was busy. --fleet simulates a fleet instead (fleet.ts):
// --rates FILE has the rates of another machine, --seed N another course, --plot FILE.svg draws it. --growth [KIND...]
// measures the services with many objects (growth.ts): --sizes 0.1,1,3 are factors, --plots DIR draws the curves.

const benchmarks = {
  start,
  fresh,
  calls,
  sign,
  batch,
  connect,
  service,
  secrets,
  registry,
  box,
  scheduler,
  accounts,
  logins,
  state,
  peers,
};

const { values: flags, positionals: chosen } = parseArgs({
  options: {
    check: { type: 'boolean' },
    json: { type: 'string' },
    fleet: { type: 'boolean' },
    rates: { type: 'string' },
    seed: { type: 'string' },
    plot: { type: 'string' },
    growth: { type: 'boolean' },
    sizes: { type: 'string' },
    plots: { type: 'string' },
  },
  allowPositionals: true,
});
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** How long the runtime alone takes now, which tells how busy the machine is. */
function floor(when: string): Spread {
  const { subject } = compareWall(nothing, nothing);
  const { median, min, max } = subject;
  say(`${nothing.name} ${when}: ${median.toFixed(1)} ms (${min.toFixed(1)}-${max.toFixed(1)})`);
  return subject;
}

const { versions, platform, arch } = process;
const machine = { node: versions.node, platform, arch, processors: availableParallelism() };
say(`Node ${machine.node}, ${platform} ${arch}, ${machine.processors} processors`);
if (!hasPackaged) say('The packaged program is left out: dist/lanyard does not exist (npm run package).');
const before = floor('before');
const findings: (Finding & { readonly benchmark: string })[] = [];
const fleets = { fleet: fleet({ rates: flags.rates, seed: Number(flags.seed ?? 1), plot: flags.plot }) };
const factors = (flags.sizes ?? '0.1,1,3').split(',').map(Number);
const growing = { growth: growth({ kinds: chosen, factors, plots: flags.plots }) };
for (const [name, benchmark] of Object.entries(flags.growth ? growing : flags.fleet ? fleets : benchmarks)) {
  if (!flags.growth && chosen.length > 0 && !chosen.includes(name)) continue;
  say(`\n${benchmark.title}`);
  const found = await benchmark.run((line) => say(`  (${line})`));
  if (found.length > 0) for (const line of tabulate(found)) say(`  ${line}`);
  findings.push(...found.map((finding) => ({ benchmark: name, ...finding })));
}
const after = floor('after');
const broken = findings.filter(isBroken);
say(`\n${broken.length === 0 ? 'Every promise that was measured is kept.' : `Not kept: ${broken.length}.`}`);
if (flags.json !== undefined) {
  writeFileSync(
    flags.json,
    `${JSON.stringify({ machine, floor: { before, after }, findings }, undefined, 2)}\n`,
  );
}
if (broken.length > 0 && flags.check) process.exitCode = 1;
