import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { expectExit, outputOf } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import type { Ran } from '../../support/run.ts';
import { serve } from '../../unit/api/support.ts';
import { makeKey, signing } from '../signing.ts';

const { at, run } = signing();
const rows = ({ stdout }: Ran) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
const batch = (flags: string, stdin = '') => run(`ssh sign deploy --batch ${flags} -o jsonl`, { stdin });

beforeEach(() => {
  at.clear('keys');
  for (const name of ['a', 'b', 'c']) makeKey(at, `keys/${name}`, 'ed25519');
});

describe('ssh sign --batch', () => {
  test('signs the keys of a folder, each certificate next to its key', async () => {
    at.write('keys/readme', 'no key');
    const ran = await batch('keys');
    expect(ran).toMatchObject({ code: 0, stderr: '3 signed, 0 failed\n' });
    expect(rows(ran)).toMatchObject(
      ['a', 'b', 'c'].map((name) => ({
        name: `keys/${name}.pub`,
        status: 'signed',
        out: `keys/${name}-cert.pub`,
      })),
    );
    for (const name of ['a', 'b', 'c']) {
      const inspected = await run(`ssh inspect keys/${name}-cert.pub -o json`);
      expect(JSON.parse(inspected.stdout)).toMatchObject({ principals: ['ubuntu'], signatureValid: true });
    }
  });

  test('signs again only what needs it with --if-needed', async () => {
    const first = await batch('keys');
    expect(first.code).toBe(0);
    at.clear('keys/b-cert.pub');
    const ran = await batch('keys --if-needed');
    expect(ran).toMatchObject({ code: 0, stderr: '1 signed, 2 up to date, 0 failed\n' });
    expect(rows(ran).map(({ status }) => status)).toEqual(['fresh', 'signed', 'fresh']);
    for (const index of [0, 2])
      expect(rows(ran)[index]?.serial_number).toBe(rows(first)[index]?.serial_number);
  });

  test('reads JSON lines, each with its own fields', async () => {
    const { publicLine } = keyPair('ed25519');
    const lines = [
      { public_key: publicLine, principals: ['admin'], ttl: '5m' },
      { public_key: publicLine, valid_principals: 'ubuntu,admin', out: 'mine-cert.pub' },
      { key: 'keys/a.pub', extensions: {} },
    ];
    const ran = await batch('-', `${lines.map((line) => JSON.stringify(line)).join('\n\n')}\n`);
    expect(ran).toMatchObject({ code: 0 });
    const [first, second, third] = rows(ran);
    expect(first).toMatchObject({ name: 'standard input:1', status: 'signed' });
    at.write('first', first.signed_key);
    expect(JSON.parse((await run('ssh inspect first -o json')).stdout)).toMatchObject({
      principals: ['admin'],
    });
    expect(second).toMatchObject({ name: 'standard input:3', out: 'mine-cert.pub' });
    expect(third).toMatchObject({ out: 'keys/a-cert.pub' });
    expect(existsSync(at.file('mine-cert.pub'))).toBe(true);
  });

  test('reports each failure on its line, continues, and exits with code 9', async () => {
    at.write('keys/b.pub', 'not a key');
    const { publicLine } = keyPair('ed25519');
    const lines = [
      ...[JSON.stringify({ public_key: publicLine, principals: ['root'] }), '{"torn', '[]', '{}'],
      ...[
        JSON.stringify({ public_key: publicLine, colour: 'red' }),
        JSON.stringify({ public_key: publicLine, principals: ['a\u202eb'] }),
        JSON.stringify({ public_key: publicLine }),
      ],
    ];
    at.write('list.jsonl', lines.join('\n'));
    const ran = await batch('keys --batch list.jsonl');
    expect(ran).toMatchObject({ code: 9, stderr: '3 signed, 7 failed\n' });
    const found = rows(ran);
    expect(found).toHaveLength(10);
    const failures = found.filter(({ status }) => status === 'failed');
    expect(failures.map(({ name, error }) => [name, error.code])).toEqual([
      ['keys/b.pub', 'usage'],
      ['list.jsonl:1', 'failure'],
      ...[2, 3, 4, 5, 6].map((number) => [`list.jsonl:${number}`, 'usage']),
    ]);
    expect(failures[1].error.messages).toEqual(['root is not a valid value for valid_principals']);
  });

  test('ends early where every key would fail the same way', async () => {
    const ran = await batch('keys --concurrency 1 --address http://127.0.0.1:1');
    expect(ran.code).toBe(7);
    expect(rows({ ...ran }).length).toBe(1);
  });

  test('limits its concurrent requests', async () => {
    let running = 0;
    let highest = 0;
    const service = await serve((_seen, response) => {
      running += 1;
      highest = Math.max(highest, running);
      setTimeout(() => {
        running -= 1;
        response.statusCode = 400;
        response.end('{"errors":["no"]}');
      }, 5);
    });
    const line = JSON.stringify({ public_key: keyPair('ed25519').publicLine });
    expect((await batch(`- --concurrency 5 --address ${service.url}`, `${line}\n`.repeat(60))).code).toBe(9);
    expect(service.seen).toHaveLength(60);
    expect(highest).toBe(5);
  });

  test.each(['json', 'yaml'])('-o %s is one list, in the order of the keys', async (format) => {
    at.write('keys/b.pub', 'not a key');
    const ran = await run(`ssh sign deploy --batch keys -o ${format}`);
    expect(ran).toMatchObject({ code: 9, stderr: '2 signed, 1 failed\n' });
    const list = format === 'json' ? JSON.parse(ran.stdout) : parse(ran.stdout);
    expect(list.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ['keys/a.pub', 'signed'],
      ['keys/b.pub', 'failed'],
      ['keys/c.pub', 'signed'],
    ]);
  });

  test('-o table is one table', async () => {
    const stdout = outputOf(await run('ssh sign deploy --batch keys -o table'));
    expect(stdout.match(/fingerprint/gi)).toHaveLength(1);
  });

  test('-o env is rejected, as for every list, before anything is sent', async () => {
    expect(await run('ssh sign deploy --batch keys -o env')).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(at.file('keys/a-cert.pub'))).toBe(false);
  });

  test.each(['--dry-run', '--curl'])('%s shows every request, and what would fail', async (flag) => {
    at.write('keys/b.pub', 'not a key');
    const ran = await run(`ssh sign deploy --batch keys ${flag}`);
    expectExit(ran, 9, /^warning: keys\/b\.pub: /);
    expect(ran.stdout.match(/\/v1\/ssh\/sign\/deploy/g)).toHaveLength(2);
    expect(existsSync(at.file('keys/a-cert.pub'))).toBe(false);
    const list = await run(`ssh sign deploy --batch keys ${flag} -o json`);
    expect(JSON.parse(list.stdout)).toHaveLength(2);
  });

  test.each(['keys --key a.pub', 'keys --agent', 'keys --out x', 'keys --concurrency 0', 'nowhere'])(
    'rejects %s',
    async (flags) => {
      expect(await batch(flags)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
