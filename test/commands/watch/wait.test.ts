import { describe, expect, onTestFinished, test } from 'vitest';
import {
  embeddedForAll,
  errorOf,
  expectExit,
  expectFailure,
  homeForTest,
  outputOf,
  servicesForTest,
} from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import type { RunOptions } from '../../support/run.ts';
import { type Running, relay, running } from './watching.ts';

const { at, running: embedded, run: lanyard } = embeddedForAll();

/** The words of a line; those between ' are one. */
const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

async function done(line: string): Promise<void> {
  expect(await lanyard(line), line).toMatchObject({ code: 0 });
}

/** Starts a wait with a time that nothing takes; it is interrupted with the test. */
function waiting(line: string, options: RunOptions = {}): Running {
  const wait = running(at, words(`wait ${line} --timeout 1h`), options);
  onTestFinished(async () => {
    await wait.stop();
  });
  return wait;
}

/** Waits until it says that it waits. */
const isWaiting = (wait: Running, reason: string): Promise<void> =>
  eventually(() => expect(wait.stderr()).toContain(reason));

describe('wait', () => {
  test.each([
    ['var', 'var waits/var', 'var put waits/var user=one', 'variable "waits/var"'],
    ['key', 'key waits/key', 'registry kv put waits/key one', 'key "waits/key"'],
    ['kv', 'kv secret/waits --interval 100ms', 'kv put secret/waits user=one', 'secret secret/waits'],
  ])('%s: for an object that does not exist', async (_command, line, put, name) => {
    const wait = waiting(line);
    await isWaiting(wait, `waiting for ${name}: it does not exist\n`);
    await done(put);
    expect((await wait.ended).code).toBe(0);
    expect(wait.text()).toMatch(new RegExp(`^${name}: present( \\(after [^)]+\\))?\\n$`));
  });

  test('service: for passing instances', async () => {
    const wait = waiting('service waits --passing 2');
    await isWaiting(wait, 'waiting for service "waits": it does not exist');
    await done('registry service register waits --id waits-1 --port 1');
    await done('registry service register waits --id waits-2 --port 2');
    expect((await wait.ended).code).toBe(0);
    expect(wait.text()).toMatch(/^service "waits": 2 passing instances/);
    const ran = await lanyard('wait service waits --passing 3 --timeout 0');
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: condition not met: service "waits": 2 of 2 instances are passing\n {2}condition: 3 passing instances\n {2}last state: present, index \d+, at \d{4}-.* UTC\n$/,
    );
    expect((await lanyard('wait service waits --tag other --timeout 0')).code).toBe(8);
  });

  test('secrets: unsealed and initialized', async () => {
    const own = homeForTest();
    await servicesForTest(own, { uninitialized: true });
    const run = (line: string) => own.run(words(line));
    const ran = await run('wait secrets initialized --timeout 0');
    expectExit(ran, 8, 'the secrets service: it is not initialized');
    const wait = running(own, words('wait secrets unsealed --timeout 1h --interval 100ms'));
    await isWaiting(wait, 'it is not initialized');
    const stdout = outputOf(await run('secrets init --secret-shares 1 --secret-threshold 1 -o json --yes'));
    expect(await run('wait secrets initialized --timeout 0')).toMatchObject({ code: 0 });
    expectExit(await run('wait secrets unsealed --timeout 0'), 8, 'it is sealed');
    own.write('key.txt', JSON.parse(stdout).keys[0]);
    expect((await run('secrets unseal @key.txt')).code).toBe(0);
    expect((await wait.ended).code).toBe(0);
    expect(wait.text()).toMatch(/^the secrets service: unsealed/);
  });
});

