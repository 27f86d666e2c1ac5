import { describe, expect, test } from 'vitest';
import { homeForEach } from '../support/command-tests.ts';
import { freePort } from '../support/ports.ts';
import type { Ran } from '../support/run.ts';
import { json, serve } from '../unit/api/support.ts';

const at = homeForEach();
const zeros = (length: number): Uint8Array => new Uint8Array(length);
const run = (address: string, ...more: string[]): Promise<Ran> =>
  at.run(['api', 'registry', 'GET', 'kv/a', '--address', address, ...more], { random: zeros });

describe.each(['json', 'jsonl', 'yaml'])('a failure with -o %s', (format) => {
  test('is one object, with the notes of earlier attempts', async () => {
    const ran = await run(`http://127.0.0.1:${await freePort()}`, '-o', format);
    expect(ran).toMatchObject({ code: 7, stdout: '' });
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ code: 7, kind: 'unreachable', retryable: true });
    expect(error.notes).toEqual([
      expect.stringContaining('retrying (attempt 2 of 3)'),
      expect.stringContaining('retrying (attempt 3 of 3)'),
    ]);
    expect(error.warnings).toBeUndefined();
  });

  test('has the warnings with --quiet too, and no notes', async () => {
    const ran = await run(`https://127.0.0.1:${await freePort()}`, '-o', format, '--quiet', '--skip-verify');
    const { error } = JSON.parse(ran.stderr);
    expect(error.notes).toBeUndefined();
    expect(error.warnings).toEqual([expect.stringContaining('is not verified')]);
  });

  test('that lasts is not retryable', async () => {
    const server = await serve((_seen, response) => response.end());
    const ran = await run(server.url.replace('http:', 'https:'), '-o', format);
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ kind: 'unreachable', retryable: false });
  });

  test('of what goes well in the end loses no note', async () => {
    let asked = 0;
    const server = await serve((_seen, response) =>
      ++asked === 1 ? response.writeHead(502).end() : json(response, { a: 1 }),
    );
    const ran = await run(server.url, '-o', format);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe('service registry: status 502; retrying (attempt 2 of 3)\n');
  });
});
