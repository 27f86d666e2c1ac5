import { chmodSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isWrite } from '../faults/proxy.ts';
import { expectExit, outputOf } from '../support/command-tests.ts';
import {
  benchForAll,
  createNeeds,
  kindOf,
  newSetId,
  policy,
  type Stated,
  variable,
  writeSet,
} from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
const { at } = bench;
const run = (line: string) => bench.run(line.split(' '));

/** A set of its own directory, and its saved plan. */
async function saved(directory: string, objects: readonly Stated[], flags = ''): Promise<string> {
  writeSet(bench, objects, { id: newSetId(), directory });
  const ran = await run(`plan ${directory} --out ${directory}.plan --force${flags}`);
  expect([0, 10], ran.stderr).toContain(ran.code);
  return `${directory}.plan`;
}

describe('plan -o markdown', () => {
  test('groups the objects by service and kind, with their fields as diffs', async () => {
    const id = newSetId();
    const lines = (...rules: readonly string[]) => rules.map((rule) => `${rule}\n`).join('');
    const rules = Array.from({ length: 20 }, (_none, index) => `# rule ${index}`);
    const long = (own: readonly string[]): Stated => ({
      ...policy('md-long', 'x', { deletion: 'allow' }),
      spec: { Rules: lines(...own) },
    });
    writeSet(bench, [policy('md-a', 'old'), long(rules), variable('md/a', { password: 'x', user: 'y' })], {
      id,
    });
    expectExit(await run('apply state --yes'), 0);
    writeSet(
      bench,
      [
        policy('md-a', 'new'),
        long(rules.map((rule) => `${rule} changed`)),
        variable('md/a', { password: 'z', user: 'y' }),
        policy('md-b'),
      ],
      { id },
    );
    const { code, stdout } = await run('plan state -o markdown');
    expect(code).toBe(10);
    expect(stdout).toBe(`## Plan for set \`test\`

**Plan:** 1 to create, 3 to update, 0 to delete, 0 unchanged.

### \`registry\`

\`registry.policy\`: 1 to create, 2 to update

- **update** \`md-a\`

  \`\`\`diff
  - Description: "old"
  + Description: "new"
  \`\`\`

- **create** \`md-b\`
- **update** \`md-long\`

  <details><summary>41 lines</summary>

  \`\`\`diff
  @@ Rules @@
${[...rules.map((rule) => `  - ${rule}`), ...rules.map((rule) => `  + ${rule} changed`)].join('\n')}
  \`\`\`

  </details>


### \`scheduler\`

\`scheduler.variable\`: 1 to update

- **update** \`md/a\`

  \`\`\`diff
  ! Items.password (secret changed)
  \`\`\`

`);
    expectExit(await run('apply state --yes'), 0);
    expect(await run('plan state -o markdown')).toMatchObject({
      code: 0,
      stdout: '## Plan for set `test`\n\nNo changes. 4 objects are up to date.\n',
    });
  });

  test('says what could not be read', async () => {
    writeSet(bench, [variable('md/unread', { password: 'x' })], { id: newSetId() });
    const env = { LANYARD_SCHEDULER_TOKEN: 'wrong' };
    const ran = await bench.run(['plan', 'state', '-o', 'markdown'], { env });
    expect([4, 5]).toContain(ran.code);
    expect(ran.stdout).toContain('\n- Warning: the plan is incomplete: 1 object could not be read\n');
    expect(ran.stdout).toContain('- **unknown** `md/unread` (`');
  });

  test.each([
    ['plan state -o markdown --select set', '--output markdown cannot be combined with --select'],
    ['plan state -o markdown --field set.id', '--output markdown cannot be combined with --field'],
    ['apply state -o markdown', 'invalid --output "markdown"'],
    ['acl policy list -o markdown', 'invalid --output "markdown"'],
  ])('%s is rejected, and nothing is sent', async (line, message) => {
    writeSet(bench, [policy('md-rejected')], { id: newSetId() });
    bench.proxy.begin();
    expectExit(await run(line), 2, message);
    expect(bench.proxy.passed).toEqual([]);
  });
});

