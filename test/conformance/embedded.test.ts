import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { localCommands } from '../facts/facts.ts';
import { has } from '../support/require.ts';
import { issuerCommands, schemaProblems, withoutResult } from '../support/result-schemas.ts';
import { baselineOf, differencesFrom, readBaseline } from './baseline.ts';
import { compare } from './compare.ts';
import { type Dialect, dialectOf, dialects } from './dialects.ts';
import { embeddedTargets } from './embedded.ts';
import { record, type Versioned } from './record.ts';
import { type Recording, recordings, textOf } from './recording.ts';
import type { Run, Target } from './run.ts';
import { scenario } from './scenario.ts';

let run: Run;
let embedded: readonly Recording[];
let given: readonly string[];
/** Lists of the services after the run. */
let left: readonly string[];

beforeAll(async () => {
  const running = await embeddedTargets();
  const targets = Object.fromEntries(
    Object.entries(running.targets).map(([service, target]) => [service, { ...target, version: '0.0.0' }]),
  ) as Record<string, Versioned>;
  given = Object.values(targets).flatMap(({ token }) => token ?? []);
  try {
    const recorded = await record(scenario, { targets, values: running.values, write: true, noPauses: true });
    run = recorded.run;
    embedded = recorded.recordings;
    left = await Promise.all(lists.map(([service, path]) => listed(running.targets[service], path)));
  } finally {
    await running.close();
  }
});

/** Commands whose steps print no result, or a part of it, by the file in which their output is checked. */
const checkedElsewhere: Readonly<Record<string, readonly string[]>> = {
  'commands/result-schemas': [
    ...['ssh trust', 'secrets init', 'secrets seal', 'acl bootstrap', 'acl translate-rules'],
    ...['secrets mount list', 'secrets auth list', 'secrets policy list', 'secrets policy get'],
  ],
  'commands/ssh/issue': ['ssh ca recover'],
  'e2e/ssh-doctor': ['ssh doctor'],
  'commands/secrets/leases': ['secrets lease renew'],
  'commands/secrets/snapshot': ['secrets snapshot save', 'secrets snapshot restore'],
  'commands/registry/snapshot': ['registry snapshot save', 'registry snapshot restore'],
  'commands/scheduler/bootstrap': ['scheduler acl bootstrap'],
  'commands/acl/oidc': ['acl oidc auth-url', 'acl oidc callback'],
  'commands/box/tokens': ['box request-code'],
  'conformance/replay': issuerCommands,
};

const lists: readonly (readonly [ServiceName, string])[] = [
  ...['sys/mounts', 'sys/auth', 'sys/namespaces?list=true'].map((path) => ['secrets', path] as const),
  ...[
    'query',
    'acl/tokens',
    'acl/auth-methods',
    'acl/binding-rules',
    'catalog/nodes',
    'kv/?keys',
    'catalog/nodes?dc=dc2',
  ].map((path) => ['registry', path] as const),
  ...['config/service-defaults', 'config/service-resolver'].map((path) => ['registry', path] as const),
  ...['namespaces', 'vars?namespace=*', 'acl/tokens', 'acl/policies'].map(
    (path) => ['scheduler', path] as const,
  ),
];

async function listed({ address, token = '' }: Target, path: string): Promise<string> {
  const names = ['X-Secrets-Token', 'X-Registry-Token', 'X-Scheduler-Token'];
  const headers = Object.fromEntries(names.map((name) => [name, token]));
  return (await fetch(`${address}/v1/${path}`, { headers })).text();
}

