import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

// Which tests run when. vitest.config.ts makes the projects from it.

/**
 * The long tests: they kill, race or load in many rounds, try every command, or are about processes. `npm test` runs one
 * of these thirds with each commit, which take about the same time, and `npm run test:soak` all of them in full size
 * (soak.ts).
 */
const thirds: readonly (readonly string[])[] = [
  [
    'test/canary/canary.test.ts',
    'test/canary/local.test.ts',
    'test/commands/dev-profile.test.ts',
    'test/commands/examples.test.ts',
    'test/commands/list-requests.test.ts',
    'test/commands/operations-sent.test.ts',
    'test/commands/secrets/without-token.test.ts',
    'test/commands/unusual-files.test.ts',
    'test/commands/var/concurrent-merges.test.ts',
    'test/commands/var/lock-race.test.ts',
    'test/counts/counts.test.ts',
    'test/e2e/dev.test.ts',
    'test/e2e/include-file.test.ts',
    'test/e2e/signals.test.ts',
    'test/e2e/ssh-connect-otp.test.ts',
    'test/e2e/ssh-connect.test.ts',
    'test/e2e/ssh-doctor-host.test.ts',
    'test/e2e/ssh-doctor-role.test.ts',
    'test/e2e/streams.test.ts',
    'test/planted/killed-services.test.ts',
    'test/planted/killed.test.ts',
    'test/state/killed.test.ts',
    'test/state/ownership.test.ts',
    'test/state/rate-limits.test.ts',
    'test/state/record.test.ts',
    'test/state/requests.test.ts',
    'test/unit/io/files-interrupted.test.ts',
    'test/unit/services/bounded/constant-creation.test.ts',
    'test/unit/services/bounded/sliced-delete.test.ts',
    'test/unit/services/box/durability.test.ts',
    'test/unit/services/core/http/huge-bodies.test.ts',
    'test/unit/services/core/http/paths.test.ts',
    'test/unit/ssh/loading.test.ts',
  ],
  [
    'test/commands/certificates-property.test.ts',
    'test/commands/ci/action.test.ts',
    'test/commands/ci/gitlab-component.test.ts',
    'test/commands/guides.test.ts',
    'test/commands/live-completion.test.ts',
    'test/commands/registry/two-datacenters.test.ts',
    'test/commands/secrets/keep-alive.test.ts',
    'test/commands/secrets/two-namespaces.test.ts',
    'test/commands/ssh/rotate-interrupted.test.ts',
    'test/commands/ssh/sign-agent.test.ts',
    'test/commands/var/lock.test.ts',
    'test/commands/var/two-namespaces.test.ts',
    'test/commands/writers.test.ts',
    'test/e2e/at-rest.test.ts',
    'test/e2e/built.test.ts',
    'test/e2e/quickstart.test.ts',
    'test/e2e/sshd-rotate.test.ts',
    'test/fuzz/commands.test.ts',
    'test/outages/restart.test.ts',
    'test/state/equivalent-spellings.test.ts',
    'test/state/export.test.ts',
    'test/state/json-schema.test.ts',
    'test/state/one-service.test.ts',
    'test/state/round-trip.test.ts',
    'test/unit/config/concurrent-credentials.test.ts',
    'test/unit/generate/shells.test.ts',
    'test/unit/release/install.test.ts',
    'test/unit/services/accounts/durability.test.ts',
    'test/unit/services/accounts/guesses.test.ts',
    'test/unit/services/bounded/bounded-turns.test.ts',
    'test/unit/services/core/http/errors.test.ts',
    'test/unit/services/core/http/limits.test.ts',
    'test/unit/services/scheduler/many-writers.test.ts',
    'test/unit/services/secrets/ssh/one-time.test.ts',
  ],
  [
    'test/changes/changes.test.ts',
    'test/commands/box/upload-faults.test.ts',
    'test/commands/pages.test.ts',
    'test/commands/dry-run.test.ts',
    'test/commands/ssh/explain.test.ts',
    'test/commands/ssh/host/enroll.test.ts',
    'test/commands/ssh/host/interrupted.test.ts',
    'test/completions-in-shells.test.ts',
    'test/conditions/conditions.test.ts',
    'test/conformance/chains.test.ts',
    'test/e2e/dev-run.test.ts',
    'test/e2e/pam.test.ts',
    'test/e2e/ssh-doctor.test.ts',
    'test/e2e/sshd.test.ts',
    'test/faults/lost-reply.test.ts',
    'test/faults/matrix.test.ts',
    'test/fuzz/routes.test.ts',
    'test/planted/client.test.ts',
    'test/planted/data.test.ts',
    'test/planted/runtime.test.ts',
    'test/state/drift.test.ts',
    'test/state/foreign-change.test.ts',
    'test/state/lost-leader.test.ts',
    'test/state/partial.test.ts',
    'test/state/scale.test.ts',
    'test/unit/api/network.test.ts',
    'test/unit/config/profiles.test.ts',
    'test/unit/io/prompt.test.ts',
    'test/unit/output/loading.test.ts',
    'test/unit/services/accounts/many.test.ts',
    'test/unit/services/core/guesses.test.ts',
    'test/unit/services/core/http/one-time-http.test.ts',
    'test/unit/services/core/store/durability.test.ts',
    'test/unit/services/durability.test.ts',
    'test/unit/services/growth.test.ts',
    'test/unit/services/registry/durability.test.ts',
    'test/unit/services/scheduler/durability.test.ts',
  ],
];
/** All of them. */
export const long = thirds.flat();