describe('the text of a plan', () => {
  test('adopts many unchanged objects in one line for each kind', async () => {
    const names = ['1', '2', '3', '4', '5'].map((name) => `adopted-${name}`);
    const resolvePath = (path: string): string => at.file(path);
    for (const name of names) {
      const { kind, identity, spec } = policy(name);
      await kindOf(kind).create(bench.others, { identity, spec, live: undefined, resolvePath });
    }
    writeSet(
      bench,
      names.slice(0, 3).map((name) => policy(name)),
      { id: newSetId() },
    );
    expect((await run('plan state')).stdout).toBe(
      `${names
        .slice(0, 3)
        .map((name) => `= registry.policy ${name}\n`)
        .join('')}\nPlan: 0 to create, 0 to update, 0 to delete, 3 to adopt, 0 unchanged.\n`,
    );
    writeSet(bench, [policy('adopt-no'), ...names.map((name) => policy(name))], { id: newSetId() });
    const { stdout } = await run('plan state');
    expect(stdout).toBe(
      '+ registry.policy adopt-no\n= 5 objects of kind registry.policy\n\nPlan: 1 to create, 0 to update, 0 to delete, 5 to adopt, 0 unchanged.\n',
    );
    const { operations } = JSON.parse((await run('plan state -o json')).stdout);
    expect(operations).toHaveLength(6);
    expect((await run('plan state -o markdown')).stdout).toContain('- **adopt** 5 objects\n');
  });

  test('has headings where it is long, in the order of execution', async () => {
    const policies = Array.from({ length: 20 }, (_none, index) => policy(`many-${10 + index}`));
    writeSet(bench, [...policies, variable('many', { password: 'x' })], { id: newSetId() });
    const lines = (await run('plan state')).stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual(['registry.policy (20 objects)', '  + many-10', '  + many-11']);
    expect(lines.slice(20, 22)).toEqual(['  + many-29', '+ scheduler.variable many']);
  });

  test('shows a duration as the file states it', async () => {
    const id = newSetId();
    const mount = (ttl: unknown): Stated => ({
      kind: 'secrets.mount',
      identity: { scope: {}, key: 'review-timed' },
      spec: { type: 'kv', config: { default_lease_ttl: ttl as string } },
    });
    writeSet(bench, [mount('30m')], { id });
    expectExit(await run('apply state --yes'), 0);
    for (const [ttl, shown] of [
      ['1h', '30m → 1h'],
      ['60m', '30m → 60m'],
      [3600, '30m → 1h'],
      ['5400', '30m → 1h30m'],
      ['1h30m0s', '30m → 1h30m0s'],
    ] as const) {
      writeSet(bench, [mount(ttl)], { id });
      expect((await run('plan state')).stdout, String(ttl)).toContain(`config.default_lease_ttl: ${shown}\n`);
    }
    const { operations } = JSON.parse((await run('plan state -o json')).stdout);
    expect(operations[0].changes).toEqual([
      {
        path: '/spec/config/default_lease_ttl',
        action: 'update',
        before: 1800,
        after: 5400,
        unit: 'seconds',
        stated: '1h30m0s',
        sensitive: false,
      },
    ]);
  });
});

describe('plan FILE.plan', () => {
  test('shows a saved plan without its files and without a request', async () => {
    const file = await saved('shown', [policy('shown-a'), variable('shown', { password: 'x' })], ' --prune');
    const fresh = JSON.parse(at.read(file));
    at.clear('shown');
    bench.proxy.begin();
    const shown = await run(`plan ${file}`);
    expect(shown.code).toBe(10);
    expect(shown.stdout).toMatch(
      /^Set\ttest \(set\d+\)\nMade\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\nFiles\tshown\nOptions\t--prune\n/,
    );
    expect(shown.stdout).toContain(
      '\n+ registry.policy shown-a\n+ scheduler.variable shown\n\nPlan: 2 to create,',
    );
    expect(JSON.parse((await run(`plan ${file} -o json`)).stdout)).toEqual(fresh);
    const markdown = (await run(`plan ${file} -o markdown`)).stdout;
    expect(markdown).toContain('- Files: `shown`\n- Options: `--prune`\n');
    expect(markdown).toContain('- **create** `shown-a`\n');
    expect((await run(`plan ${file} --exit-zero`)).code).toBe(0);
    expect(bench.proxy.passed).toEqual([]);
  });

  test('shows the same objects as the plan that was saved, of every kind', async () => {
    const id = newSetId();
    const changed = objectCases.filter(({ changed: next }) => next !== undefined).slice(0, 12);
    for (const each of changed) await createNeeds(each, bench);
    writeSet(bench, changed, { id });
    const plan = await run('plan state --adopt --out every.plan --force');
    expect((await run('plan every.plan')).stdout.endsWith(`\n\n${plan.stdout}`)).toBe(true);
    expect(
      (await run('plan every.plan -o markdown')).stdout.replace(/^- (Set|Made|Files|Options): .*\n/gm, ''),
    ).toBe((await run('plan state --adopt -o markdown')).stdout.replace('unchanged.\n', 'unchanged.\n\n'));
  });

  test.each([
    '--prune',
    '--adopt',
    '--allow-unknown',
    '--out x.plan',
    '--force',
    '--show-secrets',
    '--kind registry.policy',
  ])('rejects %s', async (flag) => {
    const file = await saved('flagged', [policy('flagged')]);
    expectExit(
      await run(`plan ${file} ${flag}`),
      2,
      `${flag.split(' ')[0]} cannot be combined with a saved plan`,
    );
  });

  test('rejects what is not a saved plan, and says why', async () => {
    const file = await saved('odd', [policy('odd')]);
    const plan = JSON.parse(at.read(file));
    const [operation] = plan.operations;
    for (const [text, message] of [
      ['kind: Set\n', 'odd.plan is not a saved plan: invalid JSON'],
      ['{}', 'odd.plan is not a saved plan: expected lanyard/plan/v1 with its inputs'],
      [
        JSON.stringify({ ...plan, createdAt: 'x' }),
        'odd.plan is not a saved plan: missing or invalid fields',
      ],
      [JSON.stringify({ ...plan, operations: [{ ...operation, id: 1 }] }), 'missing or invalid fields'],
      [JSON.stringify({ ...plan, operations: [{ ...operation, action: 'x' }] }), 'missing or invalid fields'],
      [JSON.stringify({ ...plan, inputs: { ...plan.inputs, paths: 'odd' } }), 'invalid inputs'],
    ] as const) {
      at.write(file, text);
      expectExit(await run(`plan ${file}`), 2, message);
    }
    expectExit(await run(`plan ${file} odd`), 2, 'a saved plan cannot be combined with other files');
    expectExit(await run('plan nowhere.plan'), 2, 'nowhere.plan');
  });
});