describe('the scenario', () => {
  test('has a step for every command that reaches a service', () => {
    const tested = new Set(
      scenario.flatMap(({ command, kind }) => (kind === 'prepare' || kind === 'cleanup' ? [] : [command])),
    );
    const missing = tree.map(({ path }) => path).filter((path) => !tested.has(path));
    expect(missing.sort()).toEqual([...localCommands].sort());
  });

  test('has a step that fails as documented for every exit code of a rejection', () => {
    const codes = new Set(scenario.map(({ code }) => code));
    for (const code of [0, 1, 2, 3, 4, 5, 6]) expect(codes).toContain(code);
  });

  test('has unique names', () => {
    const names = scenario.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('leaves nothing behind', () => {
    expect(run.run).toMatch(/^lanyard-conformance-[0-9a-f]{8}$/);
    expect(left.length).toBeGreaterThan(0);
    for (const text of left) expect(text).not.toContain(run.run);
  });
});

describe('the embedded services', () => {
  test('have the exit codes and shapes of the baseline', () => {
    const wrong = run.outcomes.filter(({ step }) => step.program === undefined || has(step.program));
    const codes = wrong.flatMap(({ step, code, stderr }) =>
      step.kind !== 'cleanup' && code !== step.code
        ? [`${step.name}: exit code ${code}, not ${step.code}\n${stderr}`]
        : [],
    );
    expect(codes).toEqual([]);
    const baseline = readBaseline();
    const tested = baselineOf(wrong);
    const different = wrong.flatMap((outcome) =>
      Object.hasOwn(tested, outcome.step.name)
        ? differencesFrom(baseline, outcome).map((line) => `${outcome.step.name}: ${line}`)
        : [],
    );
    expect(different, 'run "npm run conformance -- --update-baseline" if the change is wanted').toEqual([]);
  });

  test('have a result of every command that matches its schema', () => {
    const checked = new Set(
      run.outcomes.flatMap(({ step, code, stdout }) => {
        if (code !== 0 || step.text || stdout === '' || step.argv.includes('--select')) return [];
        if (withoutResult.includes(step.command)) return [];
        expect(schemaProblems(step.command, JSON.parse(stdout)), step.name).toEqual([]);
        return step.command;
      }),
    );
    const without = [...localCommands, ...withoutResult, ...Object.values(checkedElsewhere).flat()];
    expect(
      tree.map(({ path }) => path).filter((path) => !checked.has(path) && !without.includes(path)),
    ).toEqual([]);
  });

  test('the baseline has no other steps', () => {
    const names = scenario
      .filter(({ kind }) => kind !== 'prepare' && kind !== 'cleanup')
      .filter(({ only }) => only === undefined || only.includes('lanyard'))
      .map(({ name }) => name);
    expect(Object.keys(readBaseline())).toEqual(names);
  });

  test('respond as the recorded products do, except for the listed dialects', () => {
    const used = new Set<Dialect>();
    const unlisted = recordings().flatMap((recording) => {
      const own = embedded.find(({ service }) => service === recording.service) as Recording;
      return compare(recording, own).filter((difference) => {
        const dialect = dialectOf(difference);
        if (dialect) used.add(dialect);
        return dialect === undefined;
      });
    });
    const lines = unlisted.map(
      ({ product, step, request, what }) => `${product} | ${step} | ${request} | ${what}`,
    );
    expect(lines, 'differences that test/conformance/dialects.ts does not list').toEqual([]);
    const unused = dialects
      .filter((dialect) => !used.has(dialect))
      .map(({ product, text }) => `${product}: ${text}`);
    expect(unused, 'entries of test/conformance/dialects.ts that no recording needs').toEqual([]);
  });
});

describe('recordings', () => {
  const folder = join(import.meta.dirname, 'recordings');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );

  test('have none of the secrets of the run', () => {
    const texts = embedded.map(textOf);
    expect(run.secrets.length).toBeGreaterThan(10);
    expect(run.secrets).toEqual(expect.arrayContaining([...given]));
    for (const secret of [...run.secrets, run.run])
      for (const text of texts) expect(text.includes(secret), `a secret: ${secret}`).toBe(false);
  });

  test.each(files)('%s holds nothing that looks like a secret', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    // Tokens of OpenBao and Vault, of accounts, JWTs, private keys, and UUIDs that were not made for recordings.
    expect(text).not.toMatch(/\b(?:hv[sbr]|s|b)\.[A-Za-z0-9]{20,}/);
    expect(text).not.toMatch(/\bat_[0-9A-Za-z]{10}_(?!redacted)/);
    expect(text).not.toMatch(/\beyJ[A-Za-z0-9_-]{10,}\./);
    expect(text).not.toMatch(/-----BEGIN [A-Z ]*PRIVATE KEY/);
    expect(text).not.toMatch(
      /\b(?!00000000-0000-(?:4000-[89]000|0000-0000)-)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/,
    );
    // Names of a machine.
    expect(text).not.toMatch(/"[^"]*\/(?:home|root|work|tmp)\/[^"]*"/);
  });

  test('are small', () => {
    const size = files.reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0);
    expect(size).toBeLessThan(1_500_000);
  });
});
