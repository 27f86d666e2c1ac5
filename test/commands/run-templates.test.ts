import { existsSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, words } from '../support/command-tests.ts';
import { start } from '../support/process.ts';

const { at } = embeddedForAll();
const soon = ['--debounce', '50ms', '--interval', '100ms'];
const done = async (line: string): Promise<void> => {
  expect(await at.run(words(line))).toMatchObject({ code: 0 });
};
beforeAll(async () => {
  await done('kv put secret/file password=first');
  await done('registry kv put file/level info');
  at.write('app.liquid', `password={{ ("secret/file" | kv).password }}\nlevel={{ "file/level" | key }}\n`);
});

describe('run --template', () => {
  test('writes files of mode 0600 before the command starts, and no variable', async () => {
    const ran = await at.run([
      ...words('run --template app.liquid:app.env --kv secret/file --prefix T_ -- sh -c'),
      'env -0 | grep -z ^T_ > seen; cat app.env >> seen',
    ]);
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(at.read('seen')).toBe('T_password=first\0password=first\nlevel=info\n');
    expect(statSync(at.file('app.env')).mode & 0o777).toBe(0o600);
  });

  test('neither writes a file nor starts the command while a value is missing', async () => {
    at.write('ok.liquid', 'ok');
    at.write('missing.liquid', '{{ "file/none" | key }}');
    const line = 'run --template ok.liquid:ok --template missing.liquid:missing -- touch started';
    expectFailure(await at.run(words(line)), 3, 'file/none');
    for (const name of ['ok', 'missing', 'started']) expect(existsSync(at.file(name)), name).toBe(false);
  });

  test.each(['app.liquid', '-:file', 'app.liquid:'])('rejects %s', async (target) => {
    expectFailure(
      await at.run(['run', '--template', target, '--', 'true']),
      2,
      `invalid --template "${target}": expected TEMPLATE:FILE`,
    );
  });

  test('rejects the same file twice', async () => {
    const line = 'run --template app.liquid:same --template app.liquid:same -- true';
    expectFailure(await at.run(words(line)), 2, 'duplicate file "same"');
  });

  test('with --watch: writes the files again, then signals or restarts the command', async () => {
    const run = (mode: string, file: string, script: string) =>
      start(at, [
        ...['run', '--template', `app.liquid:${file}`, '--watch', mode, ...soon],
        ...['--', 'sh', '-c', script],
      ]);
    const restarted = run('restart', 'restarted', 'cat restarted; while :; do sleep 0.02; done');
    await restarted.until(/password=first\nlevel=info\n/);
    const script = "trap 'cat signaled' HUP; cat signaled; while :; do sleep 0.02; done";
    const signaled = run('signal:HUP', 'signaled', script);
    await signaled.until(/level=info\n/);
    await done('registry kv put file/level debug');
    await restarted.until(/level=debug\n/);
    await signaled.until(/level=debug\n/);
    await done('kv put secret/file password=second');
    await restarted.until(/password=second\nlevel=debug\n/);
    await signaled.until(/password=second\nlevel=debug\n/);
    for (const child of [restarted, signaled]) {
      child.child.kill('SIGTERM');
      await child.ended;
      expect(child.stderr()).not.toContain('warning');
    }
    expect(restarted.stderr()).toMatch(/^restarted changed: sending SIGTERM/);
    expect(signaled.stderr()).not.toContain('the environment of a running command cannot change');
  });
});
