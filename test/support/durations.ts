import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './sources.ts';

// Writes test/durations.json from the results of a run: `npx vitest run --mode complete --reporter=json
// --outputFile=FILE && node test/support/durations.ts FILE`. Files that take less than 4 seconds are not in it.

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

const { testResults } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Results;
const durations = testResults
  .map(
    ({ name, startTime, endTime }) =>
      [relative(root, name), Math.round((endTime - startTime) / 1000)] as const,
  )
  .filter(([, seconds]) => seconds >= 4)
  .sort();
writeFileSync(
  join(root, 'test/durations.json'),
  `${JSON.stringify(Object.fromEntries(durations), undefined, 2)}\n`,
);
