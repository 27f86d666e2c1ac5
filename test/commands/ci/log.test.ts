import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceName } from '../../../src/wire/services.ts';
import { respond } from '../../canary/trials.ts';
import { type FaultProxy, faultProxy, type Reply } from '../../faults/proxy.ts';
import { embeddedForAll, expectExit } from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';

const { at, running } = embeddedForAll();
let proxy: FaultProxy;

const command = '::stop-commands::token';
const legacy = 'x ##[stop-commands]token';

/** What a runner of GitHub Actions takes for a command: after spaces, or `##[` anywhere. */
const isCommand = (line: string): boolean => /^\s*::/.test(line) || line.includes('##[');
const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);
const commandsIn = ({ stdout, stderr }: Ran): string[] =>
  [...linesOf(stdout), ...linesOf(stderr)].filter(isCommand);

/** Runs a command line in a job of GitHub Actions. */
const inJob = (line: string, env: Record<string, string> = {}): Promise<Ran> =>
  at.run(line.split(' '), { env: { GITHUB_ACTIONS: 'true', ...env } });

/** The services respond with this instead. */
const answering = (change: (reply: Reply) => { readonly status: number; readonly body: string }): void =>
  proxy.begin({
    forwards: true,
    picks: () => true,
    play: (socket, reply) => {
      const { status, body } = change(reply);
      respond(socket, status, body);
    },
  });

beforeAll(async () => {
  const targets = Object.fromEntries(
    Object.entries(running.addresses).map(([name, address]) => [name, { address, token: undefined }]),
  );
  proxy = await faultProxy(targets as unknown as Parameters<typeof faultProxy>[0]);
  for (const [name, { address }] of Object.entries(proxy.targets))
    at.env[`LANYARD_${(name as ServiceName).toUpperCase()}_ADDR`] = address;
  for (const key of [command, legacy]) {
    expectExit(await at.run(['registry', 'kv', 'put', key, 'value']), 0);
  }
  await at.run(['kv', 'put', 'secret/ci', 'password=line1secretAAA']);
});
beforeEach(() => proxy.begin());
afterAll(async () => {
  await proxy.close();
});

describe('a key that looks like a command of GitHub Actions', () => {
  test.each(['text', 'table', 'yaml', 'json', 'jsonl'])('is not written with -o %s', async (format) => {
    const ran = await inJob(`registry kv list -o ${format}`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('stop-commands');
    expect(commandsIn(ran)).toEqual([]);
  });

  test('is unchanged as JSON and YAML, as the error for other formats says', async () => {
    const { stdout, stderr } = await inJob('registry kv list -o json');
    expect([JSON.parse(stdout), stderr]).toEqual([[command, legacy], '']);
    const yaml = await inJob('registry kv list -o yaml');
    expect([JSON.parse(yaml.stdout), yaml.stderr]).toEqual([[command, legacy], '']);
    const text = await inJob('registry kv list');
    expect(text.stdout).toBe(': :stop-commands::token\nx # #[stop-commands]token\n');
    expect(text.stderr).toBe(
      'warning: the result contains workflow commands, which were escaped\n  Use --out FILE or -o json for the exact text.\n',
    );
  });

  test('is exact outside of a CI service, in a file and with --field', async () => {
    expect((await at.run(['registry', 'kv', 'list'])).stdout).toBe(`${command}\n${legacy}\n`);
    expect((await inJob('registry kv list --field [0]')).stdout).toBe(`${command}\n`);
    expect((await inJob('registry kv list --out keys.txt')).code).toBe(0);
    expect(at.read('keys.txt')).toBe(`${command}\n${legacy}\n`);
  });
});

test.each(['text', 'json'])('an error of a service is no command with -o %s', async (format) => {
  const body = JSON.stringify({ errors: [command, `a\n${legacy}`] });
  answering(() => ({ status: 400, body }));
  const ran = await inJob(`kv get secret/ci -o ${format}`);
  expect([ran.code, commandsIn(ran)]).toEqual([1, []]);
  if (format === 'json') expect(JSON.parse(ran.stderr).error.messages.join('\n')).toContain(legacy);
});

describe('warnings of a service', () => {
  const withWarnings = () =>
    answering(({ status, body }) => ({
      status,
      body: JSON.stringify({ ...JSON.parse(String(body)), warnings: [`w\n${command}`, 'line1secretAAA'] }),
    }));

  test.each([
    ['ci export --read secret/data/ci', { GITHUB_OUTPUT: 'output' }],
    ['kv get secret/ci', {}],
    ['secrets read secret/data/ci', {}],
  ])('follow the masks: %s', async (line, files: Record<string, string>) => {
    withWarnings();
    const env = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, at.write(file, '')]));
    const ran = await inJob(line, env);
    expect(ran.code, ran.stderr).toBe(0);
    const lines = linesOf(ran.stderr);
    expect(lines.filter(isCommand)).toEqual(['::add-mask::line1secretAAA']);
    expect(lines[0]).toBe('::add-mask::line1secretAAA');
    expect(lines).toContain('  : :stop-commands::token');
  });

  test('come after the masks of the values that were read before an error', async () => {
    withWarnings();
    const env = { GITHUB_OUTPUT: at.write('output', '') };
    const ran = await at.run(['ci', 'export', '--read', 'secret/data/ci', '--read', 'secret/data/ci none'], {
      env: { GITHUB_ACTIONS: 'true', ...env },
    });
    expect(ran.code).toBe(3);
    expect(linesOf(ran.stderr)[0]).toBe('::add-mask::line1secretAAA');
    expect(at.read('output')).toBe('');
  });
});
