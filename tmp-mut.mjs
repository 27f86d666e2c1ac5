import { readFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';

const tests = [
  'attempts',
  'handed-out',
  'redirect-limits',
  'redirects',
  'retry-after',
  'retry',
  'servers',
  'transport',
  'broken-http',
  'leak',
  'answers',
  'loss',
].map((t) => `test/unit/api/${t}.test.ts`);
process.env.LANYARD_MUTATION_TESTS = tests.join(',');
const results = await new Stryker({
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: 'threads' },
  plugins: ['@stryker-mutator/vitest-runner'],
  tsconfigFile: 'none',
  mutate: process.argv.slice(2),
  ignorePatterns: ['dist', 'docs', 'completions', 'reports'],
  coverageAnalysis: 'perTest',
  reporters: ['dots'],
  logLevel: 'warn',
  timeoutMS: 20000,
  concurrency: 1,
  allowEmpty: false,
}).runMutationTest();
const lines = {};
for (const m of results) {
  if (['Killed', 'Timeout', 'Ignored', 'CompileError'].includes(m.status)) continue;
  const l = readFileSync(m.fileName, 'utf8').split('\n')[m.location.start.line - 1].trim();
  console.log(
    `${m.fileName.split('/').pop()}:${m.location.start.line} ${m.status} ${m.mutatorName}: ${l}  =>  ${(m.replacement ?? '').slice(0, 120)}`,
  );
}
console.log(
  'total',
  results.length,
  'killed',
  results.filter((m) => ['Killed', 'Timeout'].includes(m.status)).length,
);
