import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { changedFiles, commitNumber } from './test/support/changed.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';
import { SoakReporter } from './test/support/soak-reporter.ts';
import { heavy, leftOut, long, random } from './test/support/suites.ts';

const texts = /\.(bash|zsh|fish|ps1)$|\/docs\/guides\/[^/]+\.md$|\/man\/[^/]+\.[15]$/;

/** The long tests about what their own process loads, keeps or waits for: each file has one of its own. */
const alone = long.filter((path) => path.startsWith('test/unit/'));
/** Builds what tests start as processes, if a source is newer. */
const built = 'test/support/built.ts';
const heavyTests = heavy.flatMap(({ tests }) => tests);
const unit = ['test/unit/**/*.test.ts', 'test/architecture.test.ts'];

/** Milliseconds. Only a safety net: a machine that is ten times slower passes. No test asserts how fast it is. */
const patience = 300_000;

/** Whether the command line of vitest names files: they run in any case. */
const namesFiles = process.argv.slice(3).some((word, index, words) => {
  const before = words[index - 1] ?? '';
  return !word.startsWith('-') && (/test\/|\.test/.test(word) || !before.startsWith('-'));
});

export default defineConfig(({ mode }) => {
  // A soak, `--mode complete` and a run of named files leave out nothing.
  const { excluded, note } =
    mode === 'test' && !namesFiles ? leftOut(commitNumber(), changedFiles()) : { excluded: [], note: '' };
  if (note !== '') process.stderr.write(`${note}\n`);
  return {
    // The completion scripts, man pages and guides are imported as text, as the bundler does it.
    plugins: [
      {
        name: 'text',
        enforce: 'pre',
        load(id) {
          return texts.test(id) ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined;
        },
      },
    ],
    test: {
      testTimeout: patience,
      hookTimeout: patience,
      teardownTimeout: patience,
      maxWorkers: 4,
      sequence: { sequencer: SlowestFirst },
      ...(mode === 'soak' && { reporters: ['default', new SoakReporter()] }),
      projects:
        mode === 'soak'
          ? [
              {
                extends: true,
                test: {
                  name: 'soak',
                  include: [...long, ...heavyTests, ...random],
                  env: { LANYARD_SOAK: '1' },
                  testTimeout: 10 * patience,
                  globalSetup: built,
                },
              },
            ]
          : [
              {
                extends: true,
                test: { name: 'unit', include: unit, exclude: [...long, ...excluded], isolate: false },
              },
              {
                extends: true,
                test: {
                  name: 'main',
                  include: ['test/**/*.test.ts'],
                  exclude: [...unit, ...alone, ...excluded],
                  isolate: false,
                  globalSetup: built,
                },
              },
              { extends: true, test: { name: 'alone', include: alone, exclude: [...excluded] } },
            ],
      expect: { poll: { timeout: 120_000 } },
    },
  };
});
