import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const scripts = /\.(bash|zsh|fish|ps1)$/;

// Tests that hold a time of the wall clock to a bound: others beside them would be measured with them.
const timed = [
  'test/commands/ssh-sign-refusals.test.ts',
  'test/e2e/dev.test.ts',
  'test/e2e/streams.test.ts',
  'test/unit/api/ending.test.ts',
  'test/unit/api/network.test.ts',
  'test/unit/config/credentials.test.ts',
  'test/unit/config/profiles.test.ts',
  'test/unit/dev/accounts/guesses.test.ts',
  'test/unit/dev/accounts/many.test.ts',
  'test/unit/dev/bexpr/filter.test.ts',
  'test/unit/dev/http.test.ts',
  'test/unit/dev/json.test.ts',
  'test/unit/dev/limits.test.ts',
  'test/unit/dev/registry/query.property.test.ts',
  'test/unit/dev/scheduler/variable-list.test.ts',
  'test/unit/dev/server.test.ts',
  'test/unit/dev/ssh/public-key.test.ts',
  'test/unit/dev/ssh/templates.test.ts',
  'test/unit/dev/store.test.ts',
];

export default defineConfig({
  // The completion scripts are imported as text, as the bundler does it.
  plugins: [
    {
      name: 'text',
      enforce: 'pre',
      load(id) {
        return scripts.test(id) ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined;
      },
    },
  ],
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: timed,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