describe('--for', () => {
  test('waits for a field that does not exist yet', async () => {
    await done('var put waits/late user=one');
    const wait = waiting(`var waits/late --for 'Items.ready == \`"yes"\`'`);
    await isWaiting(wait, 'is not true');
    await done('var put waits/late user=one ready=yes');
    expect((await wait.ended).code).toBe(0);
  });

  test.each([
    ['var a --for Itms.ready', 'invalid --for "Itms.ready": unknown field "Itms"', 'did you mean Items?'],
    ['kv secret/a --for user', 'unknown field "user"', 'fields: data, metadata'],
    ['key a --for value', 'unknown field "value"', 'did you mean Value?'],
    ['var a --for Items.', 'invalid --for "Items."', 'hint:'],
    ['var a --fail-if Items[', 'invalid --fail-if "Items["', 'hint:'],
    ['service a --passing 0', '--passing must be greater than zero', 'hint:'],
    ['key a --stable 2m', '--stable must be shorter than --timeout', ''],
    ['key a --interval 1ms', 'expected at least 100ms', ''],
  ])('%s is rejected at once', async (line, message, more) => {
    expectFailure(await lanyard(`wait ${line}`), 2, message, more);
  });

  test('absent', async () => {
    await done('registry kv put waits/absent one');
    const wait = waiting('key waits/absent --for absent');
    await isWaiting(wait, 'it exists');
    await done('registry kv delete waits/absent --yes');
    expect((await wait.ended).code).toBe(0);
    expect(await lanyard('wait key waits/absent --for absent --timeout 0 -o json')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"status": "absent",\n {2}"data": null\n\}\n$/),
    });
  });

  test('changed: an object that was deleted and created again with the same content', async () => {
    await done('var put waits/again user=one');
    const wait = waiting('var waits/again --for changed');
    await isWaiting(wait, 'it has not changed');
    await done('var delete waits/again --yes');
    await done('var put waits/again user=one');
    expect((await wait.ended).code).toBe(0);
  });

  test('several conditions', async () => {
    await done('registry kv put waits/several one');
    const both = (any: string) =>
      lanyard(`wait key waits/several --for present --for Session ${any} --timeout 0`);
    expectExit(await both(''), 8, 'Session is not true');
    expect(await both('--any')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('present or Session'),
    });
  });

  test('--fail-if ends the wait', async () => {
    await done('registry kv put waits/failing one');
    const wait = waiting(`key waits/failing --for changed --fail-if absent`);
    await isWaiting(wait, 'it has not changed');
    await done('registry kv delete waits/failing --yes');
    expectFailure(await wait.ended, 1, 'stopped waiting for key "waits/failing": --fail-if absent');
  });

  test('--stable', async () => {
    await done('registry kv put waits/stable one');
    const wait = waiting('key waits/stable --stable 1ms');
    expect((await wait.ended).code).toBe(0);
  });
});

describe('the result', () => {
  test('is the condition and the object in JSON, and has its values only there', async () => {
    await done('var put waits/result password=hunter2');
    const json = await lanyard('wait var waits/result -o json');
    expect(JSON.parse(json.stdout)).toEqual({
      object: 'variable "waits/result"',
      condition: 'present',
      met: true,
      elapsedSeconds: expect.any(Number),
      index: expect.stringMatching(/^\d+$/),
      status: 'present',
      data: expect.objectContaining({ Path: 'waits/result', Items: { password: 'hunter2' } }),
    });
    const line = await lanyard('wait var waits/result -o jsonl');
    expect(JSON.parse(line.stdout)).toMatchObject({ met: true, data: { Path: 'waits/result' } });
    expect((await lanyard('wait var waits/result')).stdout).not.toContain('hunter2');
    expect((await lanyard('wait var waits/result -o env')).stdout).toBe("password='hunter2'\n");
    expect((await lanyard('wait var waits/result --field data.Items.password')).stdout).toBe('hunter2\n');
    const failed = await lanyard('wait var waits/result --for changed --timeout 0');
    expect(failed.stderr).not.toContain('hunter2');
  });

  test('of a failure in JSON', async () => {
    expect(errorOf(await lanyard('wait key waits/none --timeout 0 -o json'), 8)).toMatchObject({
      code: 8,
      kind: 'unavailable',
      message: 'condition not met: key "waits/none": it does not exist',
      messages: ['condition: present', expect.stringMatching(/^last state: absent, index \d+, at /)],
      retryable: true,
    });
  });

  test('of a list is rejected as variables before it waits', async () => {
    expectFailure(await lanyard('wait service waits-none -o env'), 2, 'the result of this command is a list');
  });

  test('after the time is up', async () => {
    const ran = await lanyard('wait key waits/none --timeout 1s');
    expectFailure(ran, 8, /error: timed out after \S+ seconds?: key "waits\/none": it does not exist\n/);
    expect(ran.stderr).toContain('hint: Set --timeout to wait longer.');
  });

  test('after an interruption', async () => {
    const wait = waiting('key waits/none');
    await isWaiting(wait, 'it does not exist');
    expect((await wait.stop()).code).toBe(130);
  });
});

describe('an error of the service', () => {
  test('is waited out, or with --fail-fast reported at once', async () => {
    const between = await relay(embedded.addresses.registry);
    onTestFinished(() => between.close());
    between.target(undefined);
    const env = { LANYARD_REGISTRY_ADDR: between.address };
    expect((await lanyard('wait key waits/down --fail-fast', { env })).code).toBe(7);
    expectExit(await lanyard('wait key waits/down --timeout 0', { env }), 8, 'no state was read');
    const wait = waiting('key waits/down', { env });
    await isWaiting(wait, '; retrying');
    await done('registry kv put waits/down one');
    between.target(embedded.addresses.registry);
    expect((await wait.ended).code).toBe(0);
  });

  test('denied access is no reason to wait', async () => {
    const env = { LANYARD_SECRETS_TOKEN: 's.unknown-token' };
    expect((await lanyard('wait kv secret/waits', { env })).code).toBe(4);
    expectExit(await at.run(words('wait kv secret/waits'), { env: { LANYARD_SECRETS_TOKEN: '' } }), 4);
  });

  test('--curl shows the first request', async () => {
    expect(outputOf(await lanyard('wait key a --curl'))).toMatch(/^curl .*\/v1\/kv\/a/);
  });
});
