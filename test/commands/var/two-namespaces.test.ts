import { beforeEach, describe, expect, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { factsOf } from '../../facts/facts.ts';
import { homeForEach, servicesForEach } from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';

// Every command of the scheduler that has a namespace, in two namespaces whose variables have the same paths: it reads and
// changes the one that was asked for, whichever way that was.

const commands = await Promise.all(
  tree.map(async ({ path, load }) => ({ path, command: (await load()).default })),
).then((all) => all.filter(({ command }) => (command.service ?? command.namespaceOf) === 'scheduler'));

test('every command of the scheduler has `scoped` in its facts', () => {
  expect(commands.filter(({ path }) => factsOf(path).scoped === undefined)).toEqual([]);
});

const at = homeForEach();
const running = servicesForEach(at);
beforeEach(async () => {
  for (const name of ['one', 'two', 'other', 'empty']) await done(`namespace put ${name}`);
  for (const name of ['one', 'two']) {
    for (const path of ['app/name', 'app/other', `only-${name}`])
      await done(`var put ${path} MARK=mark-${name} --namespace ${name}`);
    await done(
      `profile put ${name} scheduler.address=${running.addresses.scheduler} scheduler.namespace=${name}`,
    );
  }
  at.write('files/app/name.json', '{"MARK":"imported"}');
  at.write('check.sh', '#!/bin/sh\n[ "$MARK" = mark-two ]\n', 0o755);
  at.write('editor.sh', '#!/bin/sh\nsed -i s/mark/edited/ "$1"\n', 0o755);
});

async function done(line: string): Promise<void> {
  const { code, stderr } = await at.run(line.split(' '));
  expect(code, `${line}: ${stderr}`).toBe(0);
}

/** What a namespace has, also where only its indexes changed, as by a lock. */
async function own(namespace: string): Promise<string> {
  const ask = async (path: string): Promise<string> =>
    (await fetch(`${running.addresses.scheduler}/v1/${path}namespace=${namespace}`)).text();
  const list = await ask('vars?');
  const paths = (JSON.parse(list) as readonly { readonly Path: string }[]).map(({ Path }) => Path);
  return [list, ...(await Promise.all(paths.map((path) => ask(`var/${path}?`))))].join('\n');
}

interface Asked {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
const ways: Readonly<Record<string, (namespace: string) => Asked>> = {
  'the flag': (namespace) => ({ after: ['--namespace', namespace] }),
  'the short flag': (namespace) => ({ after: ['-n', namespace] }),
  'the variable': (namespace) => ({ env: { LANYARD_SCHEDULER_NAMESPACE: namespace } }),
  'the variable of the product': (namespace) => ({ env: { NOMAD_NAMESPACE: namespace } }),
  'the profile': (namespace) => ({ before: ['--profile', namespace] }),
};

async function run(path: string, line: string, { before = [], after = [], env = {} }: Asked): Promise<Ran> {
  const words = line.split(' ').filter((word) => word !== '');
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const ran = await at.run(
    [...before, ...path.split(' '), ...words.slice(0, end), ...after, ...words.slice(end)],
    {
      env: { EDITOR: at.file('editor.sh'), ...env },
      random: (length) => new Uint8Array(length),
      ...(path.startsWith('wait ') ? { timeout: (ms: number) => AbortSignal.timeout(ms) } : {}),
    },
  );
  if (!words.includes('out') || ran.code !== 0) return ran;
  const stdout = at
    .list('out')
    .map((name) => at.read(name))
    .join('');
  at.clear('out');
  return { ...ran, stdout };
}

describe.each(Object.keys(ways))('by %s', (way) => {
  const each = commands.flatMap(({ path }) => (factsOf(path).scoped ?? []).map((one) => ({ path, ...one })));

  test.each(each)('$path $line', async ({ path, line, effect }) => {
    const before = { one: await own('one'), two: await own('two') };
    const found = await run(path, line, ways[way]?.('two') ?? {});
    // 10: a difference.
    expect(found.code, found.stderr).toBe(path === 'var diff' ? 10 : 0);
    expect(await own('one')).toBe(before.one);
    if (effect === 'writes') expect(await own('two')).not.toBe(before.two);
    else expect(await own('two')).toBe(before.two);
    if (effect !== 'reads') return;
    const elsewhere = await run(path, line, ways[way]?.('one') ?? {});
    expect(elsewhere.stdout + elsewhere.code).not.toBe(found.stdout + found.code);
    expect(found.stdout).not.toContain('mark-one');
    expect(elsewhere.stdout).not.toContain('mark-two');
  });
});
