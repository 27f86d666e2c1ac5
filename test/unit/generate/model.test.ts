import { describe, expect, test } from 'vitest';
import {
  type CommandModel,
  everyCommand,
  flagsOf,
  type Model,
  modelOf,
} from '../../../scripts/generate/model.ts';
import { arg, command, flag } from '../../../src/command/command.ts';
import { sampleGroups, sampleTree } from './sample.ts';

const model = await modelOf(sampleTree, sampleGroups);

const at = (path: string, from: Model = model): CommandModel => {
  const found = everyCommand(from.root).find(({ words }) => words.join(' ') === path);
  if (!found) throw new Error(`no ${path}`);
  return found;
};

const flagNames = (path: string): string[] => flagsOf(at(path), model).map(({ name }) => name);

describe('the model of the command line', () => {
  test('has every command and group, in the order of the tree', () => {
    expect(everyCommand(model.root).map(({ words }) => words.join(' '))).toEqual([
      ...['', 'status', 'dev', 'dev run', 'key', 'key sign', 'key show', 'profile', 'profile use', 'api'],
    ]);
  });

  test('distinguishes runnable commands from groups', () => {
    expect(at('dev').runs).toBe(true);
    expect(at('key')).toMatchObject({ runs: false, summary: 'keys', args: [], flags: [] });
  });

  test('gives a command the shared flags that it offers', () => {
    expect(at('status').shared).toEqual(['out', 'result', 'every']);
    expect(at('key sign').shared).toEqual(['service', 'namespace', 'writes', 'result', 'every']);
    // The box service has no namespaces.
    expect(at('api').shared).toEqual(['service', 'out', 'result', 'every']);
  });

  test('gives a group and the root all shared flags', () => {
    expect(at('key').shared).toEqual(['service', 'namespace', 'writes', 'out', 'result', 'every']);
    expect(at('').shared).toEqual(at('key').shared);
    expect(flagNames('')).toContain('version');
  });

  test('has a flag once when a command redefines a shared name', () => {
    const outs = flagsOf(at('key sign'), model).filter(({ name }) => name === 'out');
    expect(outs).toHaveLength(1);
    expect(outs[0]?.help).toBe('an --out of its own');
  });

  test('keeps the rest of a set when one flag is replaced', async () => {
    const status = command({
      args: {},
      flags: { quiet: flag.boolean('a --quiet of its own') },
      run: async () => undefined,
    });
    const other = await modelOf(
      [{ path: 'status', summary: '', load: async () => ({ default: status }) }],
      {},
    );
    const names = flagsOf(at('status', other), other).map(({ name }) => name);
    expect(names.filter((name) => name === 'quiet')).toHaveLength(1);
    expect(names.toSorted()).toEqual(flagNames('status').toSorted());
  });

  test('spells flags as they are typed', () => {
    expect(at('key sign').flags.find(({ name }) => name === 'name')?.aliases).toEqual(['valid-names']);
    expect(flagNames('key sign')).toContain('dry-run');
  });

  test('rejects a choice that a shell would not read as one word', async () => {
    const odd = command({
      args: { size: arg.choice('SIZE', ['small', 'very large'], 'how large') },
      flags: {},
      run: async () => undefined,
    });
    await expect(
      modelOf([{ path: 'odd', summary: '', load: async () => ({ default: odd }) }], {}),
    ).rejects.toThrow('the choice "very large" of SIZE is not a plain word');
  });
});
