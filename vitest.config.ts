import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { SoakReporter } from './test/support/soak-reporter.ts';

const texts = /\.(bash|zsh|fish|ps1)$|\/docs\/guides\/[^/]+\.md$|\/man\/[^/]+\.[15]$/;

/** Tests that kill, race or load in many rounds, or that are about processes. `npm run test:soak` runs them in full size (test/support/soak.ts). */
const long = [
  'test/canary/*.test.ts',
  'test/changes/*.test.ts',
  'test/commands/certificates-property.test.ts',
  'test/commands/secrets/two-namespaces.test.ts',
  'test/commands/ssh/explain.test.ts',
  'test/commands/var/lock-race.test.ts',
  'test/conditions/*.test.ts',
  'test/e2e/dev.test.ts',
  'test/e2e/site.test.ts',
  'test/e2e/ssh-connect-otp.test.ts',
  'test/faults/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/outages/*.test.ts',
  'test/planted/*.test.ts',
  'test/state/equivalent-spellings.test.ts',
  'test/state/foreign-change.test.ts',
  'test/state/killed.test.ts',
  'test/state/partial.test.ts',
  'test/state/scale.test.ts',
  'test/unit/config/concurrent-credentials.test.ts',
  'test/unit/config/profiles.test.ts',
  'test/unit/io/files-interrupted.test.ts',
  'test/unit/io/prompt.test.ts',
  'test/unit/output/loading.test.ts',
  'test/unit/services/**/durability.test.ts',
  'test/unit/services/**/guesses.test.ts',
  'test/unit/services/accounts/many.test.ts',
  'test/unit/services/bounded/*.test.ts',
  'test/unit/services/core/http/errors.test.ts',
  'test/unit/services/core/http/huge-bodies.test.ts',
  'test/unit/services/core/http/limits.test.ts',
  'test/unit/services/core/http/one-time-http.test.ts',
  'test/unit/services/core/http/paths.test.ts',
  'test/unit/services/growth.test.ts',
  'test/unit/services/scheduler/many-writers.test.ts',
  'test/unit/services/secrets/ssh/one-time.test.ts',
  'test/unit/ssh/loading.test.ts',
];
/** Those of them that are about what their own process loads, keeps or waits for: each file has one of its own. */
const alone = long.filter((pattern) => pattern.startsWith('test/unit/'));
/** Random cases: fewer of them in `npm run test:unit`, all of them in a soak. */
const random = [
  'test/unit/**/*.property.test.ts',
  'test/unit/services/core/bexpr/grammar.test.ts',
  'test/unit/services/core/http/bounded-json.test.ts',
  'test/unit/services/core/http/bounded-work.test.ts',
  'test/unit/services/core/store/sorted-map.test.ts',
  'test/unit/ssh/certificate.test.ts',
  'test/unit/ssh/private-key.test.ts',
  'test/unit/wire/json.test.ts',
];
/** Builds what tests start as processes, if a source is newer. */
const built = 'test/support/built.ts';
const unit = ['test/unit/**/*.test.ts', 'test/architecture.test.ts'];

/** Milliseconds. Only a safety net: a machine that is ten times slower passes. No test asserts how fast it is. */
const patience = 300_000;

export default defineConfig(({ mode }) => ({
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
    ...(mode === 'soak' && { reporters: ['default', new SoakReporter()] }),
    projects:
      mode === 'soak'
        ? [
            {
              extends: true,
              test: {
                name: 'soak',
                include: [...long, ...random],
                env: { LANYARD_SOAK: '1' },
                testTimeout: 10 * patience,
                globalSetup: built,
              },
            },
          ]
        : [
            { extends: true, test: { name: 'unit', include: unit, exclude: long, isolate: false } },
            {
              extends: true,
              test: {
                name: 'whole',
                include: ['test/**/*.test.ts'],
                exclude: [...unit, ...alone],
                isolate: false,
                globalSetup: built,
              },
            },
            { extends: true, test: { name: 'alone', include: alone } },
          ],
    expect: { poll: { timeout: 120_000 } },
  },
}));
