import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { changedFiles, commitNumber } from '../support/changed.ts';
import { folderForTest } from '../support/folders.ts';
import { SlowestFirst } from '../support/slowest-first.ts';
import { root } from '../support/sources.ts';
import { heavy, leftOut, long, random } from '../support/suites.ts';

const heavyFiles = heavy.flatMap(({ tests }) => tests);
const isThere = (path: string): boolean => existsSync(join(root, path));
const durations: object = JSON.parse(readFileSync(join(root, 'test/durations.json'), 'utf8'));

describe('the lists of tests', () => {
  test('name files and folders that exist', () => {
    const paths = [
      ...long,
      ...heavyFiles,
      ...heavy.flatMap(({ subject }) => subject),
      ...Object.keys(durations),
    ];
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  test('have every file that has a larger size in a soak', () => {
    const sized = globSync('test/**/*.test.ts', { cwd: root }).filter((path) =>
      /^import .*\/support\/soak\.ts';$/m.test(readFileSync(join(root, path), 'utf8')),
    );
    const inSoak = new Set([...long, ...heavyFiles, ...globSync([...random], { cwd: root })]);
    expect(sized.filter((path) => !inSoak.has(path))).toEqual([]);
  });

  test('have a long file in one third and no other list', () => {
    expect(new Set([...long, ...heavyFiles]).size).toBe(long.length + heavyFiles.length);
  });
});

describe('npm test leaves out', () => {
  test('of three commits one after the other, every long test in two', () => {
    for (const first of [0, 1, 1000]) {
      const excluded = [0, 1, 2].flatMap((more) => leftOut(first + more, undefined).excluded);
      expect(excluded.toSorted()).toEqual([...long, ...long].toSorted());
    }
  });

  test('heavy tests whose subject is unchanged, and says so', () => {
    expect(leftOut(0, []).excluded).toEqual(expect.arrayContaining(heavyFiles));
    const { excluded, note } = leftOut(0, ['site/index.md', 'src/services/box/routes.ts']);
    expect(excluded.filter((path) => heavyFiles.includes(path))).toEqual([
      'test/contributing.test.ts',
      'test/e2e/browser.test.ts',
      'test/e2e/packaged.test.ts',
      'test/library/package.test.ts',
    ]);
    expect(note).toBe(
      'long tests: third 1 of 3; not run, as their subject is unchanged: the changes of CONTRIBUTING.md, pages in a browser, the packaged executable, the package of the library',
    );
  });

  test('no unit test of the embedded services that imports anything but them, after a change of something else', () => {
    const { excluded } = leftOut(0, ['src/commands/tree.ts']);
    const outside = excluded
      .filter((path) => path.startsWith('test/unit/services/') && heavyFiles.includes(path))
      .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/'(\.\.\/)+src\/[^']+'/g) ?? [])
      .filter((path) => !/src\/(services|ssh|wire)\//.test(path));
    expect(outside).toEqual([]);
    expect(excluded).toContain('test/unit/services/secrets/auth.test.ts');
  });

  test('no heavy test after a change of a dependency or of the support of tests', () => {
    for (const path of ['package-lock.json', 'test/support/run.ts', 'vitest.config.ts'])
      expect(leftOut(0, [path]).excluded.filter((each) => heavyFiles.includes(each))).toEqual([]);
  });

  test('no test that was changed itself', () => {
    const changed = [...long, ...heavyFiles];
    expect(leftOut(0, changed).excluded).toEqual([]);
  });
});

test('the slowest files of a project start first, those without a known duration last', async () => {
  const files = [
    ['unit', 'test/unit/suites.test.ts'],
    ['whole', 'test/man.test.ts'],
    ['whole', 'test/commands/narrow-lists.test.ts'],
    ['whole', 'test/conditions/conditions.test.ts'],
    ['alone', 'test/unit/ssh/loading.test.ts'],
  ].map(([name, path = '']) => ({ project: { name }, moduleId: join(root, path) }) as TestSpecification);
  const sorted = await new SlowestFirst({} as Vitest).sort(files);
  expect(sorted.map((file) => files.indexOf(file))).toEqual([4, 3, 1, 2, 0]);
});

describe('without git', () => {
  test('nothing is left out', () => {
    const folder = folderForTest();
    expect([commitNumber(folder), changedFiles(folder)]).toEqual([undefined, undefined]);
  });
});

describe('changed files', () => {
  function repository() {
    const folder = folderForTest();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    const commit = (path: string): void => {
      writeFileSync(join(folder, path), path);
      git('add', '.');
      git('commit', '-qm', path);
    };
    git('init', '-q', '-b', 'main');
    commit('a');
    return { folder, git, commit };
  }

  test('are unknown at the first commit, then the files of the last commit', () => {
    const { folder, commit } = repository();
    expect([commitNumber(folder), changedFiles(folder)]).toEqual([1, undefined]);
    commit('b');
    expect([commitNumber(folder), changedFiles(folder)]).toEqual([2, ['b']]);
  });

  test('of a branch are the files of all its commits and the uncommitted ones', () => {
    const { folder, git, commit } = repository();
    git('checkout', '-qb', 'branch');
    commit('b');
    commit('c');
    writeFileSync(join(folder, 'a'), 'changed');
    mkdirSync(join(folder, 'new'));
    writeFileSync(join(folder, 'new/d'), '');
    expect([commitNumber(folder), changedFiles(folder)]).toEqual([3, ['a', 'b', 'c', 'new/d']]);
  });

  test('count a merge as one commit', () => {
    const { folder, git, commit } = repository();
    git('checkout', '-qb', 'branch');
    commit('b');
    commit('c');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '-m', 'merge', 'branch');
    expect([commitNumber(folder), changedFiles(folder)]).toEqual([2, ['b', 'c']]);
  });

  test('are unknown without the main branch', () => {
    const { folder, git } = repository();
    git('branch', '-qm', 'main', 'other');
    expect(changedFiles(folder)).toBeUndefined();
  });
});
