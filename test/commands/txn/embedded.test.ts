import { describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure, expectOutput } from '../../support/command-tests.ts';

const { at } = embeddedForAll();

const apply = (stdin: string, ...flags: string[]) => at.run(['txn', 'apply', '-', ...flags], { stdin });

describe('txn apply against the embedded registry', () => {
  test('writes key-value entries, and reads them back', async () => {
    const ran = await apply(
      '- KV: {Verb: set, Key: app/a, Value: "grün"}\n- KV: {Verb: cas, Key: app/b, Value: "2", Index: 0, Flags: 18446744073709551615}\n',
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^Applied 2 operations\.\nKV\tapp\/a\t\d+\t-\nKV\tapp\/b\t\d+\t-\n$/);
    const read = await apply('- KV: {Verb: get-tree, Key: app/}\n');
    expect(read.stdout).toMatch(/^KV\tapp\/a\t\d+\tgrün\nKV\tapp\/b\t\d+\t2\n$/);
    const raw = await apply('- KV: {Verb: get, Key: app/b}\n', '-o', 'json');
    expect(raw.stdout).toContain('18446744073709551615');
  });

  test('applies nothing if an operation fails, and names the line', async () => {
    const ran = await apply(
      '- KV: {Verb: set, Key: none/a, Value: x}\n- KV: {Verb: get, Key: none/b}\n- KV: {Verb: check-not-exists, Key: app/a}\n',
    );
    expectFailure(ran, 6, 'the transaction was rolled back: nothing was applied');
    expect(ran.stderr).toMatch(
      /standard input, line 2, operation 2 \(KV get none\/b\): key "none\/b" doesn't exist/,
    );
    expect(ran.stderr).toMatch(/line 3, operation 3 \(KV check-not-exists app\/a\): key "app\/a" exists/);
    expect((await apply('- KV: {Verb: check-not-exists, Key: none/a}\n')).code).toBe(0);
  });

  test('reports the limit of the registry, which --chunk accepts', async () => {
    const operations = Array.from(
      { length: 65 },
      (_, index) => `- KV: {Verb: set, Key: many/${index}, Value: x}`,
    );
    const file = at.write('many.yaml', operations.join('\n'));
    const ran = await at.run(['txn', 'apply', file]);
    expectFailure(ran, 1, 'too many operations (65 > 64)');
    expect(ran.stderr).toContain('Use --chunk to apply several transactions of 64;');
    expect(await at.run(['txn', 'apply', file, '--chunk', '128'])).toMatchObject({ code: 1, stdout: '' });
    expect((await at.run(['txn', 'apply', file, '--chunk', '64'])).stdout).toContain('in 2 transactions');
  });

  test('writes a node, a service and a check, and deletes without results', async () => {
    const ran = await apply(
      [
        '- Node: {Verb: set, Node: {Node: n1, Address: 10.0.0.1}}',
        '- Service: {Verb: set, Node: n1, Service: {ID: web-1, Service: web, Port: 80}}',
        '- Check: {Verb: set, Check: {Node: n1, CheckID: c1, Name: alive, Status: passing}}',
      ].join('\n'),
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^Node\tn1\t\d+\t10\.0\.0\.1$/m);
    expect(ran.stdout).toMatch(/^Service\tweb-1\t\d+\t:80$/m);
    expect(ran.stdout).toMatch(/^Check\tn1\/c1\t\d+\tpassing$/m);
    expectOutput(await apply('- Node: {Verb: delete, Node: {Node: n1}}\n'), 'Applied 1 operation.\n');
  });

  test.each(['--stale', '--consistent'])('logs the freshness of a read with %s', async (flag) => {
    const ran = await apply('- KV: {Verb: get-tree, Key: app/}\n', flag, '--verbose');
    expectExit(ran, 0, /^x-\w+-lastcontact: \d+$/m, /^x-\w+-knownleader: true$/m);
  });
});