/** Random cases and repeated ones: fewer of them in `npm test`, all of them in a soak. */
export const random = [
  'test/commands/alias/alias.test.ts',
  'test/commands/help.test.ts',
  'test/state/accounts-clusters.test.ts',
  'test/state/random-systems.test.ts',
  'test/state/undo-random.test.ts',
  'test/unit/**/*.property.test.ts',
  'test/unit/services/core/bexpr/grammar.test.ts',
  'test/unit/services/core/http/bounded-json.test.ts',
  'test/unit/services/core/http/bounded-work.test.ts',
  'test/unit/services/core/store/layered-map.test.ts',
  'test/unit/services/core/store/sorted-map.test.ts',
  'test/unit/ssh/certificate.test.ts',
  'test/unit/ssh/private-key.test.ts',
  'test/unit/wire/json.test.ts',
];

/** What every test of `heavy` depends on. */
const common = ['package.json', 'package-lock.json', 'test/support/', 'vitest.config.ts'];
/** How the program is built. */
const build = ['bin/', 'scripts/'];

/** Tests that are left out unless something that they are about changed. */
interface Heavy {
  readonly name: string;
  readonly tests: readonly string[];
  /** The files and folders that they are about. */
  readonly subject: readonly string[];
}

/**
 * Tests that together take as long as a third of the long ones. `npm test` runs them when their subject changed, and a
 * soak always.
 */
export const heavy: readonly Heavy[] = [
  {
    name: 'the changes of CONTRIBUTING.md',
    tests: ['test/contributing.test.ts'],
    subject: [
      ...['CONTRIBUTING.md', 'src/api/scheduler.ts', 'src/command/', 'src/commands/tree.ts', 'src/objects/'],
      ...['src/services/secrets/ssh/', 'test/commands/kept-fields.test.ts', 'test/facts/'],
    ],
  },
  {
    name: 'pages in a browser',
    tests: ['test/e2e/browser.test.ts'],
    subject: ['src/services/core/', 'src/services/start-services.ts'],
  },
  {
    name: 'the packaged executable',
    tests: ['test/e2e/packaged.test.ts'],
    subject: [...build, 'src/cli/', 'src/config/'],
  },
  {
    name: 'the documentation site',
    tests: ['test/e2e/site.test.ts'],
    subject: ['docs/', 'site/', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  },
  {
    name: 'vagrant',
    tests: ['test/e2e/vagrant.test.ts'],
    subject: ['src/api/', 'src/commands/box/', 'src/services/box/', 'src/services/core/'],
  },
  {
    name: 'the package of the library',
    tests: ['test/library/package.test.ts'],
    subject: [...build, 'docs/library.md', 'src/api/', 'src/library/', 'test/library/'],
  },
  {
    name: 'unit tests of the embedded services',
    tests: testsOfServices(),
    // Services import nothing else of the sources: test/architecture.test.ts.
    subject: ['src/services/', 'src/ssh/', 'src/wire/', 'test/unit/services/'],
  },
];

/** The unit tests of the embedded services, without the long ones and those that also use the client or a benchmark. */
function testsOfServices(): readonly string[] {
  const usesMore = /\/support\/(run|services|pipeline)\.ts'|\/bench\//;
  return globSync('test/unit/services/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !long.includes(path) && !usesMore.test(readFileSync(join(root, path), 'utf8')));
}

/** What a run leaves out, and a line that says so. */
interface Selection {
  readonly excluded: readonly string[];
  readonly note: string;
}

/**
 * What `npm test` leaves out of the long and the heavy tests. A test that was changed itself is never left out.
 *
 * @param commit its number; undefined: unknown, so no third is left out
 * @param changed the files that differ; undefined: unknown, so no heavy test is left out
 */
export function leftOut(commit: number | undefined, changed: readonly string[] | undefined): Selection {
  const third = commit === undefined ? undefined : commit % thirds.length;
  const others = thirds.filter((_files, index) => third !== undefined && index !== third).flat();
  const unchanged = heavy.filter(({ subject }) => changed !== undefined && !hasChanged(subject, changed));
  const which = third === undefined ? 'all' : `third ${third + 1} of ${thirds.length}`;
  const names = unchanged.map(({ name }) => name).join(', ');
  return {
    excluded: [...others, ...unchanged.flatMap(({ tests }) => tests)].filter(
      (file) => !changed?.includes(file),
    ),
    note: `long tests: ${which}${names && `; not run, as their subject is unchanged: ${names}`}`,
  };
}

const hasChanged = (subject: readonly string[], changed: readonly string[]): boolean =>
  [...common, ...subject].some((part) => changed.some((path) => path.startsWith(part)));
