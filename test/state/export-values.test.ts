import { describe, expect, test } from 'vitest';
import { embeddedForEach, outputOf } from '../support/command-tests.ts';

const { at } = embeddedForEach();
/** The file of a key, wherever it is in the directory. */
const fileOf = (key: string): string => {
  const found = at.list('state').find((name) => name.includes(key));
  if (found === undefined) throw new Error(`no file of ${key}: ${at.list('state')}`);
  return found;
};
const run = (...words: string[]) => at.run(words, { cwd: at.path });

describe('export --values', () => {
  test('writes registry keys with their values, which plans compare and apply restores', async () => {
    at.write('binary', new Uint8Array([0, 255, 1]));
    outputOf(await run('registry', 'kv', 'put', 'app/limit', '10'));
    outputOf(await run('registry', 'kv', 'put', 'app/binary', '@binary'));
    outputOf(await run('registry', 'kv', 'put', 'app/empty', ''));
    outputOf(await run('export', 'state', '--kind', 'registry.key', '--values'));
    expect(at.read(fileOf('limit'))).toContain('sensitive: false\nspec:\n  value: "10"\n');
    expect(at.read(fileOf('binary'))).toContain('value: AP8B\n  encoding: base64\n');
    expect((await run('plan', 'state')).code).toBe(0);
    outputOf(await run('registry', 'kv', 'put', 'app/limit', '777'));
    const changed = await run('plan', 'state');
    expect(changed).toMatchObject({ code: 10 });
    expect(changed.stdout).toContain('777');
    outputOf(await run('registry', 'kv', 'delete', 'app/binary', '--yes'));
    outputOf(await run('apply', 'state', '--yes', '--adopt'));
    expect(outputOf(await run('registry', 'kv', 'get', 'app/limit'))).toContain('10');
    expect((await run('plan', 'state')).code).toBe(0);
  });

  test('keeps the values of a key whose file says that it is sensitive', async () => {
    outputOf(await run('registry', 'kv', 'put', 'app/token', 's3cr3t'));
    outputOf(await run('export', 'state', '--kind', 'registry.key'));
    const file = fileOf('token');
    expect(at.read(file)).not.toContain('s3cr3t');
    at.write(file, at.read(file).replace('metadata:\n', 'metadata:\n  sensitive: true\n'));
    outputOf(await run('export', 'state', '--kind', 'registry.key', '--values'));
    expect(at.read(file)).not.toContain('s3cr3t');
    at.write(file, at.read(file).replace('  sensitive: true\n', ''));
    outputOf(await run('export', 'state', '--kind', 'registry.key', '--values'));
    expect(at.read(file)).toContain('value: s3cr3t');
    expect(at.read(file)).not.toContain('unmanaged');
  });
});
