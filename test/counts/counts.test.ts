import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canTrace } from '../support/require.ts';
import { excess, isComparable, readBaseline } from './baseline.ts';
import type { Counts, TracedCounts } from './count.ts';
import { openScenario, type Scenario } from './scenario.ts';

const baseline = readBaseline();
const comparable = isComparable(baseline, process.versions.node);
const attempts = 3;

describe('the built program', () => {
  let scenario: Scenario;
  beforeAll(async () => {
    if (!comparable) {
      const problem = `the baseline is of Node ${baseline.node}: built-in modules and system calls are not compared`;
      if (process.env.LANYARD_REQUIRE === 'all') throw new Error(problem);
      process.stderr.write(`${problem}\n`);
    }
    scenario = await openScenario(comparable && canTrace());
  });
  afterAll(() => scenario?.close());

  test.each([...baseline.commands])(
    '%s loads, reads and calls no more than its baseline',
    async (name, before) => {
      let lines: string[] = [];
      // What is inherent to the command is seen at each attempt.
      for (let attempt = 0; attempt < attempts; attempt++) {
        lines = excess(name, await scenario.count(name), before, comparable);
        if (lines.length === 0) return;
      }
      expect.fail(`${lines.join('\n')}\nIf this is intended: npm run counts -- --update`);
    },
  );

  test('has a baseline for each command', () => {
    expect([...baseline.commands.keys()]).toEqual(scenario.names);
  });

  test('is counted', async () => {
    const { modules, builtIns, system } = await scenario.count('var get');
    expect(modules).toContain('src/commands/var/get.ts');
    expect(builtIns).toContain('http');
    if (system === undefined) return;
    expect(system.opened).toContain('~/config.json');
    for (const kind of ['open', 'read', 'stat', 'connect'] as const)
      expect(system.calls[kind], kind).toBeGreaterThan(0);
  });
});

describe('a command exceeds its baseline', () => {
  const before: TracedCounts = {
    modules: ['node_modules/got', 'src/a.ts', 'src/b.ts'],
    files: 50,
    bytes: 100_000,
    builtIns: ['net'],
    system: {
      calls: { open: 100, read: 0, stat: 0, change: 0, write: 1, send: 0, connect: 0, start: 0 },
      bytesRead: 200_000,
      opened: ['~/config.json'],
    },
  };
  const { system } = before;

  test.each<[string, Partial<Counts>, string[]]>([
    ['with nothing more', {}, []],
    ['with another module instead', { modules: ['node_modules/got', 'src/a.ts', 'src/c.ts'] }, []],
    [
      'with more modules',
      { modules: [...before.modules, 'src/c.ts', 'src/d.ts'] },
      ['var get loads 2 more modules: src/c.ts, src/d.ts'],
    ],
    [
      'with another library instead',
      { modules: ['node_modules/conf', 'src/a.ts', 'src/b.ts'] },
      ['var get loads 1 more module: node_modules/conf; no longer: node_modules/got'],
    ],
    ['with a few more files', { files: 52 }, []],
    ['with more files', { files: 53 }, ['var get loads files: 53, baseline 50, at most 52']],
    ['with a little more code', { bytes: 105_000 }, []],
    [
      'with more code',
      { bytes: 105_001 },
      ['var get loads bytes of code: 105001, baseline 100000, at most 105000'],
    ],
    [
      'with another built-in module instead',
      { builtIns: ['tls'] },
      ['var get loads 1 more built-in module: tls; no longer: net'],
    ],
    [
      'with an opened file',
      { system: { ...system, opened: ['~/config.json', '/etc/hosts'] } },
      ['var get opens 1 more file: /etc/hosts'],
    ],
    [
      'with more bytes read',
      { system: { ...system, bytesRead: 300_000 } },
      ['var get reads bytes: 300000, baseline 200000, at most 210000'],
    ],
    [
      'with more system calls',
      { system: { ...system, calls: { ...system.calls, open: 106, write: 4 } } },
      ['var get makes system calls of kind "open": 106, baseline 100, at most 105'],
    ],
  ])('%s', (_what, more, lines) => {
    expect(excess('var get', { ...before, ...more }, before)).toEqual(lines);
  });

  test('where system calls are not counted, or are of another version of Node', () => {
    const builtIns = ['net', 'tls'];
    expect(excess('var get', { ...before, files: 90, system: undefined }, before)).toHaveLength(1);
    expect(excess('var get', { ...before, builtIns }, before, false)).toEqual([]);
  });
});
