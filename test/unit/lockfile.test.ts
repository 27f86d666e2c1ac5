import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const entries = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);

/**
 * Parts of two development tools for other platforms, of which the lockfile knows the version alone: npm adds the
 * integrity where it can fetch them. No other entry may be without.
 */
const otherPlatforms = /^node_modules\/(@biomejs\/cli|@oxc-parser\/binding)-/;

test('every package of the lockfile has its integrity', () => {
  const without = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  const others = without.filter(([path]) => !otherPlatforms.test(path));
  expect(others.map(([path]) => path)).toEqual([]);
  for (const [path, { dev, optional, os, cpu, libc }] of without) {
    expect({ path, dev, optional }).toEqual({ path, dev: true, optional: true });
    const isHere =
      os?.includes('linux') && (cpu?.includes('x64') || cpu?.includes('arm64')) && !libc?.includes('musl');
    expect(isHere, `${path} is for the platform of the tests`).toBe(false);
  }
  expect(without.length).toBeLessThanOrEqual(23);
});

test('no package of the lockfile comes from elsewhere than a registry', () => {
  const elsewhere = entries.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://'),
  );
  expect(elsewhere).toEqual([]);
});

test('the lockfile of the site has the integrity of every package, and contains no address of a registry', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../site/package-lock.json'), 'utf8'));
  const others = Object.entries<Entry>(lock.packages).filter(([path]) => path !== '');
  expect(others.length).toBeGreaterThan(50);
  for (const [path, { integrity, resolved }] of others) {
    expect(integrity, path).toMatch(/^sha512-/);
    expect(resolved, path).toBeUndefined();
  }
});
