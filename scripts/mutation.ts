import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import type { Equivalent } from '../test/mutation/area.ts';
import { areas } from '../test/mutation/areas.ts';
import { root } from './bundle.ts';

// Mutates the files of an area (all areas without arguments) and runs the area's tests against each mutant.
// Fails if a file's score is below the minimum, or a surviving mutant is not listed as equivalent.

/** Percent of the mutants of one file that a test has to kill. */
const minimumScore = 85;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The lines of the source that a mutant changes: as they are written, and as the mutant has them. */
const linesOf = ({ fileName, location: { start, end }, replacement = '' }: MutantResult) => {
  // Lines and columns count from 1.
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const head = (lines.at(0) ?? '').slice(0, start.column - 1);
  const tail = (lines.at(-1) ?? '').slice(end.column - 1);
  return { before: oneLine(lines.join('\n')), after: oneLine(head + replacement + tail) };
};

const wasKilled = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout';
const counts = ({ status }: MutantResult): boolean => status !== 'Ignored' && status !== 'CompileError';

/** Runs one area. Prints the score of each file and each problem, and returns how many problems there are. */
const run = async (name: string): Promise<number> => {
  const area = areas[name];
  if (area === undefined)
    throw new Error(`unknown area "${name}": expected one of ${Object.keys(areas).join(', ')}`);
  process.env.LANYARD_MUTATION_TESTS = area.tests.join(',');
  const results = await new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: area.pool ?? 'threads' },
    plugins: ['@stryker-mutator/vitest-runner'],
    // TypeScript 7 has no JavaScript interface, by which Stryker would rewrite tsconfig.json.
    tsconfigFile: 'none',
    mutate: [...area.mutate],
    ignorePatterns: ['dist', 'docs', 'completions', 'reports'],
    coverageAnalysis: 'perTest',
    reporters: process.stdout.isTTY ? ['progress'] : ['dots'],
    logLevel: 'warn' as LogLevel,
    timeoutMS: 20_000,
    concurrency: Number(process.env.LANYARD_MUTATION_CONCURRENCY ?? 2),
    allowEmpty: false,
  }).runMutationTest();
  const mutants = results.filter(counts);
  const listed = new Set<Equivalent>();
  const unlisted: string[] = [];
  for (const mutant of mutants.filter((one) => !wasKilled(one))) {
    const file = relative(root, mutant.fileName);
    const { before, after } = linesOf(mutant);
    const entry = area.equivalent.find(
      (one) => one.file === file && one.before === before && one.after === after,
    );
    if (entry !== undefined) listed.add(entry);
    else
      unlisted.push(
        `${file}:${mutant.location.start.line} ${mutant.status} ${mutant.mutatorName}\n  - ${before}\n  + ${after}`,
      );
  }
  let problems = unlisted.length;
  for (const file of area.mutate) {
    const own = mutants.filter(({ fileName }) => relative(root, fileName) === file);
    const killed = own.filter(wasKilled).length;
    const score = own.length === 0 ? 0 : (100 * killed) / own.length;
    if (score < minimumScore) problems += 1;
    process.stdout.write(
      `${score < minimumScore ? 'FAIL' : 'ok  '} ${file}: ${killed} of ${own.length} mutants killed (${score.toFixed(1)} %)\n`,
    );
  }
  for (const text of unlisted) process.stdout.write(`${text}\n`);
  for (const { file, before, after } of area.equivalent.filter((one) => !listed.has(one))) {
    problems += 1;
    process.stdout.write(
      `${file}: listed as equivalent, but does not survive\n  - ${before}\n  + ${after}\n`,
    );
  }
  return problems;
};

const names = process.argv.slice(2);
let problems = 0;
for (const name of names.length > 0 ? names : Object.keys(areas)) {
  process.stdout.write(`# ${name}\n`);
  problems += await run(name);
}
process.stdout.write(problems === 0 ? 'All mutants are killed or listed.\n' : `${problems} problems\n`);
process.exitCode = problems === 0 ? 0 : 1;