describe('apply --saved', () => {
  test('applies a saved plan of any name', async () => {
    const file = await saved('named', [policy('named')]);
    at.write('reviewed.json', at.read(file));
    chmodSync(at.file('reviewed.json'), 0o600);
    expectExit(await run('apply --saved reviewed.json --yes'), 0);
    expect((await run('acl policy get named')).code).toBe(0);
    expectExit(await run('apply --saved reviewed.json --yes'), 6, 'the saved plan is stale');
  });

  test('rejects everything else, and nothing is sent', async () => {
    const file = await saved('only', [policy('only')]);
    bench.proxy.begin();
    for (const [paths, message] of [
      ['only', 'only is not a saved plan: expected a regular file'],
      ['only/object-0.json', 'is not a saved plan: expected lanyard/plan/v1'],
      ['-', 'standard input is not a saved plan'],
      ['nowhere', 'nowhere'],
      [`${file} only`, 'a saved plan cannot be combined with other files'],
      [`${file} --prune`, '--prune cannot be combined with a saved plan'],
    ] as const)
      expectExit(await run(`apply --saved ${paths} --yes`), 2, message);
    expect(bench.proxy.passed).toEqual([]);
  });

  test('rejects a file that other users can change', async () => {
    const file = await saved('shared', [policy('shared')]);
    symlinkSync(at.file(file), at.file('link.plan'));
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(at.file(file), mode);
      for (const path of [file, 'link.plan'])
        expectExit(
          await run(`apply ${path} --yes`),
          2,
          `other users can change the file (mode ${mode.toString(8)})`,
        );
    }
    expect((await run(`plan ${file}`)).code).toBe(10);
    chmodSync(at.file(file), 0o644);
    expectExit(await run('apply link.plan --yes'), 0);
  });

  test('rejects a plan that was edited', async () => {
    const file = await saved('edited', [policy('edited-a'), policy('edited-b')]);
    const plan = JSON.parse(at.read(file));
    const [first, second] = plan.operations;
    for (const edited of [
      { ...plan, operations: [first] },
      { ...plan, operations: [first, { ...second, action: 'update' }] },
      { ...plan, operations: [first, { ...second, name: 'edited-c' }] },
      { ...plan, set: { ...plan.set, generation: 7 } },
      { ...plan, inputs: { ...plan.inputs, digest: 'x' } },
    ]) {
      at.write(file, JSON.stringify(edited));
      chmodSync(at.file(file), 0o600);
      bench.proxy.begin();
      expectExit(await run(`apply --saved ${file} --yes`), 6, 'the saved plan is stale');
      expect(bench.proxy.passed.filter(isWrite)).toEqual([]);
    }
    expect(outputOf(await run('acl policy list'))).not.toContain('edited-');
  });
});
