import { availableParallelism } from 'node:os';
import { accounts } from './accounts.ts';
import { batch } from './batch.ts';
import { box } from './box.ts';
import { connect } from './connect.ts';
import { fresh } from './fresh.ts';
import { registry } from './registry.ts';
import { type Finding, isBroken, tabulate } from './report.ts';
import { scheduler } from './scheduler.ts';
import { secrets } from './secrets.ts';
import { service } from './service.ts';
import { sign } from './sign.ts';
import { start } from './start.ts';
import { state } from './state.ts';

// npm run bench [-- --check] [-- NAME...]: measures Lanyard against what it is built on, side by side in one
// run. With --check a broken promise is exit code 1.

const benchmarks = {
  start,
  fresh,
  sign,
  batch,
  connect,
  service,
  secrets,
  registry,
  box,
  scheduler,
  accounts,
  state,
};

const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('--'));
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

say(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`,
);
const findings: Finding[] = [];
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  say(`\n${benchmark.title}`);
  const found = await benchmark.run((line) => say(`  (${line})`));
  if (found.length > 0) for (const line of tabulate(found)) say(`  ${line}`);
  findings.push(...found);
}
const broken = findings.filter(isBroken);
say(`\n${broken.length === 0 ? 'Every promise that was measured is kept.' : `Not kept: ${broken.length}.`}`);
if (broken.length > 0 && words.includes('--check')) process.exitCode = 1;
