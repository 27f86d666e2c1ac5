import { parseArgs } from 'node:util';
import { excess, isComparable, readBaseline, writeBaseline } from './baseline.ts';
import type { Counts, TracedCounts } from './count.ts';
import { openScenario } from './scenario.ts';
import { callKinds, tracingProblem } from './system-calls.ts';

// npm run counts [-- --update]: prints what each command loads, reads and asks of the kernel, and how it exceeds the
// baseline (exit code 1). --update writes the baseline. Run it on Linux with strace, after npm run build.

const { values: flags } = parseArgs({ options: { update: { type: 'boolean' } } });
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const problem = tracingProblem();
if (problem !== undefined) say(`System calls are not counted: ${problem}`);
const scenario = await openScenario(problem === undefined);
const commands = new Map<string, TracedCounts>();
const lines: string[] = [];
try {
  const baseline = readBaseline();
  for (const name of scenario.names) {
    const counts = await scenario.count(name);
    const before = baseline.commands.get(name);
    say(`${name}: ${summary(counts)}`);
    if (before && summary(before) !== summary(counts)) say(`  baseline: ${summary(before)}`);
    if (counts.system) commands.set(name, { ...counts, system: counts.system });
    if (before) lines.push(...excess(name, counts, before, isComparable(baseline, process.versions.node)));
  }
} finally {
  await scenario.close();
}

function summary({ modules, files, bytes, builtIns, system }: Counts): string {
  const calls = system && callKinds.map((kind) => system.calls[kind]).reduce((sum, count) => sum + count, 0);
  const traced = system ? `, ${calls} system calls, ${kib(system.bytesRead)} read` : '';
  return `${modules.length} modules in ${files} files, ${kib(bytes)}, ${builtIns.length} built-in modules${traced}`;
}

function kib(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`;
}

for (const line of lines) say(line);
if (flags.update && problem !== undefined) throw new Error('cannot update the baseline without strace');
if (flags.update) writeBaseline({ node: process.versions.node, commands });
else if (lines.length > 0) process.exitCode = 1;
