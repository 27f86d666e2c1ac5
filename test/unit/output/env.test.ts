import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/wire/json.ts';
import { failure, rendered } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = (data: unknown, terminal = false) => rendered({ data }, { format: 'env', terminal });

/** What a real shell holds in the variables after reading the lines, by `.` or by `eval`. */
function readByShell(lines: string, names: readonly string[], how: '.' | 'eval'): string[] {
  const file = join(folder, 'lines');
  writeFileSync(file, lines);
  const read = how === '.' ? `. '${file}'` : `eval "$(cat '${file}')"`;
  const script = `${read}\nprintf '%s\\0' ${names.map((name) => `"$${name}"`).join(' ')}\n`;
  return execFileSync('/bin/sh', ['-c', script]).toString('utf8').split('\0').slice(0, -1);
}

describe('env', () => {
  test('writes names in capitals and values in quotes', async () => {
    expect(await env({ user: 'root', 'max-ttl': 60, '2fa': true, 'naïve key': null })).toBe(
      "USER='root'\nMAX_TTL='60'\n_2FA='true'\nNA_VE_KEY=''\n",
    );
  });

  test('joins the names of members of members and writes lists as JSON', async () => {
    expect(await env({ db: { user: 'a', ports: [1, 2n ** 60n] }, none: {}, some: [] })).toBe(
      "DB_USER='a'\nDB_PORTS='[1,1152921504606846976]'\nNONE='{}'\nSOME='[]'\n",
    );
  });

  test('shows the part that a person means', async () => {
    expect(await rendered({ data: { data: { a: 1 } }, payload: { a: 1 } }, { format: 'env' })).toBe(
      "A='1'\n",
    );
  });

  test('keeps a key called __proto__', async () => {
    expect(await env(parseJson('{"__proto__":"x"}'))).toBe("__PROTO__='x'\n");
  });

  test('refuses two keys of the same name, and names both and no value', async () => {
    const message = await failure(env({ a: { b: 'secret' }, A_B: 'other' }), 'usage');
    expect(message).toContain('"a.b" and "A_B" would both be A_B');
    expect(message).not.toMatch(/secret|other/);
  });

  test('refuses a value that no variable can hold, and names the key only', async () => {
    const message = await failure(env({ key: 'sec\0ret' }), 'usage');
    expect(message).toContain('"key"');
    expect(message).not.toContain('sec');
    await failure(env({ key: '\ud800' }), 'usage');
  });

  test.each(['', '-', '_', 'ü', '日本', '--'])('refuses the key %j, which cannot be a name', async (key) => {
    await failure(env({ [key]: 'x' }), 'usage');
  });

  test.each([[['a']], 'text', 5])('refuses %j, which has no members', async (data) => {
    await failure(env(data), 'usage');
  });

  test('says nothing where the service sent nothing', async () => {
    expect(await env(undefined)).toBe('');
  });

  test('shows control characters on a terminal', async () => {
    expect(await env({ a: '\x1b' }, true)).toBe("A='\\x1b'\n");
  });

  test.each(['.', 'eval'] as const)('is read back exactly by a real shell with %s', async (how) => {
    const value = fc.oneof(
      fc
        .string({ unit: 'binary', maxLength: 40 })
        .map((text) => text.replaceAll('\0', ''))
        .filter((text) => text.isWellFormed()),
      fc.stringMatching(/^['"\\$`!*~#;&|<>(){}\n\t ]{0,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 100, maxLength: 300 }), async (values) => {
        const data = Object.fromEntries(values.map((text, index) => [`value ${index}`, text]));
        const names = values.map((_, index) => `VALUE_${index}`);
        expect(readByShell(await env(data), names, how)).toEqual(values);
      }),
      { numRuns: 5 },
    );
  });
});
